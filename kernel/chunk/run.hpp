// What a chunk's run shares between its stages: lists of pairs on their way, and the door to the results.
#pragma once

#include "chunk/store.hpp"
#include "manifold/manifold.hpp"
#include "separation/gjk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Entry indices of a chunk that go on to a later stage.
struct PairList {
    std::uint32_t count = 0;
    std::uint16_t index[kChunkPairs + kLanes];  // whole vectors are read and written

    ABUT_INLINE void append(const std::uint16_t* list, std::uint32_t lanes) {
        if (lanes == 0) return;
        store_some_of(list, lanes, index + count);
        count += static_cast<std::uint32_t>(__builtin_popcount(lanes));
    }
    // Entry i, if it is wanted; without a branch, where it is a coin's toss.
    ABUT_INLINE void append_if(bool wanted, std::uint32_t i) {
        index[count] = static_cast<std::uint16_t>(i);
        count += wanted;
    }
    void append(const PairList& other) {
        for (std::uint32_t i = 0; i < other.count; ++i) index[count++] = other.index[i];
    }
};

// Walks `list` kLanes entries at a time: stage(pair, entry indices, lanes).
template <class CoreA, class CoreB, class Stage>
ABUT_INLINE void for_each_group(const Chunk& chunk, const PairList& list, Stage&& stage) {
    for (std::uint32_t first = 0; first < list.count; first += kLanes) {
        PairW<CoreA, CoreB> pair;
        const std::uint16_t* group = list.index + first;
        const std::uint32_t count = list.count - first < kLanes ? list.count - first : kLanes;
        load_pairs(chunk, group, count, pair);
        stage(pair, group, lane_bits(count));
    }
}

// f(CoreType<Core>) with the core that a kind has.
template <class Core>
struct CoreType {
    using Type = Core;
};
template <class F>
ABUT_INLINE void with_core_of(ShapeKind kind, F&& f) {
    switch (kind) {
        case ShapeKind::sphere:
            return f(CoreType<PointCore>());
        case ShapeKind::capsule:
        case ShapeKind::box:
            return f(CoreType<ExtentCore>());
        case ShapeKind::hull:
            return f(CoreType<HullCore>());
        default:
            return f(CoreType<CurvedCore>());
    }
}

ABUT_INLINE CoreForm form_of(ShapeKind kind) { return kind == ShapeKind::capsule ? CoreForm::segment : CoreForm::polytope; }

ABUT_INLINE FloatW margin_of(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    if (!chunk.parameters->margins) return chunk.parameters->reach;
    LaneArray<float> margin = lanes_of(FloatW(0.0f));
    for_each_lane(lanes, [&](int lane) { margin[lane] = chunk.parameters->margins[chunk.entries[list[lane]].pair()]; });
    return load(margin);
}

// What depths may differ by without deciding anything, scaled.
template <class Pair>
ABUT_INLINE FloatW contact_slack(const Chunk& chunk, const Pair& pair) {
    const FloatW slack = min(FloatW(chunk.parameters->contact_slack) * pair.scale, FloatW(kSlackShare) * pair.smaller);
    return select(slack > FloatW(kLeastSlack) * pair.tolerance, slack, FloatW(0.0f));
}

inline PairList all_of(const Chunk& chunk) {
    PairList list;
    list.count = chunk.count;
    for (std::uint32_t i = 0; i < chunk.count; ++i) list.index[i] = static_cast<std::uint16_t>(i);
    return list;
}

// Answers on their way to the manifold stage.
struct ContactList {
    static constexpr int kFloats = 7;  // normal, midpoint, signed distance
    PairList pairs;
    float at[kFloats][kChunkPairs + kLanes];
    std::int32_t names[kChunkPairs + kLanes];

