// Equal answers: of pairs at equal fractions the lowest counts, of equally near children and triangles the lowest.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

using namespace abut;
using oracle::Vec3d;
using scenes::Random;

namespace {

// Shapes whose upper face is the square of two metres at y = 0: boxes, compounds, meshes and height fields, each with
// its side in the air.
struct Tables {
    ShapeStore shapes;
    std::vector<ShapeId> ids;

    Tables() {
        const auto box = shapes.add_box({1, 0.25f, 1}),
                   low = shapes.add_box({1, 0.25f, 1}, {.pose = {{0, -0.25f, 0}, {}}});
        REQUIRE((box && low));
        const CompoundChild children[] = {
            {*box, {0, -1.25f, 0}, {}}, {*box, {0, -0.25f, 0}, {}}, {*box, {0, -0.75f, 0}, {}}};
        const std::vector<Vec3> corners = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
        const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
        const std::vector<Vec3> points = {{-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {0, -1, 0}};
        const std::vector<float> heights = {0, 0, 0, 0};
        for (const auto& id :
             {shapes.add_compound(children), shapes.add_mesh(corners, triangles), shapes.add_hull(points), low,
              shapes.add_heightfield(heights, 2, 2, {.pose = {{-1, 0, -1}, {}}}, {.spacing_x = 2, .spacing_z = 2}),
              shapes.add_halfspace({0, 1, 0}, 0)}) {
            REQUIRE(id);
            ids.push_back(*id);
        }
    }
};

}  // namespace

TEST_CASE("rays: of equal fractions the lowest pair counts, whatever the kinds of its bodies", "[rays][ties]") {
    const Tables tables;
    Random random(11);
    constexpr std::uint32_t kRays = 600;
    std::vector<Body> bodies;
    std::vector<Vec3> origins, directions;
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> expected;
    std::vector<double> fraction;
    for (std::uint32_t ray = 0; ray < kRays; ++ray) {
        // Straight down from a power of two: fractions are exact.
        const float length = float(8 << random.below(3)), x = float(random.uniform(-0.9, 0.9)),
                    z = float(random.uniform(-0.9, 0.9));
        origins.push_back({x, 4, z}), directions.push_back({0, -length, 0});
        std::uint32_t best = 0;
        float highest = -1e9f;
        const std::uint32_t count = 2 + random.below(5);
        for (std::uint32_t k = 0; k < count; ++k) {
            const float height = 0.5f * float(random.below(2));
            bodies.push_back({{0, height, 0}, tables.ids[random.below(std::uint32_t(tables.ids.size()))], {}});
            if (height > highest) highest = height, best = std::uint32_t(pairs.size());
            pairs.push_back({ray, std::uint32_t(bodies.size() - 1)});
        }
        expected.push_back(best);
        fraction.push_back((4 - double(highest)) / double(length));
    }
    // The pairs of the rays in turn: those of a ray stay in their order.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) order.push_back(i);
    for (const bool is_mixed : {false, true}) {
        if (is_mixed)
            std::stable_sort(order.begin(), order.end(),
                             [&](std::uint32_t i, std::uint32_t k) { return pairs[i].a % 7 < pairs[k].a % 7; });
        std::vector<Pair> asked;
        for (const std::uint32_t i : order) asked.push_back(pairs[i]);
        for (const unsigned threads : {1u, 3u}) {
            NarrowPhase narrow({.threads = threads});
            RayHits all, first;
            const Frame frame = {&tables.shapes, bodies, asked};
            const Rays rays = {.origins = origins, .directions = directions};
            REQUIRE(narrow.raycast(frame, rays, all));
            REQUIRE(narrow.raycast(frame, rays, first, {RayReduction::first_of_ray}));
            CHECK(first.hits.size() == kRays);
            std::size_t ties = 0;
            for (std::size_t i = 0; i < asked.size(); ++i) {
                const std::uint32_t ray = asked[i].a;
                INFO(ray << " " << i << " " << to_string(bodies[asked[i].b].shape.kind()));
                CHECK(all.hit(i));
                ties += all.fraction[i] == fraction[ray] && order[i] != expected[ray];
                CHECK(first.hit(i) == (order[i] == expected[ray]));
                CHECK(first.fraction[i] == (order[i] == expected[ray] ? fraction[ray] : 1));
                CHECK((first.hit(i) || (first.point[i] == Vec3{} && first.normal[i] == Vec3{} && first.child[i] == 0 &&
                                        first.inside[i] == 0)));
                if (first.hit(i)) CHECK((first.child[i] == all.child[i] && first.point[i] == all.point[i]));
            }
            CHECK(ties > kRays / 2);
        }
    }
}

TEST_CASE("rays: of the solids that a ray starts in the lowest pair counts", "[rays][ties]") {
    ShapeStore shapes;
    const auto ball = shapes.add_sphere(1), box = shapes.add_box({1, 1, 1}),
               round = shapes.add_box({0.5f, 0.5f, 0.5f}, {.rounding = 0.5f});
    REQUIRE((ball && box && round));
    const CompoundChild children[] = {{*ball, {0.1f, 0, 0}, {}}, {*box, {}, {}}};
    const auto compound = shapes.add_compound(children);
    REQUIRE(compound);
    const ShapeId ids[] = {*ball, *box, *round, *compound};
    Random random(12);
    std::vector<Body> bodies;
    std::vector<Vec3> origins, directions;
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> lowest;
    for (std::uint32_t ray = 0; ray < 300; ++ray) {
        const Vec3d at = random.direction() * 5.0, away = random.direction();
        origins.push_back({float(at.x), float(at.y), float(at.z)}),
            directions.push_back({float(4 * away.x), float(4 * away.y), float(4 * away.z)});
        lowest.push_back(std::uint32_t(pairs.size()));
        // The first one may be ahead on the ray.
        const bool has_other = random.chance(0.5);
        for (std::uint32_t k = 0; k < 4; ++k) {
            const double apart = k == 0 && has_other ? 2.5 : 0.3 * random.uniform();
            const Vec3d centre = at + (k == 0 && has_other ? away : random.direction()) * apart;
            bodies.push_back(
                {{float(centre.x), float(centre.y), float(centre.z)}, ids[random.below(4)], random.orientation()});
            pairs.push_back({ray, std::uint32_t(bodies.size() - 1)});
        }
        lowest.back() += has_other ? 1 : 0;
    }
    NarrowPhase narrow;
    RayHits first;
    REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions}, first,
                           {RayReduction::first_of_ray}));
    CHECK(first.hits == lowest);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        CHECK(first.inside[i] == (first.hit(i) ? 1 : 0));
        CHECK(first.fraction[i] == (first.hit(i) ? 0 : 1));
        CHECK((first.hit(i) || (first.point[i] == Vec3{} && first.child[i] == 0)));
    }
}

