// Promise 5, "Contained": bad data gets its own pair a status and harms nothing else. A row of the table of bad inputs
// each.
#include "support/catch.hpp"

#include <cstdint>
#include <string>

#include "scenes/random.hpp"
#include "support/contained_scene.hpp"
#include "support/count.hpp"

using namespace abut;
using test::kInf;
using test::kNan;
using test::TwoBoxes;
using test::words_of;

namespace {

constexpr std::size_t kPairs = test::kContained;

const scenes::Scene& scene() { return test::contained_scene(); }

bool is_zero(const Distances& d, std::size_t pair) {
    const Vec3 zero;
    return d.signed_distance[pair] == 0 && d.normal[pair] == zero && d.point_a[pair] == zero && d.point_b[pair] == zero;
}

// Every query gives pair `pair` this status and no answer.
bool refused(const judge::Answers& answers, std::size_t pair, Status status) {
    return answers.distances.status[pair] == status && is_zero(answers.distances, pair) &&
           answers.separations.status[pair] == status && is_zero(answers.separations, pair) &&
           answers.overlaps.status[pair] == status && !answers.overlaps.hit(pair) &&
           answers.manifolds.status[pair] == status &&
           answers.manifolds.first_manifold[pair] == answers.manifolds.first_manifold[pair + 1];
}

// Every ninth pair of the scene with its bodies changed for the worse; all others must keep their bits, on every
// instruction set.
template <class Spoil>
void check_contained(Status status, Spoil spoil) {
    std::vector<Body> bodies = scene().bodies;
    std::vector<Pair> pairs = scene().pairs;
    for (std::size_t i = 4; i < kPairs; i += 9) spoil(i, bodies, pairs);
    Frame frame = scene().frame();
    frame.bodies = bodies;
    frame.pairs = pairs;
    for (const Isa isa : test::usable_isas()) {
        INFO(to_string(isa));
        const judge::Answers expected = judge::ask(scene().frame(), {.isa = isa}),
                             answers = judge::ask(frame, {.isa = isa});
        test::Count harmed, accepted;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (i % 9 == 4)
                accepted += !refused(answers, i, status);
            else
                harmed += words_of(answers, i) != words_of(expected, i);
        }
        CHECK(accepted == 0);
        CHECK(harmed == 0);
    }
}

void check_bad_pose(void (*spoil)(Body& body)) {
    check_contained(Status::bad_pose, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
        spoil(bodies[i % 2 ? pairs[i].a : pairs[i].b]);
    });
}

}  // namespace

TEST_CASE("contained: poses that are not finite", "[contained]") {
    check_bad_pose([](Body& b) { b.position.x = kNan; });
    check_bad_pose([](Body& b) { b.position.y = -kInf; });
    check_bad_pose([](Body& b) { b.position.z = kInf; });
    check_bad_pose([](Body& b) { b.orientation.x = kNan; });
    check_bad_pose([](Body& b) { b.orientation.w = kInf; });
    check_bad_pose([](Body& b) { b = {{kNan, kNan, kNan}, b.shape, {kNan, kNan, kNan, kNan}}; });
}

TEST_CASE("contained: quaternions far off unit length", "[contained]") {
    check_bad_pose([](Body& b) { b.orientation = {0, 0, 0, 0}; });
    check_bad_pose([](Body& b) { b.orientation = {0, 0, 0, 1.02f}; });
    check_bad_pose([](Body& b) { b.orientation = {0, 0.98f, 0, 0}; });
    check_bad_pose([](Body& b) { b.orientation = {1e30f, 0, 0, 1e30f}; });
    check_bad_pose([](Body& b) { b.orientation = {1e-30f, 0, 0, 1e-30f}; });
}

TEST_CASE("contained: quaternions slightly off unit length are normalised", "[contained]") {
    scenes::Random random(11);
    scenes::Scene off = scenes::make_row("mixed", kPairs);
    for (Body& body : off.bodies) {
        const float length = float(random.uniform(0.9905, 1.0095));
        Quat& q = body.orientation;
        q = {q.x * length, q.y * length, q.z * length, q.w * length};
    }
    off.compute_reference();
    const judge::Report report = judge::judge(off, judge::ask(off.frame(), {}), Settings().speculative_margin);
    INFO(report.worst << ", " << report.worst_what);
    CHECK(report.wrong == 0);
}

