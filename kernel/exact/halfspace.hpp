// Half-spaces: a closed form with one support of the other shape.
#pragma once

#include "exact/core.hpp"

namespace abut::exact {

inline bool is_halfspace(const Posed& posed) { return posed.shape.kind == ShapeKind::halfspace; }

// One of the two is a half-space. Two half-spaces have no deepest point unless they are back to back: unsupported.
Answer halfspace_distance(const Posed& a, const Posed& b, const Options& options);

}  // namespace abut::exact
