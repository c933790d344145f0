// The wide functions of each instruction set.
#pragma once

#include "simd/kernel_table.hpp"

namespace abut {

struct MotionStarts;  // motion_chunk.hpp
struct MotionChunk;
struct AxisGaps;

struct CastKernels {
    void (*start_motions)(const MotionStarts& starts);
    void (*advance_motions)(const MotionChunk& chunk);
    void (*measure_gaps)(const AxisGaps& gaps);
};
ABUT_KERNEL_TABLE(CastKernels)

}  // namespace abut
