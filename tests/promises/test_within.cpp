// A query of the tests' own, "are they within this distance?", of what a new query needs: an enumerator
// (kernel/convex/contract/chunk.hpp) and its answers in the writer (kernel/convex/chunk/query_writer.hpp). The states
// that pairs go through need not know of it.
#include "support/catch.hpp"

#include <cmath>

#include "batch/chunk_runs.hpp"
#include "batch/sort.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

struct Hits {
    std::vector<std::uint8_t> hit;
    std::vector<Status> status;
    Counters counters;
};

Hits ask_within(const Frame& frame, Isa isa, float reach, bool exact_only) {
    const std::size_t pairs = frame.pairs.size();
    Hits out{std::vector<std::uint8_t>(pairs, 2), std::vector<Status>(pairs), {}};
    OutputView view = {};
    view.status = out.status.data();
    view.hit = out.hit.data();
    QueryParameters parameters = {};
    parameters.query = Query::within;
    parameters.exact_only = exact_only;
    parameters.reach = reach;
    const Executor executor = serial_executor();
    SortedPairs sorted;
    sort_pairs(frame, *kernels_for<Kernels>(isa), executor, sorted, out.status.data());
    ChunkRunner{kernels_for<Kernels>(isa), kernels_for<Kernels>(isa), executor, &out.counters}.run(frame, sorted,
                                                                                                   parameters, view);
    return out;
}

// Against the oracle's distances; a pair within promise 1's bound of the reach may be either.
void check_within(const scenes::Scene& scene, float reach, bool exact_only) {
    for (const Isa isa : test::usable_isas()) {
        const Hits hits = ask_within(scene.frame(), isa, reach, exact_only);
        std::size_t hit = 0;
        test::Count wrong;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            if (hits.status[i] != Status::ok) continue;
            hit += hits.hit[i];
            const double beyond = scene.reference[i] - double(reach);
            wrong += std::fabs(beyond) > scene.tolerance(i) && (hits.hit[i] == 1) != (beyond < 0);
        }
        INFO(to_string(isa) << ", " << scene.name << ", within " << reach << " m, exact path " << exact_only);
        CHECK(wrong == 0);
        CHECK(hit > scene.pairs.size() / 10);
        CHECK(hit < scene.pairs.size());
    }
}

}  // namespace

TEST_CASE("within: every kind of pair, near and far reaches") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind);
    for (const float reach : {0.0f, 0.05f, 0.4f}) check_within(scene, reach, false);
}

TEST_CASE("within: the exact path") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind / 5);
    for (const float reach : {0.0f, 0.4f}) check_within(scene, reach, true);
}

// But for what touches to within promise 1's bound: rounded boxes have other ways where a sign is all that is asked.
TEST_CASE("within: a reach of 0 is overlap") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind);
    for (const Isa isa : test::usable_isas()) {
        const Hits hits = ask_within(scene.frame(), isa, 0.0f, false);
        Overlaps overlaps;
        REQUIRE(NarrowPhase({.isa = isa}).overlap(scene.frame(), overlaps));
        test::Count differ;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            if (hits.status[i] != Status::ok || std::fabs(scene.reference[i]) <= scene.tolerance(i)) continue;
            differ += (hits.hit[i] == 1) != overlaps.hit(i);
        }
        CHECK(differ == 0);
    }
}
