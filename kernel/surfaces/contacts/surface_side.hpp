// The side of a two-sided surface on which a shape is. The plane of a single triangle cannot decide it: the centre of a
// plank on a crest is above the crest, but behind the planes of triangles on the far slope.
#pragma once

#include <cstdint>

#include "base/double_math.hpp"
#include "shapes/surface.hpp"

namespace abut {

// Finds the side for one shape and triangles of one surface. From a triangle, each step goes to the neighbour that is
// nearest to the shape's centre, as long as that is nearer than the present triangle; the final triangle decides.
// Results are kept by triangle, because the steps from neighbours soon meet.
class SurfaceSide {
public:
    SurfaceSide(const Surface& surface, const maths::Vec3d& centre) : surface_(surface), centre_(centre) {}

    // True if a triangle's plane separates the triangle from the centre, seen from the side of the surface on which the
    // centre is.
    bool is_turned_away(std::uint32_t triangle);

private:
    // A triangle as seen from the centre.
    struct Seen {
        std::uint32_t triangle = kNoTriangle;
        double squared = 0, height = 0;  // squared distance of the centre; its height above the plane
    };
    struct Steps {
        std::uint32_t from = kNoTriangle, end = kNoTriangle;
    };
    static constexpr std::uint32_t kKept = 128, kKeptSteps = 256;

    const Seen& see(std::uint32_t triangle);
    static bool is_nearer(const Seen& seen, const Seen& than);
    std::uint32_t step_from(std::uint32_t triangle);
    std::uint32_t end_from(std::uint32_t triangle);

    const Surface& surface_;
    maths::Vec3d centre_;
    // By the low bits of the triangle's number.
    Seen kept_[kKept];
    Steps kept_steps_[kKeptSteps];
};

}  // namespace abut