    ABUT_INLINE void append(const std::uint16_t* list, std::uint32_t lanes, const AnswerW& answer, IntW lane_names) {
        const FloatW value[kFloats] = {answer.normal.x,   answer.normal.y,   answer.normal.z,       answer.midpoint.x,
                                       answer.midpoint.y, answer.midpoint.z, answer.signed_distance};
        ABUT_UNROLL(7)
        for (int k = 0; k < kFloats; ++k) store_lanes(value[k], lanes, at[k] + pairs.count);
        store_lanes(lane_names, lanes, names + pairs.count);
        pairs.append(list, lanes);
    }
    // Of the group that starts at `list`.
    ABUT_INLINE AnswerW answers(const std::uint16_t* list) const {
        const std::ptrdiff_t i = list - pairs.index;
        const auto load = [&](int k) { return FloatW::load_unaligned(at[k] + i); };
        return {load(6), {load(0), load(1), load(2)}, {load(3), load(4), load(5)}};
    }
    ABUT_INLINE IntW names_of(const std::uint16_t* list) const { return IntW::load_unaligned(names + (list - pairs.index)); }
};

// Searches that GJK left unfinished.
struct SearchList {
    static constexpr int kFloats = 7;  // weights, v, rounds
    PairList pairs;
    float at[kFloats][kChunkPairs + kLanes];
    std::int32_t id[3][kChunkPairs + kLanes], from_cache[kChunkPairs + kLanes];

    ABUT_INLINE void append(const std::uint16_t* list, const GjkResult& found, MaskW warm) {
        const std::uint32_t lanes = found.unfinished.bits();
        const SimplexW& s = found.simplex;
        const FloatW value[kFloats] = {
            s.lambda[0], s.lambda[1], s.lambda[2], s.v.x, s.v.y, s.v.z, FloatW(static_cast<float>(found.rounds))};
        ABUT_UNROLL(7)
        for (int k = 0; k < kFloats; ++k) store_lanes(value[k], lanes, at[k] + pairs.count);
        ABUT_UNROLL(3)
        for (int k = 0; k < 3; ++k) store_lanes(s.id[k], lanes, id[k] + pairs.count);
        store_lanes(select(warm, IntW(1), IntW(0)), lanes, from_cache + pairs.count);
        pairs.append(list, lanes);
    }
    // Of the group that starts at `list`.
    ABUT_INLINE UnfinishedW searches(const std::uint16_t* list) const {
        const std::ptrdiff_t i = list - pairs.index;
        const auto load = [&](int k) { return FloatW::load_unaligned(at[k] + i); };
        const auto load_id = [&](int k) { return IntW::load_unaligned(id[k] + i); };
        return {{load_id(0), load_id(1), load_id(2)}, {load(0), load(1), load(2)}, {load(3), load(4), load(5)}, load(6)};
    }
    ABUT_INLINE MaskW are_from_cache(const std::uint16_t* list) const {
        return IntW::load_unaligned(from_cache + (list - pairs.index)) == IntW(1);
    }
};

struct Run {
    const Chunk& chunk;
    PairList apart;                               // not yet answered: wants GJK
    SearchList unfinished;                        // GJK has begun
    PairList anew;                                // led astray by its cache: wants GJK from the start
    PairList overlap;                             // cores overlap: wants depth
    PairList pull;                                // depth's axis known, points not
    PairList exact;                               // wants the exact path
    ContactList contacts;                         // wants a manifold
    std::int32_t seeds[4][kChunkPairs + kLanes];  // of overlap[i]: GJK's last vertices
    float axis[4][kChunkPairs + kLanes];          // of pull[i]: normal and separation

    explicit Run(const Chunk& c) : chunk(c) {}

    Query query() const { return chunk.parameters->query; }

    // Bad poses get their status, pairs that float32 cannot hold go to the exact path; returns the lanes that are left.
    template <class Pair>
    ABUT_INLINE std::uint32_t admit(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) {
        const std::uint32_t bad = pair.bad_pose.bits() & lanes;
        if (bad != 0) {
            store_status(chunk, list, bad, Status::bad_pose);
            lanes &= ~bad;
        }
        // A body overlaps itself, flat or not: there the sign would be rounding.
        if (const std::uint32_t self = pair.self & lanes; self != 0 && query() == Query::overlap) {
            store_none(chunk, list, self, 0.0f);
            lanes &= ~self;
        }
        const std::uint32_t hard = pair.needs_exact.bits() & lanes;
        if (hard != 0) exact.append(list, hard);
        return lanes & ~hard;
    }