TEST_CASE("rays, points: of equal children the lowest one is named", "[rays][points][ties]") {
    // Many children, all equally near: copies of one, in any order in the tree.
    Random random(13);
    for (int round = 0; round < 40; ++round) {
        ShapeStore shapes;
        const auto near = shapes.add_box({0.25f, 0.25f, 0.25f}), other = shapes.add_sphere(0.25f);
        REQUIRE((near && other));
        std::vector<CompoundChild> children;
        std::uint32_t lowest = ~0u;
        const std::uint32_t count = 3 + random.below(40), copies = 2 + random.below(3);
        std::vector<std::uint32_t> at;
        for (std::uint32_t i = 0; i < copies; ++i) at.push_back(random.below(count));
        for (std::uint32_t i = 0; i < count; ++i) {
            const bool is_near = std::find(at.begin(), at.end(), i) != at.end();
            if (is_near && lowest == ~0u) lowest = i;
            // On both sides of the middle, symmetric to each other, or far away.
            const float side = random.chance(0.5) ? 1.0f : -1.0f;
            const Vec3d far = random.direction() * random.uniform(5, 9);
            children.push_back(is_near ? CompoundChild{*near, {side, 0, 0}, {}}
                                       : CompoundChild{*other, {float(far.x), float(far.y), float(far.z)}, {}});
        }
        const auto compound = shapes.add_compound(children);
        REQUIRE(compound);
        const std::vector<Body> bodies = {{{0, 0, 0}, *compound, {}}};
        const std::vector<Vec3> origins = {{0, 0, 0}, {0, 0.125f, 0}, {0, 0, -0.25f}};
        const std::vector<Pair> pairs = {{0, 0}, {1, 0}, {2, 0}};
        NarrowPhase narrow;
        PointDistances found;
        REQUIRE(narrow.measure({&shapes, bodies, pairs}, {.positions = origins}, found));
        for (std::size_t i = 0; i < origins.size(); ++i) {
            INFO(round << " " << i);
            CHECK(found.child[i] == lowest);
            CHECK(found.signed_distance[i] == 0.75f);
            CHECK(found.normal[i] == Vec3{children[lowest].position.x > 0 ? -1.0f : 1.0f, 0, 0});
            CHECK(found.nearest[i] ==
                  Vec3{children[lowest].position.x > 0 ? 0.75f : -0.75f, origins[i].y, origins[i].z});
        }
        // A ray along the middle plane meets the near faces of both at one fraction; inside several solids it starts in
        // the lowest.
        const std::vector<Vec3> starts = {{children[lowest].position.x, 3, 0.125f},
                                          {children[lowest].position.x, 0.125f, 0}},
                                down = {{0, -8, 0}, {0, -8, 0}};
        const std::vector<Pair> two = {{0, 0}, {1, 0}};
        RayHits hits;
        REQUIRE(narrow.raycast({&shapes, bodies, two}, {.origins = starts, .directions = down}, hits));
        CHECK((hits.hit(0) && hits.fraction[0] == 2.75 / 8 && hits.child[0] == lowest));
        CHECK((hits.hit(1) && hits.fraction[1] == 0 && hits.inside[1] == 1 && hits.child[1] == lowest));
    }
}

