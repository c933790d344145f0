// All kinds of shapes that scenes are made of, and two of them at random.
#pragma once

#include <array>
#include <cstdint>

#include <abut/shape_id.hpp>

#include "scenes/random.hpp"

namespace abut::scenes {

inline constexpr std::array kAllKinds = {ShapeKind::sphere,    ShapeKind::capsule,  ShapeKind::box,
                                         ShapeKind::hull,      ShapeKind::cylinder, ShapeKind::cone,
                                         ShapeKind::ellipsoid, ShapeKind::halfspace};
inline constexpr std::uint32_t kPolytopeKinds = 4;  // the first of them: points, segments and solids swept

// A kind each for A and B, as indices into a list.
using Lists = std::array<std::uint32_t, 2>;

// Of kAllKinds, not half-spaces both.
inline Lists two_kinds(Random& random) {
    const std::uint32_t planes = std::uint32_t(kAllKinds.size()) - 1;
    const std::uint32_t a = random.below(planes + 1), b = random.below(a == planes ? planes : planes + 1);
    return {a, b};
}

}  // namespace abut::scenes
