/// @file
/// Results: columns in the caller's pair order. The *Columns structs are views of the caller's memory. A column has
/// exactly one element per pair of the frame unless its comment says otherwise. Overlaps, Distances and Manifolds own
/// their memory and grow to fit.
///
/// A pair with a compound has the answer of its children: overlap if any two overlap, the distance of the nearest two,
/// the manifolds of all (docs/numerics.md). A pair with a mesh or a height field has that of its triangles, but
/// `collide` gives one manifold for each distinct normal of each convex shape.
///
/// Frames of reference: normals and points are along world axes. Points are relative to the position of the pair's body
/// A, so that they stay exact far from the origin (`world_point` adds it). A normal points from A to B.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/status.hpp>

namespace abut {

// --- overlap: does the signed distance reach zero? ---

/// One bit per pair.
struct OverlapColumns {
    std::span<std::uint32_t> bits;       ///< ceil(pairs / 32) words; bit i % 32 of word i / 32 is pair i
    std::span<Status> status = {};       ///< optional
    std::span<std::uint32_t> hits = {};  ///< optional: the indices of the hit pairs, ascending; as many as fit
    std::size_t hit_count = 0;           ///< out: the number of hits, also of those that did not fit in `hits`
};

/// The columns of OverlapColumns, which grow.
struct Overlaps {
    std::vector<std::uint32_t> bits;  ///< as in OverlapColumns
    std::vector<Status> status;       ///< as in OverlapColumns
    std::vector<std::uint32_t> hits;  ///< as in OverlapColumns

    /// Whether this pair overlaps.
    bool hit(std::size_t pair) const { return bits[pair / 32] >> (pair % 32) & 1; }
};

// --- distance: signed distance and witness points ---

/// point_b - point_a = signed_distance * normal. If the signed distance is negative, the shapes overlap, and moving B
/// by -signed_distance along the normal makes them touch.
struct DistanceColumns {
    /// +infinity beyond the maximum distance, and where no triangle of a surface takes part
    std::span<float> signed_distance;
    std::span<Vec3> normal = {};    ///< optional
    std::span<Vec3> point_a = {};   ///< optional
    std::span<Vec3> point_b = {};   ///< optional
    std::span<Status> status = {};  ///< optional
};

/// The columns of DistanceColumns, which grow.
struct Distances {
    std::vector<float> signed_distance;          ///< as in DistanceColumns
    std::vector<Vec3> normal, point_a, point_b;  ///< as in DistanceColumns
    std::vector<Status> status;                  ///< as in DistanceColumns
};

/// How far and how deep a distance is computed.
struct DistanceOptions {
    /// Pairs farther apart than this (metres) report a signed distance of +infinity, and zeros for normal and points.
    float max_distance = std::numeric_limits<float>::infinity();
    /// Optional, one value per pair (metres, 0 or more, infinity allowed): instead of max_distance.
    Strided<float> max_distances = {};
    /// Computes no depth: pairs that overlap report 0, and zeros for normal and points.
    bool separation_only = false;
};

// --- collide: contact manifolds within the speculative margin ---

/// A point of a manifold.
struct Contact {
    Vec3 position;              ///< midpoint between the two surfaces, relative to A's position
    float separation = 0.0f;    ///< along the manifold's normal; negative if the surfaces overlap
    std::uint32_t feature = 0;  ///< A's feature in the high half, B's in the low; swapped with the bodies
};

/// Contacts of one pair of convex shapes, with one normal.
struct Manifold {
    std::uint32_t pair = 0;  ///< index into the frame's pairs
    /// The child of a compound, in the order of addition; the triangle of a mesh or height field that the deepest
    /// contact is on, by the caller's index; 0 for a convex shape.
    std::uint32_t child_a = 0, child_b = 0;
    Vec3 normal;                      ///< unit, from A to B
    std::uint32_t first_contact = 0;  ///< index into the contacts, deepest first
    std::uint32_t contact_count = 0;  ///< at most 4
};

/// Pair i's manifolds are [first_manifold[i], first_manifold[i + 1]): none, or one; for a compound one for each pair of
/// children in contact, ordered by the children of the body of lower (kind, index), then the other's: (b, a) has (a,
/// b)'s order. Both lists are in pair order. If a list is too short, the pairs that did not fit have Status::no_room,
/// nothing is written past the end, and the counts say how much is needed.
struct ManifoldColumns {
    std::span<std::uint32_t> first_manifold;                ///< pairs + 1
    std::span<Manifold> manifolds;                          ///< any size
    std::span<Contact> contacts;                            ///< any size
    std::span<Status> status = {};                          ///< optional
    std::size_t manifold_count = 0, contact_count = 0;      ///< out: written
    std::size_t manifolds_needed = 0, contacts_needed = 0;  ///< out: what the whole frame needs
    /// Optional, as long as `contacts`: for each contact the triangle of the mesh or height field that it is on, by the
    /// caller's index (for materials); 0 for other shapes.
    std::span<std::uint32_t> triangles = {};
};

/// The columns of ManifoldColumns, which grow.
struct Manifolds {
    std::vector<std::uint32_t> first_manifold;  ///< as in ManifoldColumns
    std::vector<Manifold> manifolds;            ///< as in ManifoldColumns
    std::vector<Contact> contacts;              ///< as in ManifoldColumns
    std::vector<Status> status;                 ///< as in ManifoldColumns
    std::vector<std::uint32_t> triangles;       ///< one for each contact
};

// --- Containers that grow: the structs above, or the caller's own with the same members ---

/// std::vector, or an engine's container with its own allocator.
template <class Column, class Item>
concept GrowingColumn = requires(Column& column, std::size_t count) {
    { column.capacity() } -> std::convertible_to<std::size_t>;
    column.reserve(count);
    column.resize(count);
    std::span<Item>(column);
};

template <class Out>
concept GrowingOverlaps = GrowingColumn<decltype(Out::bits), std::uint32_t> &&
    GrowingColumn<decltype(Out::status), Status> && GrowingColumn<decltype(Out::hits), std::uint32_t>;
template <class Out>
concept GrowingDistances = GrowingColumn<decltype(Out::signed_distance), float> &&
    GrowingColumn<decltype(Out::normal), Vec3> && GrowingColumn<decltype(Out::point_a), Vec3> &&
    GrowingColumn<decltype(Out::point_b), Vec3> && GrowingColumn<decltype(Out::status), Status>;
template <class Out>
concept GrowingManifolds =
    GrowingColumn<decltype(Out::first_manifold), std::uint32_t> && GrowingColumn<decltype(Out::manifolds), Manifold> &&
    GrowingColumn<decltype(Out::contacts), Contact> && GrowingColumn<decltype(Out::status), Status>;
/// With the optional column.
template <class Out>
concept GrowingTriangles = GrowingColumn<decltype(Out::triangles), std::uint32_t>;

/// A point of pair `pair` of `frame` in world space. Not for frames of relative poses, which have no world.
inline Vec3 world_point(const Frame& frame, std::size_t pair, Vec3 relative_to_a) {
    const Vec3 a = frame.bodies[frame.pairs[pair].a].position;
    return {a.x + relative_to_a.x, a.y + relative_to_a.y, a.z + relative_to_a.z};
}
/// The same in double, for positions in double.
inline DVec3 double_world_point(const Frame& frame, std::size_t pair, Vec3 relative_to_a) {
    const DVec3 a = frame.bodies.position(frame.pairs[pair].a);
    return {a.x + relative_to_a.x, a.y + relative_to_a.y, a.z + relative_to_a.z};
}

}  // namespace abut
