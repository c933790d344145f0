// Half-spaces: closed form, by one support of the other shape.
#pragma once

#include "exact/core.hpp"

namespace abut::exact {

inline bool is_halfspace(const Posed& posed) { return posed.shape.kind == ShapeKind::halfspace; }

// One of the two is a half-space. Of two half-spaces that are not back to back there is no deepest point: unsupported.
Answer halfspace_distance(const Posed& a, const Posed& b, const Options& options);

}  // namespace abut::exact
