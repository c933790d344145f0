// Rotations from angles, and bodies in columns.
#include <abut/d2/frame_2d.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"

using namespace abut::d2;

TEST_CASE("2D: the rotation by an angle is the nearest floats to its cosine and sine") {
    std::mt19937_64 random(1);
    const auto check = [](double angle) {
        const Rot r = rotation_of(angle);
        return r.c == float(cosl(angle)) && r.s == float(sinl(angle));
    };
    std::size_t wrong = 0;
    for (const double range : {1e-30, 1e-8, 1e-3, 1.0, 7.0, 1e3, 1e6})
        for (int i = 0; i < 20000; ++i) wrong += !check(std::uniform_real_distribution<double>(-range, range)(random));
    // Near multiples of a quarter turn, where one of the two is small.
    for (int i = -630000; i < 630000; i += 13) wrong += !check(double(i * 1.5707963267948966192L));
    for (int i = -630000; i < 630000; i += 17) wrong += !check(float(i * 1.5707963267948966192L));
    CHECK(wrong == 0);
    CHECK(rotation_of(0) == Rot{1, 0});
    CHECK(rotation_of(-0.0) == Rot{1, 0});
}

TEST_CASE("2D: the rotation by a huge angle is unit, and by none is none") {
    for (const double angle : {1.1e6, -3e9, 1e15, 1e300, std::numeric_limits<double>::max()}) {
        const Rot r = rotation_of(angle);
        CHECK(std::hypot(double(r.c), double(r.s)) == Approx(1).epsilon(1e-7));
    }
    CHECK(rotation_of(3e9).s == Approx(double(sinl(3e9L))).margin(1e-6));
    for (const double angle : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        CHECK(std::isnan(rotation_of(-angle).c));
        CHECK(std::isnan(rotation_of(angle).s));
    }
}

TEST_CASE("2D: bodies are the same as records and as columns") {
    ShapeStore store;
    const ShapeId id = *store.add_circle(1);
    const std::vector<Body> records = {{{1, 2}, rotation_of(0.5), id}, {{3, 4}, rotation_of(-2), id}};
    const std::vector<ShapeId> shapes(2, id);
    const std::vector<Vec2> positions = {{1, 2}, {3, 4}};
    const std::vector<DVec2> doubles = {{1, 2}, {3.0000000001, 4}};
    const std::vector<Rot> rotations = {records[0].rotation, records[1].rotation};
    const std::vector<float> angles = {0.5f, -2};
    const Bodies as_records = records,
                 as_columns = BodyColumns{.shapes = shapes, .positions = positions, .rotations = rotations},
                 as_angles = BodyColumns{.shapes = shapes, .double_positions = doubles, .angles = angles};
    for (const Bodies* bodies : {&as_records, &as_columns, &as_angles}) {
        REQUIRE(bodies->size() == 2);
        for (std::size_t i = 0; i < 2; ++i) {
            const Body body = (*bodies)[i];
            CHECK(body.position == records[i].position);
            CHECK(body.rotation == records[i].rotation);
            CHECK(body.shape == id);
        }
    }
    CHECK(as_records.position(1) == DVec2{3, 4});
    CHECK(as_angles.position(1) == doubles[1]);
}
