// Casts, rays and points of the plane against dense samples of the oracle.
#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/d2.hpp>

#include "base/tolerances.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/families_2d.hpp"

using namespace abut;
using plane::Family;
using plane::Real;

namespace {

constexpr std::size_t kPairs = 120;
constexpr int kSamples = 400;

plane::Point point(d2::Vec2 v) { return {v.x, v.y}; }

// Pairs of a family, B's position moved by a multiple of the sizes, so that most motions meet.
struct Motion {
    d2::ShapeStore shapes;
    std::vector<plane::HardPair> given;
    std::vector<d2::Vec2> positions;
    std::vector<float> angles, end_angles;
    std::vector<d2::Vec2> ends;
    std::vector<d2::ShapeId> ids;
    std::vector<Pair> pairs;

    explicit Motion(Family family) : given(plane::hard_pairs(family, kPairs, 7)) {
        for (std::size_t i = 0; i < kPairs; ++i) {
            const plane::HardPair& pair = given[i];
            const auto a = plane::add_to(shapes, pair.a), b = plane::add_to(shapes, pair.b);
            REQUIRE((a && b));
            const auto [shape_a, shape_b] = plane::placed_pair(pair);
            const Real reach = 3 * (plane::size_of(shape_a) + plane::size_of(shape_b)) + 1e-3L;
            const auto turned = static_cast<float>(reach * (i % 3 == 0 ? 0.3 : 1)), k = static_cast<float>(i % 7) - 3;
            ids.push_back(*a), ids.push_back(*b);
            positions.push_back(pair.position_a), angles.push_back(0.3f * k);
            positions.push_back({pair.position_b.x + turned, pair.position_b.y + 0.1f * k * turned});
            angles.push_back(0.7f * k);
            ends.push_back(pair.position_a), end_angles.push_back(angles[2 * i] + (i % 2 == 0 ? 0.0f : 0.4f * k));
            ends.push_back({pair.position_b.x - turned, pair.position_b.y});
            end_angles.push_back(angles[2 * i + 1] + (i % 4 < 2 ? 0.0f : 2.5f * k));
            pairs.push_back({static_cast<std::uint32_t>(2 * i), static_cast<std::uint32_t>(2 * i + 1)});
        }
    }
    d2::BodyColumns columns(const std::vector<d2::Vec2>& at, const std::vector<float>& turned) const {
        d2::BodyColumns out;
        out.shapes = ids, out.positions = at, out.angles = turned;
        return out;
    }
    // The oracle's distance at a time, relative to A's start.
    plane::Answer at(std::size_t i, Real time) const {
        const auto pose = [&](std::size_t body) {
            const plane::Point from = point(positions[body]), to = point(ends[body]), origin = point(positions[2 * i]);
            const Real angle = angles[body] + time * (Real(end_angles[body]) - angles[body]);
            return plane::Pose{from + (to - from) * time - origin, std::cos(angle), std::sin(angle)};
        };
        return plane::signed_distance(plane::placed(pose(2 * i), plane::shape_of(given[i].a)),
                                      plane::placed(pose(2 * i + 1), plane::shape_of(given[i].b)));
    }
};

}  // namespace

TEST_CASE("plane: casts meet at the first time, never late and never missed", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const Motion motion(family);
    d2::Frame frame;
    frame.shapes = &motion.shapes;
    frame.bodies = motion.columns(motion.positions, motion.angles);
    frame.pairs = motion.pairs;
    d2::Casts out;
    d2::NarrowPhase phase;
    REQUIRE(phase.cast(frame, {motion.columns(motion.ends, motion.end_angles)}, out));
    test::Count late, early, unconverged;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const auto [a, b] = plane::placed_pair(motion.given[i]);
        const Real x = plane::size_of(a), y = plane::size_of(b);
        const Real smaller = a.form == plane::Form::halfplane   ? y
                             : b.form == plane::Form::halfplane ? x
                                                                : std::min(x, y);
        const Real larger = std::max(x, y), bound = kToleranceSmaller * smaller + kToleranceLarger * 4 * larger;
        const Real ulp = 0x1p-22L * (plane::length(point(motion.given[i].position_a)) + larger);
        unconverged += out.status[i] == Status::not_converged;
        const plane::Answer start = motion.at(i, 0);
        // Which segments of a chain take part is decided at the start.
        const bool is_chain = a.form == plane::Form::chain || b.form == plane::Form::chain;
        if (out.status[i] != Status::ok || is_chain || !start.is_supported) {
            late += false, early += false;
            continue;
        }
        const bool hit = out.hit(i);
        bool is_late = false;
        for (int k = 0; k < kSamples && !is_late; ++k) {
            const Real time = Real(k) / kSamples;
            if (hit && time >= out.time[i]) break;
            is_late = motion.at(i, time).distance < -bound - ulp;
        }
        late += is_late;
        early += hit && motion.at(i, out.time[i]).distance > 1.2e-4L * smaller + bound + ulp;
    }
    CHECK(late == 0);
    CHECK(early == 0);
    CHECK(unconverged == 0);
}

TEST_CASE("plane: rays end where they first touch, points have the oracle's distance", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const Motion motion(family);
    std::vector<d2::Vec2> origins, directions;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        const d2::Vec2 from = motion.positions[2 * i + 1], to = motion.ends[2 * i + 1];
        origins.push_back(from), directions.push_back({to.x - from.x, to.y - from.y});
        pairs.push_back({i, 2 * i});
    }
    d2::Frame frame;
    frame.shapes = &motion.shapes;
    frame.bodies = motion.columns(motion.positions, motion.angles);
    frame.pairs = pairs;
    d2::Rays rays;
    rays.origins = origins, rays.directions = directions;
    d2::RayHits out;
    d2::PointDistances distances;
    d2::Points points;
    points.positions = origins;
    d2::NarrowPhase phase;
    REQUIRE(phase.raycast(frame, rays, out));
    REQUIRE(phase.measure(frame, points, distances));
    test::Count wrong_hits, off_surface, wrong_distances;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Real angle = motion.angles[2 * i];
        const plane::Shape shape =
            plane::placed({{}, std::cos(angle), std::sin(angle)}, plane::shape_of(motion.given[i].a));
        const plane::Point from = point(origins[i]) - point(motion.positions[2 * i]), way = point(directions[i]);
        const Real size = plane::size_of(shape), far = plane::length(from) + plane::length(way);
        const Real bound = 1e-5L * size + 0x1p-20L * far;
        if (shape.form == plane::Form::chain) {
            wrong_hits += false, off_surface += false, wrong_distances += false;
            continue;
        }
        bool is_wrong = false;
        for (int k = 0; k < kSamples && !is_wrong; ++k) {
            const Real fraction = Real(k) / kSamples;
            if (out.hit(i) && fraction >= out.fraction[i]) break;
            is_wrong = plane::distance_to(shape, from + way * fraction) < -bound;
        }
        wrong_hits += is_wrong;
        off_surface += out.hit(i) && !out.inside[i] && !plane::is_on_surface(shape, point(out.point[i]), bound);
        wrong_distances += shape.form != plane::Form::compound &&
                           std::fabs(distances.signed_distance[i] - plane::distance_to(shape, from)) > bound;
    }
    CHECK(wrong_hits == 0);
    CHECK(off_surface == 0);
    CHECK(wrong_distances == 0);
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
