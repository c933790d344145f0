// Casts, rays and points of the plane against dense samples of the oracle.
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/judge_2d.hpp"

using namespace abut;
using plane::Family;

namespace {

constexpr int kSamples = 400;

// The pairs in motion that check() finds wrong; a failing test names the first mistake.
template <class Check>
void check_pairs(Check check) {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const plane::Scene scene(family, 120, 7);
    const plane::MovingScene moving(scene, 1);
    test::Count wrong;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const plane::Mistakes mistakes = check(moving, i, plane::Case(scene.given[i]));
        if (!mistakes.empty() && wrong == 0) UNSCOPED_INFO(mistakes[0].what << ": " << mistakes[0].details);
        wrong += !mistakes.empty();
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("plane: casts meet at the first time, never late and never missed", "[d2][right]") {
    check_pairs([](const plane::MovingScene& moving, std::size_t i, const plane::Case& one) {
        return moving.check_cast(i, one, kSamples);
    });
}

TEST_CASE("plane: rays end where they first touch", "[d2][right]") {
    check_pairs([](const plane::MovingScene& moving, std::size_t i, const plane::Case&) {
        return moving.check_ray(i, kSamples);
    });
}

TEST_CASE("plane: points have the oracle's distance", "[d2][right]") {
    check_pairs(
        [](const plane::MovingScene& moving, std::size_t i, const plane::Case&) { return moving.check_point(i); });
}

TEST_CASE("plane: a body turns between two angles of which the float rotations are equal", "[d2][right]") {
    // About the first whole number of turns whose end looks like the start.
    const float start = 0.7f;
    const d2::Rot same = d2::rotation_of(start);
    float end = 0;
    for (int turns = 1; end == 0 && turns < 40'000'000; ++turns) {
        const auto angle = static_cast<float>(start + turns * 6.283185307179586);
        const d2::Rot rotation = d2::rotation_of(angle);
        if (rotation.c == same.c && rotation.s == same.s) end = angle;
    }
    REQUIRE(end > start);
    d2::ShapeStore shapes;
    const std::vector<d2::ShapeId> ids = {*shapes.add_box({2, 0.1f}), *shapes.add_circle(0.1f)};
    const std::vector<d2::Vec2> positions = {{0, 0}, {0, 1.5f}};
    const std::vector<float> starts = {start, 0}, ends = {end, 0};
    const std::vector<Pair> pairs = {{0, 1}};
    const auto columns = [&](const std::vector<float>& angles) {
        d2::BodyColumns out;
        out.shapes = ids, out.positions = positions, out.angles = angles;
        return out;
    };
    d2::Frame frame;
    frame.shapes = &shapes, frame.bodies = columns(starts), frame.pairs = pairs;
    d2::NarrowPhase phase;
    d2::Casts out;
    REQUIRE(phase.cast(frame, {columns(ends)}, out));
    CHECK(out.hit(0));
}
