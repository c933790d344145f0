// Who checks the oracle's curved shapes? Definitions, closed forms, polytopes, sampling, symmetry and rigid motions.
#include "catch.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "pair_answer.hpp"
#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "scenes/turning.hpp"
#include "support/oracle/ellipsoid.hpp"
#include "support/oracle/inner.hpp"
#include "support/oracle/nearest.hpp"
#include "support/oracle/placed.hpp"
#include "support/oracle/profile.hpp"
#include "support/oracle/solvers.hpp"

using namespace abut;
using oracle::Exact;
using oracle::Form;
using oracle::Pose;
using oracle::Solid;
using oracle::Vec3d;
using scenes::Random;

namespace {

const Quat kQuarterAboutZ{0, 0, 0.70710678f, 0.70710678f},
    kEighthAboutZ{0, 0, 0.38268343236508977f, 0.92387953251128674f};

Pose at(double x, double y, double z, const Quat& q = {}) { return {{x, y, z}, oracle::rotation_of(q)}; }

double larger_of(const Solid& a, const Solid& b) { return std::max(a.size, b.size); }

constexpr ShapeKind kKinds[] = {ShapeKind::sphere,   ShapeKind::capsule, ShapeKind::box,       ShapeKind::hull,
                                ShapeKind::cylinder, ShapeKind::cone,    ShapeKind::ellipsoid, ShapeKind::halfspace};
constexpr bool is_curved(ShapeKind kind) { return kind >= ShapeKind::cylinder; }

// Ordinary, or with lengths of zero and a ten-thousandth among them.
Solid random_solid(ShapeKind kind, Random& random) {
    const bool zero_allowed = kind != ShapeKind::ellipsoid;
    const auto length = [&] {
        if (random.chance(0.15)) return float(1e-4 * random.uniform(0.5, 1));
        if (zero_allowed && random.chance(0.1)) return 0.0f;
        return random.chance(0.3) ? 0.5f : float(random.uniform(0.3, 1));
    };
    oracle::Shape shape;
    shape.kind = kind;
    shape.radius = length(), shape.half_height = length();
    shape.half_extents = {length(), length(), length()};
    for (int i = 0; kind == ShapeKind::hull && i < 12; ++i) {
        const Vec3d p = random.direction();
        shape.points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    const Vec3d n = random.direction();
    shape.normal = {float(n.x), float(n.y), float(n.z)};
    shape.offset = float(random.uniform(-2, 2));
    if (random.chance(0.2)) shape.rounding = float(random.uniform(0.01, 0.3));
    return oracle::prepare(shape);
}

struct Two {
    const Solid &a, &b;
    Pose pose_a, pose_b;

    Exact exact() const { return oracle::signed_distance(a, pose_a, b, pose_b); }
    double gap(const Vec3d& n) const { return oracle::gap_along(a, pose_a, b, pose_b, n); }
};

// Made once: the polytopes inscribed in them take longer than a distance does.
const Solid& any_solid(ShapeKind kind, Random& random) {
    constexpr std::uint32_t kShapesAKind = 40;
    static const std::vector<Solid> kSolids = [] {
        std::vector<Solid> solids;
        Random shapes(23);
        for (const ShapeKind each : kKinds)
            for (std::uint32_t i = 0; i < kShapesAKind; ++i) solids.push_back(random_solid(each, shapes));
        return solids;
    }();
    const auto place = std::ranges::find(kKinds, kind) - std::begin(kKinds);
    return kSolids[std::size_t(place) * kShapesAKind + random.below(kShapesAKind)];
}

// Anywhere near one another, or touching but for rounding; turned anyhow, alike, or nearly so.
Two random_pair(ShapeKind kind_a, ShapeKind kind_b, Random& random) {
    Two pair{any_solid(kind_a, random), any_solid(kind_b, random), {}, {}};
    const Quat q = random.chance(0.2) ? kQuarterAboutZ : random.orientation();
    const Quat other = random.chance(0.2)   ? q
                       : random.chance(0.2) ? scenes::slightly_turned(q, random.direction() * 1e-6)
                                            : random.orientation();
    const double sizes = pair.a.size + pair.b.size;
    const Vec3d direction = random.chance(0.2) ? Vec3d{0, 1, 0} : random.direction();
    double along = random.chance(0.1) ? 0 : random.uniform(0, 1.3) * sizes;
    if (random.chance(0.4))
        along = std::max(0.0, scenes::place(pair.a, q, pair.b, other, direction, random.uniform(-1e-6, 1e-6) * sizes));
    const Vec3d origin = random.direction() * (random.chance(0.5) ? 0 : 10);
    pair.pose_a = {origin, oracle::rotation_of(q)},
    pair.pose_b = {origin + direction * along, oracle::rotation_of(other)};
    return pair;
}

// try_pair(pair, random) for every two kinds at least one of which is curved.
template <class TryPair>
void for_pairs(std::size_t pairs_a_kind, TryPair try_pair) {
    for (const ShapeKind a : kKinds) {
        for (const ShapeKind b : kKinds) {
            if (!(is_curved(a) || is_curved(b)) || (a == ShapeKind::halfspace && b == a)) continue;
            Random random(100 * std::uint64_t(a) + std::uint64_t(b));
            for (std::size_t i = 0; i < pairs_a_kind; ++i) {
                const Two pair = random_pair(a, b, random);
                INFO(oracle::query_line("pair", pair.a.shape, {}, pair.b.shape, {}) << " #" << i);
                try_pair(pair, random);
            }
        }
    }
}

bool contains(const Solid& solid, const Vec3d& p, double slack) {
    const oracle::Curved& c = solid.curved;
    const double across = std::hypot(p.x, p.z), h = c.half_height;
    switch (solid.form) {
        case Form::cylinder: return across <= c.radius + slack && std::fabs(p.y) <= h + slack;
        case Form::cone:
            return p.y >= -h - slack && p.y <= h + slack && across <= c.radius * (h - p.y) / (2 * h) + slack;
        default: return length(Vec3d{p.x / c.radii.x, p.y / c.radii.y, p.z / c.radii.z}) <= 1 + slack;
    }
}

}  // namespace

TEST_CASE("oracle: a curved core's support is a point of it, and none is beyond", "[oracle]") {
    Random random(11);
    for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::cone, ShapeKind::ellipsoid}) {
        for (int i = 0; i < 200; ++i) {
            const Solid solid = random_solid(kind, random);
            if (solid.form == Form::polytope) continue;
            Solid whole = solid;
            whole.curved.ball = 0;
            for (int k = 0; k < 50; ++k) {
                Vec3d n = k == 0   ? Vec3d{0, 1, 0}
                          : k == 1 ? Vec3d{0, -1, 0}
                          : k == 2 ? Vec3d{1, 0, 0}
                                   : random.direction();
                n = n * random.uniform(0.1, 10);
                const Vec3d found = support(whole.form, whole.curved, n);
                CHECK(contains(solid, found, 1e-12));
                const Vec3d shrunk = support(solid.form, solid.curved, n);
                CHECK(length(found - shrunk - normalised(n) * solid.curved.ball) < 1e-12);
                const Vec3d p = random.direction() * random.uniform();
                if (contains(solid, p, 0)) CHECK(dot(n, p) <= dot(n, found) + 1e-12);
            }
            for (const Vec3d& v : solid.core.vertices) CHECK(contains(solid, v, 1e-6));
        }
    }
}

