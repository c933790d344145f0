// Casts keep the promises of the other queries: same bits, symmetric, scale-free, contained, quiet. And what their
// options mean.
#include "support/catch.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "queries/casts/motions.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using casts::MotionScene;

namespace {

constexpr ShapeKind kPairsOfKinds[][2] = {
    {ShapeKind::box, ShapeKind::box},          {ShapeKind::hull, ShapeKind::sphere},
    {ShapeKind::capsule, ShapeKind::cylinder}, {ShapeKind::cone, ShapeKind::ellipsoid},
    {ShapeKind::hull, ShapeKind::hull},        {ShapeKind::box, ShapeKind::halfspace}};

Casts cast(const Frame& frame, std::span<const Body> ends, const CastOptions& options, const Settings& settings = {}) {
    NarrowPhase narrow(settings);
    const Bodies all[] = {ends};
    Casts out;
    REQUIRE(narrow.cast(frame, {all}, out, options));
    return out;
}
CastOptions options_of(const MotionScene& motions) {
    CastOptions options;
    options.targets = motions.targets;
    return options;
}
template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}
bool same_bits(const Casts& x, const Casts& y) {
    return same(x.bits, y.bits) && same(x.time, y.time) && same(x.signed_distance, y.signed_distance) &&
           same(x.normal, y.normal) && same(x.point_a, y.point_a) && same(x.point_b, y.point_b) &&
           same(x.child_a, y.child_a) && same(x.child_b, y.child_b) && same(x.status, y.status) && same(x.hits, y.hits);
}

}  // namespace

TEST_CASE("casts: the same bits on every instruction set and any number of threads", "[casts][same_bits]") {
    for (const auto& kinds : kPairsOfKinds) {
        const MotionScene motions = casts::make_motions(kinds[0], kinds[1], 700, 5, false);
        const Casts first = cast(motions.scene.frame(), motions.ends, options_of(motions),
                                 {.threads = 1, .isa = test::usable_isas().front()});
        for (const Isa isa : test::usable_isas())
            for (const unsigned threads : {1u, 2u, 7u})
                CHECK(same_bits(first, cast(motions.scene.frame(), motions.ends, options_of(motions),
                                            {.threads = threads, .isa = isa})));
    }
}

TEST_CASE("casts: swapping A and B mirrors the answer", "[casts][symmetric]") {
    for (const auto& kinds : kPairsOfKinds) {
        MotionScene motions = casts::make_motions(kinds[0], kinds[1], 500, 6, false);
        const Casts ab = cast(motions.scene.frame(), motions.ends, options_of(motions));
        std::vector<Pair> pairs = motions.scene.pairs;
        for (Pair& pair : motions.scene.pairs) std::swap(pair.a, pair.b);
        const Casts ba = cast(motions.scene.frame(), motions.ends, options_of(motions));
        CHECK(same(ab.bits, ba.bits));
        CHECK(same(ab.time, ba.time));
        CHECK(same(ab.signed_distance, ba.signed_distance));
        test::Count differing;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Vec3 n = ab.normal[i], m = ba.normal[i];
            differing += n.x != -m.x || n.y != -m.y || n.z != -m.z;
            // Points are relative to A: those of (b, a) to the other body.
            if (!ab.hit(i)) continue;
            const casts::Path path_a(motions.scene.bodies[pairs[i].a], motions.ends[pairs[i].a]),
                path_b(motions.scene.bodies[pairs[i].b], motions.ends[pairs[i].b]);
            const oracle::Vec3d a = path_a.at(ab.time[i]).position, b = path_b.at(ab.time[i]).position;
            const oracle::Vec3d off = (a + oracle::Vec3d(ab.point_b[i])) - (b + oracle::Vec3d(ba.point_a[i]));
            differing += length(off) > 1e-5 * (1 + length(a - b));
        }
        CHECK(differing == 0);
    }
}

TEST_CASE("casts: scaled by a power of two, the same times and scaled answers", "[casts][scale_free]") {
    for (const auto& kinds : kPairsOfKinds) {
        const MotionScene motions = casts::make_motions(kinds[0], kinds[1], 300, 7, false);
        const Casts one = cast(motions.scene.frame(), motions.ends, options_of(motions));
        for (const float factor : {0x1p-20f, 0x1p12f}) {
            const scenes::Scene scaled = scenes::scaled(motions.scene, factor);
            std::vector<Body> ends = motions.ends;
            std::vector<float> targets = motions.targets;
            for (Body& end : ends)
                end.position = {end.position.x * factor, end.position.y * factor, end.position.z * factor};
            for (float& target : targets) target *= factor;
            CastOptions options;
            options.targets = targets;
            const Casts other = cast(scaled.frame(), ends, options);
            CHECK(same(one.bits, other.bits));
            CHECK(same(one.time, other.time));
            CHECK(same(one.normal, other.normal));
            for (std::size_t i = 0; i < targets.size(); ++i)
                CHECK((!one.hit(i) || other.signed_distance[i] == one.signed_distance[i] * factor));
        }
    }
}

