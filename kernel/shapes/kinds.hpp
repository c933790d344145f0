// Properties of the kinds, and their canonical order. The numbers of kinds (abut/shape_id.hpp) appear in ids and files
// and mean nothing else.
#pragma once

#include <cstdint>

#include <abut/shape_id.hpp>

#include "base/compiler_support.hpp"
#include "shapes/instance_record.hpp"

namespace abut {

enum class KindFamily : std::uint8_t { flat, curved, custom, halfspace, compound, surface, none };

// flat: points, segments and polytopes, swept. No default label, so that the compiler reports a new kind here.
ABUT_ALWAYS_INLINE constexpr KindFamily family_of(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box:
        case ShapeKind::hull: return KindFamily::flat;
        case ShapeKind::cylinder:
        case ShapeKind::cone:
        case ShapeKind::ellipsoid: return KindFamily::curved;
        case ShapeKind::custom: return KindFamily::custom;
        case ShapeKind::halfspace: return KindFamily::halfspace;
        case ShapeKind::compound: return KindFamily::compound;
        case ShapeKind::mesh:
        case ShapeKind::heightfield: return KindFamily::surface;
        case ShapeKind::none: break;
    }
    return KindFamily::none;
}
static_assert(family_of(ShapeKind(kKindCount - 1)) != KindFamily::none &&
              family_of(ShapeKind(kKindCount)) == KindFamily::none);

ABUT_ALWAYS_INLINE constexpr bool is_kind(ShapeKind kind) { return family_of(kind) != KindFamily::none; }

// Kinds that chunks consist of, half-spaces included.
ABUT_ALWAYS_INLINE constexpr bool is_convex(ShapeKind kind) {
    return is_kind(kind) && family_of(kind) != KindFamily::compound && family_of(kind) != KindFamily::surface;
}

// Meshes and height fields.
ABUT_ALWAYS_INLINE constexpr bool is_surface(ShapeKind kind) { return family_of(kind) == KindFamily::surface; }

// Bounded convex kinds other than custom shapes.
ABUT_ALWAYS_INLINE constexpr bool has_known_core(ShapeKind kind) {
    return family_of(kind) == KindFamily::flat || family_of(kind) == KindFamily::curved;
}

// Kinds of CurvedCore.
ABUT_ALWAYS_INLINE constexpr bool is_curved(ShapeKind kind) {
    return family_of(kind) == KindFamily::curved || family_of(kind) == KindFamily::custom;
}

// The body of the earlier kind is A; if both have one kind, the body with the lower index. Chunks come in this order,
// and their family follows from the later kind (convex/chunk/chunk.cpp): flat, curved, half-space.
inline constexpr ShapeKind kKindsInOrder[kKindCount] = {
    ShapeKind::sphere,    ShapeKind::capsule,  ShapeKind::box,       ShapeKind::hull,
    ShapeKind::cylinder,  ShapeKind::cone,     ShapeKind::ellipsoid, ShapeKind::custom,
    ShapeKind::halfspace, ShapeKind::compound, ShapeKind::mesh,      ShapeKind::heightfield};

inline constexpr std::uint32_t kConvexKinds = 9;  // the number of convex kinds, which come first in the order
static_assert(is_convex(kKindsInOrder[kConvexKinds - 1]) && !is_convex(kKindsInOrder[kConvexKinds]));

// False for pairs in this order whose answers all are closed forms: reading a cache would cost as much.
ABUT_ALWAYS_INLINE constexpr bool uses_caches(ShapeKind a, ShapeKind b) {
    return b != ShapeKind::halfspace && b != ShapeKind::sphere && b != ShapeKind::capsule &&
           !(a == ShapeKind::sphere && b == ShapeKind::box);
}

// The position of each kind in the order, by number. Does not compile if the order lacks a kind.
struct KindPositions {
    std::uint8_t at[kKindCount];
};
inline constexpr KindPositions kKindPositions = [] {
    KindPositions positions = {};
    for (std::uint32_t kind = 0; kind < kKindCount; ++kind)
        while (kKindsInOrder[positions.at[kind]] != ShapeKind(kind)) ++positions.at[kind];
    return positions;
}();

// The only rule for which of two bodies is A: true if a pair (a, b) is swapped to be in the order. False for equal
// kinds.
constexpr bool is_swapped_pair(ShapeKind a, ShapeKind b) {
    return kKindPositions.at[std::uint32_t(a)] > kKindPositions.at[std::uint32_t(b)];
}

}  // namespace abut
