// Pairs with a curved shape: GJK where the cores are apart, curved_depth where they overlap, all in one group. Pairs with a half-space: a
// closed form in double, which is the exact path's.
#include "isa/chunk.hpp"

#include "depth/curved_depth.hpp"
#include "isa/contacts.hpp"
#include "separation/certify.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

template <class CoreA, class CoreB>
ABUT_INLINE void answer_group(Run& run, PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    lanes = run.admit(pair, list, lanes);
    GjkResult found;
    gjk(pair, pair.offset, MaskW::from_bits(lanes), limits_of(run, pair, list, lanes), found);
    const std::uint32_t beyond = found.beyond.bits(), within = found.within.bits();
    // What stalled may be as good as the rest: on round surfaces it mostly is.
    const std::uint32_t apart = (found.apart | found.uncertain).bits();
    const auto names = [] { return IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)); };
    if (beyond != 0) store_none(run.chunk, list, beyond, kInfinity);
    if (within != 0) store_none(run.chunk, list, within, 0.0f);
    if (apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0) run.store(pair, list, certified, result.answer, names);
        run.exact.append(list, apart & ~certified);
    }
    const std::uint32_t enclosed = found.enclosed.bits();
    if (enclosed == 0) return;
    if (run.query() == Query::overlap || (run.query() == Query::distance && run.chunk.parameters->separation_only)) {
        const std::uint32_t firmly = found.firmly.bits() & enclosed;
        store_none(run.chunk, list, firmly, 0.0f);
        run.exact.append(list, enclosed & ~firmly);
        return;
    }
    const WitnessW deepest = curved_depth(pair, enclosed);
    const std::uint32_t proved = deepest.found.bits();
    if (proved != 0) run.store(pair, list, proved, deepest.answer, names);
    run.exact.append(list, enclosed & ~proved);
}

template <class CoreA>
void run_curved(Run& run, ChunkCounters& counters) {
    if (run.chunk.parameters->exact_only) {
        run.exact = all_of(run.chunk);
    } else {
        for_each_group<CoreA, CurvedCore>(run.chunk, all_of(run.chunk), [&](auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
            answer_group(run, pair, list, lanes);
        });
        run_contacts<CoreA, CurvedCore>(run);
    }
    if (run.exact.count != 0) run_exact<CoreA, CurvedCore>(run, counters);
}

template <class CoreA>
void run_halfspace(Run& run, ChunkCounters& counters) {
    run.exact = all_of(run.chunk);
    run_exact<CoreA, PlaneCore>(run, counters);
}

}  // namespace

void run_curved_kind(Run& run, ChunkCounters& counters) {
    const bool halfspace = run.chunk.kind_b == ShapeKind::halfspace;
    switch (run.chunk.kind_a) {
        case ShapeKind::sphere: return halfspace ? run_halfspace<PointCore>(run, counters) : run_curved<PointCore>(run, counters);
        case ShapeKind::capsule:
        case ShapeKind::box: return halfspace ? run_halfspace<ExtentCore>(run, counters) : run_curved<ExtentCore>(run, counters);
        case ShapeKind::hull: return halfspace ? run_halfspace<HullCore>(run, counters) : run_curved<HullCore>(run, counters);
        default: return halfspace ? run_halfspace<CurvedCore>(run, counters) : run_curved<CurvedCore>(run, counters);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
