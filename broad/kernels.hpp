// The wide functions of each instruction set.
#pragma once

#include <abut/isa.hpp>

#include "broad/box_tree.hpp"

namespace abut {

// Null if they were not compiled.
const BroadKernels* broad_kernels_for(Isa isa);

}  // namespace abut