TEST_CASE("oracle: closed forms of curved shapes", "[oracle]") {
    const Solid ball = oracle::sphere(0.5f), drum = oracle::cylinder(1, 0.5f), cone = oracle::cone(1, 1),
                disc = oracle::cylinder(1, 0);
    const Solid egg = oracle::ellipsoid({1, 2, 3}), cube = oracle::box({1, 1, 1}),
                floor = oracle::halfspace({0, 2, 0}, -1);
    const auto is = [](const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double expected,
                       double within = 1e-8) {
        for (const bool swapped : {false, true}) {
            const Solid &c = swapped ? b : a, &d = swapped ? a : b;
            const Pose &pose_c = swapped ? pose_b : pose_a, &pose_d = swapped ? pose_a : pose_b;
            const Exact e = oracle::signed_distance(c, pose_c, d, pose_d);
            CHECK(std::fabs(e.signed_distance - expected) <= within);
            CHECK(std::fabs(oracle::gap_along(c, pose_c, d, pose_d, e.normal) - expected) <= within);
            CHECK(e.lower <= expected + within);
            CHECK(e.upper >= expected - within);
        }
    };
    const double root2 = std::sqrt(2.0);
    is(drum, at(0, 0, 0), ball, at(3, 0, 0), 1.5);
    is(drum, at(0, 0, 0), ball, at(4, 4.5, 0), 4.5);
    is(drum, at(0, 0, 0), ball, at(0.75, 0, 0), -0.75);
    is(drum, at(0, 0, 0), drum, at(0, 0, 0), -1);
    is(drum, at(0, 0, 0), drum, at(1.25, 0, 0), -0.75);
    is(drum, at(0, 0, 0), drum, at(4, 3, 0), std::sqrt(8.0));
    is(drum, at(0, 0, 0), drum, at(2, 0, 0, kQuarterAboutZ), 0.5, 1e-7);
    is(drum, at(0, 0, 0), cube, at(0, 1.25, 0), -0.25);
    is(drum, at(0, 0, 0), cube, at(0, 1.75, 0, kEighthAboutZ), 1.25 - root2, 1e-7);
    is(drum, at(0, 0, 0), oracle::capsule(0.25f, 1), at(0, 2, 0), 0.25);
    is(drum, at(0, 0, 0), floor, at(0, -1, 0), 1);
    is(cone, at(0, 0, 0), ball, at(0, 2, 0), 0.5);
    is(cone, at(0, 0, 0), ball, at(0, -2, 0), 0.5);
    is(cone, at(0, 0, 0), oracle::sphere(0), at(0, -0.5, 0), -0.5);
    is(cone, at(0, 0, 0), oracle::sphere(0), at(2, 1, 0), 4 / std::sqrt(5.0));
    is(cone, at(0, 0, 0), cone, at(0, 2.5, 0), 0.5);
    is(cone, at(0, 0, 0), cone, at(0, 1.5, 0, {0, 0, 1, 0}), -0.5 / std::sqrt(5.0));
    is(cone, at(0, 0, 0), floor, at(0, -1, 0), 0.5);
    is(disc, at(0, 0, 0), disc, at(0.5, 0, 0), 0);
    is(disc, at(0, 0, 0), disc, at(2.5, 0, 0), 0.5);
    is(disc, at(0, 0, 0), oracle::box({1, 0, 1}), at(1.5, 0, 0), 0);
    is(disc, at(0, 0, 0), oracle::cone(1, 0), at(0, 0.25, 0), 0.25);
    is(egg, at(0, 0, 0), ball, at(4, 0, 0), 2.5);
    is(egg, at(0, 0, 0), ball, at(0, 0, 0), -1.5);
    is(egg, at(0, 0, 0), egg, at(0, 0, 0), -2);
    is(egg, at(0, 0, 0), egg, at(0, 5, 0), 1);
    is(egg, at(0, 0, 0), egg, at(0, 3, 0), oracle::ellipsoid_to_point({2, 4, 6}, {0, 3, 0}).signed_distance);
    is(egg, at(1, 2, 3), egg, at(3, 4, 5), oracle::ellipsoid_to_point({2, 4, 6}, {2, 2, 2}).signed_distance);
    is(egg, at(0, 0, 0), floor, at(0, 0, 0), -1.5);
    is(egg, at(0, 0, 0), cube, at(0, 0, 3.5), -0.5);
    is(oracle::ellipsoid({1, 1, 1}), at(0, 0, 0), oracle::ellipsoid({2, 2, 2}), at(3, 4, 0), 2);
    is(floor, at(0, 0, 0), cube, at(0, 1, 0, kEighthAboutZ), 1.5 - root2, 1e-7);
    is(oracle::halfspace({1, 0, 0}, 1000, 0.25f), at(-1000, 0, 0), ball, at(0.5, 700, 0), -0.25);
    is(oracle::cylinder(0, 1), at(0, 0, 0), oracle::cone(0, 1), at(2, 0, 0, kQuarterAboutZ), 1, 1e-7);
    is(oracle::cylinder(0, 0), at(0, 0, 0), oracle::cone(0, 0, 0.5f), at(0, 2, 0), 1.5);
}

