// Rays, and which of a ray's hits count.
#pragma once

#include <span>

#include <abut/executor.hpp>
#include <abut/ray.hpp>

#include "host/memory.hpp"
#include "rays/kernels.hpp"
#include "shapes/tables.hpp"

namespace abut {

class RayRuns {
public:
    // Writes the columns except bits and hits, the status of every pair, and 1 to `hit` for hits.
    void run(const Frame& frame, const Rays& rays, const RayOptions& options, const Executor& executor, const RayKernels& kernels,
             const RayColumns& out, Status* status, std::uint8_t* hit);

private:
    struct Call;

    void meet_kind(const Call& call, ShapeKind kind, std::span<const std::uint32_t> pairs) const;
    void keep_best(const Call& call);
    void drop_others(const Call& call) const;

    Vector<RayBest> best_;  // by ray
};

}  // namespace abut
