// The mirror image of a cooked hull.
#pragma once

#include "shapes/hull_geometry.hpp"

namespace abut {

// `signs`: 1 or -1 per axis. Vertices, faces and edges keep their numbers.
HullGeometry mirrored(const HullGeometry& hull, Vec3 signs);

}  // namespace abut
