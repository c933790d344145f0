// Cores with a curved surface and their supports, about their own origin and axes.
//
// An ellipsoid's least radius of curvature is (least radius)^2 / (largest radius): a ball of that radius rolls around
// inside it, so that the ellipsoid is a smaller convex body swept by the ball [Blaschke 1916]. The smaller body is what
// gets iterated: of an ellipsoid that is nearly a sphere hardly anything is left, and no two directions of it are
// nearly as deep.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/math.hpp>

#include "support/oracle/vec.hpp"

namespace abut::oracle {

// What the core is. Degenerate shapes have another one's: a cylinder or cone of radius 0 is a segment, an ellipsoid of
// equal radii a swept point, a cone of height 0 a disc (a cylinder of height 0).
enum class Form : std::uint8_t { polytope, cylinder, cone, ellipsoid, halfspace };

struct Curved {
    double radius = 0, half_height = 0;  // cylinder, cone: along y, the cone's apex at +y
    Vec3d radii;                         // ellipsoid
    double ball = 0;                     // ellipsoid: the radius of what rolls inside
    Vec3d normal;                        // half-space: unit, normal . x <= offset
    double offset = 0;
};

double rolling_ball(const Vec3d& radii);

// A point of the core that reaches farthest along `direction` (any length but 0); of an ellipsoid the one less its
// rolling ball.
Vec3d support(Form form, const Curved& core, const Vec3d& direction);

// Points of the core whose convex hull is nearly all of it: rings of 32 of a disc.
std::vector<Vec3> inscribed_points(Form form, const Curved& core);

}  // namespace abut::oracle
