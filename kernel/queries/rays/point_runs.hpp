// The signed distances of points from bodies.
#pragma once

#include <abut/host.hpp>
#include <abut/rays.hpp>

#include "queries/rays/ray_kernels.hpp"

namespace abut {

// Writes the columns of `out` except status. The status of every pair goes to `status`.
void run_points(const Frame& frame, const Points& points, const PointOptions& options, const Executor& executor,
                const RayKernels& kernels, const PointColumns& out, Status* status);

}  // namespace abut
