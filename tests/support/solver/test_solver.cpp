// The stacks' solver is sound by itself: what it makes of masses, free bodies, collisions and friction, and that stacks
// rest on contacts that stay. Nothing here asks more of abut than aligned boxes do.
#include <cmath>
#include <numbers>

#include "measure.hpp"
#include "support/catch.hpp"

namespace {

using namespace abut;
using namespace abut::solver;

void check_same(const Moments& a, const Moments& b, double tolerance) {
    CHECK(a.volume == Approx(b.volume).epsilon(tolerance));
    CHECK(length(a.centre - b.centre) < tolerance);
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        CHECK(length(a.inertia * axis - b.inertia * axis) < tolerance * length(b.inertia * axis));
}

// The hull of a solid of revolution's rim, its radii such that the polygon has the circle's area.
std::vector<Vec3> rims(double below, double above, double half_height, int sides) {
    const double step = 2 * std::numbers::pi / sides, stretch = std::sqrt(step / std::sin(step));
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        const double c = stretch * std::cos(step * i), s = stretch * std::sin(step * i);
        points.push_back({float(below * c), float(-half_height), float(below * s)});
        if (above > 0) points.push_back({float(above * c), float(half_height), float(above * s)});
    }
    if (above == 0) points.push_back({0, float(half_height), 0});
    return points;
}

Vec3d spin_momentum(const RigidBody& body) {
    return body.rotation * (body.inertia_in_body * body.rotation.back(body.spin));
}
Vec3d momentum(const World& world) {
    Vec3d sum;
    for (const RigidBody& body : world.bodies) sum = sum + body.velocity / body.inverse_mass;
    return sum;
}
Vec3d angular_momentum(const World& world) {
    Vec3d sum;
    for (const RigidBody& body : world.bodies)
        sum = sum + cross(body.position, body.velocity / body.inverse_mass) + spin_momentum(body);
    return sum;
}

}  // namespace

TEST_CASE("moments of hulls agree with the closed forms", "[solver]") {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 1.0f : -1.0f, i & 4 ? 0.25f : -0.25f});
    check_same(hull_moments(corners), box_moments({0.5, 1, 0.25}), 1e-6);
    check_same(hull_moments(rims(0.5, 0.5, 0.75, 32)), cylinder_moments(0.5, 0.75), 1e-3);
    check_same(hull_moments(rims(0.5, 0, 0.75, 60)), cone_moments(0.5, 0.75), 1e-3);
    for (Vec3& corner : corners) corner.x += 3;
    CHECK(hull_moments(corners).centre.x == Approx(3));
}

TEST_CASE("moments of a whole are those of its parts", "[solver]") {
    const Moments half = box_moments({0.25, 0.5, 0.5});
    const Moments parts[] = {half, half};
    const oracle::Pose poses[] = {{{-0.25, 1, 2}, {}}, {{0.25, 1, 2}, {}}};
    Moments whole = sum_of(parts, poses);
    CHECK(length(whole.centre - Vec3d{0, 1, 2}) < 1e-12);
    whole.centre = {};
    check_same(whole, box_moments({0.5, 0.5, 0.5}), 1e-12);

    // Halves turned by a right angle about y, which makes their x the whole's z.
    const double s = std::sqrt(0.5);
    const oracle::Rotation quarter = oracle::rotation_of({0, float(s), 0, float(s)});
    const oracle::Pose turned[] = {{{0, 0, -0.25}, quarter}, {{0, 0, 0.25}, quarter}};
    check_same(sum_of(parts, turned), box_moments({0.5, 0.5, 0.5}), 1e-6);

    // A capsule without a segment is a ball, one without a radius worth speaking of a rod.
    CHECK(capsule_moments(0.5, 0).volume == Approx(std::numbers::pi / 6));
    CHECK(capsule_moments(0.5, 0).inertia.row_y.y == Approx(0.1 * std::numbers::pi / 6));
    CHECK(capsule_moments(0.5, 0).inertia.row_x.x == Approx(0.1 * std::numbers::pi / 6));
    CHECK(capsule_moments(1e-4, 1).inertia.row_x.x == Approx(capsule_moments(1e-4, 1).volume / 3).epsilon(1e-3));
}

TEST_CASE("the library's masses are those of the closed forms and of sums over tetrahedra", "[solver]") {
    ShapeStore store;
    const Solid box = add_box(store, {0.5f, 1, 0.25f}), cylinder = add_cylinder(store, 0.5f, 0.75f),
                cone = add_cone(store, 0.5f, 0.75f), capsule = add_capsule(store, 0.25f, 0.5f);
    check_same(box.moments, box_moments({0.5, 1, 0.25}), 1e-12);
    check_same(cylinder.moments, cylinder_moments(0.5, 0.75), 1e-12);
    check_same(cone.moments, cone_moments(0.5, 0.75), 1e-12);
    check_same(capsule.moments, capsule_moments(0.25, 0.5), 1e-12);
    std::vector<Vec3> points = rims(0.5, 0.25, 0.75, 12);
    for (Vec3& point : points) point = {point.x + 2, point.y, 0.5f * point.z + 0.3f * point.y};
    const Solid hull = add_hull(store, points);
    check_same(hull.moments, hull_moments(points), 1e-6);

    const Quat turn = {0.1f, 0.5f, -0.1f, 0.854400f};
    const std::vector<Part> parts = {{hull, {1, 2, 3}, turn}, {cone, {-2, 0, 0.5f}, {}}, {box, {0, 3, 0}, turn}};
    std::vector<Moments> moments;
    std::vector<oracle::Pose> poses;
    for (const Part& part : parts) {
        moments.push_back(part.solid.moments);
        poses.push_back({Vec3d(part.position), oracle::rotation_of(part.orientation)});
    }
    check_same(add_compound(store, parts).moments, sum_of(moments, poses), 1e-9);
}

