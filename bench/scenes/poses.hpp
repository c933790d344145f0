// Awkward poses of any two shapes: exact and near touching, parallel, coincident, concentric, on an axis, over a plane,
// far apart.
#pragma once

#include "scenes/random.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::scenes {

struct Poses {
    oracle::Vec3d position_a, position_b;
    Quat orientation_a, orientation_b;
};

// Right angles and eighths of a turn about the axes: features exactly parallel, antiparallel or crossed.
Quat aligned(Random& random);
Quat turned_by_a_hair(const Quat& from, Random& random);
Quat negated(const Quat& q);
// 0, or +-1e-7 to 1e-2 of the smaller size.
double hairline(const oracle::Solid& a, const oracle::Solid& b, Random& random);
// A point of the shape on a random feature: a corner, somewhere on an edge or in a face; swept out by the radius along
// `outward`. Of a curved shape the inscribed polytope's, whose corners alone are sure to lie on an ellipsoid.
oracle::Vec3d feature_point(const oracle::Solid& solid, const Quat& orientation, const oracle::Vec3d& outward,
                            Random& random);

Poses coincident(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses concentric(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses deep(const oracle::Solid& a, const oracle::Solid& b, Random& random);
// B's support plane against A's along an axis; sideways not at all, or so far that faces, edges or corners just meet
// there too.
Poses resting(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses nearly_parallel(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses features_meet(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses near_touching(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses near_touching_parallel(const oracle::Solid& a, const oracle::Solid& b, Random& random);
Poses far_apart(const oracle::Solid& a, const oracle::Solid& b, Random& random);
// On an axis of either: caps meet centre to centre, an apex meets a cap or another apex, rims meet where B is then
// moved to.
Poses on_axis(const oracle::Solid& a, const oracle::Solid& b, Random& random);
// Over a half-space: standing, lying or turned anyhow, at any distance that float32 can hold, the plane's origin
// beneath or far off.
Poses over_plane(const oracle::Solid& a, const oracle::Solid& b, Random& random);

}  // namespace abut::scenes
