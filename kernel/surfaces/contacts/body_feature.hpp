// The supporting feature of a convex body over ground: a face, the two ends of an edge, or a point; and other vertices
// nearly as low.
#pragma once

#include <cstdint>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>

#include "base/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

// A point of the body's surface, in world axes from the body's position.
struct FeaturePoint {
    maths::Vec3d position;
    std::uint32_t name;  // of a vertex (abut/results.hpp), or of a face if the point is no vertex
};

struct BodyFeature {
    static constexpr std::uint32_t kMost = 64;

    FeaturePoint corners[kMost];  // of a polygon in the order around it; the two ends of an edge; or a point
    std::uint32_t count = 0;
    maths::Vec3d normal{};       // of a polygon of three corners or more: outwards
    std::uint32_t face = 0;      // the polygon's name
    FeaturePoint others[kMost];  // vertices of a hull that are not in the face
    std::uint32_t other_count = 0;

    bool is_polygon() const { return count >= 3; }
};

// The normal of the face that looks down the most, along world axes; 0 where the body has no face there.
maths::Vec3d supporting_normal(const ShapeTables& tables, ShapeId shape, Quat orientation, const maths::Vec3d& down);
// `down`: unit, from the body. Vertices up to `depth` above the lowest point are listed, as in plane_manifold.hpp for
// lanes of bodies.
BodyFeature supporting_feature(const ShapeTables& tables, ShapeId shape, Quat orientation, const maths::Vec3d& down,
                               double depth);

}  // namespace abut
