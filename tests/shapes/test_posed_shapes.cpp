// Shapes with poses of their own in a store: in compounds, changed, refused, removed, and the poses of axes.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

using namespace abut;
using oracle::Vec3d;

TEST_CASE("poses: of children of compounds, and of compounds within compounds", "[poses]") {
    ShapeStore shapes;
    const RelativePose pose = {{0.5f, 1, -0.25f}, {0, 0, std::sqrt(0.5f), std::sqrt(0.5f)}};
    const ShapeId box = *shapes.add_box({1, 0.5f, 0.25f}),
                  posed = *shapes.add_instance(box, {.scale = {1, 1, 1}, .pose = pose});
    const CompoundChild of_posed = {posed, {2, 0, 0}, {}}, by_hand = {box, {2.5f, 1, -0.25f}, pose.orientation};
    const ShapeId one = *shapes.add_compound({&of_posed, 1}), other = *shapes.add_compound({&by_hand, 1});
    CHECK(shapes.view(one).bounds_min == shapes.view(other).bounds_min);
    CHECK(shapes.view(one).bounds_max == shapes.view(other).bounds_max);
    CompoundChild made;
    REQUIRE(shapes.compound_children(one, {&made, 1}) == 1);
    CHECK(made.position == by_hand.position);
    CHECK(shapes.view(made.shape).pose.position == Vec3{});
    // Within another, the compound's own pose counts as well.
    const ShapeId turned = *shapes.add_instance(one, {.pose = {{0, 0, 3}, {}}});
    const CompoundChild nested = {turned, {}, {}};
    const ShapeId outer = *shapes.add_compound({&nested, 1}, {.scale = {2, 2, 2}});
    CHECK(shapes.view(outer).bounds_min.x == Approx(2 * shapes.view(one).bounds_min.x));
    CHECK(shapes.view(outer).bounds_max.z == Approx(2 * (shapes.view(one).bounds_max.z + 3)));
    // An instance is that of the geometry: it has a pose of its own or none.
    CHECK(shapes.view(*shapes.add_instance(posed, {})).pose.position == Vec3{});
}

TEST_CASE("poses: set_instance moves a shape, and bad poses are refused", "[poses]") {
    ShapeStore shapes;
    const ShapeId ball = *shapes.add_sphere(0.5f), other = *shapes.add_sphere(0.5f);
    const std::vector<Body> bodies = {{{0, 0, 0}, ball, {}}, {{3, 0, 0}, other, {}}};
    const std::vector<Pair> pairs = {{0, 1}};
    NarrowPhase narrow;
    Distances d;
    const auto distance = [&] {
        REQUIRE(narrow.distance({&shapes, bodies, pairs}, d));
        return d.signed_distance[0];
    };
    CHECK(distance() == 2.0f);
    REQUIRE(shapes.set_instance(ball, {.pose = {{1, 0, 0}, {}}}));
    CHECK(distance() == 1.0f);
    CHECK(d.point_a[0] == Vec3{1.5f, 0, 0});
    // The pose stays, whatever another shape gets.
    REQUIRE(shapes.set_instance(other, {}));
    CHECK(distance() == 1.0f);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const RelativePose& bad :
         {RelativePose{{nan, 0, 0}, {}}, RelativePose{{}, {0, 0, 0, 2}}, RelativePose{{}, {0, 0, 0, nan}},
          RelativePose{{}, {0, 0, 0, 0}}, RelativePose{{2e27f, 0, 0}, {}}}) {
        const auto set = shapes.set_instance(ball, {.pose = bad});
        REQUIRE_FALSE(set);
        CHECK(set.error().code == ErrorCode::bad_shape);
        CHECK(std::string(set.error().message.c_str()).find("pose.") == 0);
        CHECK_FALSE(shapes.add_box({1, 1, 1}, {.pose = bad}));
        CHECK_FALSE(shapes.add_instance(ball, {.pose = bad}));
    }
    CHECK(distance() == 1.0f);
    CHECK_FALSE(shapes.add_instance(ShapeId::make(ShapeKind::sphere, 9, 0), {.pose = {{1, 0, 0}, {}}}));
    REQUIRE(shapes.set_instance(ball, {}));
    CHECK(distance() == 2.0f);
}

