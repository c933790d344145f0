// Boxes in the plane: world_bounds and swept_bounds against the oracle, and the broad phase of 3D on them.
#include <abut/d2.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/families_2d.hpp"

using namespace abut;
using plane::Family;
using plane::Real;

namespace {

plane::Point point(d2::DVec2 v) { return {v.x, v.y}; }
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const Bounds kNoBox = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

// How far the shape is beyond a side of the box, and within it.
Real beyond(const plane::Shape& shape, const Bounds& box) {
    return std::max({plane::support(shape, {1, 0}) - box.max.x, plane::support(shape, {-1, 0}) + box.min.x,
                     plane::support(shape, {0, 1}) - box.max.y, plane::support(shape, {0, -1}) + box.min.y});
}
Real least_beyond(const plane::Shape& shape, const Bounds& box) {
    return std::min({plane::support(shape, {1, 0}) - box.max.x, plane::support(shape, {-1, 0}) + box.min.x,
                     plane::support(shape, {0, 1}) - box.max.y, plane::support(shape, {0, -1}) + box.min.y});
}
// What an ulp of a side is, at most.
Real ulp(const Bounds& box) {
    const float most =
        std::max({std::fabs(box.min.x), std::fabs(box.min.y), std::fabs(box.max.x), std::fabs(box.max.y)});
    return std::nextafter(most, kInfinity) - most;
}

}  // namespace

TEST_CASE("plane: world bounds contain each shape, to an ulp", "[d2]") {
    for (int f = 0; f < plane::kFamilies; ++f) {
        if (Family(f) == Family::halfplanes) continue;
        d2::ShapeStore shapes;
        std::vector<d2::ShapeId> ids;
        std::vector<d2::DVec2> positions;
        std::vector<d2::Rot> rotations;
        std::vector<plane::Shape> solids;
        for (const plane::HardPair& pair : plane::hard_pairs(Family(f), 200, 5)) {
            const auto add = [&](const plane::ShapeSpec& spec, d2::Vec2 position, d2::Rot rotation) {
                ids.push_back(*plane::add_to(shapes, spec));
                positions.push_back({position.x, position.y}), rotations.push_back(rotation);
                solids.push_back(
                    plane::placed(plane::pose_of(point(positions.back()), rotation), plane::shape_of(spec)));
            };
            add(pair.a, pair.position_a, pair.rotation_a), add(pair.b, pair.position_b, pair.rotation_b);
        }
        std::vector<Bounds> bounds(ids.size());
        REQUIRE(d2::world_bounds(shapes, d2::BodyColumns{ids, {}, positions, rotations}, bounds));
        test::Count outside, loose;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            // Records are floats: scale, rounding and pose were rounded when the shape was added.
            const Real rounding = 4e-7L * (plane::size_of(solids[i]) + 1e-12L) + ulp(bounds[i]);
            outside += beyond(solids[i], bounds[i]) > rounding;
            loose += -least_beyond(solids[i], bounds[i]) > 2 * rounding;
        }
        INFO(plane::to_string(Family(f)));
        CHECK(outside == 0);
        CHECK(loose == 0);
    }
}

TEST_CASE("plane: world bounds of half-planes, far origins and bad bodies", "[d2]") {
    d2::ShapeStore shapes;
    const auto box = shapes.add_box({2, 1}), ground = shapes.add_halfplane({0, 1}, 3),
               wall = shapes.add_halfplane({-1, 0}, 1), slope = shapes.add_halfplane({1, 1}, 0);
    const d2::DVec2 origin = {1e9, -1e9};
    const std::vector<d2::ShapeId> ids = {*box, *ground, *wall, *slope, *box, {}, *ground};
    const std::vector<d2::DVec2> positions = {{1e9 + 0.25, -1e9}, {1e9, -1e9 + 2}, origin, origin,
                                              {NAN, 0},           origin,          origin};
    const d2::Rot quarter = {0, 1};
    const std::vector<d2::Rot> rotations = {quarter, {}, {}, {}, {}, {}, quarter};
    std::vector<Bounds> bounds(ids.size());
    const d2::BodyColumns bodies = {ids, {}, positions, rotations};
    REQUIRE(d2::world_bounds(shapes, bodies, bounds, origin));
    CHECK(bounds[0] == d2::box_of({-0.75f, -2}, {1.25f, 2}));
    CHECK(bounds[1] == d2::box_of({-kInfinity, -kInfinity}, {kInfinity, 5}));
    CHECK(bounds[2] == d2::box_of({-1, -kInfinity}, {kInfinity, kInfinity}));
    CHECK(bounds[3] == d2::box_of({-kInfinity, -kInfinity}, {kInfinity, kInfinity}));
    CHECK(bounds[4] == kNoBox);
    CHECK(bounds[5] == kNoBox);
    CHECK(bounds[6] == d2::box_of({-3, -kInfinity}, {kInfinity, kInfinity}));
    CHECK(d2::world_bounds(shapes, bodies, std::span(bounds).first(3)).error().code == ErrorCode::bad_size);
    CHECK(d2::world_bounds(shapes, d2::BodyColumns{ids, {}, positions, {}}, bounds).error().code ==
          ErrorCode::bad_argument);
    CHECK(d2::swept_bounds(shapes, bodies, d2::Bodies(), bounds).error().code == ErrorCode::bad_size);
    REQUIRE(d2::swept_bounds(shapes, bodies, bodies, bounds, origin));
    CHECK(bounds[0] == d2::box_of({-0.75f, -2}, {1.25f, 2}));
    CHECK(bounds[4] == kNoBox);
}

