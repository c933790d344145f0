// Poses of bodies and their children, in double.
#pragma once

#include <limits>

#include <abut/frame.hpp>

#include "shapes/kinds.hpp"
#include "shapes/shape_bounds.hpp"
#include "shapes/surfaces.hpp"

namespace abut {

inline PoseD pose_of(const Body& body) {
    return {maths::rotation(maths::to_double(body.orientation)), maths::to_double(body.position)};
}

// A pose in the frame of another one.
inline PoseD seen_from(const PoseD& frame, const PoseD& pose) {
    const maths::Mat3 back = maths::transposed(frame.axes);
    return {back * pose.axes, back * (pose.position - frame.position)};
}

inline PoseD moved(const PoseD& frame, const CompoundPart& part) {
    return {part.is_rotated ? frame.axes * maths::rotation(part.orientation) : frame.axes,
            frame.position + frame.axes * part.position};
}

// A child of a body: its shape, its offset from the body's position (world axes) and its orientation. A convex body is
// its own child. The children of a mesh are its triangles, each about its centre.
struct ChildPose {
    ShapeId shape;
    maths::Vec3d offset{};
    Quat orientation;
};

// The children of one body.
class ChildPoses {
public:
    // The id of all triangles before their hulls are made; then each gets the index of its hull.
    static constexpr ShapeId kTriangle = ShapeId::make(ShapeKind::hull, 0, 0);

    ChildPoses(const ShapeTables& tables, const Body& body)
        : body_(body), compound_(body.shape.kind() == ShapeKind::compound ? &tables.compound(body.shape) : nullptr) {
        if (is_surface(body.shape.kind())) surface_ = surface_of(tables, body.shape), has_surface_ = true;
        if (compound_ || has_surface_) axes_ = maths::rotation(maths::to_double(body.orientation));
    }

    bool are_triangles() const { return has_surface_; }
    const Surface& surface() const { return surface_; }

    // The pose of a triangle about its centre.
    ChildPose of_triangle(const maths::Vec3d& centre) const { return {kTriangle, axes_ * centre, body_.orientation}; }
    ChildPose operator[](std::uint32_t child) const {
        if (has_surface_) return of_triangle(centre_of(corners_at(surface_, child)));
        if (!compound_) return {body_.shape, {}, body_.orientation};
        const CompoundPart& part = compound_->parts[child];
        ChildPose pose = {part.instance, axes_ * part.position, body_.orientation};
        if (!part.is_rotated) return pose;  // bit for bit
        const maths::Quatd q = maths::normalised(maths::to_double(body_.orientation) * part.orientation);
        pose.orientation = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                            static_cast<float>(q.w)};
        // Rounding of the orientation moves a core that lies far from its child's origin; the origin is moved back by
        // as much.
        if (part.is_far)
            pose.offset = pose.offset + maths::rotation(q) * part.core_centre -
                          maths::rotation(maths::to_double(pose.orientation)) * part.core_centre;
        return pose;
    }

private:
    Body body_;
    const CompoundGeometry* compound_;
    Surface surface_;
    bool has_surface_ = false;
    maths::Mat3 axes_{};
};

// A vector with finite components: distances beyond float32's range become the largest in it, which has the same
// effect.
inline Vec3 finite_float(const maths::Vec3d& v) {
    constexpr double kMost = std::numeric_limits<float>::max();
    const auto clamped = [](double x) { return static_cast<float>(maths::max(-kMost, maths::min(x, kMost))); };
    return {clamped(v.x), clamped(v.y), clamped(v.z)};
}

}  // namespace abut
