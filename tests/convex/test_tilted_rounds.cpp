// Round edges that tilt: the deepest point is a contact at every tilt, and contacts move with the tilt.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/pair_answer.hpp"

using namespace abut;

namespace {

constexpr float kRadius = 0.25f, kHalf = 0.35f, kDepth = 0.01f;
constexpr double kStep = 0.05 * std::numbers::pi / 180;
constexpr int kSteps = 300;  // up to 15 degrees

Quat about_z(double angle) { return {0, 0, float(std::sin(angle / 2)), float(std::cos(angle / 2))}; }

struct Partner {
    std::string name;
    Expected<ShapeId> shape;
    Vec3 position;
    Quat orientation = {};
};

std::vector<Vec3> prism(int corners, float radius) {
    std::vector<Vec3> points;
    for (int i = 0; i < corners; ++i)
        for (const float y : {-1.0f, 1.0f}) {
            const double at = 2 * std::numbers::pi * i / corners;
            points.push_back({float(radius * std::cos(at)), y, float(radius * std::sin(at))});
        }
    return points;
}

// Their tops are level, at y = 0.
std::vector<Partner> partners(ShapeStore& shapes) {
    const Quat lying = about_z(std::numbers::pi / 2);
    const auto box = shapes.add_box({5, 1, 5}), core = shapes.add_box({5, 0.8f, 5}),
               four = shapes.add_hull(prism(4, 5)), many = shapes.add_hull(prism(40, 5));
    REQUIRE(box);
    REQUIRE(core);
    const std::vector<CompoundChild> children = {{*box, {0, -1, 0}, {}}};
    const std::vector<Vec3> square = {{-5, 0, -5}, {5, 0, -5}, {5, 0, 5}, {-5, 0, 5}};
    const std::vector<MeshTriangle> triangles = {{0, 2, 1}, {0, 3, 2}};
    std::vector<Partner> all = {
        {"box", box, {0, -1, 0}},
        {"rounded box", shapes.add_instance(*core, {.rounding = 0.2f}), {0, -1, 0}},
        {"hull of four corners", four, {0, -1, 0}},
        {"hull of forty corners", many, {0, -1, 0}},
        {"cylinder", shapes.add_cylinder(5, 1), {0, -1, 0}},
        {"lying cylinder", shapes.add_cylinder(0.5f, 2), {0, -0.5f, 0}, lying},
        {"capsule", shapes.add_capsule(0.5f, 2), {0, -0.5f, 0}, lying},
        {"half-space", shapes.add_halfspace({0, 1, 0}, 0), {0, 0, 0}},
        {"compound", shapes.add_compound(children), {0, 0, 0}},
        {"mesh", shapes.add_mesh(square, triangles), {0.3f, 0, 0.2f}},
        {"height field", shapes.add_heightfield(std::vector<float>(121), 11, 11), {-5.2f, 0, -4.7f}},
    };
    for (const Partner& p : all) REQUIRE(p.shape);
    return all;
}

struct Swing {
    Distances distances;
    Manifolds manifolds;

    // `shape`: lies along X without a tilt. The least separation is that of kDepth.
    Swing(const ShapeStore& shapes, ShapeId shape, const Partner& partner, Isa isa, bool swapped) {
        std::vector<Body> bodies = {{partner.position, *partner.shape, partner.orientation}};
        std::vector<Pair> pairs;
        for (int i = 0; i <= kSteps; ++i) {
            const float height = float(kHalf * std::sin(i * kStep)) + kRadius - kDepth;
            bodies.push_back({{0, height, 0}, shape, about_z(std::numbers::pi / 2 + i * kStep)});
            const std::uint32_t body = std::uint32_t(i + 1);
            pairs.push_back(swapped ? Pair{0, body} : Pair{body, 0});
        }
        const Frame frame = {.shapes = &shapes, .bodies = bodies, .pairs = pairs};
        NarrowPhase narrow({.speculative_margin = 0.5f, .isa = isa});
        REQUIRE(narrow.distance(frame, distances));
        REQUIRE(narrow.collide(frame, manifolds));
        // In world space.
        for (std::size_t i = 0; i < pairs.size(); ++i)
            for (std::uint32_t k = 0; k < test::contacts_of(manifolds, i).size(); ++k) {
                Vec3& p =
                    manifolds.contacts[manifolds.manifolds[manifolds.first_manifold[i]].first_contact + k].position;
                const Vec3 a = bodies[pairs[i].a].position;
                p = {p.x + a.x, p.y + a.y, p.z + a.z};
            }
    }
};

double between(Vec3 p, Vec3 q) {
    return std::sqrt(std::pow(double(p.x) - double(q.x), 2) + std::pow(double(p.y) - double(q.y), 2) +
                     std::pow(double(p.z) - double(q.z), 2));
}

// The distance from a contact to the nearest of the step before.
double moved(const Contact& contact, std::span<const Contact> before) {
    double least = HUGE_VAL;
    for (const Contact& c : before) least = std::min(least, between(c.position, contact.position));
    return least;
}

void check_swings(const ShapeStore& shapes, ShapeId shape, const Partner& partner, Isa isa, bool swapped) {
    const Swing swing(shapes, shape, partner, isa, swapped);
    INFO(partner.name << (swapped ? " first" : " second"));
    double off = 0, jump = 0;
    int missing = 0;
    for (std::size_t i = 0; i <= kSteps; ++i) {
        const auto contacts = test::contacts_of(swing.manifolds, i);
        missing += contacts.size() != 2;
        if (contacts.empty()) continue;
        off = std::max(off, std::fabs(double(contacts[0].separation) - double(swing.distances.signed_distance[i])));
        if (i == 0) continue;
        for (const Contact& c : contacts) jump = std::max(jump, moved(c, test::contacts_of(swing.manifolds, i - 1)));
    }
    CHECK(missing == 0);
    CHECK(off < 1e-5);
    // No contact is farther than 0.6 m from the middle of the shape, which rises while it tilts.
    CHECK(jump < 1.2 * kStep);
}

}  // namespace

TEST_CASE("manifold: a tilted capsule keeps its deepest point and its contacts move with the tilt", "[manifold]") {
    ShapeStore shapes;
    const auto capsule = shapes.add_capsule(kRadius, kHalf),
               segment = shapes.add_hull(std::vector<Vec3>{{0, -kHalf, 0}, {0, kHalf, 0}});
    REQUIRE(capsule);
    REQUIRE(segment);
    const auto rounded = shapes.add_instance(*segment, {.rounding = kRadius});
    REQUIRE(rounded);
    for (const Partner& partner : partners(shapes))
        for (const Isa isa : test::usable_isas())
            for (const bool swapped : {false, true})
                for (const ShapeId shape : {*capsule, *rounded}) check_swings(shapes, shape, partner, isa, swapped);
}
