// Both bodies of a pair with a compound, for the rules of seams: points and normals of the pair's child pairs in the
// compound's frame, and how a child of one body leaves a joined child of the other through a face.
#pragma once

#include "shapes/child_poses.hpp"
#include "shapes/seam.hpp"
#include "surfaces/contacts/body_feature.hpp"
#include "surfaces/contacts/patch.hpp"
#include "surfaces/walk/child_pair.hpp"

namespace abut {

struct SeamBody {
    Body body;
    PoseD pose;                                  // positions are relative to A's position
    const CompoundGeometry* compound = nullptr;  // null for a body without seams
};

// True if a body's child is a joined child of a compound.
inline bool is_joined(const ShapeTables& tables, ShapeId body, std::uint32_t child) {
    return body.kind() == ShapeKind::compound && tables.compound(body).parts[child].is_joined;
}

class SeamBodies {
public:
    // The bodies are in canonical order.
    SeamBodies(const ShapeTables& tables, const Body& a, const Body& b, bool is_self);

    const ShapeTables& tables() const { return tables_; }
    const SeamBody& a() const { return a_; }
    const SeamBody& b() const { return b_; }
    const SeamBody& other(const SeamBody& of) const { return &of == &a_ ? b_ : a_; }
    SeamRule rule(const SeamBody& of) const { return {tables_, *of.compound}; }

    std::uint32_t child(const SeamBody& of, const ChildPair& pair) const { return &of == &a_ ? pair.a : pair.b; }
    bool is_joined(const SeamBody& of, const ChildPair& pair) const {
        return of.compound != nullptr && of.compound->parts[child(of, pair)].is_joined;
    }
    // True if the body's child is computed first.
    bool is_first(const SeamBody& of, const ChildPair& pair) const { return (&of == &a_) != pair.is_swapped; }
    ChildPose pose_of_child(const SeamBody& of, const ChildPair& pair) const {
        return ChildPoses(tables_, of.body)[child(of, pair)];
    }
    // The position of the child that is computed first, relative to A's position: the origin of a child pair's answer.
    maths::Vec3d origin(const ChildPair& pair) const {
        const SeamBody& first = pair.is_swapped ? b_ : a_;
        return first.pose.position + pose_of_child(first, pair).offset;
    }
    // Promise 1's bound plus the rounding of positions.
    double noise(const ChildPair& pair) const;
    // Converts a point (relative to A's position) and a normal from world axes to the frame of the compound `of`.
    SeamPoint seam_point(const SeamBody& of, const ChildPair& pair, const maths::Vec3d& point,
                         const maths::Vec3d& normal) const {
        const maths::Mat3& axes = of.pose.axes;
        return {child(of, pair), maths::transposed_times(axes, point - of.pose.position),
                maths::transposed_times(axes, normal), noise(pair)};
    }

private:
    void set(SeamBody& out, const Body& body, const Body& a, bool has_seams) const;

    const ShapeTables& tables_;
    SeamBody a_, b_;
};

// A joined child of a compound, and the child of the other body that leaves it through a face.
class LeavingChild {
public:
    LeavingChild(const SeamBodies& bodies, const SeamBody& of, const ChildPair& pair);

    const PosedPolytope& polytope() const { return polytope_; }
    const ChildPose& pose() const { return pose_; }             // of the other child
    const maths::Vec3d& position() const { return position_; }  // of its origin, relative to A's position
    double size() const;                                        // of the other child
    // Depths that differ by less are equal, metres.
    double level() const { return double(kLevelShare * kSlackShare) * size(); }
    double separation_along(const PosedPolytope::Face& face) const;
    // Adds the points of the other child's supporting feature that leave this child through the face, whose normal
    // siblings allow at the point, and that are at most `reach` above the face. The high half of a name is the other
    // child's.
    void add_points(std::uint32_t number, const PosedPolytope::Face& face, double reach, GroundPoints& points) const;

private:
    struct FacePoints {
        std::uint32_t number;
        const PosedPolytope::Face& face;
        double reach;
        GroundPoints& points;
    };
    void add_point(const FacePoints& to, const maths::Vec3d& point, std::uint32_t name, std::uint32_t face_name) const;
    void add_crossings(const FacePoints& to, const FeaturePoint& from, const FeaturePoint& end) const;

    const SeamBodies& bodies_;
    const SeamBody& of_;
    ChildPair pair_;
    double noise_;
    PosedPolytope polytope_;
    ChildPose pose_;
    maths::Vec3d position_;
};

}  // namespace abut
