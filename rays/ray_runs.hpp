// Rays, and which of a ray's hits count.
#pragma once

#include <abut/executor.hpp>
#include <abut/ray.hpp>

#include "host/memory.hpp"
#include "rays/node_ray.hpp"
#include "results/columns.hpp"
#include "shapes/tables.hpp"

namespace abut {

class RayRuns {
public:
    // Writes the columns except bits and hits, the status of every pair, and 1 to `hit` for hits.
    void run(const Frame& frame, const Rays& rays, const RayOptions& options, const Executor& executor, FindEntries find_entries,
             const RayColumns& out, Status* status, std::uint8_t* hit);

private:
    struct Call;

    void meet(const Call& call, std::uint32_t pair, ShapeId shape) const;
    void keep_best(const Call& call);
    void drop_others(const Call& call) const;

    // The hit of a ray so far.
    struct RayBest {
        double fraction;
        std::uint32_t pair;
    };
    Vector<RayBest> best_;  // by ray
};

}  // namespace abut