TEST_CASE("oracle: bounds of curved pairs meet, and no direction contradicts them", "[oracle]") {
    std::size_t pairs = 0, overlapping = 0, touching = 0, loose = 0;
    for_pairs(test::kPairsAKind / 20, [&](const Two& pair, Random& random) {
        const Exact exact = pair.exact();
        const double larger = larger_of(pair.a, pair.b),
                     rounding = 1e-11 * std::max(larger, std::fabs(exact.signed_distance));
        double best = -1e300;
        for (int k = 0; k < 100; ++k) {
            const Vec3d n = k < 50 ? random.direction() : normalised(exact.normal + random.direction() * 1e-3);
            best = std::max(best, pair.gap(n));
        }
        ++pairs, overlapping += exact.signed_distance < 0, touching += std::fabs(exact.signed_distance) < 1e-5 * larger;
        CHECK(best <= exact.upper + rounding);
        CHECK(exact.lower <= exact.signed_distance + rounding);
        CHECK(exact.upper >= exact.signed_distance - rounding);
        loose += exact.upper - exact.lower > 1e-7 * larger;
        CHECK(exact.upper - exact.lower <= 5e-6 * larger);
        CHECK(std::fabs(length(exact.normal) - 1) < 1e-9);
        CHECK(std::fabs(pair.gap(exact.normal) - exact.lower) <= rounding);
    });
    CHECK(overlapping > pairs / 3);
    CHECK(overlapping < pairs * 2 / 3);
    CHECK(touching > pairs / 5);
    CHECK(loose < pairs / 500);  // two round shapes about nearly the same axis
}

