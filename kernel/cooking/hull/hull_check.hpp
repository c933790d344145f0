// Checks the properties of a hull on which kernels rely, for hulls read from bytes.
#pragma once

#include <abut/status.hpp>

#include "cooking/hull/hull_layout.hpp"

namespace abut::cooking {

// The first fault in numbers and indices, or "". Parts must pass this check before any other use.
Message fault_in_parts(const HullParts& parts);

// The first fault in the geometry of a laid out hull: its centre, flatness of faces, convexity.
Message fault_in_form(const HullGeometry& hull);

}  // namespace abut::cooking
