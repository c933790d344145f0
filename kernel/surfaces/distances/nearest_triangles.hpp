// The nearest triangles of two surfaces (meshes or height fields): descends both trees at once, nearest boxes first.
// Both faces of triangles count.
#pragma once

#include <cstdint>

#include <abut/frame.hpp>
#include <abut/status.hpp>

#include "shapes/tables.hpp"
#include "surfaces/distances/surface_kernels.hpp"

namespace abut {

// The distance is signed, between the surfaces without their roundings. For overlapping triangles it is minus the least
// translation that separates them.
struct NearestTask {
    double reach;              // pairs of triangles that are farther apart do not matter
    double enough;             // any pair of triangles that is at most this far apart is an answer
    std::uint32_t most_pairs;  // the largest number of pairs of triangles that are examined
};

struct NearestTriangles {
    double distance;     // infinity: none within reach
    std::uint32_t a, b;  // ties: the lowest a, then the lowest b
    Status status;       // not_converged: there may be a nearer pair
};

NearestTriangles find_nearest(const ShapeTables& tables, const SurfaceKernels& kernels, const Body& a, const Body& b,
                              const NearestTask& task);

}  // namespace abut
