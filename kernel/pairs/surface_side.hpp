// The side of a two-sided surface that a shape is on. A plank on a crest has its centre above the crest, and behind the planes of triangles on the far
// slope: the plane of one triangle does not tell.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/surface.hpp"

namespace abut {

// Asks triangles of one surface for one shape. The side is that of the triangle that steps to neighbours lead to, each step to the neighbour that is nearest
// to the shape's centre, and nearer than the one before. Steps from triangles near each other soon go the same way: what is known of a triangle is kept.
class SurfaceSide {
public:
    SurfaceSide(const Surface& surface, const exact::Vec3d& centre) : surface_(surface), centre_(centre) {}

    // True if a triangle's plane separates it from the centre, seen from the side of the surface that the centre is on.
    bool is_turned_away(std::uint32_t triangle, const SurfaceCorners& corners);

private:
    // A triangle, and the height of the centre above the plane of the one that steps from there lead to.
    struct Known {
        std::uint32_t triangle;
        double height;
    };
    static constexpr std::uint32_t kMostKnown = 64;

    const Surface& surface_;
    exact::Vec3d centre_;
    std::uint32_t count_ = 0;
    Known known_[kMostKnown];

    double height_at_end(std::uint32_t triangle, const SurfaceCorners& corners, std::uint32_t first);
};

}  // namespace abut
