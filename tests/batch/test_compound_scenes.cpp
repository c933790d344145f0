// Compounds as engines have them: furniture on a floor, big ones, and frames one after the other.
#include "support/catch.hpp"

#include <algorithm>

#include "support/compound_scene.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

constexpr float kSeat = 0.45f;

struct PlacedBox {
    Vec3 half, at;
};

// Four legs, seat, four rails of the back, two armrests, a strut.
std::vector<PlacedBox> chair_boxes() {
    std::vector<PlacedBox> boxes;
    for (const float x : {-0.2f, 0.2f})
        for (const float z : {-0.2f, 0.2f}) boxes.push_back({{0.02f, kSeat / 2, 0.02f}, {x, kSeat / 2, z}});
    boxes.push_back({{0.24f, 0.02f, 0.24f}, {0, kSeat + 0.02f, 0}});
    for (const float x : {-0.2f, -0.07f, 0.07f, 0.2f})
        boxes.push_back({{0.02f, 0.25f, 0.02f}, {x, kSeat + 0.29f, -0.22f}});
    for (const float x : {-0.22f, 0.22f}) boxes.push_back({{0.02f, 0.02f, 0.2f}, {x, kSeat + 0.2f, 0}});
    boxes.push_back({{0.2f, 0.01f, 0.01f}, {0, 0.15f, 0.2f}});
    return boxes;
}

ShapeId add_chair(ShapeStore& store, const InstanceOptions& options = {}) {
    std::vector<CompoundChild> children;
    for (const PlacedBox& box : chair_boxes()) children.push_back({*store.add_box(box.half), box.at, {}});
    const ShapeId chair = *store.add_compound(children, options);
    for (const CompoundChild& child : children) store.remove(child.shape);
    return chair;
}

// A thousand balls of 2 cm on a grid, `offset` apart from the next.
ShapeId add_grid(ShapeStore& store, float offset) {
    const ShapeId ball = *store.add_sphere(0.02f);
    std::vector<CompoundChild> children;
    for (int i = 0; i < 1000; ++i)
        children.push_back({ball, {offset * float(i % 10), offset * float(i / 10 % 10), offset * float(i / 100)}, {}});
    return *store.add_compound(children);
}

}  // namespace

TEST_CASE("a chair of twelve boxes stands on its four legs", "[compounds]") {
    ShapeStore store;
    const ShapeId chair = add_chair(store);
    CHECK(store.view(chair).children == 12);
    const std::vector<Body> bodies = {{{3, -0.001f, 5}, chair, {0, 0.6f, 0, 0.8f}},
                                      {{0, -0.5f, 0}, *store.add_box({10, 0.5f, 10}), {}},
                                      {{0, 0, 0}, *store.add_halfspace({0, 1, 0}, 0), {}}};
    const std::vector<Pair> pairs = {{0, 1}, {2, 0}};
    const Frame frame = {&store, bodies, pairs, {}, {}};
    NarrowPhase narrow;
    Manifolds m;
    Distances d;
    REQUIRE(narrow.collide(frame, m));
    REQUIRE(narrow.distance(frame, d));
    for (std::size_t pair = 0; pair < 2; ++pair) {
        const bool first = pair == 0;
        CHECK(std::fabs(d.signed_distance[pair] + 0.001f) < 1e-6f);
        CHECK(std::fabs(d.normal[pair].y - (first ? -1.0f : 1.0f)) < 1e-6f);
        REQUIRE(m.first_manifold[pair + 1] - m.first_manifold[pair] == 4);
        for (std::uint32_t leg = 0; leg < 4; ++leg) {
            const Manifold& manifold = m.manifolds[m.first_manifold[pair] + leg];
            CHECK((first ? manifold.child_a : manifold.child_b) == leg);
            CHECK((first ? manifold.child_b : manifold.child_a) == 0);
            CHECK(std::fabs(std::fabs(manifold.normal.y) - 1.0f) < 1e-6f);
            for (std::uint32_t k = 0; k < manifold.contact_count; ++k) {
                const Contact& contact = m.contacts[manifold.first_contact + k];
                CHECK(std::fabs(contact.separation + 0.001f) < 1e-6f);
                const Vec3 world = world_point(frame, pair, contact.position);
                CHECK(std::fabs(world.y + 0.0005f) < 1e-6f);
                CHECK(std::hypot(world.x - 3, world.z - 5) < 0.35f);
            }
            if (first) CHECK(manifold.contact_count == 4);
        }
    }
}