TEST_CASE("a free body falls as it should and keeps its angular momentum", "[solver]") {
    World world({});
    const Solid plank = add_box(world.shapes, {0.5f, 0.2f, 0.1f});
    world.add(plank, 1000, {1, 2, 3}, {0.5, 0.5, 0.5, 0.5});
    RigidBody& body = world.bodies[0];
    body.velocity = {1, 5, -2};
    body.spin = {0.5, 2, -1};
    const Vec3d spin = spin_momentum(body);
    const int steps = 120, substeps = steps * world.settings.substeps;
    const double h = world.settings.step / world.settings.substeps, t = substeps * h, g = world.settings.gravity;
    for (int i = 0; i < steps; ++i) world.step();
    // Semi-implicit Euler: n (n + 1) / 2 times g h^2.
    CHECK(length(body.position - Vec3d{1 + t, 2 + 5 * t - g * h * h * substeps * (substeps + 1) / 2, 3 - 2 * t}) <
          1e-10);
    CHECK(length(body.velocity - Vec3d{1, 5 - g * t, -2}) < 1e-10);
    CHECK(length(spin_momentum(body) - spin) < 1e-9 * length(spin));
    CHECK(length(body.spin - Vec3d{0.5, 2, -1}) > 0.1);  // it tumbles
}

TEST_CASE("a collision keeps momentum and gains no energy", "[solver]") {
    WorldSettings settings;
    settings.gravity = 0;
    World world(settings);
    const Solid box = add_box(world.shapes, {0.5f, 0.5f, 0.5f}), cone = add_cone(world.shapes, 0.5f, 0.5f);
    world.add(box, 1000, {0, 0, 0});
    world.add(cone, 500, {3, 0.3, 0.2}, {0.5, 0.5, 0.5, 0.5});
    world.bodies[1].velocity = {-4, 0, 0};
    world.bodies[1].spin = {0, 1, 3};
    const Vec3d linear = momentum(world), angular = angular_momentum(world);
    double energy = world.kinetic_energy();
    const double before = energy;
    std::size_t contacts = 0;
    for (int i = 0; i < 120; ++i) {
        world.step();
        contacts += world.manifolds().contacts.size();
        CHECK(world.kinetic_energy() < energy * 1.01);
        energy = std::min(energy, world.kinetic_energy());
    }
    CHECK(contacts > 0);
    CHECK(energy < 0.9 * before);
    CHECK(length(momentum(world) - linear) < 1e-9 * length(linear));
    // The anchors stay where they are for a step, so that this is as exact as a step is short.
    CHECK(length(angular_momentum(world) - angular) < 0.02 * length(angular));
}

TEST_CASE("a sliding box stops where Coulomb's friction stops it", "[solver]") {
    World world({});
    world.add_static(*world.shapes.add_halfspace({0, 1, 0}, 0), {});
    world.add(add_box(world.shapes, {0.5f, 0.1f, 0.5f}), 1000, {0, 0.1, 0});
    world.bodies[1].velocity = {3, 0, 0};
    for (int i = 0; i < 120; ++i) world.step();
    CHECK(world.bodies[1].position.x == Approx(9 / (2 * 0.6 * 9.81)).epsilon(0.02));
    CHECK(world.kinetic_energy() < 1e-6);
    CHECK(world.bodies[1].position.y == Approx(0.1).margin(1e-3));
}

TEST_CASE("every stack comes to rest on contacts that stay", "[solver]") {
    WorldSettings settings;
    settings.hold_after = 60;
    for (const Stack& stack : stacks()) {
        if (stack.large || stack.uneven || stack.name.starts_with("crate")) continue;  // what rolls needs new contacts
        INFO(stack.name);
        const Measured m = measure(stack, settings, 20);
        CHECK(m.stands);
        CHECK(m.mean_energy < stack.rest_energy());
    }
}

TEST_CASE("a stack of aligned boxes comes to rest", "[solver]") {
    for (const Stack& stack : stacks()) {
        if (!stack.name.starts_with("boxes/")) continue;
        INFO(stack.name);
        const Measured m = measure(stack, {}, 20);
        CHECK(m.stands);
        CHECK(m.bodies == 10);
        CHECK(m.mean_energy < 1e-3);
        CHECK(m.ids_kept > 0.9999);
    }
}
