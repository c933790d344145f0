// What is far from where it is measured from: hulls off their bodies' origins, scaled planes, children of compounds;
// promise 1, and the manifold of any other pair.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "scenes/kinds.hpp"
#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/compound_scene.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using oracle::Vec3d;
using test::kPairsAKind;

namespace {

constexpr float kMargin = 0.02f;

Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

oracle::Shape near_shape(ShapeKind kind, scenes::Random& random) {
    oracle::Shape shape;
    const auto length = [&] { return float(random.uniform(0.3, 1)); };
    shape.kind = kind;
    shape.radius = length(), shape.half_height = length();
    shape.half_extents.x = length(), shape.half_extents.y = length(), shape.half_extents.z = length();
    if (random.chance(0.2)) shape.rounding = 0.1f;
    if (kind == ShapeKind::halfspace) shape.normal = to_float(random.direction());
    if (kind != ShapeKind::hull) return shape;
    const Vec3 half = shape.half_extents;
    if (random.chance(0.5))
        for (int i = 0; i < 8; ++i)
            shape.points.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    else
        for (int i = 0; i < 14; ++i) shape.points.push_back(to_float(random.direction()));
    return shape;
}

// 3 to 3,000 sizes off.
Vec3d far_off(scenes::Random& random) { return random.direction() * std::pow(10.0, random.uniform(0.5, 3.5)); }

// The same hull with its centre elsewhere; its body's position is then to be moved by -R * (scale * off).
oracle::Shape moved(oracle::Shape shape, const Vec3d& off) {
    for (Vec3& p : shape.points) p = to_float(Vec3d(p) + off);
    return shape;
}

// Hulls up to 3,000 sizes off their bodies' origins next to any kind, both orders, a third of them scaled.
scenes::Scene far_hulls(ShapeKind other, std::size_t pairs, std::uint64_t seed) {
    scenes::Scene scene;
    scene.name = std::string("hull far off its origin, ") + to_string(other);
    scenes::Random random(seed, std::uint64_t(other));
    for (std::size_t i = 0; i < pairs; ++i) {
        oracle::Shape hull = near_shape(ShapeKind::hull, random), beside = near_shape(other, random);
        if (random.chance(0.3))
            hull.scale = {float(random.uniform(0.3, 3)), float(random.uniform(0.3, 3)), float(random.uniform(0.3, 3))};
        const Vec3d off = far_off(random),
                    other_off = other == ShapeKind::hull && random.chance(0.5) ? far_off(random) : Vec3d{};
        const oracle::Solid near_hull = oracle::prepare(hull), near_other = oracle::prepare(beside);
        const Quat q = random.chance(0.2) ? Quat{} : random.orientation(),
                   p = random.chance(0.2) ? Quat{} : random.orientation();
        const Vec3d way = random.direction();
        const double along = scenes::place(near_hull, q, near_other, p, way, random.uniform(-0.2, 0.1));
        if (along < 0) continue;
        const Vec3d world = random.direction() * random.uniform(0, 100);
        const Vec3d shift =
            oracle::rotation_of(q) * Vec3d{off.x * hull.scale.x, off.y * hull.scale.y, off.z * hull.scale.z};
        const std::uint32_t a = scene.add_body(scene.add_solid(moved(hull, off)), world - shift, q);
        const std::uint32_t solid = scene.add_solid(other == ShapeKind::hull ? moved(beside, other_off) : beside);
        const std::uint32_t b = scene.add_body(solid, world + way * along - oracle::rotation_of(p) * other_off, p);
        random.chance(0.5) ? scene.add_pair(a, b) : scene.add_pair(b, a);
    }
    scene.compute_reference();
    return scene;
}

void check_right(const scenes::Scene& scene, double most_exact) {
    for (const Isa isa : test::usable_isas()) {
        const judge::Report report =
            judge::judge(scene, judge::ask(scene.frame(), {.speculative_margin = kMargin, .isa = isa}), kMargin);
        INFO(to_string(isa) << ", " << judge::summary(scene, report));
        CHECK(report.wrong == 0);
        CHECK(report.wrong_signs == 0);
        CHECK(double(report.hits) > 0.2 * double(report.pairs));
        CHECK(double(report.hits) < 0.95 * double(report.pairs));
        CHECK(double(report.exact_path) <= most_exact * double(report.pairs));
    }
}

// Planes whose scale times offset is no float, from 1e-3 to 1e3 times as large as they were given.
scenes::Scene scaled_planes(ShapeKind kind, std::size_t pairs) {
    scenes::Scene scene;
    scene.name = std::string(to_string(kind)) + " on a scaled plane";
    scenes::Random random(5, std::uint64_t(kind));
    for (std::size_t i = 0; i < pairs; ++i) {
        const oracle::Shape shape = near_shape(kind, random);
        oracle::Shape plane;
        plane.kind = ShapeKind::halfspace;
        plane.normal = to_float(random.direction() * random.uniform(0.5, 2));
        const auto scale = float(std::pow(10.0, random.uniform(-3, 3)));
        plane.scale = {scale, scale, scale};
        plane.offset = float((random.chance(0.5) ? 1 : -1) * std::pow(10.0, random.uniform(0, 5)) / scale);
        const Quat q = random.orientation(), turn = random.orientation();
        const std::uint32_t b =
            scene.add_body(scene.add_solid(plane), random.direction() * random.uniform(0, 100), turn);
        const std::uint32_t a = scene.add_body(scene.add_solid(shape), {}, q);
        // To the plane, and from there by a part of the size.
        const oracle::Pose from = oracle::pose_of(scene.bodies[a]), there = oracle::pose_of(scene.bodies[b]);
        const oracle::Exact exact =
            oracle::signed_distance(scene.solids.back(), from, scene.solids[scene.solids.size() - 2], there);
        scene.bodies[a].position = to_float(exact.normal * (exact.signed_distance - random.uniform(-0.3, 0.3)));
        random.chance(0.7) ? scene.add_pair(a, b) : scene.add_pair(b, a);
    }
    scene.compute_reference();
    return scene;
}

// Distances of compounds against the nearest of their parts by the oracle; how many pairs were wrong, and how many
// wrong in sign.
struct Wrong {
    std::size_t distances = 0, signs = 0, hits = 0, points = 0;
    double worst = 0;
};

Wrong judge_compounds(const test::CompoundScene& scene, Isa isa) {
    NarrowPhase narrow({.isa = isa});
    Distances d;
    Overlaps o;
    REQUIRE(narrow.distance(scene.frame(), d));
    REQUIRE(narrow.overlap(scene.frame(), o));
    Wrong wrong;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Pair pair = scene.pairs[i];
        double least = INFINITY;
        std::size_t at_a = 0, at_b = 0;
        for (std::size_t a = 0; a < scene.parts[pair.a].size(); ++a)
            for (std::size_t b = 0; b < scene.parts[pair.b].size(); ++b)
                if (const double distance = scene.distance(pair, a, b); distance < least)
                    least = distance, at_a = a, at_b = b;
        const double allowed = scene.tolerance(pair, at_a, at_b, least),
                     off = std::fabs(d.signed_distance[i] - least) / allowed;
        wrong.worst = std::max(wrong.worst, off);
        wrong.distances += off > 1;
        wrong.signs += std::fabs(least) > allowed && (d.signed_distance[i] <= 0) != (least <= 0);
        wrong.signs += std::fabs(least) > allowed && o.hit(i) != (least <= 0);
        wrong.hits += least <= 0;
        // Points can be no finer than floats are from A's position, and from that of the child.
        const Vec3 p = d.point_a[i], q = d.point_b[i], n = d.normal[i];
        const Vec3d between = Vec3d(q) - Vec3d(p) - Vec3d(n) * double(d.signed_distance[i]);
        wrong.points +=
            length(between) > allowed + 2.4e-7 * std::max({length(Vec3d(p)), length(Vec3d(q)),
                                                           length(Vec3d(scene.parts[pair.a][at_a].position)),
                                                           length(Vec3d(scene.parts[pair.b][at_b].position))});
    }
    return wrong;
}

