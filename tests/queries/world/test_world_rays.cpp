// Rays against a whole world have the bits of raycast on the list of all pairs.
#include "queries/world/world_scenes.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "support/judge.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using namespace abut::worlds;

namespace {

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}
bool same_bits(const WorldRayHits& x, const WorldRayHits& y) {
    return same(x.body, y.body) && same(x.fraction, y.fraction) && same(x.point, y.point) && same(x.normal, y.normal) &&
           same(x.child, y.child) && same(x.inside, y.inside) && same(x.status, y.status) &&
           same(x.left_out, y.left_out) && same(x.face, y.face);
}

WorldRayHits cast(const Scene& scene, const Rays& rays, const WorldRayOptions& options = {},
                  const Settings& settings = {}) {
    NarrowPhase narrow(settings);
    WorldRayHits out;
    REQUIRE(narrow.raycast(scene.world(), rays, out, options));
    return out;
}

// The answer by its definition. `sees`: which bodies.
template <class Sees>
WorldRayHits by_pairs(const Scene& scene, const Rays& rays, const WorldRayOptions& options, const Sees& sees) {
    const std::vector<Pair> pairs = all_pairs(rays.size(), scene.bodies.size());
    NarrowPhase narrow;
    RayHits hits;
    REQUIRE(narrow.raycast({&scene.shapes, scene.bodies, pairs}, rays, hits,
                           {.solid_meshes = options.solid_meshes, .sides = options.sides}));
    WorldRayHits out;
    for (std::uint32_t ray = 0; ray < rays.size(); ++ray) {
        std::vector<std::uint32_t> listed;
        for (std::uint32_t body = 0; body < scene.bodies.size(); ++body) {
            const auto pair = std::uint32_t(ray * scene.bodies.size() + body);
            if (hits.hit(pair) && sees(ray, body)) listed.push_back(pair);
        }
        std::sort(listed.begin(), listed.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tie(hits.fraction[a], a) < std::tie(hits.fraction[b], b);
        });
        const std::size_t most = options.max_hits;
        out.left_out.push_back(options.count_left_out && listed.size() > most ? std::uint32_t(listed.size() - most)
                                                                              : 0);
        for (std::size_t i = 0; i < most; ++i) {
            const bool is_hit = i < listed.size();
            const std::size_t pair = is_hit ? listed[i] : 0;
            out.body.push_back(is_hit ? pairs[pair].b : kNoBody);
            out.fraction.push_back(is_hit ? hits.fraction[pair] : 1.0);
            out.point.push_back(is_hit ? hits.point[pair] : Vec3{});
            out.normal.push_back(is_hit ? hits.normal[pair] : Vec3{});
            out.child.push_back(is_hit ? hits.child[pair] : 0);
            out.face.push_back(is_hit ? hits.face[pair] : kNoFace);
            out.inside.push_back(is_hit ? hits.inside[pair] : std::uint8_t{0});
            out.status.push_back(is_hit ? hits.status[pair] : Status::ok);
        }
    }
    return out;
}
WorldRayHits by_pairs(const Scene& scene, const Rays& rays, const WorldRayOptions& options = {}) {
    return by_pairs(scene, rays, options, [](std::uint32_t, std::uint32_t) { return true; });
}

std::size_t hits_in(const WorldRayHits& hits) {
    return std::size_t(std::count_if(hits.body.begin(), hits.body.end(), [](auto body) { return body != kNoBody; }));
}

}  // namespace

TEST_CASE("world rays: the first hit is that of all pairs", "[world]") {
    for (const bool has_poses : {false, true}) {
        Scene scene;
        make_crowd(scene, 900, 8, 3, true, has_poses);
        const RaySet set = make_rays(700, 8, 4);
        for (const bool solid_meshes : {false, true}) {
            const WorldRayHits found = cast(scene, set.rays(), {.solid_meshes = solid_meshes});
            CHECK(same_bits(found, by_pairs(scene, set.rays(), {.solid_meshes = solid_meshes})));
            CHECK(hits_in(found) > 300);
            CHECK(hits_in(found) < 690);
        }
    }
}

TEST_CASE("world rays: all hits of a ray, sorted, and the number of those left out", "[world]") {
    Scene scene;
    make_crowd(scene, 700, 4, 5);
    const RaySet set = make_rays(300, 4, 6);
    for (const std::uint32_t most : {1u, 2u, 5u, 64u}) {
        for (const bool count : {false, true}) {
            const WorldRayOptions options = {.max_hits = most, .count_left_out = count};
            const WorldRayHits found = cast(scene, set.rays(), options);
            CHECK(same_bits(found, by_pairs(scene, set.rays(), options)));
            if (count && most == 5) CHECK(*std::max_element(found.left_out.begin(), found.left_out.end()) > 3);
        }
    }
}

