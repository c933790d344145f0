/// @file
/// Rays: where each of many rays first meets a body, for pairs of a ray and a body from the caller's broad phase, in
/// one call (NarrowPhase::raycast).
///
/// Convex bodies are solid, surface included; half-spaces too. Triangles of meshes and height fields are thin: with
/// MeshSides::front a ray hits only those that it meets from the front. A ray that starts in a solid has fraction 0,
/// `inside` 1, its origin as the point and no normal.
///
/// A point of a hit is on the body, and no earlier point of the ray is in it, to within 1e-5 of the body's size (half
/// its longest local extent) or 8 ulp of the largest difference of coordinates. Rays pass through no gap between
/// triangles that share an edge or a vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/frame.hpp>
#include <abut/results.hpp>

namespace abut {

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
    /// A mesh that has_inside() (points.hpp) is a solid: a ray may start inside it.
    bool solid_meshes = false;
};

/// One element per pair unless its comment says otherwise. A miss has fraction 1, and zeros; a pair without an answer
/// has zeros.
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

    /// Whether this pair has a hit.
    bool hit(std::size_t pair) const { return bits[pair / 32] >> (pair % 32) & 1; }
};

template <class Out>
concept GrowingRayHits =
    GrowingColumn<decltype(Out::bits), std::uint32_t> && GrowingColumn<decltype(Out::fraction), double> &&
    GrowingColumn<decltype(Out::point), Vec3> && GrowingColumn<decltype(Out::normal), Vec3> &&
    GrowingColumn<decltype(Out::child), std::uint32_t> && GrowingColumn<decltype(Out::inside), std::uint8_t> &&
    GrowingColumn<decltype(Out::status), Status> && GrowingColumn<decltype(Out::hits), std::uint32_t>;

}  // namespace abut
