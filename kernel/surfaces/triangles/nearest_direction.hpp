// The direction from a triangle to the core of a nearby shape (base/double_gjk.hpp). Only decisions depend on the
// direction.
#pragma once

#include "surfaces/triangles/probe.hpp"

namespace abut {

struct NearestDirection {
    enum class Is { unknown, beyond, found };  // unknown: the two meet or nearly do, or the shape has no known points

    Is is = Is::unknown;
    maths::Vec3d direction{};  // unit
};

// `start`: an estimate of the direction, of any length. `beyond`: cores farther apart than this are not searched.
NearestDirection nearest_direction(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                                   const maths::Vec3d& start, double beyond);

}  // namespace abut
