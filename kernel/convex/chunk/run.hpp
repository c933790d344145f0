// The run of a chunk: one list of pairs per state, and a loop that runs states until all lists are empty.
#pragma once

#include "convex/chunk/payloads.hpp"
#include "convex/chunk/query_writer.hpp"
#include "convex/manifold/manifold.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Calls f(CoreType<Core>) with the core type of a kind. `CurvedKinds`: the core type of curved kinds.
template <class Core>
struct CoreType {
    using Type = Core;
};
template <Curved CurvedKinds, class F>
inline void with_core_of(ShapeKind kind, F&& f) {
    switch (kind) {
        case ShapeKind::sphere: return f(CoreType<PointCore>());
        case ShapeKind::capsule:
        case ShapeKind::box: return f(CoreType<ExtentCore>());
        case ShapeKind::hull: return f(CoreType<HullCore>());
        default: return f(CoreType<CurvedKinds>());
    }
}

inline CoreForm form_of(ShapeKind kind) { return kind == ShapeKind::capsule ? CoreForm::segment : CoreForm::polytope; }

// Stores the one contact of a sphere.
template <class CoreB>
ABUT_INLINE void store_point(const Chunk& chunk, const PairW<PointCore, CoreB>& pair, const std::uint16_t* list,
                             std::uint32_t lanes, const ContactPayloadW& found) {
    if constexpr (std::is_same_v<CoreB, PointCore>)
        store_contact(chunk, list, lanes, pair.to_world, found.answer, IntW(0));
    else
        store_contacts(chunk, list, lanes, pair.to_world,
                       one_point(pair, form_of(chunk.kind_b), found.answer, found.names, lanes));
}

using State = PairState;

struct Run;

// Stores the contacts of a group (final_states.hpp).
template <class CoreA, class CoreB>
void store_manifold(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                    const ContactPayloadW& found);

struct Run {
    const Chunk& chunk;
    ChunkCounters& counters;
    QueryWriter writer;
    StateList<NoPayloadW> direct;  // a closed form, separating axes of boxes, or likely directions of curved shapes
    StateList<NoPayloadW> warm_search;    // GJK from the pair's cache
    StateList<NoPayloadW> search;         // GJK
    StateList<PausedSearchW> resume;      // GJK, gathered from groups in which few lanes continued
    StateList<OverlappingW> depth;        // overlapping cores
    StateList<DescentW> descent;          // overlapping cores, one or both curved
    StateList<ContactPayloadW> manifold;  // contacts of an answer within the margin
    StateList<AxisOnlyW> witness;         // witness points of a depth with a known axis
    StateList<NoPayloadW> exact;          // the exact path, for pairs that no other state certified
    bool keeps_contacts = false;          // some caches store contacts for later frames

    Run(const Chunk& c, ChunkCounters& counted) : chunk(c), counters(counted), writer{c} {}

    // Begins all pairs of the chunk, for kinds without caches.
    void begin_all(StateList<NoPayloadW>& all) { (chunk.parameters->exact_only ? exact : all).append_all(chunk); }

    // Moves all pairs of a list to the exact path.
    template <class Payload>
    void send_to_exact(StateList<Payload>& waiting) {
        waiting.take(
            [&](const std::uint16_t* list, std::uint32_t lanes, const Payload&) { exact.append(list, lanes); });
    }

    // Calls f(state, list) for each list, in the order of the states, until f returns true. Returns that state, or
    // `done`.
    template <class F>
    ABUT_INLINE State find(F&& f) const {
        if (f(State::direct, direct)) return State::direct;
        if (f(State::warm_search, warm_search)) return State::warm_search;
        if (f(State::search, search)) return State::search;
        if (f(State::resume, resume)) return State::resume;
        if (f(State::depth, depth)) return State::depth;
        if (f(State::descent, descent)) return State::descent;
        if (f(State::manifold, manifold)) return State::manifold;
        if (f(State::pull, witness)) return State::pull;
        if (f(State::exact, exact)) return State::exact;
        return State::done;
    }
    // The first state whose list is not empty.
    State next() const {
        return find([](State, const auto& waiting) { return waiting.count() != 0; });
    }

    // Sets the status of bad poses, and sends pairs that float32 cannot hold to the exact path. Returns the other
    // lanes.
    template <class Pair>
    std::uint32_t admit(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) {
        const std::uint32_t bad = pair.bad_pose.bits() & lanes;
        if (bad != 0) {
            store_status(chunk, list, bad, Status::bad_pose);
            lanes &= ~bad;
        }
        // A body overlaps itself, even a flat body, for which rounding would decide the computed sign.
        if (const std::uint32_t self = pair.self & lanes; self != 0 && writer.needs_hits()) {
            writer.within(list, self);
            lanes &= ~self;
        }
        const std::uint32_t hard = pair.needs_exact.bits() & lanes;
        if (hard != 0) exact.append(list, hard);
        return lanes & ~hard;
    }

