/// @file
/// Motion in the plane, as in cast.hpp: the first time at which two moving bodies come within a distance. Positions and
/// angles are linear in time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/cast.hpp>
#include <abut/d2/results_2d.hpp>

namespace abut::d2 {

using abut::CastOptions;
using abut::CastReduction;
using abut::CastStart;

/// How the bodies of a frame move.
struct Motions {
    /// The poses at time 1, one per body of the frame; shape ids are not read. If the frame's bodies and these have
    /// angles, a body turns by their difference, any number of turns; else along the shorter arc.
    Bodies ends;
    Strided<Vec2> centers = {};  ///< optional, one per body: the centre of rotation in its frame; else its position
};

/// As abut::CastColumns.
struct CastColumns {
    std::span<std::uint32_t> bits;          ///< one bit per pair
    std::span<double> time;                 ///< in [0, 1]; of a miss the latest
    std::span<float> signed_distance = {};  ///< optional, like all columns below; +infinity for a miss
    std::span<Vec2> normal = {};            ///< from A to B
    std::span<Vec2> point_a = {};           ///< relative to A's position at that time, world axes
    std::span<Vec2> point_b = {};           ///< relative to A's position too
    std::span<std::uint32_t> child_a = {};  ///< of a compound the child, of a chain the segment; 0 for a convex shape
    std::span<std::uint32_t> child_b = {};  ///< the same of B
    std::span<Status> status = {};          ///< not_converged: as in abut::CastColumns
    std::span<std::uint32_t> hits = {};     ///< the indices of the hit pairs, ascending; as many as fit
    std::size_t hit_count = 0;              ///< out: the number of hits

    /// The library's own, as abut::CastColumns::each.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        return abut::CastColumns::each(f, of...);
    }
};

/// The columns of CastColumns, which grow.
struct Casts {
    std::vector<std::uint32_t> bits;              ///< as in CastColumns
    std::vector<double> time;                     ///< as in CastColumns
    std::vector<float> signed_distance;           ///< as in CastColumns
    std::vector<Vec2> normal, point_a, point_b;   ///< as in CastColumns
    std::vector<std::uint32_t> child_a, child_b;  ///< as in CastColumns
    std::vector<Status> status;                   ///< as in CastColumns
    std::vector<std::uint32_t> hits;              ///< as in CastColumns

    /// Whether this pair has a hit.
    bool hit(std::size_t pair) const { return bits[pair / 32] >> (pair % 32) & 1; }
};

}  // namespace abut::d2
