// Ground of triangles: a grid of squares, two triangles each, about the origin.
#pragma once

#include <cstdint>
#include <utility>

#include "scene_parts.hpp"

namespace abut::tools {

// `vertex(x, z)` is where the grid's corner at (x, z) lies; `columns` squares along x, `rows` along z.
template <class Vertex>
ShapeSpec grid_shape(std::uint32_t rows, std::uint32_t columns, double cell, Vertex&& vertex) {
    ShapeSpec spec;
    spec.kind = ShapeKind::mesh;
    for (std::uint32_t r = 0; r <= rows; ++r)
        for (std::uint32_t c = 0; c <= columns; ++c)
            spec.vertices.push_back(vertex(cell * (c - 0.5 * columns), cell * (r - 0.5 * rows)));
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t a = r * (columns + 1) + c, b = a + columns + 1;
            spec.triangles.push_back({{a, b, b + 1}});
            spec.triangles.push_back({{a, b + 1, a + 1}});
        }
    }
    return spec;
}

// `height(x, z)`.
template <class Height>
Scene mesh_ground(std::uint32_t rows, std::uint32_t columns, double cell, Height&& height) {
    Scene scene;
    add_fixed(scene, grid_shape(rows, columns, cell, [&](double x, double z) { return vec3(x, height(x, z), z); }), {});
    return scene;
}

}  // namespace abut::tools
