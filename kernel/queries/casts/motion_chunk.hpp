// The interface between the rounds of a cast and the lanes, as plain structs: pairs of moving convex shapes, one per
// lane.
#pragma once

#include <abut/frame.hpp>

#include "base/double_math.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"
#include "shapes/surface.hpp"

namespace abut {

struct CompoundPart;
struct CustomShape;
struct RigidMotion;

// The poses of a body at both ends of its motion.
struct MotionEnds {  // arrays, because they are not initialized
    double from[3], to[3];
    float orientation[4], end_orientation[4];
    float centre[4];  // of rotation, in the body's frame; the fourth is not read
};
struct MotionStarts {
    std::uint32_t count;
    const MotionEnds* ends;
    RigidMotion* motions;
};

// A moving convex shape: that of a body, a child of a compound, or a triangle of a surface.
struct MovingCore {
    ShapeKind kind = ShapeKind::none;        // of a triangle: ShapeKind::mesh
    const RigidMotion* motion = nullptr;     // of the body
    const InstanceRecord* record = nullptr;  // of a triangle: the record of its surface
    const HullGeometry* hull = nullptr;      // of hulls
    const CustomShape* custom = nullptr;     // of custom shapes
    const CompoundPart* part = nullptr;      // of children
    SurfaceCorners triangle = {};
    float origin_radius =
        0;  // largest distance of the core's points from its origin; not for half-spaces and triangles
};

struct MotionPair {
    MovingCore a, b;  // in the order in which the kernels compute their distance
    // Upper bounds on the distances of the cores' points from the axes of rotation, metres; negative: unknown.
    double axis_radius_a, axis_radius_b;
    // Lanes load four doubles at once.
    double target, tolerance;  // metres. target: CastOptions::target; tolerance: how much earlier a hit may be reported
    double step, ratio;        // the time that the last axis proved, and its ratio to that of the axis before; 0 and 1
                               // if there is none
    double time, latest;       // in this part of a path: no contact before `time`; the search ends at `latest`
    double distance;           // at `time`, from the kernels, metres
    double bound;              // of the distance's error (promise 1), metres
    Vec3 normal;               // of the distance, unit, from A to B
    bool has_axis;             // distance and normal are set
    bool starts;               // `time` is 0; it is unknown whether the pair is within the target
    bool needs_distance;       // in: only the poses are computed; out: the time cannot advance without a distance
    bool is_stuck;             // out: neither the distance nor its normal proves a later time
};

// The gap of two moving shapes along an axis, at a time of this part of a path.
struct AxisGap {
    MovingCore a, b;
    maths::Vec3d axis;  // world space, from A to B, unit to rounding; of a half-space that rotates its normal instead
    double time;
    double gap;  // out: metres
};
struct AxisGaps {
    std::uint32_t count;
    AxisGap* gaps;  // in any order
};

inline constexpr std::uint32_t kMotionPairs = 128;

// Pairs of two kinds. Either all first shapes are children of compounds or none is; the same holds for the second
// shapes.
struct MotionChunk {
    std::uint32_t count;  // <= kMotionPairs
    MotionPair* pairs[kMotionPairs];
    // Output, two bodies per pair that needs a distance: their poses at `time`. The second position is relative to the
    // first body, rounded; the first position is the rounding error. Shapes are not written.
    Body* bodies[kMotionPairs];
};

}  // namespace abut
