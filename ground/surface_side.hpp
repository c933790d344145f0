// The side of a two-sided surface that a shape is on. A plank on a crest has its centre above the crest, and behind the planes of triangles on the far
// slope: the plane of one triangle does not tell.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/surface.hpp"

namespace abut {

// Asks triangles of one surface for one shape. The side is that of the triangle that steps to neighbours lead to, each step to the neighbour that is nearest
// to the shape's centre, and nearer than the one before. What was seen of a triangle is kept: neighbours are asked for each other, and ways soon meet.
class SurfaceSide {
public:
    SurfaceSide(const Surface& surface, const exact::Vec3d& centre) : surface_(surface), centre_(centre) {}

    // True if a triangle's plane separates it from the centre, seen from the side of the surface that the centre is on.
    bool is_turned_away(std::uint32_t triangle);

private:
    // A triangle as seen from the centre.
    struct Seen {
        std::uint32_t triangle = kNoTriangle, next = kNoTriangle;  // where steps from here lead; itself at the end
        double squared = 0, height = 0;                            // the distance, and of the centre above the plane
    };
    static constexpr std::uint32_t kKept = 64;

    Seen& see(std::uint32_t triangle);
    static bool is_nearer(const Seen& seen, const Seen& than);
    std::uint32_t step_from(std::uint32_t triangle);

    const Surface& surface_;
    exact::Vec3d centre_;
    Seen kept_[kKept];  // by the last bits of the triangle's number
};

}  // namespace abut