TEST_CASE("poses: a hull that is recognised as a box keeps its pose", "[poses]") {
    ShapeStore shapes;
    std::vector<Vec3> corners;
    for (const float x : {-0.5f, 0.5f})
        for (const float y : {-0.5f, 0.5f})
            for (const float z : {-0.5f, 0.5f}) corners.push_back({x, y, z});
    HullOptions recognise;
    recognise.recognise_box = true;
    const ShapeId box = *shapes.add_hull(corners, {.pose = {{0, 2, 0}, {}}}, recognise),
                  ball = *shapes.add_sphere(0.5f);
    REQUIRE(box.kind() == ShapeKind::box);
    CHECK(shapes.view(box).pose.position == Vec3{0, 2, 0});
    const std::vector<Body> bodies = {{{}, ball, {}}, {{}, box, {}}};
    const std::vector<Pair> pairs = {{0, 1}};
    Distances d;
    REQUIRE(NarrowPhase().distance({&shapes, bodies, pairs}, d));
    CHECK(d.signed_distance[0] == 1);
}

TEST_CASE("poses: bad bodies and removed shapes have their status", "[poses]") {
    ShapeStore shapes;
    const ShapeId ball = *shapes.add_sphere(0.5f, {.pose = {{-8e27f / 9, 0, 0}, {0, 1, 0, 0}}}),
                  gone = *shapes.add_sphere(1, {.pose = {{1, 0, 0}, {}}});
    REQUIRE(shapes.remove(gone));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Body> bodies = {{{0, 0, 0}, ball, {}},
                                      {{nan, 0, 0}, ball, {}},
                                      {{0, 0, 0}, ball, {0, 0, 0, 3}},
                                      {{0, 0, 0}, gone, {}},
                                      {{8.5e27f, 0, 0}, ball, {}}};
    std::vector<Pair> pairs = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 9}};
    NarrowPhase narrow;
    const auto check = [&] {
        Distances d;
        REQUIRE(narrow.distance({&shapes, bodies, pairs}, d));
        CHECK(d.status[0] == Status::ok);
        for (const int i : {1, 2, 4}) CHECK(d.status[i] == Status::bad_pose);
        for (const int i : {3, 5}) CHECK(d.status[i] == Status::bad_index);
        for (const int i : {1, 2, 3, 4, 5}) CHECK(d.point_a[i] == Vec3{});
        Casts casts;
        const Bodies ends[] = {bodies};
        REQUIRE(narrow.cast({&shapes, bodies, pairs}, {ends}, casts));
        for (const int i : {1, 2}) CHECK(casts.status[i] == Status::bad_pose);
        for (const int i : {3, 5}) CHECK(casts.status[i] == Status::bad_index);
    };
    check();
    for (Pair& pair : pairs) std::swap(pair.a, pair.b);
    check();
    std::vector<Bounds> bounds(bodies.size());
    REQUIRE(world_bounds(shapes, bodies, bounds));
    for (const int i : {1, 2, 3}) CHECK(bounds[i].min.x > bounds[i].max.x);
}

TEST_CASE("poses: an axis between two points", "[poses]") {
    scenes::Random random(10);
    const auto to_float = [](const Vec3d& v) { return Vec3{float(v.x), float(v.y), float(v.z)}; };
    for (int i = 0; i < 200; ++i) {
        const Vec3 from = to_float(random.direction() * 2);
        Vec3 to = to_float(random.direction() * 2);
        if (i % 4 == 0) to = {from.x + float(i % 8) * 1e-6f, from.y - 1, from.z};  // nearly or exactly down
        const ShapeAxis axis = axis_between(from, to);
        const oracle::Rotation r = oracle::rotation_of(axis.pose.orientation);
        const Vec3d top = Vec3d(axis.pose.position) + r * Vec3d{0, axis.half_height, 0},
                    bottom = Vec3d(axis.pose.position) - r * Vec3d{0, axis.half_height, 0};
        CHECK(length(Vec3d(to) - top) < 1e-6);
        CHECK(length(Vec3d(from) - bottom) < 1e-6);
    }
    CHECK(axis_between({1, 2, 3}, {1, 2, 3}).half_height == 0);
    CHECK(axis_between({1, 2, 3}, {1, 2, 3}).pose.orientation == Quat{});
}
