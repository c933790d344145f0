// The exact path: one pair at a time, in double, for pairs that the wide kernels could not certify. GJK on cores that
// are apart, EPA on overlapping ones. It is slow and deterministic, allocates nothing, and always gives an answer.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

#include "base/double_math.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"

namespace abut {
struct CustomShape;
struct ShapeTables;
}  // namespace abut

namespace abut::exact {

using namespace maths;

// A convex shape as core + radius, see shapes/tables.hpp.
struct Shape {
    ShapeKind kind = ShapeKind::sphere;
    Vec3d extents{};                      // as in InstanceRecord
    double radius = 0;                    // swept around the core
    const HullGeometry* hull = nullptr;   // hull only
    double size = 0;                      // as in promise 1
    double erosion = 0;                   // ellipsoid: the radius by which the core is eroded
    double offset = 0;                    // half-space: along its normal, which is in extents
    const CustomShape* custom = nullptr;  // custom only
    double reach = 0;                     // custom: radius of a sphere about the origin that contains the core
    // If there are any, the core is their convex hull, whatever the kind of polytope.
    std::span<const Vec3d> points{};
};

// The shape of an instance. InstanceRecord::geometry is an index into `hulls` or `customs`.
Shape shape_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hulls,
               const CustomShape* const* customs);
Shape shape_of(const ShapeTables& tables, ShapeId id);

struct Posed {
    Shape shape;
    Vec3 position;     // world; finite
    Quat orientation;  // within 1% of unit length: normalised here, in double
};

struct Options {
    // Pairs farther apart than this (metres) get a signed distance of +infinity, and zeros for normal and points,
    // usually after one or two supports per shape.
    double max_distance = std::numeric_limits<double>::infinity();
    // Overlapping pairs get zeros for all values.
    bool separation_only = false;
    // For exact normals of curved cores: narrows the bounds far below promise 1's, because the error of a normal is the
    // square root of the distance's.
    bool fine_normals = false;
};

// World axes, points relative to A's position. point_b - point_a = signed_distance * normal.
//
// If the cores only touch (within rounding), the normal is one that separates them. If also their difference is flat,
// the normal is a convention: for two identical points world +Y; for cores on one line +Y made perpendicular to the
// line, or +X if the line is within 30 degrees of Y; for cores in one plane the plane's normal towards B's centre,
// otherwise upwards.
struct Answer {
    Status status = Status::ok;
    double signed_distance = 0;
    Vec3d normal{}, point_a{}, point_b{};
};

// With Status::ok the error is at most 1e-6 of promise 1's bound, or half of that bound for curved cores and for
// overlaps proved by cells. The search always ends, at its limits with Status::not_converged and the best bound.
// Infinite input or a zero quaternion: Status::bad_pose and zeros. Two half-spaces, and shapes that are not convex:
// unsupported. Needs about 110 KB of stack.
Answer signed_distance(const Posed& a, const Posed& b, const Options& options = {});

// As signed_distance, for a bounded shape and a point in its frame, with the error bound of the shape alone. The normal
// is outward, point_a on the surface.
Answer point_distance(const Shape& shape, const Vec3d& point, const Options& options = {});

// True if the signed distance is 0 or less, without computing the depth. False if there is no answer.
bool overlaps(const Posed& a, const Posed& b);

}  // namespace abut::exact
