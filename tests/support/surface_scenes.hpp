// Meshes and height fields for tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <abut/shape_store.hpp>

#include "hull_checks.hpp"
#include "shapes/surface.hpp"

namespace abut::test {

struct TestMesh {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
};

// rows x columns cells of two triangles each, as a height field has them; `height(x, z)`.
template <class Height>
TestMesh grid_mesh(std::uint32_t rows, std::uint32_t columns, float spacing, Height&& height) {
    TestMesh mesh;
    for (std::uint32_t r = 0; r <= rows; ++r)
        for (std::uint32_t c = 0; c <= columns; ++c)
            mesh.vertices.push_back(
                {float(c) * spacing, height(float(c) * spacing, float(r) * spacing), float(r) * spacing});
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t a = r * (columns + 1) + c, b = a + columns + 1;
            mesh.triangles.push_back({{a, b, b + 1}});
            mesh.triangles.push_back({{a, b + 1, a + 1}});
        }
    }
    return mesh;
}

inline TestMesh flat_mesh(std::uint32_t rows, std::uint32_t columns, float spacing) {
    return grid_mesh(rows, columns, spacing, [](float, float) { return 0.0f; });
}

// Triangles that share nothing, within a cube of half side 1.
inline TestMesh soup(Random& random, std::uint32_t count, double longest) {
    TestMesh mesh;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double at[3] = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        for (int k = 0; k < 3; ++k)
            mesh.vertices.push_back({float(at[0] + longest * random.between(-1, 1)),
                                     float(at[1] + longest * random.between(-1, 1)),
                                     float(at[2] + longest * random.between(-1, 1))});
        mesh.triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
    }
    return mesh;
}

// A cube of half side 1, its faces outwards.
inline TestMesh cube_mesh() {
    TestMesh mesh;
    for (std::uint32_t i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {(i & 1u) != 0 ? 1.0f : -1.0f, (i & 2u) != 0 ? 1.0f : -1.0f, (i & 4u) != 0 ? 1.0f : -1.0f});
    const std::uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& q : quads) {
        mesh.triangles.push_back({{q[0], q[1], q[2]}});
        mesh.triangles.push_back({{q[0], q[2], q[3]}});
    }
    return mesh;
}

// A torus of `around` x `across` quads, outwards.
inline TestMesh torus_mesh(std::uint32_t around, std::uint32_t across, double radius = 1, double thickness = 0.4) {
    TestMesh mesh;
    constexpr double kTurn = 6.283185307179586;
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t k = 0; k < across; ++k) {
            const double u = kTurn * i / around, v = kTurn * k / across, r = radius + thickness * std::cos(v);
            mesh.vertices.push_back({float(r * std::cos(u)), float(thickness * std::sin(v)), float(r * std::sin(u))});
        }
    }
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t k = 0; k < across; ++k) {
            const std::uint32_t i1 = (i + 1) % around, k1 = (k + 1) % across;
            const std::uint32_t a = i * across + k, b = i1 * across + k, c = i1 * across + k1, d = i * across + k1;
            mesh.triangles.push_back({{a, c, b}});
            mesh.triangles.push_back({{a, d, c}});
        }
    }
    return mesh;
}

}  // namespace abut::test
