// Who checks the oracle? Closed forms, definitions without short cuts, sampling, symmetry and rigid motions.
#include "catch.hpp"

#include <algorithm>

#include "pair_answer.hpp"
#include "scenes/random.hpp"
#include "support/oracle/predicates.hpp"
#include "support/oracle/solvers.hpp"

using namespace abut;
using oracle::Pose;
using oracle::pose_of;
using oracle::Solid;
using oracle::Vec3d;

namespace {

Pose at(double x, double y, double z, const Quat& q = {}) { return {{x, y, z}, oracle::rotation_of(q)}; }

struct PosedPair {
    oracle::Posed a, b;
    PosedPair(const scenes::Scene& scene, std::size_t pair) {
        const Pose pose_a = pose_of(scene.body_a(pair)), pose_b = pose_of(scene.body_b(pair));
        a.move(scene.solid_a(pair).core, pose_a.rotation, {});
        b.move(scene.solid_b(pair).core, pose_b.rotation, pose_b.position - pose_a.position);
    }
};

double larger_length(const scenes::Scene& scene, std::size_t pair) {
    return std::max({scene.solid_a(pair).size, scene.solid_b(pair).size, std::fabs(scene.reference[pair]), 1e-30});
}

}  // namespace

TEST_CASE("oracle: closed forms", "[oracle]") {
    const Solid ball = oracle::sphere(0.5f), capsule = oracle::capsule(0.25f, 1), cube = oracle::box({1, 1, 1});
    const Quat diagonal{0.38268343236508977f, 0, 0, 0.92387953251128674f};  // 45 degrees about x
    const auto is = [](const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double expected,
                       double within = 1e-12) {
        const oracle::Exact e = oracle::signed_distance(a, pose_a, b, pose_b);
        CHECK(std::fabs(e.signed_distance - expected) <= within);
        CHECK(std::fabs(oracle::gap_along(a, pose_a, b, pose_b, e.normal) - expected) <= within);
        CHECK(e.lower <= e.signed_distance + within);
        CHECK(e.upper >= e.signed_distance - within);
    };
    is(ball, at(0, 0, 0), ball, at(0, 3, 4), 4);
    is(ball, at(0, 0, 0), ball, at(0, 0, 0), -1);
    is(capsule, at(0, 0, 0), ball, at(2, 0.3, 0), 1.25);
    is(capsule, at(0, 0, 0), ball, at(0, 4, 0), 2.25);
    is(capsule, at(0, 0, 0), capsule, at(0, 0, 0.125, {0, 0, 0.70710678f, 0.70710678f}), -0.375);
    is(capsule, at(0, 0, 0), capsule, at(0, 0, 0, {0, 0, 0.70710678f, 0.70710678f}), -0.5);
    is(cube, at(0, 0, 0), ball, at(3, 0.2, 0.1), 1.5);
    is(cube, at(0, 0, 0), ball, at(0.75, 0.2, 0.1), -0.75);
    is(cube, at(0, 0, 0), ball, at(2, 3, 3), 2.5);
    is(cube, at(0, 0, 0), cube, at(0.5, 0.25, 1.75), -0.25);
    is(cube, at(0, 0, 0), cube, at(0, 0, 2), 0);
    is(cube, at(0, 0, 0), cube, at(5, 5, 5), 3 * std::sqrt(3.0));
    is(cube, at(0, 0, 0), cube, at(0, 0, 3, diagonal), 2 - std::sqrt(2.0), 1e-7);
    is(oracle::box({1, 1, 0}), at(0, 0, 0), oracle::box({1, 1, 0}), at(0.5, 0, 0), 0);
    is(oracle::box({1, 1, 0}, 0.125f), at(0, 0, 0), oracle::box({1, 1, 0}), at(0.5, 0, 0), -0.125);
    is(oracle::box({1, 1, 0}), at(0, 0, 0), oracle::box({1, 1, 0}), at(2.5, 0, 0), 0.5);
    is(oracle::hull({{0, 0, 0}}), at(0, 0, 0), oracle::hull({{0, 1, 0}}), at(0, 0, 0), 1);
    is(oracle::hull({{-1, 0, 0}, {1, 0, 0}}), at(0, 0, 0), oracle::hull({{0, -1, 0}, {0, 1, 0}}), at(0, 0, 0), 0);
    is(oracle::hull({{-1, 0, 0}, {1, 0, 0}}), at(0, 0, 0), oracle::hull({{0, 0, 0}, {4, 0, 0}}), at(2, 0, 0), 1);
    is(oracle::hull({{0, 0, 1}, {1, 0, -1}, {-1, 1, -1}, {-1, -1, -1}}), at(0, 0, 0), ball, at(0, 0, 2), 0.5);
}

