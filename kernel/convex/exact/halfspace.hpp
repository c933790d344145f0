// Half-spaces: a closed form with one support of the other shape.
#pragma once

#include "convex/exact/exact_core.hpp"

namespace abut::exact {

inline bool is_halfspace(const Posed& posed) { return posed.shape.kind == ShapeKind::halfspace; }

// The answer of a pair with one half-space or two. Two half-spaces are unsupported: they have no deepest point, unless
// they are back to back.
Answer halfspace_distance(const Posed& a, const Posed& b, const Options& options);

}  // namespace abut::exact