TEST_CASE("world rays: rays along faces and edges lose no hit between a body and its box", "[world]") {
    Scene scene;
    make_grid(scene, 6);
    const RaySet set = make_grid_rays(3000, 6, 7);
    for (const std::uint32_t most : {1u, 20u}) {
        const WorldRayHits found = cast(scene, set.rays(), {.max_hits = most});
        CHECK(same_bits(found, by_pairs(scene, set.rays(), {.max_hits = most})));
        CHECK(hits_in(found) > 2000);
    }
}

TEST_CASE("world rays: of equal fractions the lowest body counts", "[world]") {
    Scene scene;
    const auto box = scene.shapes.add_box({1, 1, 1}), sphere = scene.shapes.add_sphere(1);
    REQUIRE((box && sphere));
    for (int i = 0; i < 300; ++i) scene.bodies.push_back({{0, 0, 0}, i % 2 == 0 ? *sphere : *box, {}});
    scene.build();
    const std::vector<Vec3> origins = {{0, 4, 0}, {0, 0, 0}, {0.5f, 4, 0.5f}}, directions(3, {0, -8, 0});
    const WorldRayHits found = cast(scene, {.origins = origins, .directions = directions});
    CHECK(found.body == std::vector<std::uint32_t>{0, 0, 1});
    CHECK(found.fraction == std::vector<double>{0.375, 0.0, 0.375});
    CHECK(found.inside == std::vector<std::uint8_t>{0, 1, 0});
}

TEST_CASE("world rays: any hits are hits, as many as there are", "[world]") {
    Scene scene;
    make_crowd(scene, 600, 5, 8);
    const RaySet set = make_rays(400, 5, 9);
    const WorldRayHits all = by_pairs(scene, set.rays(), {.max_hits = 64});
    std::size_t others = 0;
    for (const std::uint32_t most : {1u, 3u}) {
        const WorldRayHits any = cast(scene, set.rays(), {.max_hits = most, .any = true});
        for (std::size_t ray = 0; ray < 400; ++ray) {
            const auto first = all.body.begin() + std::ptrdiff_t(64 * ray);
            const auto has = std::size_t(std::count_if(first, first + 64, [](auto body) { return body != kNoBody; }));
            for (std::size_t i = 0; i < most; ++i) {
                const std::uint32_t body = any.body[ray * most + i];
                REQUIRE((body != kNoBody) == (i < has));
                if (body == kNoBody) continue;
                REQUIRE(std::count(first, first + 64, body) == 1);
                others += body != first[std::ptrdiff_t(i)];
            }
        }
    }
    CHECK(others > 5);  // it does not look for the first ones
}

TEST_CASE("world rays: groups, masks and an ignored body hide bodies", "[world]") {
    Scene scene;
    make_crowd(scene, 700, 5, 10);
    const RaySet set = make_rays(400, 5, 11);
    scenes::Random random(12);
    std::vector<std::uint32_t> groups, masks, ray_groups, ray_masks, ignored;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        groups.push_back(1u << random.below(5));
        masks.push_back(random.below(4) == 0 ? 1u : ~0u);
    }
    scene.build({.bounds = {}, .groups = groups, .masks = masks});
    const WorldRayHits unfiltered = by_pairs(scene, set.rays());
    for (std::size_t i = 0; i < 400; ++i) {
        ray_groups.push_back(1u << random.below(2)), ray_masks.push_back(random.below(32));
        ignored.push_back(i % 2 == 0 ? unfiltered.body[i] : kNoBody);
    }
    const WorldRayOptions options = {.max_hits = 3,
                                     .count_left_out = true,
                                     .filter = {.groups = ray_groups, .masks = ray_masks, .ignored = ignored}};
    const auto sees = [&](std::uint32_t ray, std::uint32_t body) {
        return (ray_groups[ray] & masks[body]) != 0 && (groups[body] & ray_masks[ray]) != 0 && ignored[ray] != body;
    };
    const WorldRayHits found = cast(scene, set.rays(), options);
    CHECK(same_bits(found, by_pairs(scene, set.rays(), options, sees)));
    CHECK(hits_in(found) > 200);
    CHECK(found.body[0] != unfiltered.body[0]);
    // A ray that sees nothing computes nothing.
    NarrowPhase narrow;
    WorldRayHits none;
    const std::vector<std::uint32_t> blind(400, 0);
    REQUIRE(narrow.raycast(scene.world(), set.rays(), none, {.filter = {.masks = blind}}));
    CHECK(hits_in(none) == 0);
    CHECK(narrow.counters().pairs == 0);
}

