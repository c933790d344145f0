// Instances of negative and of different factors: the shape made of the mirrored vertices.
#include "support/catch.hpp"

#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"

using namespace abut;
using scenes::Random;

namespace {

Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

std::vector<Vec3> cloud(Random& random, int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const double x = random.uniform(-0.3, 0.7), y = random.uniform(-0.2, 0.5), z = random.uniform(-0.4, 0.1);
        points.push_back({float(x), float(y), float(z)});
    }
    return points;
}
std::vector<Vec3> scaled(std::vector<Vec3> points, Vec3 scale) {
    for (Vec3& p : points) p = times(p, scale);
    return points;
}

// The largest difference of signed distances from bodies around, in all orientations.
double largest_difference(const ShapeStore& shapes, ShapeId a, ShapeId b, ShapeId other, Random& random) {
    NarrowPhase narrow;
    Distances d;
    double most = 0;
    for (int i = 0; i < 300; ++i) {
        const Quat q = random.orientation();
        const oracle::Vec3d at = random.direction() * random.uniform(0.2, 1.5);
        const Body bodies[] = {{{}, a, q}, {{}, b, q}, {{float(at.x), float(at.y), float(at.z)}, other, {}}};
        const Pair pairs[] = {{0, 2}, {1, 2}};
        REQUIRE(narrow.distance({&shapes, bodies, pairs}, d));
        REQUIRE((d.status[0] == Status::ok && d.status[1] == Status::ok));
        most = std::max(most, std::fabs(double(d.signed_distance[0]) - double(d.signed_distance[1])));
    }
    return most;
}

const Vec3 kScales[] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}, {-0.5f, 2, 1.5f}, {2, -3, -1}};

}  // namespace

TEST_CASE("mirrored: a hull with a negative factor is the hull of the mirrored points", "[mirrored][right]") {
    Random random(1);
    ShapeStore shapes;
    const ShapeId ball = *shapes.add_sphere(0.2f);
    for (const int count : {4, 8, 40, 300})
        for (const Vec3 scale : kScales) {
            const std::vector<Vec3> points = cloud(random, count);
            const auto hull = shapes.add_hull(points), there = shapes.add_hull(points, {.scale = scale}),
                       made = shapes.add_hull(scaled(points, scale));
            REQUIRE((hull && there && made));
            const auto instance = shapes.add_instance(*hull, {.scale = scale});
            REQUIRE(instance);
            const auto back = shapes.add_instance(*instance, {});
            REQUIRE(back);
            CHECK(largest_difference(shapes, *there, *made, ball, random) < 1e-5);
            CHECK(largest_difference(shapes, *instance, *made, *hull, random) < 1e-5);
            CHECK(largest_difference(shapes, *back, *hull, *made, random) < 1e-5);
            const ShapeView view = shapes.view(*instance), wanted = shapes.view(*made);
            CHECK(std::fabs(view.bounds_min.x - wanted.bounds_min.x) < 1e-6f);
            CHECK(std::fabs(view.bounds_max.y - wanted.bounds_max.y) < 1e-6f);
            // The vertices of the view are those of the mirrored shape.
            std::vector<Vec3> vertices(view.hull.vertices);
            REQUIRE(shapes.hull_vertices(*instance, vertices) == vertices.size());
            const auto again = shapes.add_hull(scaled(vertices, view.scale));
            REQUIRE(again);
            CHECK(largest_difference(shapes, *instance, *again, ball, random) < 1e-5);
            const auto mass = mass_properties(shapes, *instance, 1.0f),
                       wanted_mass = mass_properties(shapes, *made, 1.0f);
            REQUIRE((mass && wanted_mass));
            CHECK(std::fabs(mass->mass - wanted_mass->mass) < 1e-5 * wanted_mass->mass);
        }
}

