// Scenes on ground as engines have it: waves, relief, ridges, pebbles, coordinates saved with few decimals; and stacks
// of prisms. The `rows` of the first five say how many bodies there are: a short test takes fewer than the command.
#pragma once

#include <cstdint>

#include "stacks.hpp"

namespace abut::solver {

// rows x rows planks of 1 x 0.1 x 0.2 m fall onto a mesh of waves, its squares of 0.5 m.
void planks_on_waves(World& world, int rows);
// rows x rows boxes, cylinders and prisms of some 0.4 m fall onto a height field whose heights are random within 5 cm,
// its squares of 0.25 m.
void bodies_on_field(World& world, int rows);
// The same and planks fall onto a mesh with ridges of 5 cm, each of two faces, 0.4 m apart.
void bodies_on_ridges(World& world, int rows);
// The same fall onto a pebble each: a hull of 6 to 12 cm on a half-space.
void bodies_on_pebbles(World& world, int rows);
// A ramp of 12 degrees whose coordinates are saved with so many decimals, its squares of 0.25 m. 3 rows of `rows`
// bodies start at rest, as many slide down at 3 m/s. For friction of 0.25.
void ramp_of_decimals(World& world, int rows, int decimals);
// Ten prisms of so many lateral faces, each as the one below.
inline constexpr int kPrismsInStack = 10;
void prism_stack(World& world, int lateral_faces);

// Upwards from the ramp.
Vec3d ramp_normal();
inline constexpr double kRampFriction = 0.25;

// The scenes of `abut_stacks --uneven`.
std::vector<Stack> uneven_stacks();

}  // namespace abut::solver
