// Bad arguments are refused with a message that names them; bad rays have a status and harm no other; a second call
// allocates nothing.
#include "queries/world/world_scenes.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string>

using namespace abut;
using namespace abut::worlds;

namespace {

std::atomic<std::size_t> g_blocks{0};

void* counted(void*, std::size_t bytes, std::size_t alignment) {
    ++g_blocks;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void freed(void*, void* memory, std::size_t, std::size_t) { std::free(memory); }

void refuses(const CallResult& result, const std::string& name) {
    REQUIRE(!result);
    INFO(std::string(result.error().message));
    CHECK(std::string(result.error().message).find(name) != std::string::npos);
}

}  // namespace

TEST_CASE("world: bad rays have a status and harm no other ray", "[world][contained]") {
    Scene scene;
    make_crowd(scene, 300, 5, 41);
    RaySet set = make_rays(100, 5, 42);
    std::vector<float> lengths(100, 8.0f);
    NarrowPhase narrow;
    WorldRayHits good, found;
    Rays rays = set.rays();
    rays.lengths = lengths;
    REQUIRE(narrow.raycast(scene.world(), rays, good, {.max_hits = 2}));
    set.origins[5].x = NAN, set.origins[10].y = INFINITY, set.directions[15] = {0, 0, 0};
    set.directions[20].z = NAN, set.directions[25].x = 3e38f;
    lengths[30] = 0, lengths[35] = -1, lengths[40] = NAN, lengths[45] = INFINITY;
    REQUIRE(narrow.raycast(scene.world(), rays, found, {.max_hits = 2}));
    for (std::size_t i = 0; i < 200; ++i) {
        const std::size_t ray = i / 2;
        if (ray % 5 == 0 && ray >= 5 && ray <= 45) {
            CHECK(found.status[i] == Status::bad_pose);
            CHECK(found.body[i] == kNoBody);
        } else {
            CHECK(found.body[i] == good.body[i]);
            CHECK(found.fraction[i] == good.fraction[i]);
            CHECK(found.status[i] == Status::ok);
        }
    }
}

TEST_CASE("world: bad arguments are refused by name", "[world][contained]") {
    Scene scene;
    make_crowd(scene, 100, 5, 43);
    const RaySet set = make_rays(10, 5, 44);
    NarrowPhase narrow;
    WorldRayHits hits;
    WorldOverlaps overlaps;
    WorldCasts casts;
    WorldBodies world = scene.world();
    world.tree = nullptr;
    refuses(narrow.raycast(world, set.rays(), hits), "WorldBodies::tree");
    world = scene.world(), world.shapes = nullptr;
    refuses(narrow.overlap(world, scene.bodies, overlaps), "WorldBodies::shapes");
    world = scene.world(), world.bodies = std::span(scene.bodies).first(99);
    refuses(narrow.raycast(world, set.rays(), hits), "100 boxes, expected 99");
    world = scene.world();
    refuses(narrow.raycast(world, set.rays(), hits, {.max_hits = 0}), "max_hits is 0");
    refuses(narrow.raycast(world, set.rays(), hits, {.max_hits = 65537}), "max_hits is 65537");
    refuses(narrow.raycast(world, set.rays(), hits, {.sides = QuerySides(9)}), "WorldRayOptions::sides is 9");
    const std::vector<std::uint32_t> few(9, 1);
    refuses(narrow.raycast(world, set.rays(), hits, {.filter = {.masks = few}}), "WorldFilter::masks");
    refuses(narrow.raycast(world, {.directions = set.directions}, hits), "origins");
    std::vector<std::uint32_t> body(10);
    WorldRayColumns columns = {.body = body};
    refuses(narrow.raycast(world, set.rays(), columns, {.max_hits = 2}), "WorldRayColumns::body");
    refuses(narrow.cast(world, scene.bodies, {}, casts), "Motions::ends is empty");
    const Bodies ends[] = {std::span(scene.bodies).first(9)};
    refuses(narrow.cast(world, scene.bodies, {.ends = ends}, casts), "Motions::ends has 9");
    const Bodies all[] = {scene.bodies};
    refuses(narrow.cast(world, scene.bodies, {.ends = all}, casts, {.target = -1}), "target");
    refuses(scene.tree.build({.bounds = scene.bounds, .margin = -1}), "margin");
    refuses(scene.tree.build({.bounds = scene.bounds}, {NAN, 0, 0}), "origin");
    CHECK(scene.tree.size() == 100);  // a refusal changes nothing
    WorldTree moved = std::move(scene.tree);
    refuses(narrow.raycast(scene.world(), set.rays(), hits), "WorldBodies::tree");
    CHECK(scene.tree.size() == 0);
    CHECK(!WorldTree({.threads = 5000}).build({.bounds = scene.bounds}));
    // Nothing to do.
    Scene empty;
    empty.build();
    REQUIRE(narrow.raycast(empty.world(), set.rays(), hits));
    CHECK(hits.body == std::vector<std::uint32_t>(10, kNoBody));
    REQUIRE(narrow.raycast(empty.world(), {}, hits));
    CHECK(hits.body.empty());
    REQUIRE(narrow.overlap(empty.world(), {}, overlaps));
    REQUIRE(narrow.cast(empty.world(), {}, {}, casts));
}

TEST_CASE("world: bodies that changed after the build are answered or missed, never read out of bounds",
          "[world][contained]") {
    Scene scene;
    make_crowd(scene, 300, 3, 45);
    const RaySet set = make_rays(200, 3, 46);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (i % 3 == 0) scene.bodies[i].shape = ShapeId::from_bits(std::uint32_t(i * 2654435761u));
        if (i % 3 == 1) scene.bodies[i].orientation = {NAN, 0, 0, 1};
    }
    NarrowPhase narrow;
    WorldRayHits hits;
    WorldOverlaps overlaps;
    WorldCasts casts;
    REQUIRE(narrow.raycast(scene.world(), set.rays(), hits, {.max_hits = 3}));
    for (const std::uint32_t body : hits.body) CHECK((body == kNoBody || body % 3 != 1));
    REQUIRE(narrow.overlap(scene.world(), scene.bodies, overlaps));
    const Bodies ends[] = {scene.bodies};
    REQUIRE(narrow.cast(scene.world(), scene.bodies, {.ends = ends}, casts));
}

TEST_CASE("world: a warm call allocates nothing, and no memory stays", "[world][quiet]") {
    REQUIRE(set_allocator({counted, freed, nullptr}));
    {
        Scene scene;
        make_crowd(scene, 600, 5, 47);
        const RaySet set = make_rays(600, 5, 48);
        NarrowPhase narrow({.executor = serial_executor()});
        WorldRayHits hits;
        WorldOverlaps overlaps;
        WorldCasts casts;
        const std::vector<Body> shapes(scene.bodies.begin(), scene.bodies.begin() + 20);
        std::vector<Body> moved = shapes;
        for (Body& body : moved) body.position.x += 2;
        const Bodies ends[] = {moved};
        const auto all = [&] {
            REQUIRE(scene.tree.build({.bounds = scene.bounds}));
            REQUIRE(narrow.raycast(scene.world(), set.rays(), hits, {.max_hits = 4, .count_left_out = true}));
            REQUIRE(narrow.overlap(scene.world(), shapes, overlaps));
            REQUIRE(narrow.cast(scene.world(), shapes, {.ends = ends}, casts));
        };
        all();
        const std::size_t before = g_blocks;
        CHECK(before > 20);
        all();
        CHECK(g_blocks == before);
    }
    CHECK(memory_in_use().blocks == 0);
    REQUIRE(set_allocator({}));
}