    // Passes answers of any sign to the writer or to the state `manifold`. `names()`: the names of the features,
    // computed for contacts only.
    template <class Pair, class Names>
    void answer(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, const AnswerW& found, Names&& names) {
        if (const std::uint32_t touching = writer.take(pair, list, lanes, found); touching != 0)
            touch(pair, list, touching, {found, names()});
    }

    // True if `lanes` are at least half of a group, or of a chunk smaller than a group.
    bool are_half(std::uint32_t lanes) const {
        const int all = chunk.count < kLanes ? static_cast<int>(chunk.count) : kLanes;
        return 2 * bit_count(lanes) >= all;
    }

    // A nearly full group gets its contacts while it is loaded, because later it would be loaded again. So does a half
    // full group that is the chunk's only one.
    template <class CoreA, class CoreB>
    void append_manifold(const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                         const ContactPayloadW& found) {
        constexpr int kNearlyFull = kLanes - kLanes / 8;
        const bool at_once = bit_count(lanes) >= kNearlyFull || (chunk.count <= kLanes && are_half(lanes));
        if (at_once && chunk.out->traces == nullptr)
            store_manifold(*this, pair, list, lanes, found);
        else
            manifold.append(list, lanes, found);
    }

    // Handles lanes with overlapping cores. `firmly`: those that overlap by more than rounding. Returns the lanes whose
    // depth is needed.
    std::uint32_t enclose(const std::uint16_t* list, std::uint32_t lanes, MaskW firmly) {
        if (writer.needs_depth()) return lanes;
        const std::uint32_t sure = firmly.bits() & lanes;
        writer.within(list, sure);
        exact.append(list, lanes & ~sure);
        return 0;
    }

private:
    template <class CoreB>
    ABUT_INLINE void touch(const PairW<PointCore, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                           const ContactPayloadW& found) {
        store_point(chunk, pair, list, lanes, found);
    }
    // Capsules whose axes cross also touch in one point.
    ABUT_INLINE void touch(const PairW<ExtentCore, ExtentCore>& pair, const std::uint16_t* list, std::uint32_t lanes,
                           const ContactPayloadW& found) {
        std::uint32_t lone = 0;
        if (chunk.kind_b == ShapeKind::capsule) {
            lone = (abs(pair.rotation.y.y) <= FloatW(kCrossingCosine)).bits() & lanes;
            const auto edges = static_cast<std::int32_t>(edge_name(0, 1) << 16 | edge_name(0, 1));
            if (lone != 0) store_contacts(chunk, list, lone, pair.to_world, lone_point(found.answer, edges));
        }
        append_manifold(pair, list, lanes & ~lone, found);
    }
    template <class CoreA, class CoreB>
    ABUT_INLINE void touch(const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                           const ContactPayloadW& found) {
        append_manifold(pair, list, lanes, found);
    }
};

// Appends a state to the traces of the pairs in its list.
ABUT_NOINLINE inline void trace_state(const Run& run, State state) {
    run.find([&](State of, const auto& waiting) {
        if (of != state) return false;
        for (std::uint32_t i = 0; i < waiting.count(); ++i) {
            PairTrace& trace = run.chunk.out->traces[run.chunk.pair(waiting.pairs()[i])];
            if (trace.count < PairTrace::kMostStates) trace.states[trace.count++] = state;
        }
        return true;
    });
}

// Adds `rounds` to the traced iterations of `lanes`.
inline void trace_rounds(const Run& run, const std::uint16_t* list, std::uint32_t lanes, int rounds) {
    if (run.chunk.out->traces == nullptr) return;
    for_each_lane(lanes, [&](int lane) {
        run.chunk.out->traces[run.chunk.pair(list[lane])].iterations += static_cast<std::uint16_t>(rounds);
    });
}

// Runs one state; measures its time if requested.
template <class Step>
inline void run_state(Run& run, State state, Step&& step) {
#if defined(ABUT_STAGE_TIMES)
    const std::uint64_t start = nanoseconds_now();
    StageSum& sum = run.counters.times[state];
    run.find([&](State of, const auto& waiting) {
        sum.visits += of == state ? waiting.count() : 0;
        return of == state;
    });
    step(state);
    sum.nanoseconds += nanoseconds_now() - start;
#else
    (void)run;
    step(state);
#endif
}

// The contact slack, scaled: depths that differ by less are equal.
template <class Pair>
inline FloatW contact_slack(const Chunk& chunk, const Pair& pair) {
    const FloatW slack = min(FloatW(chunk.parameters->contact_slack) * pair.scale, FloatW(kSlackShare) * pair.smaller);
    return select(slack > FloatW(kLeastSlack) * pair.tolerance, slack, FloatW(0.0f));
}

// Runs states until all lists are empty. `step(state)` empties that state's list.
template <class Step>
inline void run_states(Run& run, Step&& step) {
    for (State state = run.next(); state != State::done; state = run.next()) {
        if (run.chunk.out->traces != nullptr) trace_state(run, state);
        run_state(run, state, step);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
