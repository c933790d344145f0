// Patches of faces that are nearly level with each other, of caps that reach over each other's chords and of needles:
// pairs from findings of abut_hunt, made simple where that serves.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include "support/patch_example.hpp"

using namespace abut;
using test::Example;
using test::for_all;

TEST_CASE("patches: a face that drops by some bounds beside the one in contact takes part as far as half of a bound",
          "[patches]") {
    // A cube whose bottom has a ridge in its middle: one half is level, the other rises by so many bounds (6e-6) on its
    // half of a metre.
    for (const float bounds : {2.0f, 5.0f, 12.0f}) {
        Example example;
        std::vector<Vec3> points;
        for (const float x : {-0.5f, 0.5f})
            for (const Vec3 p : {Vec3{x, 0.5f, -0.5f}, Vec3{x, 0.5f, 0.5f}, Vec3{x, -0.5f, 0.5f}, Vec3{x, -0.5f, 0},
                                 Vec3{x, -0.5f + bounds * 6e-6f, -0.5f}})
                points.push_back(p);
        const auto hull = example.shapes.add_hull(points), box = example.shapes.add_box({1.0f, 0.5f, 1.0f});
        REQUIRE(hull);
        REQUIRE(box);
        example.bodies = {{{0, 0, 0}, *box, Quat{}}, {{0, 1.001f, 0}, *hull, Quat{}}};
        for_all(example, [&](const std::vector<Contact>& contacts) {
            REQUIRE(contacts.size() == 4);
            float low = 1;
            for (const Contact& c : contacts) low = std::min(low, c.position.z);
            CHECK(double(low) == Approx(-0.25 / double(bounds)).epsilon(0.1));
        });
    }
}

TEST_CASE("patches: the slice of a kilometre's box is as deep as its edge", "[patches]") {
    // The contact slack is nothing there, and the slice's feature lies a quarter of a bound below the edge. A rounded
    // box stands on an edge, deep in a cap.
    Example example;
    const auto cylinder = example.shapes.add_cylinder(542.604126f, 614.459961f, {.rounding = 0.912293673f});
    const auto box = example.shapes.add_box({460.514587f, 584.182556f, 795.460693f}, {.rounding = 2256.38159f});
    REQUIRE(cylinder);
    REQUIRE(box);
    example.bodies = {{{-355.664612f, 1352.43164f, 1205.22961f}, *cylinder, Quat{0.5f, 0.5f, 0.5f, 0.5f}},
                      {{-722.188232f, 1428.61633f, 4543.7251f}, *box, Quat{0.382683426f, 0, 0, 0.923879504f}}};
    for_all(example, [](const std::vector<Contact>& contacts) {
        REQUIRE(contacts.size() == 2);
        const Vec3 p = contacts[0].position, q = contacts[1].position;
        CHECK(std::hypot(p.x - q.x, p.y - q.y, p.z - q.z) > 580.0f);
    });
}

TEST_CASE("patches: a small disc between the rim of a large one and its chords has four contacts", "[patches]") {
    // Between the corners of the sixteen the rim is 0.019 farther out than the chord; the small disc is 0.016 wide. In
    // the second place it is half over the chord.
    for (const float from_axis : {0.990f, 0.982f}) {
        Example example;
        const auto large = example.shapes.add_cylinder(1.0f, 0.5f), small = example.shapes.add_cylinder(0.008f, 0.008f);
        REQUIRE(large);
        REQUIRE(small);
        const float turn = 0.19634954f;  // half of a chord's angle
        example.bodies = {{{0, 0, 0}, *large, Quat{}},
                          {{from_axis * std::cos(turn), 0.50801f, from_axis * std::sin(turn)}, *small, Quat{}}};
        for_all(example, [](const std::vector<Contact>& contacts) {
            REQUIRE(contacts.size() == 4);
            float low = 1, high = -1;
            for (const Contact& c : contacts) low = std::min(low, c.position.z), high = std::max(high, c.position.z);
            CHECK(high - low > 0.9f * 0.016f * 0.7f);
        });
    }
}

TEST_CASE("patches: beyond the tip of a needle there is no contact, though rounding says it is inside", "[patches]") {
    // thin/425: a capsule's end 14 bounds past the tip of a plate's rim, the sides of which meet at a hundredth of a
    // degree.
    Example example;
    std::vector<Vec3> points;
    for (const float y : {-0.00100000005f, 0.00100000005f})
        for (const Vec3 p : {Vec3{4.76484452e-08f, y, -0.000820978195f}, Vec3{7.98842237e-08f, y, 0.00028931853f},
                             Vec3{1.72272197e-09f, y, 0.000999786891f}, Vec3{-7.88195251e-08f, y, 0.000328583759f},
                             Vec3{-5.04358653e-08f, y, -0.000796710956f}})
            points.push_back(p);
    const auto plate = example.shapes.add_hull(points),
               capsule = example.shapes.add_capsule(2.1382408e-07f, 0.000436270726f);
    REQUIRE(plate);
    REQUIRE(capsule);
    example.bodies = {{{0.00129407644f, 0.000166107246f, -0.000111550151f},
                       *plate,
                       Quat{0.627378404f, 0.577625453f, 0.455380678f, -0.255682588f}},
                      {{0.000629820453f, 0.00101792987f, -0.00116016786f},
                       *capsule,
                       Quat{0.521754563f, 0.0351102911f, 0.045228824f, 0.85117203f}}};
    for (const Isa isa : test::usable_isas()) {
        const std::vector<Contact> contacts = example.contacts(isa, false);
        REQUIRE(contacts.size() == 1);
        const Vec3 from = example.bodies[0].position, at = contacts[0].position;  // its y is the world's
        CHECK(std::hypot(at.x + from.x - 0.000612386502f, at.y - 0.00121477669f, at.z + from.z + 0.00077122112f) <
              1.1e-8f);
    }
}