void check_compounds(const test::CompoundScene& scene) {
    for (const Isa isa : test::usable_isas()) {
        const Wrong wrong = judge_compounds(scene, isa);
        INFO(to_string(isa) << ", worst " << wrong.worst);
        CHECK(wrong.distances == 0);
        CHECK(wrong.signs == 0);
        CHECK(wrong.points == 0);
        CHECK(double(wrong.hits) > 0.2 * double(scene.pairs.size()));
        CHECK(double(wrong.hits) < 0.8 * double(scene.pairs.size()));
    }
}

// A cube's corners about (5, 0, 0).
std::vector<Vec3> cube_five_off() {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 5.5f : 4.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f});
    return points;
}

}  // namespace

TEST_CASE("manifold: a hull five sizes off its origin has the contacts of any other", "[manifold][far]") {
    ShapeStore store;
    const std::vector<Body> bodies = {{{-5, 0.999f, 0}, *store.add_hull(cube_five_off()), {}},
                                      {{}, *store.add_box({2, 0.5f, 2}), {}}};
    const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
    for (const Isa isa : test::usable_isas()) {
        NarrowPhase narrow({.isa = isa});
        Manifolds m;
        REQUIRE(narrow.collide({&store, bodies, pairs, {}, {}}, m));
        CHECK(narrow.counters().exact == 0);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto contacts = test::contacts_of(m, i);
            REQUIRE(contacts.size() == 4);
            for (const Contact& c : contacts) {
                CHECK(c.feature != 0);
                CHECK(std::fabs(c.separation + 0.001f) < 1e-6f);
                CHECK(std::fabs(std::fabs(c.position.x - (i == 0 ? 5.0f : 0.0f)) - 0.5f) < 2e-6f);
                CHECK(std::fabs(c.position.y - (i == 0 ? -0.4995f : 0.4995f)) < 2e-6f);
            }
        }
    }
}

