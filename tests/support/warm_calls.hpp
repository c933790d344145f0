// Repeated calls with the same warm-start caches, for the tests of what these hold.
#pragma once

#include "catch.hpp"

#include <cstddef>
#include <vector>

#include "pair_answer.hpp"

namespace abut::test {

using Caches = std::vector<WarmCache>;

constexpr std::size_t kWarmPairs = kPairsAKind / 5;

inline void check_right(const scenes::Scene& scene, const judge::Report& report) {
    INFO(judge::summary(scene, report));
    CHECK(report.wrong == 0);
    CHECK(report.wrong_signs == 0);
}

// Calls with the same caches, and which pairs the last one answered from them alone.
struct Still {
    Caches caches;
    std::vector<PairTrace> traces;
    Manifolds manifolds;

    explicit Still(std::size_t pairs) : caches(pairs), traces(pairs) {}

    void collide(const Frame& wanted, const Settings& settings = {}) {
        Frame frame = wanted;
        frame.caches = caches;
        frame.traces = traces;
        REQUIRE(NarrowPhase(settings).collide(frame, manifolds));
    }
    bool touches(std::size_t i) const { return manifolds.first_manifold[i + 1] > manifolds.first_manifold[i]; }
    // Of the pairs in contact, the share that no state was needed for.
    double kept() const {
        std::size_t in_contact = 0, without_states = 0;
        for (std::size_t i = 0; i < traces.size(); ++i)
            in_contact += touches(i), without_states += touches(i) && traces[i].count == 0;
        return double(without_states) / double(in_contact);
    }
};

}  // namespace abut::test
