// Two moving convex shapes of any kind, one pair at a time, and how far a separating axis proves them apart: the bounds are those of moving_lanes.hpp.
#pragma once

#include "cast/rigid_motion.hpp"
#include "shapes/surfaces.hpp"
#include "shapes/tables.hpp"

namespace abut {

// One convex shape of a moving body: the body's own, a child of a compound, or a triangle of a surface.
class MovingShape {
public:
    // `child`: of a compound; of a surface its triangle. `radius`: what find_axis_radius gave for these.
    MovingShape(const ShapeTables& tables, ShapeId body, std::uint32_t child, const RigidMotion& motion, double radius = 0);

    const RigidMotion& motion() const { return *motion_; }
    bool is_halfspace() const { return is_halfspace_; }
    // Half-space: its normal at a time, outwards.
    exact::Vec3d plane_normal(const PoseD& body) const { return body.axes * plane_normal_; }
    // Upper bound on the distance of the core's points from the axis of rotation. Half-space: 0.
    double find_axis_radius() const;
    double axis_radius() const { return axis_radius_; }
    // ... on that from the centre of rotation.
    double reach() const;
    // The least of n . x over the shape, from the body's position. Half-space: along its normal, turned over.
    double least_along(const PoseD& body, const exact::Vec3d& n) const;

private:
    double origin_radius() const;

    const ShapeTables* tables_;
    const RigidMotion* motion_;
    ShapeId shape_;
    bool is_halfspace_ = false, is_triangle_ = false, is_part_ = false;
    exact::Vec3d corners_[3]{};  // triangle: in the body's frame
    exact::Vec3d part_position_{};
    exact::Mat3 part_axes_{};
    exact::Vec3d plane_normal_{};
    double plane_offset_ = 0, radius_ = 0, axis_radius_ = 0;
};

class MovingPair {
public:
    // Upper bounds on how fast a gap shrinks, and on its second derivative.
    struct Rates {
        double closing, curvature;
    };

    MovingPair(const MovingShape& a, const MovingShape& b) : a_(a), b_(b) {}

    struct Start {
        double time;
        PoseD a, b;  // of the bodies then
    };

    // The latest time, at most `latest`, until which `axis` (from A to B, unit) proves that the gap is no less than `level`; that of `start` where it proves
    // nothing. It does not look for more once the gap is within `near` of the level. Half-spaces have their own axis.
    double advance(const Start& start, double latest, const exact::Vec3d& axis, double level, double near) const;
    // Upper bound on the speed at which any point of A approaches any point of B from `time` to `latest`.
    double fastest_approach(double time, double latest) const;

private:
    double gap(double time, const exact::Vec3d& axis) const;
    double gap(const PoseD& a, const PoseD& b, const exact::Vec3d& axis) const;
    Rates plane_rates(const MovingShape& plane, const MovingShape& body, double time, double latest, const exact::Vec3d& axis) const;
    double plane_radius(const MovingShape& plane, const MovingShape& body, double time, double latest) const;

    const MovingShape &a_, &b_;
};

}  // namespace abut
