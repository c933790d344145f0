// Points: their signed distances from bodies.
#pragma once

#include <abut/executor.hpp>
#include <abut/points.hpp>

namespace abut {

// Writes the columns but for the status, and of every pair its status.
void run_points(const Frame& frame, const Points& points, const PointOptions& options, const Executor& executor, const PointColumns& out,
                Status* status);

}  // namespace abut
