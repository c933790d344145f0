// The wide functions of each instruction set.
#pragma once

#include <abut/isa.hpp>

#include "broad/box_tree.hpp"

namespace abut {

// Null where they were not compiled in.
const BroadKernels* broad_kernels_for(Isa isa);

}  // namespace abut