TEST_CASE("points: of equally near triangles the lowest of the caller is named", "[points][surfaces][ties]") {
    // A fan about a peak, in a random order: a point above the peak is equally near to all of them.
    Random random(14);
    for (int round = 0; round < 40; ++round) {
        const std::uint32_t rim = 3 + random.below(60), apart = random.below(3);
        std::vector<Vec3> vertices = {{0, 0, 0}};
        std::vector<MeshTriangle> triangles;
        std::vector<bool> is_near;
        for (std::uint32_t i = 0; i < rim; ++i) {
            const double around = 2 * std::acos(-1.0) * i / rim;
            vertices.push_back({float(std::cos(around)), -0.5f, float(-std::sin(around))});
        }
        // Others far below.
        for (std::uint32_t i = 0; i < apart * rim; ++i)
            for (const Vec3 v : {Vec3{float(i), -9, 0}, Vec3{float(i), -9, 1}, Vec3{float(i) + 1, -9, 0}})
                vertices.push_back(v);
        for (std::uint32_t i = 0; i < rim; ++i)
            triangles.push_back({{0, 1 + i, 1 + (i + 1) % rim}}), is_near.push_back(true);
        for (std::uint32_t i = 0; i < apart * rim; ++i)
            triangles.push_back({{1 + rim + 3 * i, 2 + rim + 3 * i, 3 + rim + 3 * i}}), is_near.push_back(false);
        for (std::uint32_t i = std::uint32_t(triangles.size()) - 1; i > 0; --i) {
            const std::uint32_t k = random.below(i + 1);
            std::swap(triangles[i], triangles[k]);
            const bool kept = is_near[i];
            is_near[i] = is_near[k], is_near[k] = kept;
        }
        const auto lowest = std::uint32_t(std::find(is_near.begin(), is_near.end(), true) - is_near.begin());
        ShapeStore shapes;
        const auto mesh = shapes.add_mesh(vertices, triangles, {}, {.sides = MeshSides::both});
        REQUIRE(mesh);
        const std::vector<Body> bodies = {{{0, 0, 0}, *mesh, {}}};
        const std::vector<Vec3> points = {{0, 0.5f, 0}, {0, 2, 0}};
        const std::vector<Pair> pairs = {{0, 0}, {1, 0}};
        NarrowPhase narrow;
        PointDistances found;
        REQUIRE(narrow.measure({&shapes, bodies, pairs}, {.positions = points}, found));
        for (std::size_t i = 0; i < 2; ++i) {
            INFO(round << " " << rim << " " << i);
            CHECK(found.child[i] == lowest);
            CHECK(found.signed_distance[i] == points[i].y);
            CHECK(found.normal[i] == Vec3{0, 1, 0});
        }
    }
}
