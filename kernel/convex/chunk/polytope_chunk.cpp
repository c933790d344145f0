// A hull and a sphere, capsule, box or hull: GJK and, for overlapping cores, separating axes.
#include "convex/chunk/axis.hpp"
#include "convex/chunk/families.hpp"
#include "convex/chunk/search.hpp"
#include "convex/depth/facet_seeds.hpp"
#include "convex/depth/hull_sat.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// Stores vertices that may prove the depth in the next frame: for pairs that are met again, and whose overlap is
// smaller than the distance to the faces next to the deepest facet.
template <class CoreA, class CoreB>
inline void remember_facets(const Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                            std::uint32_t lanes, const TetrahedronW& seeds, IntW known, const WitnessW& witness) {
    const MaskW shallow = witness.answer.signed_distance + pair.radius >= -FloatW(kShallowShare) * pair.smaller;
    const std::uint32_t asked = (witness.found & shallow & (known == IntW(1))).bits() & lanes;
    if (asked == 0) return;
    const FacetSeedsW facet = facet_seeds(pair, seeds, *run.chunk.frame, witness, asked);
    store_vertices(run.chunk, list, facet.found.bits() & asked, 0, facet.seeds);
}

// Finds the axis of least depth by pruned separating axes, and the witness points by the axis's features.
template <class CoreA, class CoreB>
ABUT_NOINLINE void penetrate(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                             const OverlappingW& found) {
    TetrahedronW seeds;
    const MaskW active = MaskW::from_bits(lanes);
    for (int k = 0; k < 4; ++k) seeds.id[k] = select(active, found.seeds.id[k], IntW(0));
    const DepthAxisW axis = hull_sat(pair, seeds, *run.chunk.frame, lanes);
    run.exact.append(list, lanes & ~axis.found.bits());
    store_witness(run, pair, list, lanes & axis.found.bits(), axis.normal, axis.separation, axis.witness);
    remember_facets(run, pair, list, lanes & axis.found.bits(), seeds, found.known, axis.witness);
}

// Computes the depth at once if half of a group's cores overlap: loading the pairs again would cost more than idle
// lanes in hull_sat, which mostly works lane by lane. (Traces show the state `depth`.)
struct DepthAtOnce {
    template <class CoreA, class CoreB>
    ABUT_INLINE void operator()(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                std::uint32_t lanes, const OverlappingW& found) const {
        const bool at_once = run.are_half(lanes) && run.chunk.out->traces == nullptr;
        at_once ? penetrate(run, pair, list, lanes, found) : run.depth.append(list, lanes, found);
    }
};

template <class CoreA, class CoreB>
void run_hulls(Run& run) {
    begin(run, run.search, run.warm_search);
    run_states(run, [&](State state) {
        if (state != State::depth) return run_shared<CoreA, CoreB>(run, state, DepthAtOnce());
        const auto step = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes,
                              const OverlappingW& found) { penetrate(run, pair, list, lanes, found); };
        for_each_group<CoreA, CoreB>(run.chunk, run.depth, step);
    });
}

}  // namespace

void run_polytope(Run& run) {
    switch (run.chunk.kind_a) {
        case ShapeKind::sphere: return run_hulls<PointCore, HullCore>(run);
        case ShapeKind::hull: return run_hulls<HullCore, HullCore>(run);
        default: return run_hulls<ExtentCore, HullCore>(run);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
