// The exact path: one pair at a time, in double precision, for whatever the wide kernels could not certify. GJK on the cores where
// they are apart, EPA where they overlap. Slow, deterministic, allocation-free; it always gives an answer.
#pragma once

#include <cstdint>
#include <limits>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

#include "geometry/double_math.hpp"
#include "geometry/hull_geometry.hpp"
#include "geometry/instance_record.hpp"

namespace abut {
struct CustomShape;
}

namespace abut::exact {

// A convex shape as core + radius, see shapes/tables.hpp.
struct Shape {
    ShapeKind kind = ShapeKind::sphere;
    double extents[3] = {0, 0, 0};        // as InstanceRecord has them
    double radius = 0;                    // swept around the core
    const HullGeometry* hull = nullptr;   // hull only
    double size = 0;                      // promise 1's
    double erosion = 0;                   // ellipsoid: the core is that much smaller all round
    double offset = 0;                    // halfspace: along its normal, which is in extents
    const CustomShape* custom = nullptr;  // custom only
    double reach = 0;                     // custom: of a sphere about the origin that holds the core
};

// Of an instance: `hulls` and `customs` as InstanceRecord::geometry indexes them.
Shape shape_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hulls, const CustomShape* const* customs);

struct Posed {
    Shape shape;
    Vec3 position;     // world; finite
    Quat orientation;  // within 1% of unit length: normalised here, in double
};

struct Options {
    // Pairs farther apart than this (metres) get a signed distance of +infinity, and zeros for normal and points: usually after one
    // or two support functions per side.
    double max_distance = std::numeric_limits<double>::infinity();
    // Leaves depth out: pairs that overlap get zeros throughout.
    bool separation_only = false;
    // Of curved cores the bounds meet much closer than promise 1 needs, for the sake of the normal: its error is the root of the distance's.
    bool fine_normals = false;
};

// World axes, points relative to A's position. point_b - point_a = signed_distance * normal.
//
// Where the cores only touch (within rounding) the normal is one of those that part them. Where the cores' difference is flat besides,
// it is so by convention: cores that are one and the same point, world +Y; cores within one line, +Y made perpendicular to it, or +X
// where it is within 30 degrees of Y; cores within one plane, the plane's normal, on the side of B's centre, else up.
struct Answer {
    Status status = Status::ok;
    double signed_distance = 0;
    Vec3d normal{}, point_a{}, point_b{};
};

// Error at most 1e-6 of promise 1's bound (half of it for a core with curved faces, and for an overlap that cells prove) where status is ok. Never hangs: Status::not_converged at the cap, with the best bound.
// Not finite input or a zero quaternion: Status::bad_pose and zeros. Two half-spaces, and kinds that are no convex shapes: unsupported.
// Some 110 KB of stack.
Answer signed_distance(const Posed& a, const Posed& b, const Options& options = {});

// The same from a bounded shape to a point in its frame, whose bound is that of the shape alone: the normal is outward, point_a on the surface.
Answer point_distance(const Shape& shape, const Vec3d& point, const Options& options = {});

// True if the signed distance is 0 or less; stops as soon as that is known, without the depth. False without an answer.
bool overlaps(const Posed& a, const Posed& b);

}  // namespace abut::exact
