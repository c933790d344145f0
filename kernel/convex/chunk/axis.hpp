// The next step for a pair with known depth: its answer if the witness points are known, otherwise the state `pull`.
#pragma once

#include "convex/chunk/run.hpp"
#include "convex/depth/witness.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Returns those of `lanes` whose supports along the normal confirm the depth of the features; nearly parallel edges may
// fail. The other lanes go to the exact path.
template <class Pair>
ABUT_INLINE std::uint32_t sure_overlap(Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes,
                                       Vec3W normal, FloatW separation) {
    const std::uint32_t overlap = (separation <= FloatW(0.0f)).bits() & lanes;
    const MaskW agrees =
        abs(gap_along(pair, normal, overlap) - separation) <= FloatW(kCertificateShare) * pair.tolerance;
    const std::uint32_t sure = overlap & agrees.bits();
    run.exact.append(list, lanes & ~sure);
    return sure;
}

// Answers the lanes with known witness points and stores the axis of the others. Cores that turn out to be apart go to
// the exact path.
template <class Pair>
inline void store_witness(Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, Vec3W normal,
                          FloatW separation, const WitnessW& witness) {
    const std::uint32_t sure = sure_overlap(run, pair, list, lanes, normal, separation),
                        found = witness.found.bits() & sure;
    if (found != 0) run.answer(pair, list, found, witness.answer, [&] { return witness.names; });
    const std::uint32_t left = sure & ~found;
    // Contact features usually include the deepest point. A sphere has no features.
    constexpr bool has_features = !std::is_same_v<decltype(pair.a), PointCore>;
    if (has_features && run.writer.needs_contacts())
        run.append_manifold(pair, list, left, {{separation - pair.radius, normal, splat(0.0f)}, IntW(kNoPoint)});
    else
        run.witness.append(list, left, {normal, separation});
}

}  // namespace abut::ABUT_ISA_NAMESPACE
