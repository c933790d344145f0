// Promises 5 and 6: bad boxes harm no other, refused calls say why, a warm call allocates nothing.
#include "queries/boxes/box_scenes.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include <abut/host.hpp>

using namespace abut;
using namespace abut::boxes;

namespace {

constexpr float kInf = INFINITY, kNan = NAN;

std::string refusal(const CallResult& result) {
    CHECK_FALSE(bool(result));
    return std::string(result.error().message);
}

std::atomic<std::size_t> g_blocks{0};

void* counted(void*, std::size_t bytes, std::size_t alignment) {
    ++g_blocks;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void freed(void*, void* memory, std::size_t, std::size_t) { std::free(memory); }

}  // namespace

TEST_CASE("bad boxes are listed and harm no other") {
    const BoxScene scene = make_scene("uniform", 2000);
    std::vector<Bounds> bounds = scene.bounds;
    std::vector<std::uint32_t> bad = {0, 17, 18, 19, 512, 1999};
    bounds[0].min.x = kNan;
    bounds[17] = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
    bounds[18].max.z = kNan;
    bounds[19] = {{kNan, kNan, kNan}, {kNan, kNan, kNan}};
    bounds[512].min.y = bounds[512].max.y + 1;
    bounds[1999] = {{0, 0, kInf}, {1, 1, 2}};
    for (const unsigned threads : {1u, 2u, 7u}) {
        BroadPhase broad({.threads = threads});
        PairList list, other;
        REQUIRE(broad.find_pairs({bounds}, list));
        CHECK(list.pairs == all_pairs({bounds}));
        CHECK(list.pairs.size() > 2000);
        CHECK(list.bad_a == bad);
        CHECK(list.bad_b.empty());
        REQUIRE(broad.find_pairs({scene.bounds}, {bounds}, list));
        CHECK(list.bad_a.empty());
        CHECK(list.bad_b == bad);
        std::vector<Pair> expected = all_pairs({scene.bounds}, {scene.bounds});
        std::erase_if(expected, [&](Pair pair) { return std::find(bad.begin(), bad.end(), pair.b) != bad.end(); });
        CHECK(list.pairs == expected);
    }
    const std::vector<Bounds> all_bad(100, bounds[0]);
    PairList list;
    BroadPhase broad;
    REQUIRE(broad.find_pairs({all_bad}, list));
    CHECK(list.pairs.empty());
    CHECK(list.bad_a.size() == 100);
}

TEST_CASE("bad boxes are listed and harm no other while few boxes move") {
    std::mt19937_64 random(17);
    const auto below = [&](std::uint32_t count) { return std::uint32_t((random() >> 32) * count >> 32); };
    const auto spoil = [&](Bounds& box) {
        float* const values[] = {&box.min.x, &box.min.y, &box.min.z, &box.max.x, &box.max.y, &box.max.z};
        const std::uint32_t axis = below(3);
        switch (below(4)) {
            case 0: *values[below(6)] = kNan; break;
            case 1: box = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}}; break;
            case 2: *values[axis] = *values[axis + 3] + 0.5f; break;
            default: box = {{kNan, kNan, kNan}, {kNan, kNan, kNan}};
        }
    };
    struct Case {
        std::size_t boxes;
        double share;  // of moving boxes
        bool has_infinite;
    };
    std::size_t pairs = 0, bad_movers = 0, bad_at_rest = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        for (const auto& [boxes, share, has_infinite] :
             {Case{3000, 0.1, false}, {3000, 0.1, true}, {3000, 0.01, false}, {300, 0.01, false}}) {
            INFO("seed " << seed << ", " << boxes << " boxes, " << share << " move");
            BoxScene scene = make_scene("uniform", boxes, seed);
            let_move(scene, share, seed + 10);
            scene.moving[below(std::uint32_t(boxes))] = 1;
            if (has_infinite)
                scene.bounds[std::size_t(std::find(scene.moving.begin(), scene.moving.end(), 1) - scene.moving.begin())]
                    .max.y = kInf;
            std::vector<std::uint32_t> bad;
            const std::vector<Bounds> good = scene.bounds;
            for (std::uint32_t i = 0; i < boxes; ++i) {
                if (below(scene.moving[i] != 0 ? 4 : 20) != 0) continue;
                spoil(scene.bounds[i]);
                bad.push_back(i);
                (scene.moving[i] != 0 ? bad_movers : bad_at_rest) += 1;
            }
            const auto is_bad = [&](std::uint32_t i) { return std::binary_search(bad.begin(), bad.end(), i); };
            std::vector<Pair> expected = all_pairs({.bounds = good, .moving = scene.moving});
            std::erase_if(expected, [&](Pair pair) { return is_bad(pair.a) || is_bad(pair.b); });
            pairs += expected.size();
            for (const unsigned threads : {1u, 2u, 7u}) {
                BroadPhase broad({.threads = threads});
                PairList list;
                REQUIRE(broad.find_pairs({.bounds = scene.bounds, .moving = scene.moving}, list));
                CHECK(list.pairs == expected);
                CHECK(list.bad_a == bad);
            }
        }
    CHECK(pairs > 2000);
    CHECK(bad_movers > 100);
    CHECK(bad_at_rest > 1000);
}

