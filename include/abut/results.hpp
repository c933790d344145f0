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

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(bit_words, "OverlapColumns::bits", of.bits...) && f(hit_list, "OverlapColumns::hits", of.hits...) &&
               f(optional, "OverlapColumns::status", of.status...);
    }
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

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(one_each, "DistanceColumns::signed_distance", of.signed_distance...) &&
               f(optional, "DistanceColumns::normal", of.normal...) &&
               f(optional, "DistanceColumns::point_a", of.point_a...) &&
               f(optional, "DistanceColumns::point_b", of.point_b...) &&
               f(optional, "DistanceColumns::status", of.status...);
    }
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
    std::uint32_t contact_count = 0;  ///< at most 4, or Settings::ground_contacts where that counts
};

/// Pair i's manifolds are [first_manifold[i], first_manifold[i + 1]): none, or one; for a compound one for each pair of
/// children in contact (docs/numerics.md, "Seams", has an exception), ordered by the children of the body of lower
/// (kind, index), then the other's: (b, a) has (a, b)'s order. Both lists are in pair order. If a list is too short,
/// the pairs that did not fit have Status::no_room, nothing is written past the end, and the counts say how much is
/// needed.
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

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    /// Structs without `triangles` are allowed.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        if (!(f(manifold_list, "ManifoldColumns::manifolds", of.manifolds...) &&
              f(contact_list, "ManifoldColumns::contacts", of.contacts...)))
            return false;
        if constexpr (requires { ((void)of.triangles, ...); })
            if (!f(one_per_contact, "ManifoldColumns::triangles", of.triangles...)) return false;
        return f(first_list, "ManifoldColumns::first_manifold", of.first_manifold...) &&
               f(optional, "ManifoldColumns::status", of.status...);
    }
};

/// The columns of ManifoldColumns, which grow.
struct Manifolds {
    std::vector<std::uint32_t> first_manifold;  ///< as in ManifoldColumns
    std::vector<Manifold> manifolds;            ///< as in ManifoldColumns
    std::vector<Contact> contacts;              ///< as in ManifoldColumns
    std::vector<Status> status;                 ///< as in ManifoldColumns
    std::vector<std::uint32_t> triangles;       ///< one for each contact
};

// --- Containers that grow: the structs above, or the caller's own with the same members, of the same types ---

template <class Out>
concept GrowingOverlaps = GrowingColumn<decltype(Out::bits), std::uint32_t>;
template <class Out>
concept GrowingDistances = GrowingColumn<decltype(Out::signed_distance), float>;
/// The member `triangles` may be missing.
template <class Out>
concept GrowingManifolds = GrowingColumn<decltype(Out::manifolds), Manifold>;

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

// --- The features that Contact::feature names ---

/// What touches.
enum class FeatureType : std::uint8_t { vertex, edge, face };

/// A vertex, an edge or a face of a shape: the meaning of a half of Contact::feature.
///
/// A hull's features are its vertices, edges and faces, numbered as in ShapeStore::hull_vertices, hull_edges and
/// hull_face. Those of other shapes are:
///
/// | shape | vertices | faces |
/// |---|---|---|
/// | box | 0 to 7; bit i is set where coordinate i is negative | 0 to 5: +x, -x, +y, -y, +z, -z |
/// | capsule | 0 at +Y, 1 at -Y | none |
/// | cylinder | 0 to 15 on the top rim, 16 to 31 on the bottom one; 62 and 63 the upper and lower end of the line it lies on | 0 top, 1 bottom, 2 side |
/// | cone | 16 to 31 on the base's rim; 62 and 63 as a cylinder's; 0 to 15 on the rim from above where it is flat | 0 and 2 side with the apex, 1 base |
/// | sphere | 0 | none |
/// | ellipsoid, custom | none | 2, all of it |
/// | half-space | none | 0 |
/// | mesh, height field | the number of the cooked surface's vertex, its lowest 14 bits | 0: the ground, across all triangles |
///
/// An edge of a mesh or a height field has a hash of both its vertices' numbers: it is not decoded into them.
///
/// A point of a cap's rim between its vertices is an edge from the cap's first vertex (0 or 31) to a number from 32: 32
/// and 33 are the points where the other shape's outline or the margin crosses the rim, 34 to 39 are on the arc that
/// begins there. If a cylinder or cone lies on a part of its side that is wider than a line, the corners of this part
/// are vertices 56 to 61, and the part is face 2.
struct Feature {
    FeatureType type = FeatureType::vertex;  ///< which of the fields below count
    std::uint16_t v0 = 0, v1 = 0;            ///< the vertex, twice; or the ends of an edge, the lower first
    std::uint16_t face = 0;                  ///< the face
    friend constexpr bool operator==(const Feature&, const Feature&) = default;
};

/// The 16 bits that name an edge. If a hull has more than 128 vertices, two edges may have the same bits: compare with
/// each of hull_edges.
constexpr std::uint16_t edge_feature(std::uint32_t v0, std::uint32_t v1) {
    const std::uint32_t low = v0 < v1 ? v0 : v1, high = v0 < v1 ? v1 : v0;
    return static_cast<std::uint16_t>(0x4000u | ((low * 128 + high) & 0x3fffu));
}

/// Decodes a half of Contact::feature. The ends of an edge are right for hulls of up to 128 vertices; for larger ones
/// see edge_feature.
constexpr Feature decode_feature(std::uint16_t half) {
    const auto index = static_cast<std::uint16_t>(half & 0x3fffu);
    if ((half & 0x8000u) != 0) return {FeatureType::face, 0, 0, index};
    if ((half & 0x4000u) == 0) return {FeatureType::vertex, index, index, 0};
    return {FeatureType::edge, static_cast<std::uint16_t>(index / 128), static_cast<std::uint16_t>(index % 128), 0};
}

/// The half of Contact::feature that is A's.
constexpr Feature feature_of_a(std::uint32_t feature) {
    return decode_feature(static_cast<std::uint16_t>(feature >> 16));
}
/// The half that is B's.
constexpr Feature feature_of_b(std::uint32_t feature) {
    return decode_feature(static_cast<std::uint16_t>(feature & 0xffffu));
}

}  // namespace abut
