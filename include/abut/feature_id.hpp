/// @file
/// The meaning of the two halves of Contact::feature.
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
#pragma once

#include <cstdint>

namespace abut {

/// What touches.
enum class FeatureType : std::uint8_t { vertex, edge, face };

/// A vertex, an edge or a face of a shape.
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
