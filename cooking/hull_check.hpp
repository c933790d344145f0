// What kernels rely on in a hull, checked where it comes from bytes.
#pragma once

#include <abut/status.hpp>

#include "cooking/hull_layout.hpp"

namespace abut::cooking {

// The first fault in numbers and indices, or "". Nothing else may be done with parts that were not checked.
Message fault_in_parts(const HullParts& parts);

// The first fault in a laid out hull's form: its centre, its faces' flatness and convexity.
Message fault_in_form(const HullGeometry& hull);

}  // namespace abut::cooking