TEST_CASE("casts: bad poses and indices get a status and harm no other pair", "[casts][contained]") {
    MotionScene motions = casts::make_motions(ShapeKind::box, ShapeKind::hull, 100, 8, false);
    const Casts good = cast(motions.scene.frame(), motions.ends, options_of(motions));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    motions.scene.bodies[2 * 10].position.x = nan;
    motions.ends[2 * 20 + 1].position.y = std::numeric_limits<float>::infinity();
    motions.ends[2 * 30].orientation = {0, 0, 0, 0};
    motions.ends[2 * 40].orientation.w = nan;
    motions.scene.pairs[50].b = 100000;
    const Casts bad = cast(motions.scene.frame(), motions.ends, options_of(motions));
    for (std::size_t i = 0; i < 100; ++i) {
        INFO(i);
        if (i == 10 || i == 20 || i == 30 || i == 40 || i == 50) {
            CHECK(bad.status[i] == (i == 50 ? Status::bad_index : Status::bad_pose));
            CHECK(!bad.hit(i));
            CHECK(bad.time[i] == 0);
            CHECK(bad.signed_distance[i] == 0);
        } else {
            CHECK(bad.status[i] == Status::ok);
            CHECK(bad.time[i] == good.time[i]);
        }
    }
}

TEST_CASE("casts: calls that cannot be answered are refused", "[casts][contained]") {
    const MotionScene motions = casts::make_motions(ShapeKind::box, ShapeKind::box, 10, 8, false);
    NarrowPhase narrow;
    Casts out;
    const Bodies ends[] = {motions.ends}, few[] = {std::span(motions.ends).first(3)};
    const Frame frame = motions.scene.frame();
    CHECK(narrow.cast(frame, {}, out).error().code == ErrorCode::bad_argument);
    CHECK(narrow.cast(frame, {few}, out).error().code == ErrorCode::bad_size);
    CHECK(narrow.cast(frame, {ends}, out, {.target = -1}).error().code == ErrorCode::bad_argument);
    CHECK(narrow.cast(frame, {ends}, out, {.tolerance = 0}).error().code == ErrorCode::bad_argument);
    const std::vector<float> bad_times(10, 1.5f), short_targets(3, 0.0f);
    CHECK(narrow.cast(frame, {ends}, out, {.latest = bad_times}).error().code == ErrorCode::bad_argument);
    CHECK(narrow.cast(frame, {ends}, out, {.targets = short_targets}).error().code == ErrorCode::bad_size);
    std::vector<std::uint32_t> bits(1);
    std::vector<double> times(3);
    CastColumns columns{bits, times};
    CHECK(narrow.cast(frame, {ends}, columns).error().code == ErrorCode::bad_size);
    CHECK(narrow.cast(frame, {ends}, out));
    CHECK(narrow.cast({frame.shapes, frame.bodies, {}}, {ends}, out));
}

TEST_CASE("casts: a start in touch stops, counts if it closes, or is ignored", "[casts]") {
    ShapeStore shapes;
    const auto box = shapes.add_box({0.5f, 0.5f, 0.5f});
    REQUIRE(box);
    // On a floor box: sliding, leaving, pressing; and one that slides into a wall at x = 3.
    const std::vector<Body> bodies = {{{0, -0.5f, 0}, *box, {}}, {{0, 0.5f, 0}, *box, {}}};
    const std::vector<Pair> pairs = {{0, 1}};
    const auto ask = [&](Vec3 by, CastStart start) {
        const std::vector<Body> ends = {bodies[0], {{by.x, 0.5f + by.y, by.z}, *box, {}}};
        CastOptions options;
        options.start = start;
        const Casts out = cast({&shapes, bodies, pairs}, ends, options);
        CHECK(out.status[0] == Status::ok);
        return out.hit(0) ? out.time[0] : -1.0;
    };
    for (const Vec3 by : {Vec3{0.3f, 0, 0}, Vec3{0, 0.3f, 0}, Vec3{0, -0.3f, 0}}) CHECK(ask(by, CastStart::stop) == 0);
    CHECK(ask({0.3f, 0, 0}, CastStart::closing_only) == -1);
    CHECK(ask({0.3f, 0.2f, 0}, CastStart::closing_only) == -1);
    CHECK(ask({0.3f, -0.2f, 0}, CastStart::closing_only) == 0);
    CHECK(ask({0.3f, -0.2f, 0}, CastStart::ignore) == -1);
}