TEST_CASE("contained: q and -q turn alike", "[contained]") {
    scenes::Scene other = scenes::make_row("mixed", kPairs);
    for (Body& body : other.bodies)
        body.orientation = {-body.orientation.x, -body.orientation.y, -body.orientation.z, -body.orientation.w};
    const judge::Report report = judge::judge(other, judge::ask(other.frame(), {}), Settings().speculative_margin);
    CHECK(report.wrong == 0);
}

TEST_CASE("contained: body indices past the end", "[contained]") {
    for (const std::uint32_t past : {0u, 1u, 1000u, 0x7ffffff0u, 0xffffffffu}) {
        check_contained(Status::bad_index, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
            const std::uint32_t index =
                std::max(std::uint32_t(bodies.size()), std::uint32_t(bodies.size()) + past);  // no wrapping round
            (i % 2 ? pairs[i].a : pairs[i].b) = index;
        });
    }
    check_contained(Status::bad_index, [](std::size_t i, std::vector<Body>&, std::vector<Pair>& pairs) {
        pairs[i] = {~0u, ~0u};
    });
}

TEST_CASE("contained: shape ids that name no living shape", "[contained]") {
    const auto check_id = [](ShapeId (*spoil)(ShapeId id)) {
        check_contained(Status::bad_index, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
            Body& body = bodies[i % 2 ? pairs[i].a : pairs[i].b];
            body.shape = spoil(body.shape);
        });
    };
    check_id([](ShapeId) { return ShapeId(); });
    check_id([](ShapeId id) { return ShapeId::make(id.kind(), id.slot(), id.generation() + 1); });
    check_id([](ShapeId id) { return ShapeId::make(id.kind(), id.slot(), 255); });
    check_id([](ShapeId id) { return ShapeId::make(id.kind(), ShapeId::kMaxSlots - 1, 0); });
    for (std::uint32_t kind = 4; kind < 16; ++kind) {
        check_contained(Status::bad_index, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
            bodies[pairs[i].a].shape = ShapeId::make(ShapeKind(kind), ShapeId::kMaxSlots - 1, 0);
        });
    }
}

TEST_CASE("contained: removed shapes are stale, their slot's next owner is not", "[contained]") {
    TwoBoxes boxes;
    const ShapeId old = *boxes.store.add_sphere(1);
    boxes.bodies[1].shape = old;
    REQUIRE(boxes.store.remove(old));
    CHECK(refused(judge::ask(boxes.frame(), {}), 0, Status::bad_index));
    const ShapeId fresh = *boxes.store.add_sphere(0.5f);
    CHECK(fresh.slot() == old.slot());
    CHECK(refused(judge::ask(boxes.frame(), {}), 0, Status::bad_index));
    boxes.bodies[1].shape = fresh;
    CHECK(judge::ask(boxes.frame(), {}).distances.signed_distance[0] == 0.25f);
}

TEST_CASE("contained: nothing to do", "[contained]") {
    const TwoBoxes boxes;
    Frame no_pairs = boxes.frame();
    no_pairs.pairs = {};
    for (const Frame& frame : {no_pairs, Frame{}}) {
        NarrowPhase narrow;
        OverlapColumns overlaps{};
        DistanceColumns distances{};
        ManifoldColumns manifolds{};
        CHECK(narrow.overlap(frame, overlaps));
        CHECK(narrow.distance(frame, distances));
        CHECK(narrow.collide(frame, manifolds));
        CHECK(overlaps.hit_count == 0);
        CHECK(manifolds.manifolds_needed == 0);
        Overlaps o;
        Distances d;
        Manifolds m;
        CHECK(narrow.overlap(frame, o));
        CHECK(narrow.distance(frame, d));
        CHECK(narrow.collide(frame, m));
        CHECK(m.first_manifold == std::vector<std::uint32_t>{0});
    }
    Frame no_bodies = boxes.frame();
    no_bodies.bodies = {};
    CHECK(refused(judge::ask(no_bodies, {}), 0, Status::bad_index));
}
