// Meshes that hardly are any: welded corners, flat and repeated triangles, edges of many triangles, T-junctions,
// needles.
#pragma once

#include <cmath>

#include "surface_scenes.hpp"

namespace abut::test {

inline TestMesh nasty_mesh(Random& random) {
    TestMesh mesh;
    const int make = int(random.below(6));
    const double size = std::pow(10.0, random.between(-4, 4)), far = make == 1 ? 3 : 0,
                 noise = make == 2   ? 1e-7
                         : make == 3 ? 1e-3
                                     : 0;
    const double cells = make == 4 ? 2 : 4;
    const std::uint32_t vertices = 3 + random.below(60), triangles = 1 + random.below(80);
    const auto coordinate = [&](double squeeze) {
        return float(size * (far + squeeze * std::floor(random.unit() * cells) + noise * random.between(-1, 1)));
    };
    for (std::uint32_t i = 0; i < vertices; ++i) {
        const float x = coordinate(1), y = coordinate(make == 5 ? 1e-4 : 1);
        mesh.vertices.push_back({x, y, coordinate(1)});
    }
    for (std::uint32_t i = 0; i < triangles; ++i) {
        MeshTriangle t;
        for (std::uint32_t& c : t.corners) c = random.below(vertices);
        if (i > 0 && random.below(4) == 0) {  // another one's: as it is, begun elsewhere, turned over
            const MeshTriangle other = mesh.triangles[random.below(i)];
            const std::uint32_t first = random.below(3), second = (first + 1 + random.below(2)) % 3;
            t = {{other.corners[first], other.corners[second], other.corners[3 - first - second]}};
        }
        mesh.triangles.push_back(t);
    }
    return mesh;
}

}  // namespace abut::test