    // Answers of any sign; contacts within the margin, distances within the reach. `names()`: of the features, asked for contacts only.
    template <class Pair, class Names>
    ABUT_INLINE void store(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, const AnswerW& answer,
                           Names&& names) {
        switch (query()) {
            case Query::overlap:
                store_hits(chunk, list, lanes, answer.signed_distance <= FloatW(0.0f));
                break;
            case Query::collide: {
                const FloatW separation = answer.signed_distance * pair.frame.metres;
                const std::uint32_t within = (separation <= margin_of(chunk, list, lanes)).bits() & lanes;
                if (within != 0) keep_contact(pair, list, within, answer, names());
                break;
            }
            case Query::distance: {
                const FloatW distance = answer.signed_distance * pair.frame.metres;
                const std::uint32_t beyond = (distance > margin_of(chunk, list, lanes)).bits() & lanes;
                const std::uint32_t flat = chunk.parameters->separation_only ? (distance <= FloatW(0.0f)).bits() & lanes : 0;
                if (beyond != 0) store_none(chunk, list, beyond, kInfinity);
                if (flat != 0) store_none(chunk, list, flat, 0.0f);
                store_distances(chunk, list, lanes & ~(beyond | flat), pair.frame, answer);
            }
        }
    }

private:
    // Spheres touch in one point.
    template <class CoreB>
    ABUT_INLINE void keep_contact(const PairW<PointCore, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                                  const AnswerW& answer, IntW names) {
        store_contacts(chunk, list, lanes, pair.frame, one_point(pair, form_of(chunk.kind_b), answer, names, lanes));
    }
    // So do capsules whose axes cross rather than lie side by side.
    ABUT_INLINE void keep_contact(const PairW<ExtentCore, ExtentCore>& pair, const std::uint16_t* list, std::uint32_t lanes,
                                  const AnswerW& answer, IntW names) {
        std::uint32_t lone = 0;
        if (chunk.kind_b == ShapeKind::capsule) {
            lone = (abs(pair.rotation.y.y) <= FloatW(kCrossingCosine)).bits() & lanes;
            const auto edges = static_cast<std::int32_t>(edge_name(0, 1) << 16 | edge_name(0, 1));
            if (lone != 0) store_contacts(chunk, list, lone, pair.frame, lone_point(answer, edges));
        }
        contacts.append(list, lanes & ~lone, answer, names);
    }
    template <class CoreA, class CoreB>
    ABUT_INLINE void keep_contact(const PairW<CoreA, CoreB>&, const std::uint16_t* list, std::uint32_t lanes,
                                  const AnswerW& answer, IntW names) {
        contacts.append(list, lanes, answer, names);
    }
};

// What is farther apart than that, in metres, is not asked for.
ABUT_INLINE FloatW reach_of(const Run& run, const std::uint16_t* list, std::uint32_t lanes) {
    return run.query() == Query::overlap ? FloatW(0.0f) : margin_of(run.chunk, list, lanes);
}

// Where the caller needs no more: beyond the margin or maximum distance, or (overlap) near enough to hit.
template <class Pair>
ABUT_INLINE GjkLimits limits_of(const Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) {
    // A lower bound by packed supports is not quite one.
    const FloatW unsure = packing_error(pair.a) + packing_error(pair.b);
    if (run.query() == Query::overlap) return {pair.radius + unsure, pair.radius};
    const FloatW reach = reach_of(run, list, lanes);
    // A shade more than asked: the answer itself is compared with the reach, not this bound.
    return {(reach * pair.scale + pair.radius) * FloatW(1.0f + kGjkStopShare * kToleranceSmaller) + pair.tolerance + unsure,
            FloatW(-1.0f)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
