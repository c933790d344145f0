// The region in which two polytopes touch to within promise 1's bound, whatever features it consists of: the slice of each next to its support plane,
// clipped against the other's in the plane perpendicular to the normal. It does not depend on how cooking merged faces that are split by less than
// the bound.
//
// A pair whose hull has faces that are nearly level with each other takes the corners of this region as candidates if they span more than those of
// the features. In double: slices may be as narrow as rounding.
#pragma once

#include "manifold/contact_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Lanes with one candidate that is no shape's vertex, nor where edges cross: a rounded edge that lies on a face. `on_face`: a rounded
// shape along a face's normal, where the deepest point may have the name of two of that face's corners, or one.
ABUT_INLINE MaskW may_lie_on_edges(const CandidatesW& found, MaskW on_face, std::uint32_t lanes) {
    const MaskW one = MaskW::from_bits(lanes) & found.uses(0) & ~found.uses(1);
    if (!any(one)) return one;
    const IntW name = found.slot[0].name, face = static_cast<std::int32_t>(kFaceName), either = static_cast<std::int32_t>(kFaceName | kEdgeName);
    const auto has = [](IntW bits) { return float_of(bits) > FloatW(0.0f); };
    const IntW a = name >> 16;
    const MaskW names_face = has(a & face) | has(name & face);
    return one & ((has(a & either) & has(name & either) & names_face) | (on_face & ~names_face));
}

// Replaces the candidates of those of `lanes` whose slices span more, by the corners of the slices' common region. The candidates must be complete.
// `level`: lanes with nearly level faces.
void take_slices(const manifold_detail::LanesOfPair& of, std::uint32_t level, std::uint32_t lanes, CandidatesW& found);

// The same where one shape is curved. Its feature, a cap or the line or strip of its side, is clipped against the other's slice: points closer than the
// bound may have split that one's face.
void take_slice_features(const manifold_detail::LanesOfPair& of, std::uint32_t level, std::uint32_t lanes, CandidatesW& found);

}  // namespace abut::ABUT_ISA_NAMESPACE
