// The border between the rounds of a cast and their lanes: plain structs. Pairs of moving convex shapes, one per lane.
#pragma once

#include <abut/frame.hpp>

#include "geometry/hull_geometry.hpp"
#include "geometry/instance_record.hpp"
#include "geometry/surface.hpp"

namespace abut {

struct CompoundPart;
struct CustomShape;
struct RigidMotion;

// A body at both ends of its motion.
struct MotionEnds {  // arrays, which are not cleared
    double from[3], to[3];
    float orientation[4], end_orientation[4];
    float centre[4];  // of rotation, in the body's frame; the fourth is not read
};
struct MotionStarts {
    std::uint32_t count;
    const MotionEnds* ends;
    RigidMotion* motions;
};

// A convex shape that moves with its body: the body's own, a child of a compound, or a triangle of a surface.
struct MovingCore {
    ShapeKind kind = ShapeKind::none;        // of a triangle: mesh
    const RigidMotion* motion = nullptr;     // of the body
    const InstanceRecord* record = nullptr;  // of a triangle its surface's
    const HullGeometry* hull = nullptr;      // of hulls
    const CustomShape* custom = nullptr;     // of custom shapes
    const CompoundPart* part = nullptr;      // of children
    SurfaceCorners triangle = {};
    float origin_radius = 0;  // the largest distance of the core's points from its origin; not of half-spaces and triangles
};

struct MotionPair {
    MovingCore a, b;                      // in the order in which their distance is computed
    double axis_radius_a, axis_radius_b;  // upper bounds on the distance of the cores' points from the axes of rotation; negative: not known yet
    // Lanes read four doubles each.
    double target, tolerance;  // metres
    double step, ratio;        // of time: of the last axis, and how much shorter than the one before; 0 and 1 where they are not known
    double time, latest;       // of this part of a path: no contact is before `time`
    double distance;           // of the kernels at `time`, and its normal, from A to B
    double unused;
    Vec3 normal;
    bool has_axis;        // these are known
    bool starts;          // at time 0, and whether it is within the target is not known yet
    bool needs_distance;  // before the pair can advance farther; in: the pair is only placed
};

inline constexpr std::uint32_t kMotionPairs = 128;

// Pairs of two kinds; all first shapes are children of compounds or none is, and likewise the second ones.
struct MotionChunk {
    std::uint32_t count;  // <= kMotionPairs
    MotionPair* pairs[kMotionPairs];
    // Out, two for each pair of bodies of convex shapes: where they are at `time`, if they need a distance. The second one's position is its distance from
    // the first one, rounded, and the first one's is what rounding added. Their shapes are not written.
    Body* bodies[kMotionPairs];
};

}  // namespace abut
