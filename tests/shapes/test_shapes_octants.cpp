// What is left out of a large hull's lists is never the farthest vertex.
#include <abut/shape_store.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cooking/hull/hull_octants.hpp"
#include "support/catch.hpp"
#include "support/hull_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

double farthest(const HullGeometry& hull, std::span<const std::uint16_t> among, Vec3 d) {
    double most = -INFINITY;
    for (const std::uint16_t i : among) {
        const HullVertex& v = hull.vertices[i];
        most = std::max(most, double(d.x) * v.x + double(d.y) * v.y + double(d.z) * v.z);
    }
    return most;
}

int octant_of(Vec3 d) { return int(std::signbit(d.x)) | int(std::signbit(d.y)) << 1 | int(std::signbit(d.z)) << 2; }

// Directions of all kinds: any, near and in the planes between octants, along axes with zeros of either sign, along
// normals.
Vec3 some_direction(const HullGeometry& hull, Random& random, int i) {
    Vec3 d = random.direction();
    const float small = i % 5 == 0 ? 0.0f : float(std::pow(10.0, random.between(-9, -2)));
    if (i % 4 == 1) d.x *= small;
    if (i % 4 == 2) d.y *= small, d.z *= -small;
    if (i % 4 == 3) {
        const std::uint32_t f = random.below(hull.face_count);
        d = {hull.planes[f], hull.planes[hull.padded_faces + f], hull.planes[2 * hull.padded_faces + f]};
    }
    return d;
}

std::vector<std::vector<Vec3>> large_clouds(Random& random) {
    std::vector<std::vector<Vec3>> clouds;
    for (const int count : {100, 200, 1000, 4000}) {
        const auto ball = sphere_points(random, count);
        clouds.push_back(ball);
        clouds.push_back(moved(ball, Rotation(random), {1, 0.3f, 0.02f}, {5, 0, 0}));
        clouds.push_back(moved(ball, Rotation(random), {1, 1e-3f, 1e-3f}, {}));
    }
    clouds.push_back(prism(300, 1));
    clouds.push_back(moved(prism(300, 1e-3), Rotation(random), {1, 1, 1}, {}));
    clouds.push_back(moved(cone(200), Rotation(random), {1, 5, 1}, {}));
    clouds.push_back(icosphere(3));
    return clouds;
}

}  // namespace

TEST_CASE("the farthest vertex along a direction is in its octant's list") {
    Random random(41);
    std::size_t walked = 0, whole = 0;
    for (const auto& points : large_clouds(random)) {
        ShapeStore store;
        const auto id = store.add_hull(points);
        REQUIRE(id);
        const HullGeometry& hull = geometry(store, *id);
        REQUIRE(hull.octant_first[8] == hull.octant_vertex.size());
        REQUIRE(hull.octant_columns.size() == 3 * hull.octant_vertex.size());
        std::vector<std::uint16_t> all(hull.vertex_count);
        for (std::uint32_t i = 0; i < hull.vertex_count; ++i) all[i] = std::uint16_t(i);
        for (int i = 0; i < 4000; ++i) {
            const Vec3 d = some_direction(hull, random, i);
            const int octant = octant_of(d);
            const std::span<const std::uint16_t> list{hull.octant_vertex.data() + hull.octant_first[octant],
                                                      hull.octant_vertex.data() + hull.octant_first[octant + 1]};
            INFO(hull.vertex_count << " vertices, direction " << d.x << ", " << d.y << ", " << d.z);
            REQUIRE(!list.empty());
            REQUIRE(farthest(hull, list, d) >= farthest(hull, all, d) - 1e-7 * hull.half_extent);
            walked += list.size();
            whole += hull.padded_count;
        }
    }
    CHECK(walked * 3 < whole);  // or the lists are not worth it
}

TEST_CASE("small and flat hulls have no lists, and a list's columns are its vertices'") {
    Random random(42);
    ShapeStore store;
    const auto small = store.add_hull(sphere_points(random, int(kMostWholeVertices))),
               flat = store.add_hull(prism(500, 0));
    const auto large = store.add_hull(sphere_points(random, int(kMostWholeVertices) + 1));
    REQUIRE((small && flat && large));
    CHECK(geometry(store, *small).octant_vertex.empty());
    CHECK(geometry(store, *flat).octant_vertex.empty());
    const HullGeometry& hull = geometry(store, *large);
    const std::size_t count = hull.octant_vertex.size();
    REQUIRE(count > 0);
    for (int octant = 0; octant < 8; ++octant)
        CHECK((hull.octant_first[octant + 1] - hull.octant_first[octant]) % kHullPad == 0);
    for (std::size_t i = 0; i < count; ++i) {
        const HullVertex& v = hull.vertices[hull.octant_vertex[i]];
        CHECK((hull.octant_columns[i] == v.x && hull.octant_columns[count + i] == v.y &&
               hull.octant_columns[2 * count + i] == v.z));
    }
}
