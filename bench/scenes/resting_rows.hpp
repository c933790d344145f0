// Rows of resting pairs: what engines ask most, and rows of random poses do not show.
#pragma once

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

namespace abut::scenes {

// "resting-boxes" (aligned), "resting-boxes-yawed", "resting-prisms6", ..., "resting-cylinders", "resting-capsules"
// (lying on boxes).
bool is_resting_row(std::string_view name);

// The row's shapes: `count` that lie below, then as many that lie above.
void add_resting_shapes(std::string_view name, std::uint32_t count, Scene& scene, Random& random);
// Pair `pair`, of one of the shapes each: the one above lies on the top face of the one below, shifted by up to 30% of
// its half width, turned about the vertical, tilted by up to 1e-5 radians as a solver's noise does, and up to 0.5% of
// its size deep or apart.
void make_resting_pair(std::string_view name, std::uint32_t count, std::size_t pair, std::uint64_t seed, Scene& scene);

}  // namespace abut::scenes
