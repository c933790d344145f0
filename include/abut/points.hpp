/// @file
/// Points: how far each of many points is from a body, inside or outside, for pairs of a point and a body, in one call
/// (NarrowPhase::measure).
///
/// Convex shapes have a signed distance, negative inside. A compound has the least of its children's distances: inside
/// several children, the depth is at most that in their union. A mesh or height field has the distance of its nearest
/// triangle. With MeshSides::front a triangle counts only if the point is in front of it, and a point behind all
/// triangles has the distance infinity. With PointOptions::solid_meshes a mesh that has_inside() is a solid, too.
///
/// Errors are those of `distance` for a body of size 0: 1e-6 of the larger of the body's size and the distance
/// (docs/promises.md).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <abut/frame.hpp>
#include <abut/results.hpp>

namespace abut {

/// World positions, metres: one of the two columns. Only the difference of a double position from a body's position is
/// used, computed in double.
struct Points {
    Strided<Vec3> positions = {};          ///< one per point
    Strided<DVec3> double_positions = {};  ///< instead of `positions`

    /// The number of points.
    std::size_t size() const { return positions.empty() ? double_positions.size() : positions.size(); }
};

/// What is inside, and what is far.
struct PointOptions {
    /// Metres, 0 or more: a point that is farther outside has the distance infinity, and zeros. A small value saves
    /// much of the work of meshes.
    float max_distance = std::numeric_limits<float>::infinity();
    bool solid_meshes = false;  ///< a mesh that has_inside() has a negative distance inside
};

/// One element per pair. Optional columns may be empty. A pair without an answer has zeros.
struct PointColumns {
    std::span<float> signed_distance;  ///< metres, negative inside
    std::span<Vec3> normal = {};       ///< unit, outward, world axes: the direction in which the distance grows
    /// the nearest point of the surface, relative to the body's position, world axes
    std::span<Vec3> nearest = {};
    /// of a compound the child, of a mesh or height field the triangle by the caller's index; else 0
    std::span<std::uint32_t> child = {};
    std::span<Status> status = {};  ///< bad_index, bad_pose: of the point too
};

/// The columns of PointColumns, which grow.
struct PointDistances {
    std::vector<float> signed_distance;  ///< as in PointColumns
    std::vector<Vec3> normal, nearest;   ///< as in PointColumns
    std::vector<std::uint32_t> child;    ///< as in PointColumns
    std::vector<Status> status;          ///< as in PointColumns
};

template <class Out>
concept GrowingPointDistances = GrowingColumn<decltype(Out::signed_distance), float> &&
    GrowingColumn<decltype(Out::normal), Vec3> && GrowingColumn<decltype(Out::nearest), Vec3> &&
    GrowingColumn<decltype(Out::child), std::uint32_t> && GrowingColumn<decltype(Out::status), Status>;

/// Whether a shape is a mesh with an inside: closed (each edge is of two triangles that run along it in opposite
/// directions; at edges of more triangles they pair up), with the fronts outside. False for a shape that does not live.
ABUT_API bool has_inside(const ShapeStore& shapes, ShapeId shape);

}  // namespace abut