TEST_CASE("oracle: what is skipped does not matter", "[oracle]") {
    const auto compare = [](const scenes::Scene& scene, std::size_t step) {
        for (std::size_t i = 0; i < scene.pairs.size(); i += step) {
            const PosedPair p(scene, i);
            const double radii = scene.solid_a(i).radius + scene.solid_b(i).radius, larger = larger_length(scene, i);
            double expected = oracle::distance_by_brute_force(p.a, p.b);
            if (p.a.core->dimension + p.b.core->dimension >= 3) {
                const double depth = oracle::shallowest_plane_by_brute_force(p.a, p.b).depth;
                const bool flat = depth <= 1e-8 * larger && expected > 2e-8 * larger;
                if (depth >= 0 && !flat) expected = -depth;
            }
            INFO(scene.query_line(i));
            CHECK(std::fabs(scene.reference[i] - (expected - radii)) <= 1e-14 * larger);
        }
    };
    compare(scenes::make_polytope_medley(test::kPairsAKind / 2), 1);
    compare(scenes::make_row("hull8-hull8", 3000), 3);
    compare(scenes::make_row("hull16-box", 600, 2, scenes::Keep::no), 1);
    compare(scenes::make_row("hull32-hull32", 99, 2, scenes::Keep::no), 1);
}

TEST_CASE("oracle: its hulls have the planes that all triples of points have", "[oracle]") {
    scenes::Random random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec3> points;
        const std::uint32_t count = 4 + random.below(12);
        // Small integers: plenty of exactly coplanar and collinear points.
        for (std::uint32_t i = 0; i < count; ++i)
            points.push_back(
                {float(random.below(4)), float(random.below(4)), float(round % 2 ? random.below(4) : random.below(2))});
        const oracle::Polytope hull = oracle::convex_hull(points);
        if (hull.dimension < 3) continue;
        std::vector<Vec3d> normals;
        for (const Vec3& a : points)
            for (const Vec3& b : points)
                for (const Vec3& c : points) {
                    if (oracle::collinear(a, b, c)) continue;
                    const bool supports = std::ranges::all_of(
                        points, [&](const Vec3& d) { return oracle::orientation(a, b, c, d) <= 0; });
                    const Vec3d n = normalised(cross(Vec3d(b) - Vec3d(a), Vec3d(c) - Vec3d(a)));
                    const auto close = [&](const Vec3d& other) { return length(n - other) < 1e-9; };
                    if (supports && std::ranges::none_of(normals, close)) normals.push_back(n);
                }
        CHECK(normals.size() == hull.normals.size());
        for (const Vec3d& n : normals)
            CHECK(std::ranges::any_of(hull.normals, [&](const Vec3d& other) { return length(n - other) < 1e-9; }));
        // Euler's formula for the triangulated surface.
        CHECK(hull.triangles.size() == 2 * hull.vertices.size() - 4);
    }
}

TEST_CASE("oracle: orientation is exact", "[oracle]") {
    const float tiny = 0x1p-40f, huge = 0x1p40f;
    CHECK(oracle::orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25f, 0.25f, tiny}) == 1);
    CHECK(oracle::orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25f, 0.25f, -tiny}) == -1);
    CHECK(oracle::orientation({0, 0, 0}, {huge, 0, 1}, {0, huge, 1}, {huge, huge, 2}) == 0);
    CHECK(oracle::orientation({0, 0, 0}, {huge, 0, 1}, {0, huge, 1}, {huge, huge, 2 + 0x1p-22f}) == 1);
    CHECK(oracle::orientation({0, 0, 0}, {huge, 0, 1}, {0, huge, 1}, {huge, huge, 2 - 0x1p-22f}) == -1);
    // Differences that a double rounds: six of nine, or two.
    const float e = 0x1p-60f, ulp = 0x1p-23f;
    for (const int wanted : {-1, 0, 1}) {
        const Vec3 near = {e, e * (1 - float(wanted) * ulp), 0}, b = {1, 1, 0}, c = {1, 1, 1}, d = {2, 2, 0.5f};
        CHECK(oracle::orientation(near, b, c, d) == wanted);
        CHECK(oracle::orientation(b, near, c, d) == -wanted);
        CHECK(oracle::orientation(b, c, near, d) == wanted);
        CHECK(oracle::orientation(b, c, d, near) == -wanted);
    }
    CHECK(oracle::collinear({0.1f, 0.1f, 0.1f}, {0.2f, 0.2f, 0.2f}, {0.7f, 0.7f, 0.7f}));
    CHECK_FALSE(oracle::collinear({0, 0, 0}, {huge, 1, 0}, {-huge, 0x1p-24f - 1, 0}));
}