TEST_CASE("world rays: sides, lengths, double origins and columns are those of raycast", "[world]") {
    Scene scene;
    make_crowd(scene, 600, 5, 13);
    const RaySet set = make_rays(500, 5, 14);
    std::vector<QuerySides> sides;
    std::vector<float> lengths;
    std::vector<DVec3> origins;
    for (std::size_t i = 0; i < 500; ++i) {
        sides.push_back(QuerySides(i % 4)), lengths.push_back(0.1f + float(i % 50));
        const Vec3 o = set.origins[i];
        origins.push_back({o.x + 1e-9, double(o.y), o.z - 1e-9});
    }
    for (const QuerySides all : {QuerySides::front, QuerySides::back, QuerySides::both})
        CHECK(same_bits(cast(scene, set.rays(), {.sides = all}), by_pairs(scene, set.rays(), {.sides = all})));
    Rays rays = set.rays();
    rays.sides = sides, rays.lengths = lengths;
    CHECK(same_bits(cast(scene, rays), by_pairs(scene, rays)));
    rays.origins = {}, rays.double_origins = origins;
    CHECK(same_bits(cast(scene, rays), by_pairs(scene, rays)));
}

TEST_CASE("world rays: far from the origin, the tree's origin counts", "[world]") {
    Scene scene;
    make_crowd(scene, 500, 6, 15, true, true);
    const RaySet set = make_rays(300, 6, 16);
    const DVec3 far = {4e8, -3e8, 1e9};
    std::vector<DVec3> positions, origins;
    std::vector<ShapeId> shapes;
    std::vector<Quat> orientations;
    for (const Body& body : scene.bodies) {
        positions.push_back({far.x + body.position.x, far.y + body.position.y, far.z + body.position.z});
        shapes.push_back(body.shape), orientations.push_back(body.orientation);
    }
    for (const Vec3& o : set.origins) origins.push_back({far.x + o.x, far.y + o.y, far.z + o.z});
    const Bodies bodies = BodyColumns{.shapes = shapes, .double_positions = positions, .orientations = orientations};
    REQUIRE(world_bounds(scene.shapes, bodies, scene.bounds, far));
    REQUIRE(scene.tree.build({.bounds = scene.bounds}, far));
    const Rays rays = {.double_origins = origins, .directions = set.directions};
    NarrowPhase narrow;
    WorldRayHits found;
    REQUIRE(narrow.raycast({&scene.shapes, bodies, &scene.tree}, rays, found));
    const std::vector<Pair> pairs = all_pairs(300, scene.bodies.size());
    RayHits hits;
    REQUIRE(narrow.raycast({&scene.shapes, bodies, pairs}, rays, hits, {RayReduction::first_of_ray}));
    std::vector<std::uint32_t> expected(300, kNoBody);
    for (const std::uint32_t hit : hits.hits) expected[pairs[hit].a] = pairs[hit].b;
    CHECK(found.body == expected);
    CHECK(hits.hits.size() > 100);
}

TEST_CASE("world rays: the same bits on every instruction set, for any threads and any company", "[world]") {
    Scene scene;
    make_crowd(scene, 800, 6, 17);
    const RaySet set = make_rays(3000, 6, 18);
    for (const WorldRayOptions& options : {WorldRayOptions{}, WorldRayOptions{.max_hits = 3, .any = true},
                                           WorldRayOptions{.max_hits = 2, .count_left_out = true}}) {
        const WorldRayHits first = cast(scene, set.rays(), options, {.threads = 1});
        for (const Isa isa : test::usable_isas()) {
            WorldTree tree({.isa = isa});
            REQUIRE(tree.build({.bounds = scene.bounds}));
            std::swap(tree, scene.tree);
            for (const unsigned threads : {1u, 2u, 7u})
                CHECK(same_bits(first, cast(scene, set.rays(), options, {.threads = threads, .isa = isa})));
        }
        // One by one.
        NarrowPhase narrow;
        for (std::size_t ray = 0; ray < 300; ++ray) {
            WorldRayHits one;
            REQUIRE(narrow.raycast(
                scene.world(),
                {.origins = Strided<Vec3>(&set.origins[ray], 1), .directions = Strided<Vec3>(&set.directions[ray], 1)},
                one, options));
            for (std::size_t i = 0; i < options.max_hits; ++i) {
                REQUIRE(one.body[i] == first.body[ray * options.max_hits + i]);
                REQUIRE(one.fraction[i] == first.fraction[ray * options.max_hits + i]);
            }
        }
    }
}

TEST_CASE("world rays: a ray ends at its hit and visits few bodies", "[world]") {
    Scene scene;
    make_crowd(scene, 4000, 10, 19, false);
    const RaySet set = make_rays(1000, 10, 20);
    NarrowPhase narrow;
    WorldRayHits first, all;
    REQUIRE(narrow.raycast(scene.world(), set.rays(), first));
    const std::size_t computed = narrow.counters().pairs;
    REQUIRE(narrow.raycast(scene.world(), set.rays(), all, {.count_left_out = true}));
    CHECK(computed < 3 * 1000);
    CHECK(narrow.counters().pairs > 3 * computed);
}