TEST_CASE("casts: only the first hit of a body, or any", "[casts]") {
    ShapeStore shapes;
    const auto ball = shapes.add_sphere(0.5f);
    REQUIRE(ball);
    // Body 0 flies past bodies at 8, 4, 6, 4 and 20 metres; body 6 has pairs of its own.
    std::vector<Body> bodies = {{{0, 0, 0}, *ball, {}}};
    for (const float x : {8.0f, 4.0f, 6.0f, 4.0f, 20.0f}) bodies.push_back({{x, 0, 0}, *ball, {}});
    bodies.push_back({{0, 5, 0}, *ball, {}});
    std::vector<Body> ends = bodies;
    ends[0].position.x = 10, ends[6].position.y = 1;
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {6, 0}, {6, 1}};
    CastOptions options;
    const Casts all = cast({&shapes, bodies, pairs}, ends, options);
    CHECK(all.hits == std::vector<std::uint32_t>{0, 1, 2, 3});
    options.reduction = CastReduction::first_of_body;
    const Casts first = cast({&shapes, bodies, pairs}, ends, options);
    CHECK(first.hits == std::vector<std::uint32_t>{1});
    CHECK(first.time[1] == all.time[1]);
    options.reduction = CastReduction::any;
    const Casts any = cast({&shapes, bodies, pairs}, ends, options);
    CHECK(!any.hits.empty());
    for (const std::uint32_t hit : any.hits) CHECK(any.time[hit] == all.time[hit]);
}

TEST_CASE("casts: a path of several poses is its parts one after the other", "[casts]") {
    const MotionScene motions = casts::make_motions(ShapeKind::box, ShapeKind::hull, 300, 12, false);
    // Out and back: the way back meets what the way out has not.
    std::vector<Body> ends = motions.ends;
    const Bodies path[] = {ends, motions.scene.bodies};
    NarrowPhase narrow;
    Casts whole;
    CastOptions options = options_of(motions);
    REQUIRE(narrow.cast(motions.scene.frame(), {path}, whole, options));
    const Casts out = cast(motions.scene.frame(), ends, options);
    Frame at_end = motions.scene.frame();
    at_end.bodies = ends;
    const Casts back = cast(at_end, motions.scene.bodies, options);
    std::size_t on_the_way_back = 0;
    for (std::size_t i = 0; i < 300; ++i) {
        CHECK(whole.status[i] == Status::ok);
        if (out.hit(i)) {
            CHECK(whole.hit(i));
            CHECK(whole.time[i] == out.time[i] / 2);
        } else if (whole.hit(i)) {
            ++on_the_way_back;
            CHECK(std::fabs(whole.time[i] - 0.5 - back.time[i] / 2) < 1e-6);
        }
    }
    INFO(on_the_way_back);
}

TEST_CASE("casts: a body rotates about the centre that it is given", "[casts]") {
    // A rod about one of its ends: the other end sweeps a quarter circle and meets a ball at 45 degrees.
    ShapeStore shapes;
    const auto rod = shapes.add_box({1, 0.05f, 0.05f}), ball = shapes.add_sphere(0.1f);
    REQUIRE((rod && ball));
    const float s = std::sqrt(0.5f);
    const std::vector<Body> bodies = {{{1, 0, 0}, *rod, {}}, {{1.9f * s, 1.9f * s, 0}, *ball, {}}};
    const std::vector<Body> ends = {{{0, 1, 0}, *rod, {0, 0, s, s}}, bodies[1]};
    const std::vector<Vec3> centers = {{-1, 0, 0}, {}};
    const std::vector<Pair> pairs = {{0, 1}};
    const Bodies all[] = {ends};
    NarrowPhase narrow;
    Casts out;
    REQUIRE(narrow.cast({&shapes, bodies, pairs}, {all, centers}, out));
    REQUIRE(out.hit(0));
    // The rod's upper face and the ball are 0.15 m apart across: an angle of asin(0.15 / 1.9) before 45 degrees.
    const double expected = (std::acos(-1.0) / 4 - std::asin(0.15 / 1.9)) / (std::acos(-1.0) / 2);
    CHECK(std::fabs(out.time[0] - expected) < 1e-4);
    // About its middle, which moves along a straight line, it meets the ball at another time.
    REQUIRE(narrow.cast({&shapes, bodies, pairs}, {all}, out));
    CHECK((!out.hit(0) || std::fabs(out.time[0] - expected) > 0.01));
}