TEST_CASE("mirrored: a compound mirrors and stretches its children", "[mirrored][right]") {
    Random random(2);
    ShapeStore shapes;
    const std::vector<Vec3> points = cloud(random, 12);
    const Vec3 half = {0.2f, 0.3f, 0.1f};
    const ShapeId hull = *shapes.add_hull(points), box = *shapes.add_box(half), ball = *shapes.add_sphere(0.2f),
                  rod = *shapes.add_capsule(0.1f, 0.3f), other = *shapes.add_box({0.2f, 0.2f, 0.2f});
    const Quat quarter = {0, 0, float(std::sqrt(0.5)), float(std::sqrt(0.5))};
    const auto corners = [&](const CompoundChild& child, bool is_box) {
        std::vector<Vec3> local = points;
        if (is_box) {
            local.clear();
            for (int i = 0; i < 8; ++i)
                local.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                 (i & 4) != 0 ? half.z : -half.z});
        }
        const oracle::Rotation r = oracle::rotation_of(child.orientation);
        for (Vec3& p : local) {
            const oracle::Vec3d at = r * oracle::Vec3d(p) + oracle::Vec3d(child.position);
            p = {float(at.x), float(at.y), float(at.z)};
        }
        return local;
    };
    for (const Vec3 scale : kScales) {
        const bool is_even = std::fabs(scale.x) == std::fabs(scale.y) && std::fabs(scale.y) == std::fabs(scale.z);
        const CompoundChild children[] = {{hull, {0.4f, 0.1f, -0.2f}, is_even ? random.orientation() : quarter},
                                          {box, {-0.3f, 0.2f, 0.1f}, is_even ? random.orientation() : quarter},
                                          {box, {0.1f, -0.5f, 0.3f}, {}}};
        std::vector<CompoundChild> made;
        for (const CompoundChild& child : children)
            made.push_back({*shapes.add_hull(scaled(corners(child, child.shape == box), scale)), {}, {}});
        const auto compound = shapes.add_compound(children), there = shapes.add_compound(children, {.scale = scale}),
                   wanted = shapes.add_compound(made);
        REQUIRE((compound && there && wanted));
        const auto instance = shapes.add_instance(*there, {}), nested_child = shapes.add_instance(*there, {});
        REQUIRE((instance && nested_child));
        CHECK(largest_difference(shapes, *there, *wanted, other, random) < 2e-5);
        CHECK(largest_difference(shapes, *instance, *compound, other, random) < 2e-5);
        const CompoundChild nest[] = {{*there, {}, {}}};
        const auto nested = shapes.add_compound(nest);
        REQUIRE(nested);
        CHECK(largest_difference(shapes, *nested, *wanted, other, random) < 2e-5);
        std::vector<std::byte> bytes(shapes.byte_count());
        REQUIRE(shapes.write(bytes) == bytes.size());
        const auto stored = ShapeStore::read(bytes);
        REQUIRE(stored);
        CHECK(largest_difference(*stored, *there, *wanted, other, random) < 2e-5);
        if (is_even) continue;
        // Round children and those at other angles cannot be stretched.
        const CompoundChild round[] = {{ball, {}, {}}}, turned[] = {{box, {}, {0.6f, 0, 0, 0.8f}}};
        CHECK_FALSE(shapes.add_compound(round, {.scale = scale}));
        CHECK_FALSE(shapes.add_compound(turned, {.scale = scale}));
    }
    // Round shapes are their own mirror images.
    const CompoundChild round[] = {{ball, {0.3f, 0, 0}, {}}, {rod, {0, 0.2f, 0.1f}, {0.6f, 0, 0, 0.8f}}},
                        images[] = {{ball, {-0.3f, 0, 0}, {}}, {rod, {0, 0.2f, 0.1f}, {0.6f, 0, 0, 0.8f}}};
    const auto mirrored = shapes.add_compound(round, {.scale = {-1, 1, 1}}), wanted = shapes.add_compound(images);
    REQUIRE((mirrored && wanted));
    CHECK(largest_difference(shapes, *mirrored, *wanted, other, random) < 1e-5);
}

TEST_CASE("mirrored: shapes without a mirror image of their kind are refused", "[mirrored][contained]") {
    ShapeStore shapes;
    CHECK_FALSE(shapes.add_halfspace({0, 1, 0}, 0, {.scale = {-1, -1, -1}}));
    CHECK_FALSE(shapes.add_cone(0.2f, 0.3f, {.scale = {1, -1, 1}}));
    CHECK(shapes.add_cone(0.2f, 0.3f, {.scale = {-1, 1, 1}}));
    CHECK_FALSE(shapes.add_box({1, 1, 1}, {.scale = {0, 1, 1}}));
    const auto refused = shapes.add_cone(0.2f, 0.3f, {.scale = {1, -1, 1}});
    CHECK(std::string(refused.error().message) ==
          "scale of a cone must be finite and not 0, along y above 0, but is (1, -1, 1)");
}
