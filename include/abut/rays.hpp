/// @file
/// Rays: where each of many rays first meets a body, for pairs of a ray and a body from the caller's broad phase, in
/// one call (NarrowPhase::raycast).
///
/// Convex bodies are solid, surface included; half-spaces too. Triangles of meshes and height fields are thin: a ray
/// hits those that it meets from one of its QuerySides, by default as they were cooked. A ray that starts in a solid
/// has fraction 0, `inside` 1, its origin as the point and no normal; with QuerySides::back it starts in no mesh and no
/// height field, but hits the triangle through which it leaves.
///
/// A point of a hit is on the body, and no earlier point of the ray is in it, to within 1e-5 of the body's size (half
/// its longest local extent) or 8 ulp of the largest difference of coordinates. Rays pass through no gap between
/// triangles that share an edge or a vertex.
///
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
#include <abut/shape_store.hpp>

namespace abut {

// --- Rays ---

/// From where a ray or a cast meets the triangles of a mesh or a height field. Triangles with a rounding are met from
/// everywhere.
enum class QuerySides : std::uint8_t {
    as_cooked,  ///< as MeshSides says
    front,      ///< in front of a triangle only
    back,       ///< behind a triangle only
    both,       ///< on both sides
};

/// One element per ray.
struct Rays {
    /// One of the next two: world positions, metres. Only the difference of a double origin from a body's position is
    /// used, computed in double.
    Strided<Vec3> origins = {};
    Strided<DVec3> double_origins = {};  ///< instead of `origins`
    /// World axes, of any length but 0. A ray ends at origin + direction.
    Strided<Vec3> directions = {};
    /// Optional, metres, more than 0: a ray ends at this distance along its direction, whatever the direction's length.
    Strided<float> lengths = {};
    /// Optional: instead of RayOptions::sides.
    std::span<const QuerySides> sides = {};

    /// The number of rays.
    std::size_t size() const { return directions.size(); }
};

/// Which hits count.
enum class RayReduction : std::uint8_t {
    every_pair,
    /// Among the pairs of one ray only the first hit along it counts (at equal fractions, that of the lowest pair); the
    /// others are misses.
    first_of_ray,
    /// Among the pairs of one ray one hit counts, if there is any: not always the first. The cheapest answer to whether
    /// something blocks the ray.
    any_of_ray,
};

/// What is a hit.
struct RayOptions {
    RayReduction reduction = RayReduction::every_pair;  ///< which hits count
    /// A mesh that has_inside() is a solid: a ray may start inside it.
    bool solid_meshes = false;
    QuerySides sides = QuerySides::as_cooked;  ///< of all rays
};

/// One element per pair unless its comment says otherwise. A miss has fraction 1, no face, and zeros; a pair without an
/// answer has no face, and zeros.
struct RayColumns {
    std::span<std::uint32_t> bits;  ///< ceil(pairs / 32) words; bit i % 32 of word i / 32: pair i has a hit
    std::span<double> fraction;     ///< in [0, 1], of the ray's length
    /// optional, like all columns below; relative to the body's position, world axes
    std::span<Vec3> point = {};
    /// outward, unit, world axes; of a triangle its own, facing the ray; zero if the ray starts inside
    std::span<Vec3> normal = {};
    /// of a compound the child, of a mesh or height field the triangle by the caller's index; else 0
    std::span<std::uint32_t> child = {};
    std::span<std::uint8_t> inside = {};  ///< 1: the ray starts in the solid
    /// bad_index, bad_pose: of the ray too (not finite, no direction, a length of 0 or less)
    std::span<Status> status = {};
    std::span<std::uint32_t> hits = {};  ///< the indices of the hit pairs, ascending; as many as fit
    std::size_t hit_count = 0;           ///< out: the number of hits
    /// optional; the hit face of the convex shape (of a compound, of its child), numbered as in Feature; on a rounded
    /// edge that whose normal is nearest, of a cone the base where the normal is within 45 degrees of it. kNoFace: a
    /// shape without faces, a triangle (see `child`), a ray that starts inside
    std::span<std::uint16_t> face = {};

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    /// Structs without `face` are allowed.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        if constexpr (requires { ((void)of.face, ...); })
            if (!f(optional, "RayColumns::face", of.face...)) return false;
        return f(bit_words, "RayColumns::bits", of.bits...) && f(one_each, "RayColumns::fraction", of.fraction...) &&
               f(optional, "RayColumns::point", of.point...) && f(optional, "RayColumns::normal", of.normal...) &&
               f(optional, "RayColumns::child", of.child...) && f(optional, "RayColumns::inside", of.inside...) &&
               f(hit_list, "RayColumns::hits", of.hits...) && f(optional, "RayColumns::status", of.status...);
    }
};

/// The columns of RayColumns, which grow.
struct RayHits {
    std::vector<std::uint32_t> bits;   ///< as in RayColumns
    std::vector<double> fraction;      ///< as in RayColumns
    std::vector<Vec3> point, normal;   ///< as in RayColumns
    std::vector<std::uint32_t> child;  ///< as in RayColumns
    std::vector<std::uint8_t> inside;  ///< as in RayColumns
    std::vector<Status> status;        ///< as in RayColumns
    std::vector<std::uint32_t> hits;   ///< as in RayColumns
    std::vector<std::uint16_t> face;   ///< as in RayColumns

    /// Whether this pair has a hit.
    bool hit(std::size_t pair) const { return bits[pair / 32] >> (pair % 32) & 1; }
};

template <class Out>
concept GrowingRayHits = GrowingColumn<decltype(Out::fraction), double>;

// --- Points ---

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

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(one_each, "PointColumns::signed_distance", of.signed_distance...) &&
               f(optional, "PointColumns::normal", of.normal...) &&
               f(optional, "PointColumns::nearest", of.nearest...) && f(optional, "PointColumns::child", of.child...) &&
               f(optional, "PointColumns::status", of.status...);
    }
};

/// The columns of PointColumns, which grow.
struct PointDistances {
    std::vector<float> signed_distance;  ///< as in PointColumns
    std::vector<Vec3> normal, nearest;   ///< as in PointColumns
    std::vector<std::uint32_t> child;    ///< as in PointColumns
    std::vector<Status> status;          ///< as in PointColumns
};

template <class Out>
concept GrowingPointDistances = GrowingColumn<decltype(Out::nearest), Vec3>;

/// Whether a shape is a mesh with an inside: closed (each edge is of two triangles that run along it in opposite
/// directions; at edges of more triangles they pair up), with the fronts outside. False for a shape that does not live.
ABUT_API bool has_inside(const ShapeStore& shapes, ShapeId shape);

}  // namespace abut
