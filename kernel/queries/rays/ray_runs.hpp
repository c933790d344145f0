// Casts the rays of all pairs, and selects the hits that count (RayReduction).
#pragma once

#include <span>

#include <abut/host.hpp>
#include <abut/rays.hpp>

#include "base/memory.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "shapes/tables.hpp"

namespace abut {

class RayRuns {
public:
    // Writes the columns of `out` except bits, hits and status. Writes to `status` and `hit` (1 or 0) for every pair.
    void run(const Frame& frame, const Rays& rays, const RayOptions& options, const Executor& executor,
             const RayKernels& kernels, const RayColumns& out, Status* status, std::uint8_t* hit);

private:
    struct Call;

    void meet_kind(const Call& call, ShapeKind kind, std::span<const std::uint32_t> pairs) const;
    void keep_best(const Call& call);
    void clear_others(const Call& call) const;

    Vector<RayBest> best_;  // by ray
};

}  // namespace abut
