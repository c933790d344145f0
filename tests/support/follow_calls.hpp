// Calls with caches, frame after frame, whose contacts may follow their bodies; judged.
#pragma once

#include <vector>

#include <abut/abut.hpp>

#include "scenes/resting.hpp"
#include "scenes/scene.hpp"
#include "support/catch.hpp"
#include "support/judge.hpp"

namespace abut::test::follow {

inline constexpr std::size_t kSlots = 60;
inline constexpr const char* kRows[] = {"resting-boxes", "resting-boxes-yawed", "resting-prisms5", "resting-prisms12",
                                        "resting-cylinders"};

inline scenes::Scene start_of(const char* row, std::uint64_t seed = 53, std::size_t slots = kSlots) {
    scenes::Scene start = scenes::make_row(row, slots, seed, scenes::Keep::no);
    start.margins.assign(slots, Settings().speculative_margin);
    return start;
}

// Two bodies whose contacts are asked for frame after frame, with a cache.
struct WarmPair {
    const ShapeStore& shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs = {{0, 1}};
    std::vector<WarmCache> caches = std::vector<WarmCache>(1);
    std::vector<PairTrace> traces = std::vector<PairTrace>(1);
    NarrowPhase narrow = NarrowPhase();
    Manifolds manifolds = {};

    // True if no shape was looked at.
    bool collide() {
        Frame frame{&shapes, bodies, pairs};
        frame.caches = caches, frame.traces = traces;
        REQUIRE(narrow.collide(frame, manifolds));
        return traces[0].count == 0;
    }
};

// The frames of a walk, one call each, with the same caches.
struct Calls {
    const scenes::Scene& walk;
    Settings settings;
    bool is_backwards = false;  // every pair has its bodies in the other order
    std::size_t slots = kSlots;
    std::vector<WarmCache> caches = std::vector<WarmCache>(slots);
    std::vector<PairTrace> traces = std::vector<PairTrace>(slots);
    std::vector<Pair> pairs = std::vector<Pair>(slots);
    Manifolds manifolds = {};

    Frame frame(std::size_t first) {
        Frame of = walk.frame();
        for (std::size_t i = 0; i < slots; ++i) {
            pairs[i] = of.pairs[first + i];
            if (is_backwards) std::swap(pairs[i].a, pairs[i].b);
        }
        of.pairs = pairs;
        of.margins = of.margins.subspan(first, slots);
        return of;
    }
    void collide(std::size_t first) {
        Frame of = frame(first);
        of.caches = caches;
        of.traces = traces;
        REQUIRE(NarrowPhase(settings).collide(of, manifolds));
    }
    bool follows(const Manifold& manifold) const { return traces[manifold.pair].count == 0; }
    std::span<const Contact> contacts_of(const Manifold& manifold) const {
        return std::span<const Contact>(manifolds.contacts).subspan(manifold.first_contact, manifold.contact_count);
    }
};

// The manifolds of the last call, judged.
struct JudgedCall {
    std::size_t contacts = 0, followed = 0, unsorted = 0;
    judge::Report report;

    JudgedCall(const scenes::Scene& walk, Calls& calls, std::size_t first) {
        judge::Answers answers = judge::ask(calls.frame(first), {});
        for (const Manifold& manifold : calls.manifolds.manifolds) {
            ++contacts, followed += calls.follows(manifold);
            for (const Contact& contact : calls.contacts_of(manifold))
                unsorted += contact.separation < calls.contacts_of(manifold)[0].separation;
        }
        answers.manifolds = calls.manifolds;
        report = judge::judge(walk, answers, Settings().speculative_margin, first);
    }
};

// A walk with caches, every frame judged.
struct JudgedWalk {
    std::size_t frames = 0, contacts = 0, followed = 0, unsorted = 0;
    judge::Report report;

    JudgedWalk(const scenes::Scene& walk, std::size_t slots = kSlots) : frames(walk.pairs.size()) {
        Calls calls = {walk, {}, false, slots};
        for (std::size_t first = 0; first < walk.pairs.size(); first += slots) {
            calls.collide(first);
            const JudgedCall judged(walk, calls, first);
            contacts += judged.contacts, followed += judged.followed, unsorted += judged.unsorted;
            report.add(judged.report);
        }
    }
};

}  // namespace abut::test::follow
