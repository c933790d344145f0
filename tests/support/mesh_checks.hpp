// What tests of meshes and height fields in a store share.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <abut/abut.hpp>

#include "catch.hpp"
#include "shapes/surfaces.hpp"
#include "surface_scenes.hpp"
#include "surface_triangle.hpp"

namespace abut::test {

inline Surface surface(const ShapeStore& store, ShapeId id) { return surface_of(tables_of(store), id); }

inline ShapeId added(ShapeStore& store, const TestMesh& mesh, const InstanceOptions& options = {},
                     const MeshOptions& mesh_options = {}) {
    const auto id = store.add_mesh(mesh.vertices, mesh.triangles, options, mesh_options);
    if (!id) FAIL(id.error().message.c_str());
    return *id;
}

using Point = std::array<float, 3>;
inline Point point(Vec3 v) { return {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }
inline Vec3 scaled_by(Vec3 v, Vec3 s) { return {v.x * s.x, v.y * s.y, v.z * s.z}; }

// From the lowest corner on, the order kept.
inline std::array<Point, 3> rotated(std::array<Point, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
}

inline void check_refused(const Expected<ShapeId>& id, const std::string& text) {
    REQUIRE_FALSE(id);
    INFO(id.error().message.c_str());
    CHECK(id.error().message.contains(text));
}

// Every triangle's corners are those of its input, and neighbours are mutual across the same edge.
inline void check_against_input(const Surface& s, const TestMesh& mesh) {
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i) {
        if (!has_triangle(s, i)) continue;
        const SurfaceTriangle t = triangle_at(s, i);
        std::array<Point, 3> got, expected;
        for (std::size_t k = 0; k < 3; ++k) {
            got[k] = point(t.corners.at[k]);
            expected[k] = point(scaled_by(mesh.vertices[mesh.triangles[t.input].corners[k]], s.scale));
        }
        if (s.is_mirrored()) std::swap(expected[1], expected[2]);
        REQUIRE(rotated(got) == rotated(expected));
        for (int k = 0; k < 3; ++k) {
            if (t.neighbour[k] == kNoTriangle) continue;
            const SurfaceTriangle n = triangle_at(s, t.neighbour[k]);
            int met = 0;
            for (int j = 0; j < 3; ++j) {
                if (n.neighbour[j] != i || n.vertex[j] != t.vertex[(k + 1) % 3] || n.vertex[(j + 1) % 3] != t.vertex[k])
                    continue;
                ++met;
                CHECK(n.edge[j] == t.edge[k]);
            }
            REQUIRE(met == 1);
        }
    }
}

}  // namespace abut::test
