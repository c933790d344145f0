// The normals that a triangle of a surface may give a contact: its own normal and, at an edge or corner, those between
// its own normal and its neighbours' normals. With other normals, bodies would bump at the edges within flat ground.
#pragma once

#include <cstdint>

#include <abut/rays.hpp>

#include "base/double_math.hpp"
#include "base/tolerances.hpp"
#include "shapes/surface.hpp"

namespace abut {

enum class NormalSource : std::uint8_t {
    face,      // the triangle's own normal
    feature,   // the normal of an edge or a corner, which the neighbours allow
    replaced,  // a normal that the neighbours do not allow, or one from behind; the triangle's own normal replaces it
};

// The sides of a query, as asked or, if the query leaves that to the surface, the surface's: never as_cooked.
QuerySides sides_of(const Surface& surface, QuerySides asked);

// A surface as a convex shape sees it. Vectors are in the surface's frame.
struct SeenSurface {
    const Surface& surface;
    maths::Vec3d centre;       // of the shape's local bounds
    maths::Vec3d body_centre;  // of the local bounds of its body, which may be a compound
    double coordinate;         // the largest coordinate of the surface near the shape, whose rounding has moved corners
    QuerySides sides = QuerySides::as_cooked;

    // A triangle's normal, towards the shape.
    maths::Vec3d normal_at(const SurfaceCorners& corners) const;
    // True if a triangle takes part in the query.
    bool meets(const SurfaceCorners& corners) const;
};

// `normal`: of seen.normal_at. `direction`: unit, from the triangle towards the shape, along which the contact
// separates the two. `slack`: the sine of the angle between `direction` and the nearest normal that an edge allows.
NormalSource normal_source_of(const SeenSurface& seen, std::uint32_t triangle, const SurfaceCorners& corners,
                              const maths::Vec3d& normal, const maths::Vec3d& direction, double slack = kTopSlack);

// True if a triangle lies within flat ground, so that none of its edges and corners may give a normal in any direction.
bool is_within_flat(const Surface& surface, std::uint32_t triangle, const SurfaceCorners& corners);

// The point on a triangle's outermost corner or edge along `direction` that is nearest to `point`.
maths::Vec3d point_on_feature(const SurfaceCorners& corners, const maths::Vec3d& direction, const maths::Vec3d& point,
                              double slack);
// True if a triangle is within `near` (metres) of the point and rises above it along `direction`. For triangles that
// normal_source_of does not see, because they are no neighbours: they meet at a T-junction, have opposite windings or
// belong to a soup.
bool rises_at(const SurfaceCorners& corners, const maths::Vec3d& point, const maths::Vec3d& direction, double near,
              double slack);

}  // namespace abut
