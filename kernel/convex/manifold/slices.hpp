// The region in which two polytopes touch to within promise 1's bound, whatever its features: the slice of one shape,
// clipped against the slice of the other in the contact plane. The region does not depend on how cooking merged faces
// that differ by less than the bound.
//
// If a hull has nearly level faces, and the corners of this region span more than those of the features, the region's
// corners become the candidates. Computed in double, because slices may be as narrow as rounding.
#pragma once

#include "convex/manifold/contact_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Lanes whose single candidate is neither a vertex nor a crossing of edges: a rounded edge may lie on a face.
// `on_face`: lanes of rounded shapes with a face's normal; their deepest point may have the name of one or two of that
// face's corners.
ABUT_INLINE MaskW may_lie_on_edges(const CandidatesW& found, MaskW on_face, std::uint32_t lanes) {
    const MaskW one = MaskW::from_bits(lanes) & found.uses(0) & ~found.uses(1);
    if (!any(one)) return one;
    const IntW name = found.slot[0].name, face = static_cast<std::int32_t>(kFaceName),
               either = static_cast<std::int32_t>(kFaceName | kEdgeName);
    const auto has = [](IntW bits) { return float_of(bits) > FloatW(0.0f); };
    const IntW a = name >> 16;
    const MaskW names_face = has(a & face) | has(name & face);
    return one & ((has(a & either) & has(name & either) & names_face) | (on_face & ~names_face));
}

// Replaces the candidates by the corners of the slices' common region in those of `lanes` in which the region spans
// more. Precondition: the candidates are complete. `level`: lanes with nearly level faces.
void take_slices(const manifold_detail::LanesOfPair& of, std::uint32_t level, std::uint32_t lanes, CandidatesW& found);

// As take_slices, but for one curved shape: its cap, or the line of its lateral face, is clipped against the other
// shape's slice, because vertices that differ by less than the bound may have split a face of the other shape.
void take_slice_features(const manifold_detail::LanesOfPair& of, std::uint32_t level, std::uint32_t lanes,
                         CandidatesW& found);

}  // namespace abut::ABUT_ISA_NAMESPACE
