/// @file
/// Results in the plane: columns in the caller's pair order, as in results.hpp. Normals and points are along world
/// axes, points relative to the position of the pair's body A. A normal points from A to B.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/d2/frame_2d.hpp>
#include <abut/results.hpp>

namespace abut::d2 {

using abut::DistanceOptions;
using abut::OverlapColumns;
using abut::Overlaps;

/// point_b - point_a = signed_distance * normal. If the signed distance is negative, the shapes overlap, and moving B
/// by -signed_distance along the normal makes them touch.
struct DistanceColumns {
    std::span<float>
        signed_distance;          ///< +infinity beyond the maximum distance, and where no segment of a chain takes part
    std::span<Vec2> normal = {};  ///< optional
    std::span<Vec2> point_a = {};   ///< optional
    std::span<Vec2> point_b = {};   ///< optional
    std::span<Status> status = {};  ///< optional

    /// The library's own, as abut::DistanceColumns::each.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        return abut::DistanceColumns::each(f, of...);
    }
};

/// The columns of DistanceColumns, which grow.
struct Distances {
    std::vector<float> signed_distance;          ///< as in DistanceColumns
    std::vector<Vec2> normal, point_a, point_b;  ///< as in DistanceColumns
    std::vector<Status> status;                  ///< as in DistanceColumns
};

/// A point of a manifold.
struct Contact {
    Vec2 position;            ///< midpoint between the two surfaces, relative to A's position
    float separation = 0.0f;  ///< along the manifold's normal; negative if the surfaces overlap
    /// A's corner at this end of the touching edges in the high half, B's in the low; 0xffff for a half-plane. Corners
    /// are numbered as ShapeStore::corners. The two contacts of a manifold differ in both halves or in one.
    std::uint32_t feature = 0;
};
static_assert(sizeof(Contact) == 16);

inline constexpr std::uint32_t kMostContacts = 2;  ///< of a manifold

/// Contacts of one pair of convex shapes, with one normal.
struct Manifold {
    std::uint32_t pair = 0;  ///< index into the frame's pairs
    /// The child of a compound in the order of addition, or the segment of a chain; 0 for a convex shape.
    std::uint32_t child_a = 0, child_b = 0;
    std::uint32_t contact_count = 0;       ///< 1 or 2
    Vec2 normal;                           ///< unit, from A to B
    Contact contacts[kMostContacts] = {};  ///< deepest first
};

/// Pair i's manifolds are [first_manifold[i], first_manifold[i + 1]). If the list is too short, the pairs that did not
/// fit have Status::no_room, and the counts say how much is needed.
struct ManifoldColumns {
    std::span<std::uint32_t> first_manifold;  ///< pairs + 1
    std::span<Manifold> manifolds;            ///< any size
    std::span<Status> status = {};            ///< optional
    std::size_t manifold_count = 0;           ///< out: written
    std::size_t manifolds_needed = 0;         ///< out: what the whole frame needs

    /// The library's own, as abut::ManifoldColumns::each.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum abut::detail::ColumnKind;
        return f(manifold_list, "d2::ManifoldColumns::manifolds", of.manifolds...) &&
               f(first_list, "d2::ManifoldColumns::first_manifold", of.first_manifold...) &&
               f(optional, "d2::ManifoldColumns::status", of.status...);
    }
};

/// The columns of ManifoldColumns, which grow.
struct Manifolds {
    std::vector<std::uint32_t> first_manifold;  ///< as in ManifoldColumns
    std::vector<Manifold> manifolds;            ///< as in ManifoldColumns
    std::vector<Status> status;                 ///< as in ManifoldColumns
};

template <class Out>
concept GrowingManifolds = GrowingColumn<decltype(Out::manifolds), Manifold>;

/// A point of pair `pair` of `frame` in world space.
inline DVec2 world_point(const Frame& frame, std::size_t pair, Vec2 relative_to_a) {
    const DVec2 a = frame.bodies.position(frame.pairs[pair].a);
    return {a.x + relative_to_a.x, a.y + relative_to_a.y};
}

}  // namespace abut::d2
