// The contact patch of a pair along a given normal: what the supporting features of both shapes have in common, seen
// along it.
//
// A core's supporting feature along n is the face, edge or vertex (of a cylinder or cone: the cap, as a polygon of 32
// sides, the side line or the point of a rim) that reaches farthest along n; a feature tilted by up to kFlatAngle still
// counts as lying flat. Where another feature lies almost as flat without being in one plane or line with it, which of
// them supports is a matter of taste, and the patch is `unclear`: nothing is asked of it.
#pragma once

#include <vector>

#include "support/oracle/placed.hpp"
#include "support/oracle/planar.hpp"

namespace abut::oracle {

inline constexpr double kFlatAngle = 0.02;  // radians; resting scenes tilt by up to 0.01
inline constexpr double kClearAngle = 0.1;  // nothing else may be flatter than this
inline constexpr double kOnePlane = 4e-7;   // of the size: the resolution of float32 points, below what cooking merges

// Two unit vectors square to the normal.
struct Plane {
    Vec3d normal, u, v;

    explicit Plane(const Vec3d& unit_normal);
    Vec2d seen(const Vec3d& p) const { return {dot(u, p), dot(v, p)}; }
};

struct Patch {
    bool clear = true;
    Loop corners;  // convex, counter-clockwise; two of a segment, one of a point, none where nothing is shared
    std::vector<double> separation;  // by corner, along the normal, between the cores
    std::vector<double> height;      // by corner, along the normal, of A's core
};

// `within` is the length below which two things coincide.
Patch contact_patch(const Placed& a, const Placed& b, const Plane& plane, double within);

}  // namespace abut::oracle
