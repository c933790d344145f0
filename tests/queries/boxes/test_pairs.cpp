// Promises of find_pairs on one set: the list is that of the definition, in canonical order, whatever computes it.
#include "queries/boxes/box_scenes.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <numeric>

#include <abut/host.hpp>

using namespace abut;
using namespace abut::boxes;

namespace {

std::vector<Isa> isas_here() {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(isa);
    return isas;
}

// On every instruction set, with 1, 2 and 7 threads.
void check_list(const Boxes& boxes, const std::vector<Pair>& expected) {
    for (const Isa isa : isas_here()) {
        for (const unsigned threads : {1u, 2u, 7u}) {
            INFO(to_string(isa) << ", threads " << threads);
            BroadPhase broad({.threads = threads, .isa = isa});
            PairList list;
            REQUIRE(broad.find_pairs(boxes, list));
            CHECK(list.pairs.size() == expected.size());
            CHECK(std::equal(list.pairs.begin(), list.pairs.end(), expected.begin(), expected.end()));
        }
    }
}

void check_scene(const std::vector<Bounds>& bounds) { check_list({bounds}, all_pairs({bounds})); }

constexpr float kInf = INFINITY;

}  // namespace

TEST_CASE("the list is that of the definition") {
    for (const char* name : {"uniform", "clustered", "flat", "huge", "sizes"}) {
        for (const std::size_t count : {0, 1, 2, 8, 9, 63, 64, 65, 128, 129, 500, 3000}) {
            INFO(name << ", " << count << " boxes");
            const BoxScene scene = make_scene(name, count);
            if (count == 3000) CHECK(all_pairs({scene.bounds}).size() > count / 3);  // there is something to find
            check_scene(scene.bounds);
        }
    }
}

TEST_CASE("touching boxes overlap, and boxes an ulp apart do not") {
    std::vector<Bounds> bounds;
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            for (int z = 0; z < 8; ++z)
                bounds.push_back({{float(x), float(y), float(z)}, {float(x + 1), float(y + 1), float(z + 1)}});
    check_scene(bounds);
    CHECK(all_pairs({bounds}).size() == 8 * 8 * 7 * 3 + 8 * 7 * 7 * 6 + 7 * 7 * 7 * 4);
    for (Bounds& box : bounds)
        box.max = {std::nextafter(box.max.x, -kInf), std::nextafter(box.max.y, -kInf),
                   std::nextafter(box.max.z, -kInf)};
    check_scene(bounds);
    CHECK(all_pairs({bounds}).empty());
}

TEST_CASE("equal boxes, points and boxes without volume are boxes") {
    check_scene(std::vector<Bounds>(300, {{1, 2, 3}, {4, 5, 6}}));
    check_scene(std::vector<Bounds>(300, {{1, 2, 3}, {1, 2, 3}}));
    BoxScene scene = make_scene("uniform", 600);
    for (std::size_t i = 0; i < scene.bounds.size(); i += 2) scene.bounds[i].max = scene.bounds[i].min;
    for (std::size_t i = 1; i < scene.bounds.size(); i += 6) scene.bounds[i].max.y = scene.bounds[i].min.y;
    check_scene(scene.bounds);
}

TEST_CASE("infinite boxes meet what they reach") {
    BoxScene scene = make_scene("uniform", 700);
    scene.bounds[3] = {{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}};
    scene.bounds[699] = {{-kInf, -kInf, -kInf}, {kInf, 0, kInf}};
    scene.bounds[77] = {{-kInf, -kInf, 2}, {kInf, kInf, 2.5f}};
    scene.bounds[78] = {{kInf, kInf, kInf}, {kInf, kInf, kInf}};
    check_scene(scene.bounds);
    CHECK(all_pairs({scene.bounds}).size() > 1000);
    check_scene(std::vector<Bounds>(40, scene.bounds[3]));
}

