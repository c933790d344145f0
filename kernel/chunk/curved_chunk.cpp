// Pairs with a curved shape: GJK, and where the cores overlap a search for the least depth, in rounds.
#include "chunk/chunk.hpp"

#include "chunk/contacts.hpp"
#include "chunk/far_pairs.hpp"
#include "depth/curved_depth.hpp"
#include "depth/direction_cells.hpp"
#include "separation/certify.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// Searches on their way from round to round: those that have settled leave, so that lanes stay busy.
struct SearchList {
    static constexpr int kFloats = 8;  // direction, separation, gap, last step
    PairList pairs;
    float at[kFloats][kChunkPairs + kLanes];
    std::uint8_t steps[kChunkPairs], starts[kChunkPairs];

    // `from`: the places of the group's lanes before, for their counts; null at first. In place: what is written lies before what is read.
    ABUT_INLINE void append(const std::uint16_t* list, std::uint32_t lanes, const CurvedSearchW& search, const std::ptrdiff_t* from, std::uint32_t again) {
        const LaneArray<float> value[kFloats] = {
            lanes_of(search.best.normal.x), lanes_of(search.best.normal.y), lanes_of(search.best.normal.z), lanes_of(search.best.separation),
            lanes_of(search.gap), lanes_of(search.last_step.x), lanes_of(search.last_step.y), lanes_of(search.last_step.z)};
        std::uint32_t i = pairs.count;
        for_each_lane(lanes, [&](int lane) {
            for (int k = 0; k < kFloats; ++k) at[k][i] = value[k][lane];
            const bool restarted = again >> lane & 1;
            steps[i] = from == nullptr || restarted ? 0 : static_cast<std::uint8_t>(steps[*from + lane] + 1);
            starts[i] = from == nullptr ? 0 : static_cast<std::uint8_t>(starts[*from + lane] + restarted);
            ++i;
        });
        pairs.append(list, lanes);
    }
    ABUT_INLINE CurvedSearchW group(std::ptrdiff_t first) const {
        const auto load = [&](int k) { return FloatW::load_unaligned(at[k] + first); };
        return {{{load(0), load(1), load(2)}, load(3)}, load(4), {load(5), load(6), load(7)}};
    }
};

ABUT_INLINE IntW best_names() { return IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)); }

// Answers what is apart; what overlaps and wants its depth goes into `searches`.
template <class CoreA, class CoreB>
ABUT_INLINE void separate(Run& run, PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes, SearchList& searches) {
    GjkResult found;
    gjk(pair, pair.offset, MaskW::from_bits(lanes), limits_of(run, pair, list, lanes), found);
    // Cores that touch, or whose middles coincide, leave GJK without a direction: they are searched like those that overlap.
    const MaskW touch = found.uncertain & (length_squared(found.simplex.v) <= FloatW(kTouchSquared));
    const std::uint32_t touching = touch.bits() & lanes, enclosed = found.enclosed.bits() | touching;
    store_bounded(run, pair, list, found);
    // What stalled may be as good as the rest: on round surfaces it mostly is.
    if (const std::uint32_t apart = (found.apart | found.uncertain).bits() & ~touching; apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0) run.store(pair, list, certified, result.answer, best_names);
        run.exact.append(list, apart & ~certified);
    }
    if (enclosed == 0) return;
    if (run.query() == Query::overlap || (run.query() == Query::distance && run.chunk.parameters->separation_only)) {
        const std::uint32_t firmly = found.firmly.bits() & enclosed;
        store_none(run.chunk, list, firmly, 0.0f);
        run.exact.append(list, enclosed & ~firmly);
        return;
    }
    searches.append(list, enclosed, begin_search(pair, enclosed), nullptr, 0);
}

// One step of a group; minima that are proved the least are answered. Returns the lanes that go on, those in `again` from a new direction.
template <class CoreA, class CoreB>
ABUT_INLINE std::uint32_t search_group(Run& run, PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes, CurvedSearchW& search,
                                       std::uint32_t& again) {
    const CurvedStepW step = step_search(pair, search, lanes);
    const LaneArray<float> depth = lanes_of(-search.best.separation), allowed = lanes_of(FloatW(kCurvedProofShare) * pair.tolerance);
    LaneArray<float> x = lanes_of(search.best.normal.x), y = lanes_of(search.best.normal.y), z = lanes_of(search.best.normal.z);
    std::uint32_t proved = 0;
    again = 0;
    for_each_lane(step.settled, [&](int lane) {
        Float3 start;
        const Proof proof = prove_least(pair, search.best.normal, depth[lane], allowed[lane], lane, start);
        proved |= static_cast<std::uint32_t>(proof == Proof::least) << lane;
        if (proof != Proof::shallower) return;
        again |= 1u << lane;
        x[lane] = start.x, y[lane] = start.y, z[lane] = start.z;
    });
    if (proved != 0) run.store(pair, list, proved, answer_of(pair, search.best, step.on_a), best_names);
    run.exact.append(list, step.lost | (step.settled & ~(proved | again)));
    if (again != 0) {
        const CurvedSearchW fresh = search_from(pair, {load(x), load(y), load(z)}, again);
        const MaskW m = MaskW::from_bits(again);
        search.best = {select(m, fresh.best.normal, search.best.normal), select(m, fresh.best.separation, search.best.separation)};
        search.gap = select(m, fresh.gap, search.gap);
        search.last_step = select(m, fresh.last_step, search.last_step);
    }
    return (lanes & ~(step.settled | step.lost)) | again;
}

template <class CoreA, class CoreB>
void run_searches(Run& run, SearchList& searches) {
    while (searches.pairs.count != 0) {
        const PairList now = searches.pairs;
        searches.pairs.count = 0;
        for_each_group<CoreA, CoreB>(run.chunk, now, [&](auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
            const std::ptrdiff_t first = list - now.index;
            CurvedSearchW search = searches.group(first);
            std::uint32_t again, going = search_group(run, pair, list, lanes, search, again), worn_out = 0;
            for_each_lane(going, [&](int lane) {
                const bool restarts = again >> lane & 1;
                const bool ends = restarts ? searches.starts[first + lane] + 1 == kMaxCurvedStarts : searches.steps[first + lane] + 1 == kMaxCurvedSteps;
                worn_out |= static_cast<std::uint32_t>(ends) << lane;
            });
            run.exact.append(list, worn_out);
            searches.append(list, going & ~worn_out, search, &first, again);
        });
    }
}

template <class CoreA>
void run_curved(Run& run, ChunkCounters& counters) {
    using CoreB = CurvedCore;
    if (run.chunk.parameters->exact_only) {
        run.exact = all_of(run.chunk);
    } else {
        SearchList searches;
        for_each_group<CoreA, CoreB>(run.chunk, answer_far(run), [&](auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
            separate(run, pair, list, run.admit(pair, list, lanes), searches);
        });
        run_searches<CoreA, CoreB>(run, searches);
        run_contacts<CoreA, CoreB>(run);
    }
    if (run.exact.count != 0) run_exact<CoreA, CoreB>(run, counters);
}

}  // namespace

void run_curved_kind(Run& run, ChunkCounters& counters) {
    with_core_of(run.chunk.kind_a, [&](auto core) { run_curved<typename decltype(core)::Type>(run, counters); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
