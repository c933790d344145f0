// The feature that supports a core along a normal (a face, an edge or side line, a point), seen along it; see
// patch.hpp.
#pragma once

#include "support/oracle/patch.hpp"

namespace abut::oracle {

// Its height above the plane is linear.
struct Feature {
    bool clear = true;
    Loop loop;
    Vec2d origin, slope;
    double height = 0;

    double height_at(const Vec2d& p) const { return height + dot(slope, p - origin); }
};

inline const Feature kUnclear{.clear = false, .loop = {}, .origin = {}, .slope = {}};

Feature point_feature(const Plane& plane, const Vec3d& p);
Feature segment_feature(const Plane& plane, const Vec3d& p, const Vec3d& q);
// Of the convex hull of `loop`, in the plane through `p` with unit `face_normal`.
Feature face_feature(const Plane& plane, const Vec3d& p, const Vec3d& face_normal, const Loop& loop);

// `out` is the normal for A, its opposite for B. Lengths below `within` are nothing.
Feature polytope_feature(const Posed& core, double size, const Vec3d& out, const Plane& plane, double within);
Feature curved_feature(const Placed& core, const Vec3d& out, const Plane& plane, double within);
// As much of a half-space's plane as `other` could lie on.
Feature plane_feature(const Placed& halfspace, const Plane& plane, const Placed& other);

}  // namespace abut::oracle
