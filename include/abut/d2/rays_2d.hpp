/// @file
/// Rays and points in the plane, for pairs of a ray or a point and a body, as in rays.hpp. Convex bodies are solid,
/// surface included. Chains are thin: a ray hits a segment only from its front, also where two of them meet, and a
/// segment counts for a point that is in front of its line or on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/d2/results_2d.hpp>
#include <abut/rays.hpp>

namespace abut::d2 {

using abut::PointOptions;
using abut::RayOptions;
using abut::RayReduction;

/// One element per ray.
struct Rays {
    /// One of the next two: world positions, metres.
    Strided<Vec2> origins = {};
    Strided<DVec2> double_origins = {};  ///< instead of `origins`
    Strided<Vec2> directions = {};       ///< of any length but 0; a ray ends at origin + direction
    Strided<float> lengths = {};  ///< optional, metres, more than 0: it ends at this distance along its direction

    /// The number of rays.
    std::size_t size() const { return directions.size(); }
};

/// As abut::RayColumns.
struct RayColumns {
    std::span<std::uint32_t> bits;        ///< one bit per pair
    std::span<double> fraction;           ///< in [0, 1], of the ray's length; 1 for a miss
    std::span<Vec2> point = {};           ///< optional, like all columns below; relative to the body's position
    std::span<Vec2> normal = {};          ///< outward, unit; zero if the ray starts inside
    std::span<std::uint32_t> child = {};  ///< of a compound the child, of a chain the segment; else 0
    std::span<std::uint8_t> inside = {};  ///< 1: the ray starts in the solid
    std::span<Status> status = {};        ///< bad_index, bad_pose: of the ray too
    std::span<std::uint32_t> hits = {};   ///< the indices of the hit pairs, ascending; as many as fit
    std::size_t hit_count = 0;            ///< out: the number of hits

    /// The library's own, as abut::RayColumns::each.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        return abut::RayColumns::each(f, of...);
    }
};

/// The columns of RayColumns, which grow.
struct RayHits {
    std::vector<std::uint32_t> bits;   ///< as in RayColumns
    std::vector<double> fraction;      ///< as in RayColumns
    std::vector<Vec2> point, normal;   ///< as in RayColumns
    std::vector<std::uint32_t> child;  ///< as in RayColumns
    std::vector<std::uint8_t> inside;  ///< as in RayColumns
    std::vector<Status> status;        ///< as in RayColumns
    std::vector<std::uint32_t> hits;   ///< as in RayColumns

    /// Whether this pair has a hit.
    bool hit(std::size_t pair) const { return bits[pair / 32] >> (pair % 32) & 1; }
};

/// World positions, metres: one of the two columns.
struct Points {
    Strided<Vec2> positions = {};          ///< one per point
    Strided<DVec2> double_positions = {};  ///< instead of `positions`

    /// The number of points.
    std::size_t size() const { return positions.empty() ? double_positions.size() : positions.size(); }
};

/// As abut::PointColumns.
struct PointColumns {
    std::span<float> signed_distance;  ///< metres, negative inside
    std::span<Vec2> normal = {};       ///< optional: unit, outward
    std::span<Vec2> nearest = {};      ///< optional: the nearest point of the surface, relative to the body's position
    std::span<std::uint32_t> child = {};  ///< optional: as RayColumns::child
    std::span<Status> status = {};        ///< optional

    /// The library's own, as abut::PointColumns::each.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        return abut::PointColumns::each(f, of...);
    }
};

/// The columns of PointColumns, which grow.
struct PointDistances {
    std::vector<float> signed_distance;  ///< as in PointColumns
    std::vector<Vec2> normal, nearest;   ///< as in PointColumns
    std::vector<std::uint32_t> child;    ///< as in PointColumns
    std::vector<Status> status;          ///< as in PointColumns
};

template <class Out>
concept GrowingPointDistances = GrowingColumn<decltype(Out::nearest), Vec2>;

}  // namespace abut::d2