TEST_CASE("plane: swept bounds contain a body on its way, and are no wider than its circle", "[d2]") {
    std::mt19937 random(3);
    const auto in = [&](double low, double high) { return low + (high - low) * (double(random()) / 4294967296.0); };
    d2::ShapeStore shapes;
    const auto box = shapes.add_box({2, 0.5f});
    test::Count outside, wide;
    for (int i = 0; i < 3000; ++i) {
        const bool has_angles = i % 2 == 0;
        const double turn = has_angles ? in(-15, 15) : in(-3.1, 3.1), angle = in(-3, 3);
        const auto from = d2::Vec2{float(in(-5, 5)), float(in(-5, 5))},
                   to = d2::Vec2{float(in(-5, 5)), float(in(-5, 5))},
                   center = i % 3 == 0 ? d2::Vec2{} : d2::Vec2{float(in(-3, 3)), float(in(-3, 3))};
        const float angle_from = float(angle), angle_to = float(angle + turn);
        const d2::Rot rot_from = d2::rotation_of(angle_from), rot_to = d2::rotation_of(angle_to);
        const auto columns = [&](const d2::Vec2& at, const d2::Rot& rotation, const float& radians) {
            d2::BodyColumns out = {Strided<d2::ShapeId>(&*box, 1), Strided<d2::Vec2>(&at, 1)};
            if (has_angles)
                out.angles = {&radians, 1};
            else
                out.rotations = {&rotation, 1};
            return d2::Bodies(out);
        };
        Bounds bounds[1];
        REQUIRE(d2::swept_bounds(shapes, columns(from, rot_from, angle_from), columns(to, rot_to, angle_to), bounds, {},
                                 Strided<d2::Vec2>(&center, 1)));
        const auto pose_at = [&](double t) {
            const double at = angle_from + t * (double(angle_to) - angle_from);
            const auto pivot = [&](d2::Vec2 p, double a) {
                return plane::Point{p.x + std::cos(a) * center.x - std::sin(a) * center.y,
                                    p.y + std::sin(a) * center.x + std::cos(a) * center.y};
            };
            const plane::Point start = pivot(from, angle_from), end = pivot(to, angle_to), now = pivot({0, 0}, at);
            return plane::Pose{start + (end - start) * Real(t) - now, std::cos(Real(at)), std::sin(Real(at))};
        };
        for (int k = 0; k <= 64; ++k)
            outside += beyond(plane::placed(pose_at(k / 64.0), plane::box(2, 0.5)), bounds[0]) > 1e-6L;
        const Real reach = 1.42 * std::hypot(2.0, 0.5) + std::hypot(center.x, center.y);
        const plane::Pose first = pose_at(0), last = pose_at(1);
        const Real pivot =
            std::max(plane::placed(first, {center.x, center.y}).x, plane::placed(last, {center.x, center.y}).x);
        wide += bounds[0].max.x > pivot + reach + 1e-4L;
    }
    CHECK(outside == 0);
    CHECK(wide == 0);
}

TEST_CASE("plane: the broad phase finds all pairs of boxes and of rays", "[d2]") {
    std::mt19937 random(4);
    const auto in = [&](float low, float high) { return low + (high - low) * float(random() >> 8) * 0x1p-24f; };
    d2::ShapeStore shapes;
    const auto box = shapes.add_box({0.5f, 0.25f}), circle = shapes.add_circle(0.5f),
               ground = shapes.add_halfplane({0, 1}, -30);
    std::vector<d2::Body> bodies = {{{0, 0}, {}, *ground}};
    for (int i = 0; i < 800; ++i)
        bodies.push_back({{in(-30, 30), in(-30, 30)}, d2::rotation_of(in(-3, 3)), i % 2 ? *box : *circle});
    std::vector<Bounds> bounds(bodies.size());
    REQUIRE(d2::world_bounds(shapes, bodies, bounds));
    d2::BroadPhase broad;
    d2::PairList found;
    REQUIRE(broad.find_pairs({bounds}, found));
    std::vector<Pair> wanted;
    const auto meet = [](const Bounds& a, const Bounds& b) {
        return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
    };
    for (std::uint32_t a = 0; a < bounds.size(); ++a)
        for (std::uint32_t b = a + 1; b < bounds.size(); ++b)
            if (meet(bounds[a], bounds[b])) wanted.push_back({a, b});
    CHECK(found.pairs == wanted);
    CHECK(wanted.size() > 300);

    std::vector<Vec3> origins, directions;
    std::vector<d2::Vec2> flat_origins, flat_directions;
    std::vector<Pair> every;
    for (std::uint32_t i = 0; i < 50; ++i) {
        flat_origins.push_back({in(-30, 30), in(-30, 30)}), flat_directions.push_back({in(-9, 9), in(-9, 9)});
        origins.push_back({flat_origins[i].x, flat_origins[i].y, 0});
        directions.push_back({flat_directions[i].x, flat_directions[i].y, 0});
        for (std::uint32_t b = 0; b < bodies.size(); ++b) every.push_back({i, b});
    }
    d2::PairList near;
    REQUIRE(broad.find_ray_pairs({.origins = origins, .directions = directions}, {bounds}, near));
    d2::NarrowPhase narrow;
    const d2::Rays rays = {flat_origins, {}, flat_directions};
    d2::RayHits all, some;
    REQUIRE(narrow.raycast({&shapes, bodies, every}, rays, all));
    REQUIRE(narrow.raycast({&shapes, bodies, near.pairs}, rays, some));
    CHECK(all.hits.size() == some.hits.size());
    CHECK(all.hits.size() > 50);
    CHECK(near.pairs.size() < every.size() / 20);
}
