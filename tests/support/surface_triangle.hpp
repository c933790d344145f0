// All that is known of a triangle of a surface in a store: corners, neighbours and, of a mesh, how its edges and
// corners bend.
#pragma once

#include <utility>

#include "cooking/mesh/convexity.hpp"
#include "shapes/surface.hpp"

namespace abut::test {

// Edge k is that from corner k to the next one.
struct SurfaceTriangle {
    SurfaceCorners corners;
    maths::Vec3d normal;
    std::uint32_t vertex[3], neighbour[3];
    Convexity edge[3] = {}, corner_bend[3] = {};  // of a mesh
    std::uint32_t input, user_value = 0;
};

inline SurfaceTriangle triangle_at(const Surface& surface, std::uint32_t triangle) {
    SurfaceTriangle out;
    out.corners = corners_at(surface, triangle);
    out.normal = normal_of(out.corners);
    out.input = input_index(surface, triangle);
    for (std::uint32_t k = 0; k < 3; ++k) {
        out.vertex[k] = vertex_at(surface, triangle, k);
        out.neighbour[k] = neighbour_at(surface, triangle, k);
    }
    if (surface.mesh == nullptr) return out;
    const MeshGeometry& mesh = *surface.mesh;
    for (std::uint32_t k = 0; k < 3; ++k) {
        out.edge[k] = Convexity(mesh.bends[triangle] >> 2 * k & 3);
        out.corner_bend[k] = Convexity(mesh.bends[triangle] >> (6 + 2 * k) & 3);
    }
    if (surface.is_mirrored()) std::swap(out.edge[0], out.edge[2]), std::swap(out.corner_bend[1], out.corner_bend[2]);
    if (!mesh.user_values.empty()) out.user_value = mesh.user_values[out.input];
    return out;
}

}  // namespace abut::test
