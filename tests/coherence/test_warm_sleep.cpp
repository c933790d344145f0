// The ready-made table: pairs that are asleep, or dropped.
#include "support/catch.hpp"

#include "scenes/random.hpp"
#include "support/count.hpp"
#include "support/table_steps.hpp"

using namespace abut;
using namespace test::table;
using test::ContactFrame;

TEST_CASE("warm table: pairs that are asleep keep caches, contacts and impulses until they are back", "[warm]") {
    ContactFrame all = frame_of({{0, 1}, {1, 2}, {2, 3}}, {4, 5, 6}), awake = frame_of({{2, 3}}, {6});
    WarmTable table;
    step(table, all);
    CHECK(*table.keep(std::vector<Pair>{{1, 0}, {7, 8}}) == 1);  // in either order; the other pair is not known
    CHECK(table.kept() == 0);                                    // from the next frame on
    for (int frame = 0; frame < 100; ++frame) step(table, awake);
    CHECK(table.kept() == 1);
    CHECK(step(table, all) == Floats{1, 0, 1});
    CHECK(table.kept() == 0);
    // Its place was kept with it: of another id, by where it was. And the caches.
    step(table, all);
    REQUIRE(table.keep(all.frame().pairs));
    step(table, awake);
    CHECK(table.kept() == 2);
    ContactFrame renamed = all;
    renamed.manifolds.contacts[0].feature = 77;
    const std::span<WarmCache> caches = table.begin(renamed.frame().pairs);
    CHECK(int(caches[0].opaque[0]) == 1);
    CHECK(int(caches[1].opaque[0]) == 2);
    REQUIRE(table.carry_over(renamed.frame(), renamed.manifolds));
    CHECK(table.carried_by()[0] == CarriedBy::place);
    CHECK(table.impulses()[0].normal == 1);
    CHECK(table.impulses()[1].normal == 2);
}

TEST_CASE("warm table: a pair that comes back as (b, a) has the impulses and friction of (a, b), by ids and by places",
          "[warm]") {
    std::size_t by_id = 0, by_place = 0, woken_swapped = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        INFO(seed);
        scenes::Random random(seed);
        ShapeStore shapes;
        const ShapeId box = *shapes.add_box({0.5f, 0.4f, 0.6f}), prism = *shapes.add_cylinder(0.5f, 0.4f);
        std::vector<Body> bodies;
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < 24; ++i) {
            // Two bodies, one on the other, 10 m from the next two.
            const float x = 10 * float(i), angle = float(random.uniform(0, 1));
            bodies.push_back({{x, 0, 0}, box, {}});
            bodies.push_back({{x + float(random.uniform(-0.3, 0.3)), 0.799f, float(random.uniform(-0.2, 0.2))},
                              i % 4 == 3 ? prism : box,
                              {0, std::sin(angle), 0, std::cos(angle)}});
            pairs.push_back(random.chance(0.5) ? Pair{2 * i, 2 * i + 1} : Pair{2 * i + 1, 2 * i});
        }
        NarrowPhase narrow;
        WarmTable table;
        Manifolds found;
        // Another id than the kernels give, for contacts that only their places identify.
        const auto collide = [&](const std::vector<Pair>& now, bool renames) {
            Frame frame{&shapes, bodies, now};
            frame.caches = table.begin(frame.pairs);
            REQUIRE(narrow.collide(frame, found));
            if (renames)
                for (Contact& contact : found.contacts) contact.feature ^= 0x7abc7abc;
            REQUIRE(table.carry_over(frame, found));
        };
        struct Given {
            Pair pair;
            DVec3 at;  // world
            std::uint32_t feature;
            ContactImpulse impulse;
        };
        std::vector<Given> given;
        collide(pairs, false);
        const auto world = [&](Pair pair, const Contact& c) {
            const Vec3 a = bodies[pair.a].position;
            return DVec3{double(a.x) + c.position.x, double(a.y) + c.position.y, double(a.z) + c.position.z};
        };
        for (const Manifold& m : found.manifolds)
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
                const ContactImpulse impulse = {float(random.uniform(1, 2)),
                                                {float(random.uniform(-1, 1)), float(random.uniform(-1, 1)), 0.25f}};
                table.impulses()[k] = impulse;
                given.push_back(
                    {pairs[m.pair], world(pairs[m.pair], found.contacts[k]), found.contacts[k].feature, impulse});
            }
        REQUIRE(given.size() > 72);
        // Some sleep, are named in any order, and come back in any order among the others.
        std::vector<Pair> asleep, awake;
        for (const Pair pair : pairs) (random.chance(0.6) ? asleep : awake).push_back(pair);
        std::vector<Pair> names = asleep;
        for (Pair& name : names)
            if (random.chance(0.5)) std::swap(name.a, name.b);
        REQUIRE(*table.keep(names) == asleep.size());
        for (std::uint32_t frames = 1 + random.below(3); frames > 0; --frames) collide({}, false);
        REQUIRE(table.kept() == asleep.size());
        std::vector<Pair> back = asleep;
        for (Pair& pair : back)
            if (random.chance(0.5)) std::swap(pair.a, pair.b);
        for (std::size_t i = back.size(); i > 1; --i) std::swap(back[i - 1], back[random.below(std::uint32_t(i))]);
        const bool renames = seed % 2 == 0;
        collide(back, renames);
        REQUIRE(table.kept() == 0);
        test::Count wrong;
        for (const Manifold& m : found.manifolds) {
            const Pair pair = back[m.pair];
            const bool swapped = std::find(pairs.begin(), pairs.end(), pair) == pairs.end();
            wrong += table.previous_pairs()[m.pair].swapped != swapped;
            woken_swapped += swapped;
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
                const Contact& c = found.contacts[k];
                const std::uint32_t feature = renames ? 0 : swapped ? c.feature << 16 | c.feature >> 16 : c.feature;
                const DVec3 at = world(pair, c);
                const auto same = std::find_if(given.begin(), given.end(), [&](const Given& g) {
                    if (g.pair != pair && g.pair != Pair{pair.b, pair.a}) return false;
                    return renames ? std::hypot(g.at.x - at.x, g.at.y - at.y, g.at.z - at.z) < 1e-4
                                   : g.feature == feature;
                });
                REQUIRE(same != given.end());
                const ContactImpulse& was = same->impulse;
                const Vec3 friction = swapped ? Vec3{-was.friction.x, -was.friction.y, -was.friction.z} : was.friction;
                wrong += table.impulses()[k].normal != was.normal || table.impulses()[k].friction != friction;
                wrong += table.carried_by()[k] != (renames ? CarriedBy::place : CarriedBy::id);
                (renames ? by_place : by_id) += 1;
            }
        }
        CHECK(wrong == 0);
    }
    CHECK(by_id > 250);
    CHECK(by_place > 250);
    CHECK(woken_swapped > 50);
}