TEST_CASE("a chair a thousand kilometres off stands as well", "[compounds]") {
    ShapeStore store;
    const ShapeId chair = add_chair(store), floor = *store.add_box({10, 0.5f, 10});
    NarrowPhase narrow;
    Manifolds near, far;
    for (Manifolds* m : {&near, &far}) {
        const float at = m == &near ? 0.0f : 1048576.0f;
        const std::vector<Body> bodies = {{{at, 0.5f, -at}, chair, {}}, {{at, 0, -at}, floor, {}}};
        const std::vector<Pair> pairs = {{0, 1}};
        REQUIRE(narrow.collide({&store, bodies, pairs, {}, {}}, *m));
    }
    REQUIRE(near.contacts.size() == 16);
    REQUIRE(far.contacts.size() == 16);
    for (std::size_t i = 0; i < 16; ++i) CHECK(test::same(near.contacts[i], far.contacts[i]));
}

TEST_CASE("scaled chairs: the same answers, scaled, bit for bit under powers of two", "[compounds]") {
    NarrowPhase narrow({.speculative_margin = 0});
    Distances d[2];
    for (int i = 0; i < 2; ++i) {
        const float s = i == 0 ? 1.0f : 0x1p-6f;
        ShapeStore store;
        const ShapeId chair = add_chair(store, {.rounding = 0.0f, .scale = {s, s, s}});
        std::vector<Body> bodies;
        std::vector<Pair> pairs;
        scenes::Random random(4);
        for (std::uint32_t k = 0; k < 100; ++k) {
            const oracle::Vec3d p = random.direction() * random.uniform();
            bodies.push_back({{}, chair, random.orientation()});
            bodies.push_back({{s * float(p.x), s * float(p.y), s * float(p.z)}, chair, random.orientation()});
            pairs.push_back({2 * k, 2 * k + 1});
        }
        REQUIRE(narrow.distance({&store, bodies, pairs, {}, {}}, d[i]));
    }
    for (std::size_t k = 0; k < 100; ++k) {
        CHECK(d[0].signed_distance[k] == 0x1p6f * d[1].signed_distance[k]);
        CHECK(d[0].normal[k] == d[1].normal[k]);
        CHECK(d[0].point_b[k].y == 0x1p6f * d[1].point_b[k].y);
    }
}

TEST_CASE("a thousand children: only those near enough are looked at", "[compounds]") {
    ShapeStore store;
    const ShapeId grid = add_grid(store, 0.1f), ball = *store.add_sphere(0.06f);
    const std::vector<Body> bodies = {{{}, grid, {}},
                                      {{0.45f, 0.45f, 0.45f}, ball, {}},  // amid eight of them
                                      {{3, 0.9f, 0.4f}, ball, {}},        // 2.1 m off the last of a row
                                      {{0.05f, 0.05f, 0.05f}, grid, {}},
                                      {{100, 0, 0}, grid, {}}};
    NarrowPhase narrow;
    Distances d;
    const auto ask = [&](Pair pair, std::size_t most) {
        REQUIRE(narrow.distance({&store, bodies, Strided<Pair>(&pair, 1), {}, {}}, d));
        CHECK(narrow.counters().child_pairs >= 1);
        CHECK(narrow.counters().child_pairs <= most);
        return d.signed_distance[0];
    };
    const double diagonal = 0.05 * std::sqrt(3.0);
    CHECK(std::fabs(ask({0, 1}, 8) - (diagonal - 0.08)) < 1e-6);
    CHECK(std::fabs(ask({2, 0}, 1) - 2.02f) < 1e-6f);
    CHECK(std::fabs(ask({0, 3}, 8000) - (diagonal - 0.04)) < 1e-6);
    CHECK(std::fabs(ask({0, 4}, 4000) - 99.06f) < 2e-5f);  // of a million

    Overlaps overlaps;
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {3, 0}, {4, 0}};
    REQUIRE(narrow.overlap({&store, bodies, pairs, {}, {}}, overlaps));
    CHECK(overlaps.bits[0] == 0);
    CHECK(narrow.counters().child_pairs <= 8);
}

TEST_CASE("contacts of compounds are carried over by their children and features", "[compounds]") {
    const test::CompoundScene scene = test::make_compounds(200, 6, 6);
    NarrowPhase narrow;
    WarmTable table;
    Frame frame = scene.frame();
    frame.caches = table.begin(frame.pairs);
    Manifolds before, now;
    REQUIRE(narrow.collide(frame, before));
    const std::vector<Pair> pairs(scene.pairs.rbegin(), scene.pairs.rend());
    frame.pairs = pairs;
    frame.caches = table.begin(frame.pairs);
    REQUIRE(narrow.collide(frame, now));
    Carried carried;
    REQUIRE(
        carry_over(frame_contacts(scene.frame(), before), frame_contacts(frame, now), table.previous_pairs(), carried));
    const std::vector<std::uint32_t>& previous = carried.previous;
    REQUIRE(now.contacts.size() > 200);
    std::size_t same = 0;
    for (std::size_t i = 0; i < now.contacts.size(); ++i)
        same += previous[i] != kNewContact && test::same(before.contacts[previous[i]], now.contacts[i]);
    CHECK(double(same) > 0.98 * double(now.contacts.size()));
}
