// The tree of a compound's children, built once by splitting at medians.
#pragma once

#include <span>

#include "base/double_math.hpp"
#include "base/memory.hpp"
#include "shapes/compound_geometry.hpp"

namespace abut {

// Fills `nodes` for children of these bounds.
void build_tree(std::span<const maths::BoxD> bounds, Vector<CompoundNode>& nodes);

}  // namespace abut