TEST_CASE("manifold: resting hulls have the same patches wherever their origins are", "[manifold][far]") {
    std::size_t pairs = 0, other_counts = 0, exact = 0, short_patches = 0;
    for (const ShapeKind kind : scenes::kAllKinds) {
        const scenes::Scene near = scenes::make_resting(ShapeKind::hull, kind, kPairsAKind / 20);
        scenes::Scene far;
        scenes::Random random(4);
        far.name = std::string("far and resting, ") + to_string(kind);
        far.margins = near.margins;
        for (std::size_t i = 0; i < near.pairs.size(); ++i) {
            const Pair pair = near.pairs[i];
            std::uint32_t bodies[2];
            for (int k = 0; k < 2; ++k) {
                const std::uint32_t body = k == 0 ? pair.a : pair.b;
                const oracle::Solid& solid = near.solids[near.solid_of[body]];
                Vec3d off;
                if (solid.shape.kind == ShapeKind::hull)
                    off = random.direction() * (solid.size * random.uniform(7, 70));
                const Vec3 scale = solid.shape.scale;
                off = {off.x / scale.x, off.y / scale.y, off.z / scale.z};
                const Vec3d shift = oracle::rotation_of(near.bodies[body].orientation) *
                                    Vec3d{off.x * scale.x, off.y * scale.y, off.z * scale.z};
                bodies[k] = far.add_body(far.add_solid(moved(solid.shape, off)),
                                         Vec3d(near.bodies[body].position) - shift, near.bodies[body].orientation);
            }
            far.add_pair(bodies[0], bodies[1]);
        }
        far.compute_reference();
        for (const Isa isa : test::usable_isas()) {
            const judge::Answers before = judge::ask(near.frame(), {.isa = isa}),
                                 after = judge::ask(far.frame(), {.isa = isa});
            const judge::Report report = judge::judge(far, after, kMargin);
            INFO(to_string(isa) << ", " << judge::summary(far, report));
            CHECK(report.wrong == 0);
            exact += report.exact_path;
            short_patches += report.short_patches;
            for (std::size_t i = 0; i < far.pairs.size(); ++i)
                other_counts +=
                    test::contacts_of(before.manifolds, i).size() != test::contacts_of(after.manifolds, i).size();
            pairs += far.pairs.size();
        }
    }
    // Shares of all pairs: a sanitizer's sample has 50 pairs of a kind, of which one is 2%.
    CHECK(double(exact) < 0.02 * double(pairs));
    CHECK(double(short_patches) < 0.02 * double(pairs));
    // Vertices are rounded where they are: a little off, and some patches are on the edge of another rule.
    CHECK(double(other_counts) < 0.05 * double(pairs));
}

