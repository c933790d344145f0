// Awkward shapes of a kind: every degenerate form, thin and needle-like ones, rounded and scaled ones, all scales.
#pragma once

#include <vector>

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

namespace abut::scenes {

// Shapes that follow one another in the list differ in form and have one scale.
inline constexpr std::uint32_t kFormsAScale = 32;

// One of about unit size; `index` chooses the form, modulo kFormsAScale.
oracle::Shape hard_shape(ShapeKind kind, std::size_t index, Random& random);
// Every length times `by`.
void scale(oracle::Shape& shape, double by);

// `count` shapes, the first half at scale 1, the others from 1e-4 to 5e3.
std::vector<oracle::Shape> hard_shapes(ShapeKind kind, std::size_t count, Random& random);

}  // namespace abut::scenes
