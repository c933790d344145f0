// Contacts that follow their bodies as far as Settings::follow_distance says (kernel/convex/chunk/at_rest.hpp).
#include "support/catch.hpp"

#include <string_view>

#include <algorithm>
#include <cmath>

#include "support/count.hpp"
#include "support/follow_calls.hpp"

using namespace abut;
using namespace test::follow;

// Of the caller's distance, and of any number of contacts.
TEST_CASE("follow: separations err by no more than the distance that the caller allows", "[follow]") {
    constexpr float kFollow = 0.008f;  // of the size
    for (const char* row : {"resting-boxes", "resting-prisms12", "resting-cylinders", "resting-capsules",
                            "hull16-hull16", "box-box", "cylinder-cylinder", "capsule-box"}) {
        const scenes::Scene start = start_of(row),
                            walk = scenes::make_walk(start, {.frames = 20, .step = 5e-4, .teleport_every = 9});
        Calls calls = {walk, {.follow_distance = kFollow}};
        std::size_t contacts = 0, followed = 0, few = 0;
        test::Count wrong, off_unit;
        double most = 0;
        for (std::size_t first = 0; first < walk.pairs.size(); first += kSlots) {
            Distances exact;
            REQUIRE(NarrowPhase().distance(calls.frame(first), exact));
            calls.collide(first);
            for (const Manifold& manifold : calls.manifolds.manifolds) {
                ++contacts;
                if (!calls.follows(manifold)) continue;
                ++followed, few += manifold.contact_count < 3;
                const Contact& deepest = calls.contacts_of(manifold)[0];
                const double slack = Settings().contact_slack;
                const double error = std::fabs(deepest.separation - exact.signed_distance[manifold.pair]);
                wrong += error > kFollow + slack, most = std::max(most, error);
                off_unit += std::fabs(dot(oracle::Vec3d(manifold.normal), oracle::Vec3d(manifold.normal)) - 1) > 1e-6;
            }
        }
        INFO(row << ": " << followed << " of " << contacts << " follow, " << few
                 << " of them have one or two contacts, errors up to " << most);
        CHECK(wrong == 0);
        CHECK(off_unit == 0);
        CHECK(followed > contacts / 2);
        CHECK((few > 0 || std::string_view(row).starts_with("resting")));
        // Without a distance only the contacts of this very pose are used.
        Calls without = {walk, {}};
        without.caches = calls.caches;
        const std::size_t last = walk.pairs.size() - kSlots;
        without.collide(last);
        const JudgedCall judged(walk, without, last);
        INFO(judge::summary(walk, judged.report));
        CHECK(judged.report.wrong == 0);
        CHECK(judged.followed < followed * kSlots / walk.pairs.size());
    }
}

// On a floor that may be either body of the pair: its normal is the floor's, whatever the body that rolls does.
TEST_CASE("follow: normals stay with the face that has them", "[follow]") {
    ShapeStore shapes;
    const ShapeId floor = *shapes.add_box({5, 0.5f, 5}), capsule = *shapes.add_capsule(0.3f, 0.5f),
                  hull = *shapes.add_cylinder(0.3f, 0.5f);
    for (const ShapeId upper : {capsule, hull}) {
        for (const bool is_floor_first : {true, false}) {
            WarmPair pair = {shapes, {{{0, 0, 0}, floor, {}}, {{0, 0.795f, 0}, upper, {0, 0, 0.7071068f, 0.7071068f}}}};
            pair.narrow = NarrowPhase({.follow_distance = 0.02f});
            if (!is_floor_first) pair.pairs = {{1, 0}};
            int followed = 0;
            double tilt = 0;
            for (int i = 0; i < 60; ++i) {
                const float by = 1e-3f * float(i);  // radians about the capsule's axis, along X
                pair.bodies[1].orientation = {0.7071068f * by / 2, 0.7071068f * by / 2, 0.7071068f, 0.7071068f};
                pair.bodies[1].position.z = 0.3f * by;
                followed += pair.collide();
                REQUIRE(pair.manifolds.manifolds.size() == 1);
                const Vec3 n = pair.manifolds.manifolds[0].normal;
                tilt = std::max(tilt, std::hypot(double(n.x), double(n.z)));
            }
            INFO((upper == capsule ? "capsule" : "cylinder") << ", " << followed << " follow, tilted by " << tilt);
            CHECK(followed >= 40);
            CHECK(tilt < 1e-6);
        }
    }
}
