// The wide functions of each instruction set.
#pragma once

#include <cstdint>

#include "simd/kernel_table.hpp"

namespace abut {

struct BoxTask;   // box_bounds.hpp
struct LeafTask;  // leaf_triangles.hpp
struct LeafTriangles;
struct LeafPairsTask;
struct TrianglePairs;  // triangle_pairs.hpp

struct SurfaceKernels {
    void (*bound_boxes)(const BoxTask& task, double* bounds);
    void (*place_leaf)(const LeafTask& task, LeafTriangles& leaf);
    std::uint32_t (*list_leaf_pairs)(const LeafPairsTask& task);
    void (*measure_triangles)(const TrianglePairs& pairs, double* signed_distance);
};
ABUT_KERNEL_TABLE(SurfaceKernels)

}  // namespace abut
