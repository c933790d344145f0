// Contacts that follow their bodies (kernel/convex/chunk/follow.hpp): right in every frame, the same ids, the same
// bits.
#include "support/catch.hpp"

#include <string_view>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "scenes/scene.hpp"
#include "support/count.hpp"
#include "support/follow_calls.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using namespace test::follow;

namespace {

std::vector<std::uint32_t> sorted_ids(std::span<const Contact> contacts) {
    std::vector<std::uint32_t> ids;
    for (const Contact& contact : contacts) ids.push_back(contact.feature);
    std::sort(ids.begin(), ids.end());
    return ids;
}

}  // namespace

TEST_CASE("follow: contacts of faces follow bodies that hardly move, and are right", "[follow]") {
    for (const char* row : kRows) {
        for (const double step : {1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
            const scenes::Scene walk =
                scenes::make_walk(start_of(row), {.frames = 16, .step = step, .teleport_every = 7});
            const JudgedWalk judged(walk);
            INFO(row << ", steps of " << step << ": " << judged.followed << " of " << judged.frames << " follow\n"
                     << judge::summary(walk, judged.report));
            CHECK(judged.report.wrong == 0);
            CHECK(judged.report.wrong_signs == 0);
            // Of pentagons four points about the middle are 80% of the best four.
            CHECK((judged.report.short_patches == 0 || std::string_view(row).ends_with("prisms5")));
            CHECK(judged.unsorted == 0);
            // The others leave the slack, or touch too lightly to be known to overlap.
            CHECK((judged.followed > judged.frames / 2 || (step > 1e-5 && std::string_view(row).ends_with("prisms5"))));
        }
    }
}

// Of two faces that lean against each other, along the normal of B's.
TEST_CASE("follow: contacts that slide on a leaning face stay on it", "[follow]") {
    const scenes::Scene walk =
        scenes::make_walk(start_of("resting-prisms5", 23757), {.frames = 20, .step = 3e-3, .teleport_every = 9});
    const JudgedWalk judged(walk);
    INFO(judged.followed << " follow\n" << judge::summary(walk, judged.report));
    CHECK(judged.report.wrong == 0);
    CHECK(judged.followed > 100);
}

// One or two of them, of edges and corners, and where no face is along the normal.
TEST_CASE("follow: contacts of any features follow bodies that hardly move, and are right", "[follow]") {
    for (const char* row : {"resting-capsules", "capsule-box", "capsule-hull", "box-box", "hull16-hull16",
                            "cylinder-cylinder", "cone-box"}) {
        for (const double step : {1e-7, 1e-6, 1e-5, 1e-4}) {
            const scenes::Scene walk =
                scenes::make_walk(start_of(row), {.frames = 16, .step = step, .teleport_every = 7});
            const JudgedWalk judged(walk);
            INFO(row << ", steps of " << step << ": " << judged.followed << " of " << judged.contacts << " follow\n"
                     << judge::summary(walk, judged.report));
            CHECK(judged.report.wrong == 0);
            CHECK(judged.report.wrong_signs == 0);
            CHECK(judged.unsorted == 0);
            CHECK((judged.followed > judged.contacts / 8 || step > 1e-6));
        }
    }
}

// Boxes and prisms that slide, turn and tilt: contacts of two faces are where a call without caches puts them.
TEST_CASE("follow: contacts of two faces go where their features are", "[follow]") {
    for (const char* row : {"resting-boxes", "resting-boxes-yawed", "resting-prisms12"}) {
        for (const double step : {1e-5, 1e-4, 1e-3}) {
            const scenes::Scene start = start_of(row),
                                walk = scenes::make_walk(start, {.frames = 20, .step = step, .teleport_every = 0});
            Calls calls = {walk, {}};
            std::size_t followed = 0, same = 0, off = 0, far = 0;
            double farthest = 0, most = 0;
            for (std::size_t first = 0; first < walk.pairs.size(); first += kSlots) {
                Manifolds cold;
                REQUIRE(NarrowPhase().collide(calls.frame(first), cold));
                calls.collide(first);
                for (const Manifold& manifold : calls.manifolds.manifolds) {
                    if (!calls.follows(manifold) ||
                        cold.first_manifold[manifold.pair] == cold.first_manifold[manifold.pair + 1])
                        continue;
                    ++followed;
                    const Manifold& other = cold.manifolds[cold.first_manifold[manifold.pair]];
                    for (const Contact& contact : calls.contacts_of(manifold))
                        for (const Contact& there : std::span<const Contact>(cold.contacts)
                                                        .subspan(other.first_contact, other.contact_count)) {
                            if (there.feature != contact.feature) continue;
                            const double from = length(oracle::Vec3d(contact.position) - oracle::Vec3d(there.position)),
                                         by = std::fabs(contact.separation - there.separation);
                            ++same, off += by > 1e-5, far += from > 2e-5;
                            farthest = std::max(farthest, from), most = std::max(most, by);
                        }
                }
            }
            INFO(row << ", steps of " << step << ": " << followed << " of " << walk.pairs.size() << " follow; of "
                     << same << " contacts " << far << " are elsewhere, at most " << farthest << " m, and " << off
                     << " have another separation, by " << most << " m at most");
            CHECK(followed > walk.pairs.size() / (step > 5e-4 ? 4 : 2));
            CHECK(most < 3e-5);
            CHECK(farthest <
                  (step > 5e-4
                       ? 5e-4
                       : 1.5e-4));  // of contacts whose features are about to change, or that are pulled inwards
            CHECK(far < same / 4);
        }
    }
}

TEST_CASE("follow: contacts keep their number and their ids", "[follow]") {
    for (const char* row : kRows) {
        const scenes::Scene start = start_of(row),
                            walk = scenes::make_walk(start, {.frames = 20, .step = 1e-5, .teleport_every = 0});
        Calls calls = {walk, {}};
        std::vector<std::vector<std::uint32_t>> before(kSlots);
        std::size_t followed = 0;
        test::Count changed;
        for (std::size_t first = 0; first < walk.pairs.size(); first += kSlots) {
            calls.collide(first);
            for (const Manifold& manifold : calls.manifolds.manifolds) {
                std::vector<std::uint32_t> ids = sorted_ids(calls.contacts_of(manifold));
                followed += calls.follows(manifold);
                changed += calls.follows(manifold) && ids != before[manifold.pair];
                before[manifold.pair] = std::move(ids);
            }
        }
        INFO(row);
        CHECK(followed > walk.pairs.size() / 2);
        CHECK(changed == 0);
    }
}

TEST_CASE("follow: contacts follow bodies that creep, and those that have come to rest", "[follow]") {
    ShapeStore shapes;
    const ShapeId box = *shapes.add_box({0.5f, 0.5f, 0.5f}), cylinder = *shapes.add_cylinder(0.3f, 0.5f);
    for (const ShapeId upper : {box, cylinder}) {
        WarmPair pair = {shapes, {{{0, 0, 0}, box, {}}, {{0.1f, 0.9999f, 0.05f}, upper, {}}}};
        const auto follow = [&](int steps, float by) {
            int followed = 0;
            for (int i = 0; i < steps; ++i) {
                pair.bodies[1].position.x += by;
                followed += pair.collide();
                REQUIRE(pair.manifolds.contacts.size() == 4);
            }
            return followed;
        };
        INFO((upper == box ? "box" : "cylinder"));
        CHECK(follow(1000, 1e-6f) > 950);  // a millimetre
        CHECK(follow(100, 2e-4f) > 90);
        CHECK(follow(10, 2e-2f) == 0);  // faster than contacts follow
        CHECK(follow(100, 1e-6f) > 60);
        pair.caches[0] = {};
        CHECK(follow(5, 0.0f) == 3);     // at rest
        CHECK(follow(20, 1e-6f) == 19);  // all but the first
    }
}

// Random overlaps: many contacts are those of two edges, or along the normal of a face that is not the shallowest.
TEST_CASE("follow: contacts of tilted faces and edges follow, and are right", "[follow]") {
    constexpr std::size_t kMany = 1500;
    for (const char* row : {"box-box", "hull8-hull8"}) {
        for (const double step : {1e-5, 1e-4}) {
            const scenes::Scene walk =
                scenes::make_walk(start_of(row, 2, kMany), {.frames = 16, .step = step, .teleport_every = 7});
            const JudgedWalk judged(walk, kMany);
            INFO(row << ", steps of " << step << ": " << judged.followed << " of " << judged.contacts << " follow\n"
                     << judge::summary(walk, judged.report));
            CHECK(judged.report.wrong == 0);
            CHECK(judged.report.wrong_signs == 0);
            CHECK(judged.followed > judged.contacts / 2);
        }
    }
}

// Engines add what a body may move in a step to its margins, so that these change in every frame.
TEST_CASE("follow: contacts follow while margins change, and are those within the margin", "[follow]") {
    ShapeStore shapes;
    const ShapeId box = *shapes.add_box({0.5f, 0.5f, 0.5f});
    // The upper box leans: two corners touch, two are 10 mm higher.
    std::vector<Body> bodies = {{{0, 0, 0}, box, {}}, {{0.1f, 1.0048f, 0.05f}, box, {0, 0, 0.005f, 1}}};
    const std::vector<Pair> pairs = {{0, 1}};
    std::vector<WarmCache> caches(1);
    std::vector<PairTrace> traces(1);
    std::vector<float> margins(1);
    std::size_t followed = 0;
    const auto contacts_with = [&](float margin) {
        bodies[1].position.x += 1e-6f;
        margins[0] = margin;
        Frame frame{&shapes, bodies, pairs};
        frame.margins = margins;
        Manifolds cold, warm;
        REQUIRE(NarrowPhase().collide(frame, cold));
        frame.caches = caches, frame.traces = traces;
        REQUIRE(NarrowPhase().collide(frame, warm));
        CHECK(warm.contacts.size() == cold.contacts.size());
        followed += traces[0].count == 0;
        return warm.contacts.size();
    };
    for (int i = 0; i < 100; ++i) CHECK(contacts_with(0.02f + 1e-3f * static_cast<float>(i % 7)) == 4);
    CHECK(followed > 90);
    CHECK(contacts_with(0.005f) == 2);
    CHECK(contacts_with(0.02f) == 4);
    followed = 0;
    // Contacts that did not follow at once are not stored for 15 frames.
    for (int i = 0; i < 40; ++i) CHECK(contacts_with(i % 2 == 0 ? 0.004f : 0.005f) == 2);
    CHECK(followed > 20);
    CHECK(contacts_with(0.02f) == 4);
}

TEST_CASE("follow: contacts follow these shapes alone, not others that take their ids", "[follow]") {
    ShapeStore shapes;
    const ShapeId box = *shapes.add_box({0.5f, 0.5f, 0.5f}), prism = *shapes.add_cylinder(0.4f, 0.5f);
    for (const ShapeId upper : {box, prism}) {
        WarmPair pair = {shapes, {{{0, 0, 0}, box, {}}, {{0.1f, 0.9999f, 0.05f}, upper, {}}}};
        const auto creep = [&] {
            pair.bodies[1].position.x += 1e-6f;
            return pair.collide();
        };
        for (int i = 0; i < 4; ++i) creep();
        CHECK(creep());
        CHECK(pair.manifolds.contacts.size() == 4);
        REQUIRE(shapes.set_instance(upper, {.scale = {0.9f, 0.9f, 0.9f}}));
        creep();
        CHECK(pair.manifolds.manifolds.empty());
        REQUIRE(shapes.set_instance(upper, {}));
    }
}

TEST_CASE("follow: the other order of the bodies and every instruction set give the same bits", "[follow]") {
    const float follow = GENERATE(0.0f, 0.004f);
    for (const char* row : kRows) {
        const scenes::Scene start = start_of(row),
                            walk = scenes::make_walk(
                                start, {.frames = 8, .step = follow > 0 ? 5e-4 : 3e-5, .teleport_every = 4});
        const Isa first_isa = test::usable_isas().front();
        Calls calls = {walk, {.isa = first_isa, .follow_distance = follow}},
              mirrored = {walk, {.isa = first_isa, .follow_distance = follow}, true};
        std::vector<Calls> others;
        for (const Isa isa : test::usable_isas()) others.push_back({walk, {.isa = isa, .follow_distance = follow}});
        test::Count differ, caches_differ;
        for (std::size_t first = 0; first < walk.pairs.size(); first += kSlots) {
            calls.collide(first), mirrored.collide(first);
            REQUIRE(calls.manifolds.contacts.size() == mirrored.manifolds.contacts.size());
            for (std::size_t i = 0; i < calls.manifolds.manifolds.size(); ++i) {
                const Vec3 n = calls.manifolds.manifolds[i].normal;
                differ += !(mirrored.manifolds.manifolds[i].normal == Vec3{-n.x, -n.y, -n.z});
            }
            for (std::size_t i = 0; i < calls.manifolds.contacts.size(); ++i) {
                const Contact &here = calls.manifolds.contacts[i], &there = mirrored.manifolds.contacts[i];
                differ +=
                    here.separation != there.separation || here.feature != (there.feature << 16 | there.feature >> 16);
            }
            for (Calls& other : others) {
                other.collide(first);
                REQUIRE(calls.manifolds.contacts.size() == other.manifolds.contacts.size());
                for (std::size_t i = 0; i < calls.manifolds.contacts.size(); ++i) {
                    const Contact &here = calls.manifolds.contacts[i], &there = other.manifolds.contacts[i];
                    differ += !(here.position == there.position) || here.separation != there.separation ||
                              here.feature != there.feature;
                }
                for (std::size_t i = 0; i < kSlots; ++i) caches_differ += !test::same(calls.caches[i], other.caches[i]);
            }
        }
        INFO(row);
        CHECK(differ == 0);
        CHECK(caches_differ == 0);
    }
}

TEST_CASE("follow: normals have unit length, whatever the quaternions have", "[follow]") {
    scenes::Random random(67);
    ShapeStore shapes;
    const ShapeId box = *shapes.add_box({0.5f, 0.5f, 0.5f});
    double worst = 0;
    int followed = 0;
    for (int i = 0; i < 500; ++i) {
        // One upon the other along any axis of the world. 1% of length is allowed.
        const Quat turn = random.orientation();
        const float by = float(random.uniform(0.992, 1.008)), by_b = float(random.uniform(0.992, 1.008));
        const oracle::Vec3d on = oracle::rotation_of(turn) * oracle::Vec3d{0.1, 0.9995, 0.05};
        WarmPair pair = {shapes,
                         {{{0, 0, 0}, box, {turn.x * by, turn.y * by, turn.z * by, turn.w * by}},
                          {{float(on.x), float(on.y), float(on.z)},
                           box,
                           {turn.x * by_b, turn.y * by_b, turn.z * by_b, turn.w * by_b}}}};
        for (int k = 0; k < 8; ++k) {
            const bool follows = pair.collide();
            REQUIRE(pair.manifolds.manifolds.size() == 1);
            const oracle::Vec3d n(pair.manifolds.manifolds[0].normal);
            if (follows) ++followed, worst = std::max(worst, std::fabs(std::sqrt(dot(n, n)) - 1));
            pair.bodies[1].position.x += 1e-6f;
            pair.bodies[1].orientation.y += 1e-6f;
        }
    }
    CHECK(followed > 2000);
    CHECK(worst < 2e-7);  // 6e-7 before
}

TEST_CASE("follow: plates that have passed through each other do not overlap", "[follow]") {
    // 10 micrometres thick: contacts may follow for six times that, and would be as deep as the way.
    ShapeStore shapes;
    const ShapeId plate = *shapes.add_box({0.5f, 5e-6f, 0.5f});
    for (const float way : {4e-5f, 5e-5f}) {
        std::vector<Body> bodies = {{{0, 0, 0}, plate, {}}, {{0.1f, 1.01e-5f, 0.05f}, plate, {}}};
        const std::vector<Pair> pairs = {{0, 1}};
        std::vector<WarmCache> caches(1);
        NarrowPhase narrow;
        constexpr int kLastFrame = 5;
        for (int i = 0; i <= kLastFrame; ++i) {
            bodies[1].position.y = 1.01e-5f + float(i) * 1e-7f - (i == kLastFrame ? way : 0);
            Frame frame{&shapes, bodies, pairs};
            Distances d;
            Manifolds m;
            REQUIRE(narrow.distance(frame, d));
            frame.caches = caches;
            REQUIRE(narrow.collide(frame, m));
            REQUIRE(!m.contacts.empty());
            INFO("frame " << i << ", " << way << " m: " << d.signed_distance[0] << " m apart");
            CHECK(m.contacts[0].separation >= 0);
            CHECK((d.signed_distance[0] > 1e-5f) == (i == kLastFrame));
        }
    }
}

TEST_CASE("deep contacts, whose depth only the slack proves, follow short motions", "[follow]") {
    const scenes::Scene scene = scenes::make_row("box-box", 1000, 61, scenes::Keep::no);
    std::vector<Body> moved = scene.bodies;
    for (Body& body : moved) body.position.y += 1e-6f;
    for (std::size_t i = 0; i < moved.size(); i += 2) moved[i].position.x -= 2e-6f;
    std::vector<WarmCache> caches(scene.pairs.size());
    std::vector<PairTrace> traces(scene.pairs.size());
    NarrowPhase narrow;
    Manifolds warm, cold;
    for (int call = 0; call < 4; ++call) {
        Frame frame = scene.frame();
        if (call % 2 != 0) frame.bodies = moved;
        frame.caches = caches, frame.traces = traces;
        REQUIRE(narrow.collide(frame, warm));
    }
    Frame frame = scene.frame();
    frame.bodies = moved;
    REQUIRE(narrow.collide(frame, cold));
    std::size_t deep = 0, followed = 0;
    for (std::size_t pair = 0; pair < scene.pairs.size(); ++pair) {
        if (cold.first_manifold[pair] == cold.first_manifold[pair + 1]) continue;
        const Manifold &m = warm.manifolds[warm.first_manifold[pair]], &n = cold.manifolds[cold.first_manifold[pair]];
        const float separation = warm.contacts[m.first_contact].separation;
        if (m.contact_count > 2 || separation > -0.02f) continue;
        ++deep;
        followed += traces[pair].count == 0;
        CHECK(std::fabs(separation - cold.contacts[n.first_contact].separation) < 1e-5f);
    }
    INFO(followed << " of " << deep);
    CHECK(deep > 100);
    CHECK(5 * followed > 2 * deep);
}
