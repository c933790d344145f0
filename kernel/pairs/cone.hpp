// Which normals a triangle of a surface may give a contact: its own; at an edge or a corner those between its own and its neighbours'. What bumps at
// the borders within flat ground come from are normals that no neighbour allows.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/surface.hpp"

namespace abut {

enum class NormalSource : std::uint8_t {
    face,      // the triangle's own normal
    feature,   // that of an edge or a corner, which its neighbours allow
    replaced,  // one that they do not allow, or one from behind: the triangle's own takes its place
};

// A surface as a convex shape sees it. Vectors are in the surface's frame.
struct SeenSurface {
    const Surface& surface;
    exact::Vec3d centre;       // of the shape's local bounds
    exact::Vec3d body_centre;  // of those of its body, which may be a compound
    double coordinate;         // the largest of the surface near the shape, whose rounding has moved corners

    // A triangle's normal, towards the shape.
    exact::Vec3d normal_at(const SurfaceCorners& corners) const;
    // True if a triangle takes part.
    bool meets(const SurfaceCorners& corners) const;
};

// `normal`: of seen.normal_at. `direction`: unit, from the triangle towards the shape, along which the contact separates them.
NormalSource normal_source_of(const SeenSurface& seen, std::uint32_t triangle, const SurfaceCorners& corners, const exact::Vec3d& normal,
                              const exact::Vec3d& direction);

// True if a triangle lies within flat ground, so that none of its edges and corners may give a normal in any direction.
bool is_within_flat(const Surface& surface, std::uint32_t triangle, const SurfaceCorners& corners);

// The point on a triangle's outermost corner or edge along `direction` that is nearest to `point`.
exact::Vec3d point_on_feature(const SurfaceCorners& corners, const exact::Vec3d& direction, const exact::Vec3d& point);
// True if a triangle contains the point, to within `near`, and rises above it along `direction`. normal_source_of asks neighbours; this function is
// for triangles that meet at a T-junction, in a soup or with opposite winding, which are no neighbours.
bool rises_at(const SurfaceCorners& corners, const exact::Vec3d& point, const exact::Vec3d& direction, double near);

}  // namespace abut
