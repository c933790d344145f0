// Two shapes laid flat on one another: a flat feature of B (a face, a cap, the side of a capsule, cylinder or cone)
// against one of A about a random common point, turned about the contact normal by nothing, a right angle or anything,
// and tilted.
#pragma once

#include <span>

#include "scenes/poses.hpp"

namespace abut::scenes {

inline constexpr double kRestingTilts[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};  // radians
inline constexpr double kRestingMargin = 0.02;                                   // of the smaller size

// An ordinary shape with flat features: crates, prisms, frusta and wedges of 6 to 32 vertices; some rounded, hulls
// scaled now and then.
oracle::Shape flat_shape(ShapeKind kind, double scale, Random& random);

// A flat feature in the body's frame: a point on the core, the outward normal there, a direction along it.
struct Spot {
    oracle::Vec3d point, normal, along;
    bool flat = true;  // else the patch is a point
};
// Precondition: can_lie.
Spot choose_spot(const oracle::Solid& solid, Random& random);
// Whether the shape has such features: a point, a segment, a disc or a round ellipsoid has not.
bool can_lie(const oracle::Solid& solid);

struct Laid {
    Poses poses;
    const char* name;  // how they lie
};

// From -5% of the smaller size to kRestingMargin of it.
double resting_gap(double smaller, Random& random);

// No tilt, or one of `tilts` at most. Precondition: both can lie.
Laid lay(const oracle::Solid& a, const oracle::Solid& b, std::span<const double> tilts,
         double (*gap_of)(double smaller, Random& random), Random& random);

}  // namespace abut::scenes