TEST_CASE("boxes far from the origin, a box far from all others and the largest floats do no harm") {
    BoxScene scene = make_scene("clustered", 1500);
    for (Bounds& box : scene.bounds) {
        box.min = {box.min.x + 1e6f, box.min.y - 3e5f, box.min.z + 2e6f};
        box.max = {box.max.x + 1e6f, box.max.y - 3e5f, box.max.z + 2e6f};
    }
    check_scene(scene.bounds);
    scene.bounds[5] = {{-3e38f, -3e38f, -3e38f}, {-2.9e38f, -2.9e38f, 3e38f}};
    scene.bounds[6] = {{3e38f, 3e38f, 3e38f}, {3.1e38f, 3.1e38f, 3.1e38f}};
    scene.bounds[7] = {{1e-45f, -1e-45f, 0}, {2e-45f, 1e-45f, 1e-45f}};
    check_scene(scene.bounds);
}

TEST_CASE("another order of the boxes renames the list") {
    const BoxScene scene = make_scene("sizes", 2000);
    std::vector<std::uint32_t> name(scene.bounds.size());
    std::iota(name.begin(), name.end(), 0u);
    std::mt19937 random(5);
    std::shuffle(name.begin(), name.end(), random);
    std::vector<Bounds> shuffled(name.size());
    for (std::size_t i = 0; i < name.size(); ++i) shuffled[name[i]] = scene.bounds[i];
    BroadPhase broad;
    PairList list, renamed;
    REQUIRE(broad.find_pairs({scene.bounds}, list));
    REQUIRE(broad.find_pairs({shuffled}, renamed));
    for (Pair& pair : list.pairs) {
        const auto [a, b] = std::minmax(name[pair.a], name[pair.b]);
        pair = {a, b};
    }
    std::sort(list.pairs.begin(), list.pairs.end(), [](Pair p, Pair q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    CHECK(list.pairs.size() > 500);
    CHECK(list.pairs == renamed.pairs);
}

TEST_CASE("long lists have the same bits with every number of threads") {
    for (const char* name : {"uniform", "clustered", "huge"}) {
        const BoxScene scene = make_scene(name, 100000);
        PairList one, more;
        REQUIRE(BroadPhase({.threads = 1}).find_pairs({scene.bounds}, one));
        CHECK(one.pairs.size() > 90000);
        CHECK(std::is_sorted(one.pairs.begin(), one.pairs.end(),
                             [](Pair p, Pair q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }));
        for (const unsigned threads : {2u, 7u}) {
            REQUIRE(BroadPhase({.threads = threads}).find_pairs({scene.bounds}, more));
            CHECK(one.pairs == more.pairs);
        }
    }
}

TEST_CASE("margins widen boxes, each its own or all alike") {
    const BoxScene scene = make_scene("flat", 800);
    std::vector<float> margins;
    for (std::size_t i = 0; i < scene.bounds.size(); ++i) margins.push_back(0.001f * float(i % 300));
    const std::size_t without = all_pairs({scene.bounds}).size();
    const Boxes alike{.bounds = scene.bounds, .margin = 0.1f}, own{.bounds = scene.bounds, .margins = margins};
    CHECK(all_pairs(alike).size() > without + 100);
    check_list(alike, all_pairs(alike));
    CHECK(all_pairs(own).size() > without + 100);
    check_list(own, all_pairs(own));
}

TEST_CASE("margins round outwards, and a box may be good only with its margin") {
    // Intervals along X whose ends are a few floats from 1 and from -1, or the wrong way round; margins of up to two of
    // these steps.
    constexpr float kStep = 0x1p-23f;
    std::vector<Bounds> bounds;
    std::vector<float> margins;
    for (int i = 0; i < 300; ++i) {
        const float end = i % 2 == 0 ? 1.0f : -1.0f, low = end + kStep * float(i % 7 - 3),
                    high = low + kStep * float(i % 5 - 1);
        bounds.push_back({{low, 0, 0}, {high, 1, 1}});
        margins.push_back(kStep * 0.125f * float(i % 17));
    }
    const Boxes alike{.bounds = bounds, .margin = 0.3f * kStep}, own{.bounds = bounds, .margins = margins};
    for (const Boxes& boxes : {alike, own}) {
        CHECK(all_pairs(boxes).size() > 3000);
        check_list(boxes, all_pairs(boxes));
    }
    CHECK(all_pairs(own).size() != all_pairs({bounds}).size());
}

TEST_CASE("bodies at rest, groups and masks make no pairs that they exclude") {
    BoxScene scene;
    for (const std::size_t count : {100, 1500}) {
        scene = make_scene("uniform", count);
        for (const double share : {0.0, 0.01, 0.5, 1.0}) {
            let_move(scene, share);
            check_list({.bounds = scene.bounds, .moving = scene.moving},
                       all_pairs({.bounds = scene.bounds, .moving = scene.moving}));
        }
    }
    std::vector<std::uint32_t> groups, masks;
    for (std::uint32_t i = 0; i < scene.bounds.size(); ++i)
        groups.push_back(1u << i % 3), masks.push_back(i % 5 == 0 ? 0u : i % 7);
    const std::size_t all = all_pairs({scene.bounds}).size();
    const Boxes grouped{.bounds = scene.bounds, .groups = groups},
        masked{.bounds = scene.bounds, .groups = groups, .masks = masks};
    CHECK(all_pairs(grouped).size() == all);
    check_list(grouped, all_pairs(grouped));
    CHECK(all_pairs(masked).size() > 50);
    CHECK(all_pairs(masked).size() < all / 2);
    check_list(masked, all_pairs(masked));
}

TEST_CASE("columns may be members of the engine's own struct") {
    struct EngineBody {
        double name = 0;
        Bounds box;
        float margin = 0.05f;
        std::uint32_t group = 1, mask = 1;
        std::uint8_t layer = 0, moves = 0;  // not at a multiple of four bytes
    };
    BoxScene scene = make_scene("uniform", 300);
    let_move(scene, 0.5);
    std::vector<EngineBody> bodies(scene.bounds.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].box = scene.bounds[i], bodies[i].moves = scene.moving[i];
    constexpr std::size_t kStride = sizeof(EngineBody);
    const Boxes boxes{.bounds = {&bodies[0].box, bodies.size(), kStride},
                      .margins = {&bodies[0].margin, bodies.size(), kStride},
                      .groups = {&bodies[0].group, bodies.size(), kStride},
                      .masks = {&bodies[0].mask, bodies.size(), kStride},
                      .moving = {&bodies[0].moves, bodies.size(), kStride}};
    check_list(boxes, all_pairs({.bounds = scene.bounds, .margin = 0.05f, .moving = scene.moving}));
}

TEST_CASE("a list says where each pair was before") {
    BoxScene scene = make_scene("uniform", 2000);
    BroadPhase broad;
    PairList list;
    REQUIRE(broad.find_pairs({scene.bounds}, list));
    for (const PreviousPair& previous : list.previous) CHECK(previous == PreviousPair{});
    for (int frame = 0; frame < 3; ++frame) {
        const std::vector<Pair> before = list.pairs;
        step(scene, 0.2f, std::uint64_t(frame));
        REQUIRE(broad.find_pairs({scene.bounds}, list));
        REQUIRE(list.previous.size() == list.pairs.size());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list.pairs.size(); ++i) {
            const auto at = std::find(before.begin(), before.end(), list.pairs[i]);
            const bool was_there = at != before.end();
            kept += was_there;
            CHECK(list.previous[i] == PreviousPair{was_there ? std::uint32_t(at - before.begin()) : kNoPair, false});
        }
        CHECK(kept > before.size() / 3);
        CHECK(kept < before.size());
    }
}