TEST_CASE("oracle: no direction contradicts it", "[oracle]") {
    const scenes::Scene scene = scenes::make_polytope_medley(test::kPairsAKind / 5);
    scenes::Random random(3);
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Pose pose_a = pose_of(scene.body_a(i)), pose_b = pose_of(scene.body_b(i));
        const oracle::Exact exact = oracle::signed_distance(scene.solid_a(i), pose_a, scene.solid_b(i), pose_b);
        const double larger = larger_length(scene, i), rounding = 1e-12 * larger;
        double best = -1e300;
        for (int k = 0; k < 200; ++k) {
            const Vec3d n = k < 100 ? random.direction() : normalised(exact.normal + random.direction() * 1e-3);
            best = std::max(best, oracle::gap_along(scene.solid_a(i), pose_a, scene.solid_b(i), pose_b, n));
        }
        INFO(scene.query_line(i));
        CHECK(best <= exact.signed_distance + rounding);
        CHECK(exact.lower <= exact.signed_distance + rounding);
        CHECK(exact.upper >= exact.signed_distance - rounding);
        CHECK(exact.upper - exact.lower <= 1e-7 * larger);
        const double along = oracle::gap_along(scene.solid_a(i), pose_a, scene.solid_b(i), pose_b, exact.normal);
        CHECK(std::fabs(along - exact.lower) <= rounding);
    }
}

TEST_CASE("oracle: swapping and moving both bodies changes nothing", "[oracle]") {
    const scenes::Scene scene = scenes::make_polytope_medley(test::kPairsAKind / 2);
    scenes::Random random(5);
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Pose pose_a = pose_of(scene.body_a(i)), pose_b = pose_of(scene.body_b(i));
        const double larger = larger_length(scene, i);
        const oracle::Exact swapped = oracle::signed_distance(scene.solid_b(i), pose_b, scene.solid_a(i), pose_a);
        INFO(scene.query_line(i));
        CHECK(std::fabs(swapped.signed_distance - scene.reference[i]) <= 2e-8 * larger);

        const oracle::Rotation turn = oracle::rotation_of(random.orientation());
        const auto moved = [&](const Pose& pose) {
            const auto column = [&](double x, double y, double z) { return turn * (pose.rotation * Vec3d{x, y, z}); };
            const Vec3d x = column(1, 0, 0), y = column(0, 1, 0), z = column(0, 0, 1);
            return Pose{turn * (pose.position - pose_a.position), {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
        };
        const oracle::Exact turned =
            oracle::signed_distance(scene.solid_a(i), moved(pose_a), scene.solid_b(i), moved(pose_b));
        CHECK(std::fabs(turned.signed_distance - scene.reference[i]) <= 3e-8 * larger);
    }
}

TEST_CASE("oracle: wrong claims are caught", "[oracle]") {
    const Solid a = oracle::box({1, 1, 1}), b = oracle::hull({{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1}});
    const Pose pose_a = at(0, 0, 0), apart = at(0.1, 0.2, 2.5), overlapping = at(0.1, 0.2, 1.75);
    const auto verdict = [&](const Pose& pose_b, float sd, Vec3 n, Vec3 pa, Vec3 pb) {
        return oracle::check_answer(a, pose_a, b, pose_b, {sd, n, pa, pb});
    };
    CHECK(verdict(apart, 0.5f, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 1.5f}).right());
    CHECK(verdict(apart, 0.5f, {0, 0, 1}, {0.2f, 0.1f, 1}, {0.2f, 0.1f, 1.5f}).right());  // another closest point
    CHECK_FALSE(verdict(apart, 0.5001f, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 1.5001f}).right());  // the distance
    CHECK_FALSE(verdict(apart, 0.5f, {0, 1, 0}, {0.1f, 0.2f, 1}, {0.1f, 0.7f, 1}).right());           // the normal
    CHECK_FALSE(verdict(apart, 0.5f, {0, 0, -1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 0.5f}).right());       // its direction
    CHECK_FALSE(verdict(apart, 0.5f, {0, 0, 1.0001f}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 1.5f}).right());  // its length
    CHECK_FALSE(verdict(apart, 0.5f, {0, 0, 1}, {0.1f, 1.2f, 1}, {0.1f, 1.2f, 1.5f}).right());        // a point off A
    CHECK_FALSE(verdict(apart, 0.5f, {0, 0, 1}, {0.9f, 0.9f, 1}, {0.9f, 0.9f, 1.5f}).right());        // a point off B
    CHECK_FALSE(verdict(apart, 0.5f, {0, 0, 1}, {0.1f, 0.2f, 0.9f}, {0.1f, 0.2f, 1.4f})
                    .right());  // points beside both surfaces
    CHECK_FALSE(
        verdict(apart, 0.5f, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.2f, 0.2f, 1.5f}).right());  // points that do not fit
    CHECK(verdict(overlapping, -0.25f, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 0.75f}).right());
    CHECK(verdict(overlapping, 0.25f, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 1.25f}).wrong_sign);
    CHECK_FALSE(verdict(overlapping, -0.3f, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 0.7f}).right());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(verdict(apart, nan, {0, 0, 1}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, 1.5f}).right());
    CHECK_FALSE(verdict(apart, 0.5f, {0, 0, 1}, {0.1f, nan, 1}, {0.1f, 0.2f, 1.5f}).right());
}

