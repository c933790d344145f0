// Traces: what a pair went through, and no other answer for being asked.
#include "support/catch.hpp"

#include <algorithm>

#include "support/pair_answer.hpp"

using namespace abut;

namespace {

bool has(const PairTrace& trace, PairState state) {
    return std::find(trace.states, trace.states + trace.count, state) != trace.states + trace.count;
}

struct Traced {
    Distances distances;
    std::vector<PairTrace> traces;
};

Traced trace_distances(const Frame& frame, const Settings& settings) {
    Traced out;
    out.traces.resize(frame.pairs.size(), PairTrace{.iterations = 77, .count = 1, .states = {PairState::pull}});
    Frame traced = frame;
    traced.traces = out.traces;
    REQUIRE(NarrowPhase(settings).distance(traced, out.distances));
    return out;
}

}  // namespace

TEST_CASE("trace: each pair says which states it went through, and the answers are the same bits") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind / 5);
    for (const Isa isa : test::usable_isas()) {
        Distances plain;
        REQUIRE(NarrowPhase({.isa = isa}).distance(scene.frame(), plain));
        const Traced traced = trace_distances(scene.frame(), {.isa = isa});
        std::size_t direct = 0, searched = 0, exact = 0;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            test::Words a, b;
            test::append(a, plain, i);
            test::append(b, traced.distances, i);
            REQUIRE(a == b);
            const PairTrace& trace = traced.traces[i];
            REQUIRE(trace.count > 0);
            CHECK(certified_by(trace) != PairState::done);
            CHECK(!has(trace, PairState::manifold));
            const bool searches = has(trace, PairState::search) || has(trace, PairState::descent);
            CHECK((trace.iterations > 0) == (searches && trace.states[0] != PairState::exact));
            direct += certified_by(trace) == PairState::direct;
            searched += certified_by(trace) == PairState::search;
            exact += certified_by(trace) == PairState::exact;
        }
        CHECK(direct > scene.pairs.size() / 20);
        CHECK(searched > scene.pairs.size() / 20);
        CHECK(exact < scene.pairs.size() / 5);  // the scene is made to be hard
    }
}

TEST_CASE("trace: the exact path alone is the only state") {
    const scenes::Scene scene = scenes::make_medley(100);
    for (const PairTrace& trace : trace_distances(scene.frame(), {.depth = DepthPath::exact}).traces) {
        REQUIRE(trace.count == 1);
        CHECK(trace.states[0] == PairState::exact);
    }
}

TEST_CASE("trace: contacts, compounds and pairs without an answer") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1}), plane = *store.add_halfspace({0, 1, 0}, 0);
    const std::vector<CompoundChild> children = {{box, {}, {}}};
    const ShapeId compound = *store.add_compound(children);
    const std::vector<Body> bodies = {
        {{0, 0, 0}, box, {}}, {{0, 1.99f, 0}, box, {}}, {{0, 0, 0}, compound, {}}, {{0, 0, 0}, plane, {}}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {3, 3}, {0, 9}};
    std::vector<PairTrace> traces(pairs.size());
    Manifolds manifolds;
    NarrowPhase narrow;
    REQUIRE(narrow.collide({.shapes = &store, .bodies = bodies, .pairs = pairs, .traces = traces}, manifolds));
    CHECK(traces[0] == PairTrace{.iterations = 0, .count = 2, .states = {PairState::direct, PairState::manifold}});
    CHECK(certified_by(traces[0]) == PairState::direct);
    CHECK(certified_by(traces[1]) == PairState::children);
    CHECK(traces[2] == PairTrace());  // unsupported
    CHECK(traces[3] == PairTrace());  // bad index
    traces.resize(3);
    const CallResult refused =
        narrow.collide({.shapes = &store, .bodies = bodies, .pairs = pairs, .traces = traces}, manifolds);
    REQUIRE(!refused);
    CHECK(refused.error().message == "Frame::traces has room for 3, the frame needs 4");
}

TEST_CASE("trace: a pair that a cache proves far goes through no state") {
    ShapeStore store;
    const ShapeId hull = *store.add_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    const std::vector<Body> bodies = {{{0, 0, 0}, hull, {}}, {{9, 0, 0}, hull, {}}};
    const std::vector<Pair> pairs = {{0, 1}};
    std::vector<WarmCache> caches(1);
    std::vector<PairTrace> traces(1);
    NarrowPhase narrow;
    Manifolds manifolds;
    const Frame frame = {.shapes = &store, .bodies = bodies, .pairs = pairs, .caches = caches, .traces = traces};
    REQUIRE(narrow.collide(frame, manifolds));
    CHECK(certified_by(traces[0]) == PairState::search);
    REQUIRE(narrow.collide(frame, manifolds));
    CHECK(traces[0] == PairTrace());
}