TEST_CASE("right: hulls 3 to 3,000 sizes off their bodies' origins, by the fast path", "[right][far]") {
    for (const ShapeKind kind : scenes::kAllKinds)
        check_right(far_hulls(kind, kPairsAKind / 5, 3),
                    kind < ShapeKind::cylinder || kind == ShapeKind::halfspace ? 0.01 : 0.05);
}

TEST_CASE("right: a half-space's scale times its offset", "[right][halfspace][far]") {
    for (const ShapeKind kind : scenes::kAllKinds)
        if (kind != ShapeKind::halfspace) check_right(scaled_planes(kind, kPairsAKind / 5), 0);
}

TEST_CASE("right: a plane at offset 1000.1 and scale 1.1", "[right][halfspace][far]") {
    ShapeStore store;
    const std::vector<Body> bodies = {
        {{0, 1100.61f, 0}, *store.add_box({0.5f, 0.5f, 0.5f}), {}},
        {{}, *store.add_halfspace({0, 1, 0}, 1000.1f, {.scale = {1.1f, 1.1f, 1.1f}}), {}}};
    const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
    const double exact = double(1100.61f) - 0.5 - double(1000.1f) * 1.1f;
    for (const Isa isa : test::usable_isas()) {
        for (const DepthPath depth : {DepthPath::automatic, DepthPath::exact}) {
            NarrowPhase narrow({.isa = isa, .depth = depth});
            Distances d;
            REQUIRE(narrow.distance({&store, bodies, pairs, {}, {}}, d));
            for (const float distance : d.signed_distance)
                CHECK(std::fabs(distance - exact) < 1e-7);  // of a bound of 6e-6
        }
    }
}

TEST_CASE("right: compounds ten kilometres along a plane", "[right][compounds][far]") {
    test::CompoundScene scene;
    scenes::Random random(8);
    oracle::Shape plane;
    plane.kind = ShapeKind::halfspace;
    for (std::size_t i = 0; i < kPairsAKind / 2; ++i) {
        plane.normal = to_float(random.direction());
        const std::uint32_t ground = scene.convex.add_solid(plane);
        std::vector<test::ScenePart> parts;
        std::vector<CompoundChild> children;
        for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
            const std::uint32_t solid = scene.convex.add_solid(near_shape(scenes::kAllKinds[random.below(7)], random));
            parts.push_back({solid, to_float(random.direction()), random.chance(0.3) ? Quat{} : random.orientation()});
            children.push_back({scene.convex.ids[solid], parts.back().position, parts.back().orientation});
        }
        const ShapeId compound = *scene.convex.shapes.add_compound(children);
        const Quat turn = random.orientation();
        const Vec3d up = oracle::rotation_of(turn) * normalised(Vec3d(plane.normal)),
                    side = normalised(cross(up, random.direction()));
        const Vec3d at = side * std::pow(10.0, random.uniform(2, 4.5)) + up * random.uniform(0.2, 2.5);
        const auto body = std::uint32_t(scene.bodies.size());
        scene.add_body(compound, parts, to_float(at), random.orientation());
        scene.add_body(scene.convex.ids[ground], {{ground, {}, {}}}, {}, turn);
        const bool first = random.chance(0.5);
        scene.pairs.push_back({first ? body : body + 1, first ? body + 1 : body});
    }
    check_compounds(scene);
}

