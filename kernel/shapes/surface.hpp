// A mesh or a height field with the scale and rounding of its instance: a common interface for queries. A mirroring
// scale reverses the order of the corners, so that a triangle's front stays outside.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/math.hpp>

#include "base/double_math.hpp"
#include "shapes/heightfield_geometry.hpp"
#include "shapes/mesh_geometry.hpp"

namespace abut {

struct Surface {
    const MeshGeometry* mesh = nullptr;  // null: a height field
    const HeightfieldGeometry* field = nullptr;
    Vec3 scale = {1.0f, 1.0f, 1.0f};
    float rounding = 0;

    bool is_evenly_scaled() const {
        return scale.x * scale.x == scale.y * scale.y && scale.y * scale.y == scale.z * scale.z;
    }
    bool is_mirrored() const { return (scale.x < 0) != ((scale.y < 0) != (scale.z < 0)); }
    // A surface with a rounding is two-sided.
    MeshSides sides() const { return rounding > 0 ? MeshSides::both : mesh != nullptr ? mesh->sides : field->sides; }
    // All indices are below this. A height field may lack some of them.
    std::uint32_t triangle_count() const { return mesh != nullptr ? mesh->triangle_count() : field->triangle_count(); }
};

// A triangle's corners, counter-clockwise from the front, in the body's frame, scaled: coordinates are rounded to
// floats once. Equal vertices have equal bits in all triangles.
struct SurfaceCorners {
    Vec3 at[3];

    maths::Vec3d operator[](std::size_t k) const { return maths::to_double(at[k]); }
    // The normal times twice the area.
    maths::Vec3d area() const { return maths::cross((*this)[1] - (*this)[0], (*this)[2] - (*this)[0]); }
    // The largest coordinate of a corner along a direction.
    double highest(const maths::Vec3d& along) const {
        return maths::max(dot(along, (*this)[0]), maths::max(dot(along, (*this)[1]), dot(along, (*this)[2])));
    }
};

// True if a point is in front of the triangle's plane or on it. A triangle of a one-sided surface takes part if this is
// true of the centre of the body's bounds.
inline bool is_in_front(const maths::Vec3d& point, const SurfaceCorners& corners) {
    return dot(corners.area(), point - corners[0]) >= 0;
}

// False at a hole of a height field.
bool has_triangle(const Surface& surface, std::uint32_t triangle);
// The corners of a triangle that exists.
SurfaceCorners corners_at(const Surface& surface, std::uint32_t triangle);
// The index of the triangle in the caller's list.
std::uint32_t input_index(const Surface& surface, std::uint32_t triangle);
// The number of the vertex at corner k of corners_at: equal in all triangles that share it.
std::uint32_t vertex_at(const Surface& surface, std::uint32_t triangle, std::uint32_t k);

// The centroid of the corners: the position of the hull that a query makes of them.
inline maths::Vec3d centre_of(const SurfaceCorners& corners) {
    return (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
}

// The triangle across edge k; kNoTriangle at the border.
std::uint32_t neighbour_at(const Surface& surface, std::uint32_t triangle, std::uint32_t edge);

// The largest coordinate of any corner, scaled.
double largest_coordinate(const Surface& surface);

// The unit normal; +Y for a triangle without area.
maths::Vec3d normal_of(const SurfaceCorners& corners);

}  // namespace abut