TEST_CASE("warm table: a pair that was to be kept and stays in the frames is followed as ever", "[warm]") {
    const ContactFrame all = frame_of({{0, 1}, {1, 2}}, {4, 5});
    WarmTable table;
    for (float i = 0; i < 3; ++i) {
        CHECK(step(table, all, i) == (i == 0 ? Floats{0, 0} : Floats{100 * (i - 1) + 1, 100 * (i - 1) + 2}));
        REQUIRE(table.keep(all.frame().pairs));
        REQUIRE(table.keep(all.frame().pairs));
    }
    CHECK(table.kept() == 0);
}

TEST_CASE("warm table: compounds asleep keep all their manifolds", "[warm]") {
    ContactFrame all;
    all.add_pair({0, 1});
    for (std::uint32_t i = 0; i < 50; ++i)
        all.add_manifold({{{float(i), 0, 0}, 0, 3}, {{float(i), 0, 1}, 0, 4}}, i / 7, i % 7);
    WarmTable table;
    Floats expected;
    for (std::size_t i = 0; i < 100; ++i) expected.push_back(float(i + 1));
    step(table, all);
    REQUIRE(table.keep(all.frame().pairs));
    for (int frame = 0; frame < 3; ++frame) step(table, {});
    CHECK(table.kept() == 1);
    CHECK(step(table, all) == expected);
}

TEST_CASE("warm table: dropped pairs are forgotten, asleep or awake", "[warm]") {
    const ContactFrame all = frame_of({{0, 1}, {1, 2}, {2, 3}, {1, 2}}, {4, 5, 6, 5});
    WarmTable table;
    step(table, all);
    REQUIRE(table.keep(std::vector<Pair>{{0, 1}}));
    step(table, frame_of({{1, 2}, {2, 3}, {2, 1}}, {5, 6, 5}));
    REQUIRE(table.drop(std::vector<Pair>{{1, 0}, {1, 2}, {9, 9}}));
    CHECK(table.kept() == 0);
    CHECK(step(table, all) == Floats{0, 0, 2, 0});
    // Before it is asleep.
    step(table, all);
    REQUIRE(table.keep(std::vector<Pair>{{0, 1}}));
    REQUIRE(table.drop(std::vector<Pair>{{0, 1}}));
    step(table, {});
    CHECK(table.kept() == 0);
}
