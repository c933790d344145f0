// Casts the rays of all pairs, and selects the hits that count (RayReduction).
#pragma once

#include <span>

#include <abut/rays.hpp>

#include "base/memory.hpp"
#include "batch/query_context.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "shapes/tables.hpp"

namespace abut {

class RayRuns {
public:
    explicit RayRuns(QueryContext& context) : context_(context) {}

    // Fills columns whose sizes have been checked.
    void answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options);

private:
    struct Call;

    // Writes the columns except bits, hits and status. Records the status of every pair, and whether it hits.
    void find_hits(const Call& call);
    void keep_best(const Call& call);
    void clear_all_but_best(const Call& call) const;

    QueryContext& context_;
    Vector<RayBest> best_;  // by ray
};

}  // namespace abut
