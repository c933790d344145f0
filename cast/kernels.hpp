// The wide functions of each instruction set.
#pragma once

#include <abut/isa.hpp>

namespace abut {

struct MotionStarts;  // motion_chunk.hpp
struct MotionChunk;

struct CastKernels {
    void (*start_motions)(const MotionStarts& starts);
    void (*advance_motions)(const MotionChunk& chunk);
};

// Null if they were not compiled in.
const CastKernels* cast_kernels_for(Isa isa);

}  // namespace abut