TEST_CASE("right: a sphere of a compound at (8000, -5999.5, 0) over the plane (0.6, 0.8, 0)",
          "[right][compounds][far]") {
    ShapeStore store;
    const CompoundChild child = {*store.add_sphere(0.5f), {0.3f, 0.2f, 0.1f}, {}};
    const std::vector<Body> bodies = {{{8000, -5999.5f, 0}, *store.add_compound({&child, 1}), {}},
                                      {{}, *store.add_halfspace({0.6f, 0.8f, 0}, 0), {}}};
    const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
    const double x = 0.6f, y = 0.8f;
    const double exact = (x * (8000 + double(0.3f)) + y * (-5999.5 + double(0.2f))) / std::sqrt(x * x + y * y) - 0.5;
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance({&store, bodies, pairs, {}, {}}, d));
    for (const float distance : d.signed_distance) CHECK(std::fabs(distance - exact) < 1e-7);
}

// Modelled where they are in a level, and put back to the compound's middle by their pose.
TEST_CASE("right: children far off their own origins", "[right][compounds][far]") {
    test::CompoundScene scene;
    scenes::Random random(9);
    const auto add = [&](const Vec3d& at) {
        std::vector<test::ScenePart> parts;
        std::vector<CompoundChild> children;
        for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
            const Vec3d off = random.chance(0.7) ? far_off(random) : Vec3d{};
            const std::uint32_t solid = scene.convex.add_solid(moved(near_shape(ShapeKind::hull, random), off));
            const Quat turn = random.chance(0.3) ? Quat{} : random.orientation();
            parts.push_back({solid, to_float(random.direction() - oracle::rotation_of(turn) * off), turn});
            children.push_back({scene.convex.ids[solid], parts.back().position, turn});
        }
        scene.add_body(*scene.convex.shapes.add_compound(children), parts, to_float(at), random.orientation());
    };
    for (std::uint32_t i = 0; i < kPairsAKind / 10; ++i) {
        add({});
        add(random.direction() * random.uniform(0.5, 6));
        scene.pairs.push_back({2 * i, 2 * i + 1});
    }
    check_compounds(scene);
}

TEST_CASE("manifold: the exact path's is that of any other pair", "[manifold][far]") {
    std::size_t pairs = 0, other_counts = 0, short_patches = 0;
    for (const ShapeKind a : scenes::kAllKinds) {
        for (const ShapeKind b : scenes::kAllKinds) {
            if (b < a || a == ShapeKind::halfspace) continue;
            const scenes::Scene scene = scenes::make_resting(a, b, kPairsAKind / 50);
            const judge::Answers wide = judge::ask(scene.frame(), {}),
                                 exact = judge::ask(scene.frame(), {.depth = DepthPath::exact});
            const judge::Report report = judge::judge_manifolds(scene, exact.manifolds, kMargin);
            INFO(to_string(a) << ", " << to_string(b) << ", " << judge::summary(scene, report));
            CHECK(report.wrong == 0);
            short_patches += report.short_patches;
            for (std::size_t i = 0; i < scene.pairs.size(); ++i)
                other_counts +=
                    test::contacts_of(wide.manifolds, i).size() != test::contacts_of(exact.manifolds, i).size();
            pairs += scene.pairs.size();
        }
    }
    // Where the depth alone decides, a rounding may.
    CHECK(double(other_counts) < 0.01 * double(pairs));
    CHECK(double(short_patches) < 0.005 * double(pairs));
}
