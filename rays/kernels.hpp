// The wide functions of each instruction set.
#pragma once

#include <abut/isa.hpp>

#include "rays/node_ray.hpp"

namespace abut {

struct RayKernels {
    FindEntries find_entries;
};

// Null where they were not compiled in.
const RayKernels* ray_kernels_for(Isa isa);

}  // namespace abut
