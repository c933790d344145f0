// The wide functions of each instruction set.
#pragma once

#include <abut/isa.hpp>

namespace abut {

struct BoxTask;        // box_bounds.hpp
struct TrianglePairs;  // triangle_pairs.hpp

struct SurfaceKernels {
    void (*bound_boxes)(const BoxTask& task, double* bounds);
    void (*measure_triangles)(const TrianglePairs& pairs, double limit, double* signed_distance);
};

// Null where they were not compiled in.
const SurfaceKernels* surface_kernels_for(Isa isa);

}  // namespace abut
