// Stacks whose contacts no symmetry of the axes helps: round, yawed, tapered, lying, compound and tiny bodies.
#pragma once

#include "scene.hpp"

namespace abut::tools {

Scene five_cylinders();
Scene ten_cylinders();
Scene yawed_boxes();
Scene frusta();
// Two with capsules that nest, two with layers that cross.
Scene capsule_crates();
Scene box_stacks();
Scene prism_stacks();
Scene compound_stacks();
Scene tiny_tower();

}  // namespace abut::tools