TEST_CASE("oracle: a scaled shape is the one with scaled lengths", "[oracle]") {
    scenes::Random random(29);
    const auto same = [&](oracle::Shape shape, const Vec3& scale, oracle::Shape other) {
        shape.scale = scale;
        shape.rounding = other.rounding = 0.125f;
        const Solid scaled = oracle::prepare(shape), plain = oracle::prepare(other),
                    box = oracle::box({0.5f, 1, 0.25f});
        CHECK(scaled.size == plain.size);
        for (int i = 0; i < 100; ++i) {
            const Vec3d position = random.direction() * random.uniform(0, 6);
            const Pose pose = at(position.x, position.y, position.z, random.orientation());
            const double expected = oracle::signed_distance(plain, {}, box, pose).signed_distance;
            CHECK(std::fabs(oracle::signed_distance(scaled, {}, box, pose).signed_distance - expected) < 1e-8);
        }
    };
    same(oracle::sphere(1).shape, {2, 2, 2}, oracle::sphere(2).shape);
    same(oracle::capsule(1, 0.5f).shape, {2, 2, 2}, oracle::capsule(2, 1).shape);
    same(oracle::box({1, 2, 3}).shape, {2, 1, 0.5f}, oracle::box({2, 2, 1.5f}).shape);
    same(oracle::cylinder(1, 0.5f).shape, {2, 2, 2}, oracle::cylinder(2, 1).shape);
    same(oracle::cone(1, 0.5f).shape, {2, 2, 2}, oracle::cone(2, 1).shape);
    same(oracle::ellipsoid({1, 2, 3}).shape, {2, 1, 0.5f}, oracle::ellipsoid({2, 2, 1.5f}).shape);
    same(oracle::ellipsoid({1, 2, 4}).shape, {2, 1, 0.5f}, oracle::sphere(2).shape);
    std::vector<Vec3> points, scaled_points;
    for (int i = 0; i < 20; ++i) {
        const Vec3d p = random.direction();
        points.push_back({float(p.x), float(p.y), float(p.z)});
        scaled_points.push_back({points.back().x * 4, points.back().y * 0.5f, points.back().z});
    }
    same(oracle::hull(points).shape, {4, 0.5f, 1}, oracle::hull(scaled_points).shape);
}

TEST_CASE("oracle: rows hold what they say", "[oracle]") {
    for (const char* name : {"sphere-sphere", "box-box", "hull16-hull16", "mixed"}) {
        const scenes::Scene scene = scenes::make_row(name, 3000);
        std::size_t apart = 0, shallow = 0, deep = 0;
        for (const double distance : scene.reference) {
            apart += distance > 0;
            shallow += distance <= 0 && distance > -0.05;
            deep += distance < -0.02;
        }
        INFO(name);
        CHECK(apart > 900);
        CHECK(apart < 1100);
        CHECK(shallow > 900);
        CHECK(deep > 900);
        // The file has the same scene.
        const scenes::Scene again = scenes::make_row(name, 3000),
                            made = scenes::make_row(name, 3000, scenes::kRowSeed, scenes::Keep::no);
        CHECK(again.reference == made.reference);
        CHECK(again.solid_of == made.solid_of);
    }
}