TEST_CASE("oracle: swapping and moving curved pairs changes nothing", "[oracle]") {
    for_pairs(test::kPairsAKind / 20, [](const Two& pair, Random& random) {
        const Exact exact = pair.exact(), swapped = oracle::signed_distance(pair.b, pair.pose_b, pair.a, pair.pose_a);
        const double close = 1e-8 * larger_of(pair.a, pair.b) + (exact.upper - exact.lower) + 1e-13;
        CHECK(std::fabs(swapped.signed_distance - exact.signed_distance) <= close);

        const oracle::Rotation turn = oracle::rotation_of(random.orientation());
        const auto moved = [&](const Pose& pose) {
            const auto column = [&](double x, double y, double z) { return turn * (pose.rotation * Vec3d{x, y, z}); };
            const Vec3d x = column(1, 0, 0), y = column(0, 1, 0), z = column(0, 0, 1);
            return Pose{turn * (pose.position - pair.pose_a.position),
                        {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
        };
        const Exact turned = oracle::signed_distance(pair.a, moved(pair.pose_a), pair.b, moved(pair.pose_b));
        CHECK(std::fabs(turned.signed_distance - exact.signed_distance) <= close);
    });
}

// The inscribed polytope and the nearest point against the solvers by features, where both apply.
TEST_CASE("oracle: the iterations find what the closed forms and the planes say", "[oracle]") {
    Random random(17);
    constexpr ShapeKind kinds[] = {ShapeKind::box, ShapeKind::hull, ShapeKind::capsule, ShapeKind::cylinder,
                                   ShapeKind::cone};
    std::size_t apart = 0, overlapping = 0;
    for (std::size_t i = 0; i < test::kPairsAKind; ++i) {
        Two pair = random_pair(kinds[random.below(5)], kinds[random.below(5)], random);
        const bool curved = pair.a.form != Form::polytope || pair.b.form != Form::polytope;
        if (curved) pair.pose_b.rotation = pair.pose_a.rotation;
        oracle::Placed a, b;
        a.move(pair.a, pair.pose_a.rotation, {});
        b.move(pair.b, pair.pose_b.rotation, pair.pose_b.position - pair.pose_a.position);
        if (curved && !oracle::solve_revolved(a, b)) continue;
        const double larger = larger_of(pair.a, pair.b),
                     exact = pair.exact().signed_distance + pair.a.radius + pair.b.radius;
        const oracle::NearestPoint found = nearest_to_origin({a, b}, random.direction(), 1e-9 * larger);
        INFO(oracle::query_line("pair", pair.a.shape, {}, pair.b.shape, {})
             << " #" << i << ": " << exact << ", apart " << found.lower << " to " << found.upper
             << (found.encloses ? ", enclosed" : ""));
        if (exact > 1e-8 * larger) {
            ++apart;
            CHECK(!found.encloses);
            CHECK(found.lower <= exact + 1e-11 * larger);
            CHECK(found.upper >= exact - 1e-11 * larger);
            CHECK(found.upper - found.lower <= 1e-7 * larger);
        } else if (exact < -1e-7 * larger) {
            ++overlapping;
            const oracle::InnerDepth depth = depth_by_inner_polytope({a, b}, random.direction(), 1e-6 * larger);
            INFO("depth " << depth.at_least << " to " << depth.at_most << " by " << depth.points);
            CHECK(depth.at_least <= -exact + 1e-10 * larger);
            CHECK(depth.at_most >= -exact - 1e-10 * larger);
            CHECK(depth.at_most - depth.at_least <= 1e-4 * larger);
        }
    }
    CHECK(apart > test::kPairsAKind / 10);
    CHECK(overlapping > test::kPairsAKind / 10);
}

// A ball about the point as large as the distance must not reach the other side of the surface.
TEST_CASE("oracle: distances from a point to a curved shape by sampling", "[oracle]") {
    Random random(19);
    for (std::size_t i = 0; i < 300; ++i) {
        const Solid solid =
            random_solid(std::array{ShapeKind::cylinder, ShapeKind::cone, ShapeKind::ellipsoid}[i % 3], random);
        if (solid.form == Form::polytope) continue;
        const Pose pose{random.direction(), oracle::rotation_of(random.orientation())};
        const Vec3d point = random.direction() * random.uniform(0, 1.5);
        const double distance =
            oracle::signed_distance_to_point(solid, pose, pose.rotation * point + pose.position) + solid.radius;
        CHECK((distance <= 1e-12) == contains(solid, point, 1e-12));
        for (int k = 0; k < 50; ++k) {
            const Vec3d near = point + random.direction() * (std::fabs(distance) * (1 - 1e-9));
            if (std::fabs(distance) > 1e-9) CHECK(contains(solid, near, 1e-12) == (distance < 0));
        }
        // ... and the ball does reach it, along the normal.
        const Exact exact =
            oracle::signed_distance(solid, pose, oracle::sphere(0), {pose.rotation * point + pose.position, {}});
        CHECK(contains(solid, point - pose.rotation.back(exact.normal) * distance, 1e-9));
    }
}

TEST_CASE("oracle: wrong claims about curved shapes are caught", "[oracle]") {
    const Solid drum = oracle::cylinder(1, 0.5f), floor = oracle::halfspace({0, 1, 0}, 0),
                egg = oracle::ellipsoid({1, 0.5f, 1});
    const auto verdict = [](const Solid& a, const Solid& b, const Pose& pose_b, float sd, Vec3 n, Vec3 pa, Vec3 pb) {
        return oracle::check_answer(a, {}, b, pose_b, {sd, n, pa, pb});
    };
    const Pose above = at(0, 0.45, 0);
    CHECK(verdict(floor, drum, above, -0.05f, {0, 1, 0}, {0.3f, 0, 0.1f}, {0.3f, -0.05f, 0.1f}).right());
    CHECK(verdict(floor, drum, above, -0.05f, {0, 1, 0}, {1, 0, 0}, {1, -0.05f, 0}).right());
    CHECK(verdict(floor, drum, above, -0.05f, {1e-7f, 1, 0}, {1, 0, 0}, {1, -0.05f, 0}).right());
    CHECK_FALSE(
        verdict(floor, drum, above, -0.05f, {1e-4f, 1, 0}, {1, 0, 0}, {1, -0.05f, 0}).right());  // no normal of a plane
    CHECK_FALSE(verdict(floor, drum, above, -0.05f, {0, -1, 0}, {1, 0, 0}, {1, 0.05f, 0}).right());
    CHECK_FALSE(
        verdict(floor, drum, above, -0.05f, {0, 1, 0}, {1.1f, 0, 0}, {1.1f, -0.05f, 0}).right());  // beside the drum
    CHECK_FALSE(verdict(floor, drum, above, -0.0501f, {0, 1, 0}, {1, 0, 0}, {1, -0.0501f, 0}).right());
    const Pose beside = at(2.5, 0, 0);
    CHECK(verdict(drum, egg, beside, 0.5f, {1, 0, 0}, {1, 0, 0}, {1.5f, 0, 0}).right());
    CHECK_FALSE(verdict(drum, egg, beside, 0.5f, {1, 0, 0}, {1, 0.25f, 0}, {1.5f, 0.25f, 0}).right());  // off the egg
    CHECK_FALSE(verdict(drum, egg, beside, 0.5f, {0.9998f, 0.02f, 0}, {1, 0, 0}, {1.5f, 0.01f, 0}).right());
    CHECK_FALSE(verdict(drum, egg, beside, -0.5f, {1, 0, 0}, {1, 0, 0}, {0.5f, 0, 0}).right());
}
