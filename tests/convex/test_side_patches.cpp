// Contacts where lines and edges lie along more than a point, to within promise 1's bound.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"
#include "support/patch_example.hpp"

using namespace abut;
using oracle::Vec3d;
using test::Example;
using test::for_all;

namespace {

// Of the contacts along an axis.
double span(const std::vector<Contact>& contacts, float Vec3::*axis) {
    float low = 1e30f, high = -low;
    for (const Contact& c : contacts) low = std::min(low, c.position.*axis), high = std::max(high, c.position.*axis);
    return double(high) - double(low);
}

Quat about_z(double angle) { return {0, 0, float(std::sin(angle / 2)), float(std::cos(angle / 2))}; }

}  // namespace

TEST_CASE("patches: lines of two cones that cross within what their sides are curved are side by side", "[patches]") {
    Example example;
    const auto cone = example.shapes.add_cone(0.5f, 0.5f);
    REQUIRE(cone);
    // The second is upside down, beside the first, and turned about the normal in the middle of both lines.
    const Vec3d out = {0.894427, 0.447214, 0};
    for (const double turn : {0.0, 1e-5, 1e-4, 1e-3}) {
        const Quat turned = {float(out.x * turn / 2), float(out.y * turn / 2), 0, 1};
        const Vec3d from_middle = oracle::rotation_of(turned) * Vec3d{0.25, 0, 0},
                    at = Vec3d{0.25, 0, 0} + from_middle + out * 1e-3;
        const Quat upside_down = {turned.y, -turned.x, 1, 0};  // half a turn about Z before
        example.bodies = {{{0, 0, 0}, *cone, Quat{}}, {{float(at.x), float(at.y), float(at.z)}, *cone, upside_down}};
        for_all(example, [&](const std::vector<Contact>& contacts) {
            INFO(turn);
            REQUIRE(contacts.size() == 2);
            CHECK(span(contacts, &Vec3::y) == Approx(1.0).epsilon(0.01));
        });
    }
}

TEST_CASE("patches: a rounded bar on its edge has both ends on a half-space", "[patches]") {
    Example example;
    std::vector<Vec3> points;
    for (const float x : {-0.5f, 0.5f})
        for (const Vec3 p : {Vec3{x, -0.5f, 0}, Vec3{x, 0.3f, 0.4f}, Vec3{x, 0.3f, -0.4f}}) points.push_back(p);
    const auto sharp = example.shapes.add_hull(points), plane = example.shapes.add_halfspace({0, 1, 0}, 0.0f);
    REQUIRE(sharp);
    const auto bar = example.shapes.add_instance(*sharp, {.rounding = 0.05f});
    REQUIRE(bar);
    REQUIRE(plane);
    for (const double tilt : {0.0, 0.001, 0.01}) {
        example.bodies = {{{0, 0, 0}, *plane, Quat{}}, {{0, float(0.55 + 0.5 * tilt), 0}, *bar, about_z(tilt)}};
        for_all(example, [&](const std::vector<Contact>& contacts) {
            INFO(tilt);
            REQUIRE(contacts.size() == 2);
            CHECK(span(contacts, &Vec3::x) == Approx(1.0).epsilon(0.01));
        });
    }
}

TEST_CASE("patches: a plate whose faces are steep stands on its edge", "[patches]") {
    Example example;
    const auto plate = example.shapes.add_hull(
        std::vector<Vec3>{{0, -0.5f, -0.3f}, {0, -0.5f, 0.3f}, {0, 0.5f, -0.3f}, {0, 0.5f, 0.3f}, {0.05f, 0, 0}});
    const auto cylinder = example.shapes.add_cylinder(0.5f, 0.25f);
    REQUIRE(plate);
    REQUIRE(cylinder);
    for (const float tilt : {0.0f, 0.002f}) {
        example.bodies = {{{0, 0, 0}, *cylinder, Quat{}}, {{0, 0.751f, 0}, *plate, Quat{tilt, 0, 0, 1}}};
        for_all(example, [&](const std::vector<Contact>& contacts) {
            INFO(tilt);
            REQUIRE(contacts.size() == 2);
            CHECK(span(contacts, &Vec3::z) == Approx(0.6).epsilon(0.01));
        });
    }
}

TEST_CASE("patches: faces of unevenly scaled hulls lie where their corners are", "[patches]") {
    // Cubes of 1 m in any orientation, whose corners are divided by a scale of 1 to 10,000 and scaled up again, tilted
    // by some ten bounds.
    const Vec3d scale = {10, 30, 0.003};
    for (std::uint64_t i = 0; i < 40; ++i) {
        scenes::Random random(11, i);
        const Quat turn = random.orientation();
        const auto rotation = oracle::rotation_of(turn);
        std::vector<Vec3> points;
        for (int k = 0; k < 8; ++k) {
            const Vec3d p = rotation * Vec3d{k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5};
            points.push_back({float(p.x / scale.x), float(p.y / scale.y), float(p.z / scale.z)});
        }
        Example example;
        const auto thin = example.shapes.add_hull(points), box = example.shapes.add_box({1.0f, 0.5f, 1.0f});
        REQUIRE(thin);
        const auto cube =
            example.shapes.add_instance(*thin, {.scale = {float(scale.x), float(scale.y), float(scale.z)}});
        REQUIRE(cube);
        REQUIRE(box);
        constexpr float kTilt = 5e-5f;  // about X
        const Quat back = {kTilt * turn.w - turn.x, kTilt * turn.z - turn.y, -kTilt * turn.y - turn.z,
                           turn.w + kTilt * turn.x};
        example.bodies = {{{0, 0, 0}, *box, Quat{}}, {{0, 1.001f, 0}, *cube, back}};
        for_all(example, [&](const std::vector<Contact>& contacts) {
            INFO("cube " << i);
            CHECK(contacts.size() == 4);
            CHECK(span(contacts, &Vec3::x) == Approx(1.0).epsilon(0.01));
            CHECK(span(contacts, &Vec3::z) == Approx(1.0).epsilon(0.01));
        });
    }
}
