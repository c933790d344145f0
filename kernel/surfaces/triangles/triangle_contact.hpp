// Decides, without the kernels, the contact between a shape and a triangle of a surface. Few triangles are left to the
// kernels.
//
// On the face: the shape's deepest point q along the triangle's normal is over the triangle. If q is above the plane, q
// and the point below it are the nearest points. If q is below the plane, the difference of the two shapes has the
// triangle minus q as a face. The difference also contains the triangle minus c, the shape's centre, and so the sheared
// prism between both triangles. If no lateral face of the prism is nearer to the origin than the face, no part of the
// difference is.
//
// Beside the face: the nearest points are known (nearest_direction.hpp), and the neighbours do not allow the direction
// between them (cone.hpp).
#pragma once

#include <cstdint>

#include "surfaces/triangles/cone.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {

enum class TriangleContact : std::uint8_t {
    unknown,   // the kernels must compute the contact
    on_face,   // along the triangle's own normal
    replaced,  // along a normal that is not allowed: the triangle's normal replaces it
    below,     // as unknown; the triangle lies within flat ground, and the shape's deepest point is below it
    nowhere,   // no contact: the shape and the triangle are farther apart than the reach
    inside,    // the shape's centre is in the surface's solid: the contact is with the plane through which it leaves
};

// `seen`: the surface as the shape sees it; the shape is no half-space. `reach`: metres.
TriangleContact triangle_contact(const ShapeTables& tables, const Probe& probe, const SeenSurface& seen,
                                 std::uint32_t triangle, double reach);

}  // namespace abut