TEST_CASE("bad boxes are listed if all moving boxes are bad") {
    BoxScene scene = make_scene("uniform", 500);
    scene.moving.assign(500, 0);
    std::vector<std::uint32_t> bad = {3, 4, 200, 499};
    for (const std::uint32_t i : bad) scene.bounds[i].max.z = scene.bounds[i].min.z - 1;
    scene.moving[4] = scene.moving[200] = 1;
    BroadPhase broad;
    PairList list;
    REQUIRE(broad.find_pairs({.bounds = scene.bounds, .moving = scene.moving}, list));
    CHECK(list.pairs.empty());
    CHECK(list.bad_a == bad);
}

TEST_CASE("bad rays are listed and harm no other") {
    const std::vector<Bounds> bounds = {{{0, 0, 0}, {1, 1, 1}}};
    std::vector<Vec3> origins(9, {-1, 0.5f, 0.5f}), directions(9, {1, 0, 0});
    std::vector<float> lengths(9, 2.0f);
    origins[1].y = kNan, origins[2].x = kInf;
    directions[3] = {}, directions[4].z = kNan, directions[5].x = kInf;
    lengths[6] = kNan, lengths[7] = -1;
    PairList list;
    BroadPhase broad;
    REQUIRE(broad.find_ray_pairs({.origins = origins, .directions = directions, .lengths = lengths}, {bounds}, list));
    CHECK(list.pairs == std::vector<Pair>{{0, 0}, {8, 0}});
    CHECK(list.bad_a == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a refused call names the argument and leaves the list as it is") {
    const std::vector<Bounds> bounds(5, {{0, 0, 0}, {1, 1, 1}});
    const std::vector<float> bad_margins = {0, 0, 0, kNan, 0}, few = {1, 2};
    const std::vector<std::uint32_t> bits = {1, 2, 3, 4};
    const std::vector<std::uint8_t> moving(4);
    const std::vector<Vec3> vectors(3, {1, 0, 0});
    const std::vector<DVec3> doubles(3);
    BroadPhase broad;
    PairList list;
    REQUIRE(broad.find_pairs({bounds}, list));
    const auto refused = [&](const Boxes& boxes, const char* name) {
        const std::string message = refusal(broad.find_pairs(boxes, list));
        INFO(message);
        CHECK(message.find(name) != std::string::npos);
        CHECK(list.pairs.size() == 10);
        CHECK(refusal(broad.find_pairs({bounds}, boxes, list)).find("b." + std::string(name)) != std::string::npos);
        CHECK(refusal(broad.find_pairs(boxes, {bounds}, list)).find("a." + std::string(name)) != std::string::npos);
    };
    for (const float margin : {-1.0f, kNan, kInf}) refused({.bounds = bounds, .margin = margin}, "margin");
    refused({.bounds = bounds, .margins = bad_margins}, "margins[3]");
    refused({.bounds = bounds, .margins = few}, "margins");
    refused({.bounds = bounds, .groups = bits}, "groups");
    refused({.bounds = bounds, .masks = bits}, "masks");
    refused({.bounds = bounds, .moving = moving}, "moving");
    refused({.bounds = {nullptr, 3}}, "bounds");
    refused({.bounds = {bounds.data(), 5, 4}}, "bounds");
    refused({.bounds = {bounds.data(), 2, 26}}, "bounds");
    refused({.bounds = {bounds.data(), std::size_t(1) << 31}}, "bounds");

    const auto refused_rays = [&](const BoxRays& rays, const char* name) {
        CHECK(refusal(broad.find_ray_pairs(rays, {bounds}, list)).find(name) != std::string::npos);
    };
    refused_rays({.directions = vectors}, "neither");
    refused_rays({.origins = vectors, .double_origins = doubles, .directions = vectors}, "both");
    refused_rays({.origins = {vectors.data(), 2}, .directions = vectors}, "origins");
    refused_rays({.origins = vectors, .directions = vectors, .lengths = few}, "lengths");
    refused_rays({.origins = vectors, .directions = vectors, .boxes_origin = {kNan, 0, 0}}, "boxes_origin");
    CHECK(list.pairs.size() == 10);

    const std::vector<Pair> pairs = {{0, 1}};
    std::vector<PreviousPair> none;
    CHECK(refusal(match_pairs(pairs, pairs, none)).find("previous") != std::string::npos);
    CHECK_FALSE(bool(BroadPhase({.threads = 5000}).find_pairs({bounds}, list)));
}

TEST_CASE("an executor that fails gives an error, and the next call works") {
    const BoxScene scene = make_scene("uniform", 20000);
    static std::size_t calls = 0, bad_call = 0;
    const Executor executor = {[](void*, std::size_t count, Executor::Task task, void* context) {
        if (++calls == bad_call) throw std::runtime_error("no threads");
        for (std::size_t i = 0; i < count; ++i) task(context, i);
                               },
                               nullptr};
    BroadPhase broad({.executor = executor, .threads = 2});
    PairList list;
    REQUIRE(broad.find_pairs({scene.bounds}, list));
    const std::vector<Pair> expected = list.pairs;
    const std::size_t all = calls;
    CHECK(all > 5);
    for (bad_call = 1; bad_call <= all; ++bad_call) {
        calls = 0;
        const CallResult result = broad.find_pairs({scene.bounds}, list);
        CHECK(result.error().code == ErrorCode::executor);
    }
    calls = 0, bad_call = 0;
    REQUIRE(broad.find_pairs({scene.bounds}, list));
    CHECK(list.pairs == expected);
}

TEST_CASE("a warm call allocates nothing, and no memory stays") {
    const BoxScene scene = make_scene("clustered", 20000);
    std::vector<Vec3> origins(500), directions(500, {1, 1, 0});
    const Executor in_turn = {[](void*, std::size_t count, Executor::Task task, void* context) {
        for (std::size_t i = 0; i < count; ++i) task(context, i);
                              },
                              nullptr};
    REQUIRE(set_allocator({counted, freed, nullptr}));
    {
        for (const unsigned threads : {1u, 2u}) {
            BroadPhase broad({.executor = in_turn, .threads = threads});
            const auto ask = [&] {
                REQUIRE(broad.find_pairs({.bounds = scene.bounds, .margin = 0.01f}));
                REQUIRE(broad.find_pairs({scene.bounds}, {scene.bounds}));
                REQUIRE(broad.find_ray_pairs({.origins = origins, .directions = directions}, {scene.bounds}));
            };
            ask();
            CHECK(g_blocks > 5);
            const std::size_t before = g_blocks;
            ask();
            CHECK(g_blocks == before);
        }
    }
    CHECK(memory_in_use().blocks == 0);
    REQUIRE(set_allocator({}));
}
