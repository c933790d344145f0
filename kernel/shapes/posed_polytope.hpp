// A box or a solid hull in another frame, rounding included: its faces, its farthest points and what it contains.
#pragma once

#include <cstdint>

#include "base/double_math.hpp"
#include "shapes/shape_bounds.hpp"
#include "shapes/tables.hpp"

namespace abut {

class PosedPolytope {
public:
    struct Face {
        maths::Vec3d normal;  // unit, outwards
        double offset;        // normal . x <= offset
    };

    static bool is_one(const ShapeTables& tables, ShapeId shape);

    PosedPolytope(const ShapeTables& tables, ShapeId shape, const PoseD& pose);

    double size() const { return record_->size; }
    double radius() const { return record_->radius; }
    // The farthest point of the core along a direction of any length but zero, and of the rounded shape along a unit
    // direction.
    maths::Vec3d farthest_of_core(const maths::Vec3d& direction) const;
    maths::Vec3d farthest(const maths::Vec3d& unit_direction) const {
        return farthest_of_core(unit_direction) + unit_direction * radius();
    }
    // True if the point is behind all faces or at most `slack` in front of them.
    bool contains(const maths::Vec3d& point, double slack) const;

    struct Exit {
        double way;           // to the exit; 0 or less if the point is outside
        maths::Vec3d normal;  // of the face
    };
    // Where a point that moves along a direction leaves the polytope.
    Exit exit(const maths::Vec3d& point, const maths::Vec3d& direction) const;

    // The vertices of the core, without its radius.
    std::uint32_t vertex_count() const { return hull_ != nullptr ? hull_->vertex_count : 8; }
    maths::Vec3d vertex(std::uint32_t i) const { return pose_.position + pose_.axes * own_vertex(i); }
    // Calls visit(vertex, vertex) for each edge.
    template <class Visit>
    void for_each_edge(const Visit& visit) const {
        if (hull_ != nullptr)
            for (const HullEdge& edge : hull_->edges) visit(std::uint32_t(edge.v0), std::uint32_t(edge.v1));
        for (std::uint32_t i = 0; hull_ == nullptr && i < 8; ++i)
            for (std::uint32_t bit = 1; bit < 8; bit *= 2)
                if ((i & bit) == 0) visit(i, i | bit);
    }

    std::uint32_t face_count() const { return hull_ != nullptr ? hull_->face_count : 6; }
    // Numbered as in abut/results.hpp.
    Face face(std::uint32_t i) const { return posed(own_face(i)); }
    // The number of the face whose normal is nearest to a direction.
    std::uint32_t face_towards(const maths::Vec3d& direction) const;

private:
    Face own_face(std::uint32_t i) const;
    maths::Vec3d own_vertex(std::uint32_t i) const;
    Face posed(const Face& own) const {
        const maths::Vec3d normal = pose_.axes * own.normal;
        return {normal, own.offset + maths::dot(normal, pose_.position)};
    }

    const InstanceRecord* record_;
    const HullGeometry* hull_;  // null for a box
    PoseD pose_;
    maths::Vec3d scale_;  // of a hull; a box's half extents
};

}  // namespace abut
