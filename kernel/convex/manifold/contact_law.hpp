// Contact laws: how contacts move with the bodies, and the motions for which the laws hold.
//
// A contact is a corner of B over A's face, a corner of A under B's face, or the crossing of a line fixed to A with a
// line fixed to B, seen along the normal. The lines are two edges, or an edge and the line from the other face's middle
// through a corner that was moved onto the edge. While B moves by d relative to A, a corner of B moves by d and a
// corner of A stays. A crossing slides along A's line, of direction u, by (u . d + k (u' . d)) u; u' is perpendicular
// to u, and k follows from the angle between the lines. Other contacts, as at a cap's rim or on nearly parallel edges,
// move by half of d.
//
// If a level face touches another face or a sharp edge, the laws hold until a contact leaves one of the two (`room`).
// Other corners may meanwhile move over both: the patch of the contacts is then smaller than the common area of the
// features, by no more than the motion.
#pragma once

#include "convex/manifold/choose_four.hpp"
#include "convex/manifold/contact_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Rise of a plane's height along the two tangents of a contact.
struct SlopeW {
    FloatW x, y;
};

struct ContactLawsW {
    IntW law[kManifoldPoints];  // of each contact
    FloatW room;                // scaled: up to this motion no other feature gets into contact; 0 if unknown
    FloatW short_room;          // scaled: up to this motion the contacts stay on both surfaces
    FloatW
        most_tilt;  // radians: up to this tilt no vertex gets deeper than the contacts by more than kTiltShare of the slack
    SlopeW slope_a, slope_b;  // of the features against the contact plane; 0 if the slope does not matter
    std::uint32_t of_b;       // lanes whose normal is that of B's face, not of A's
};

// The laws for contacts whose laws are not needed.
inline ContactLawsW no_laws() {
    const IntW none = 0;
    return {{none, none, none, none}, 0.0f, 0.0f, 0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}, 0};
}

// A law in 32 bits: tan(angle / 2) of u in the low half, k / `steepest` in the high half; or one of these constants.
inline constexpr std::int32_t kCornerOfA = INT32_MIN, kCornerOfB = INT32_MIN | 1, kHalfway = INT32_MIN | 2;

// The displacement of a contact in the contact plane while B's surface moves by (dx, dy) relative to A's and rotates by
// `turned` radians.
struct SlideW {
    FloatW x, y;
};
ABUT_INLINE SlideW slide_by(IntW law, FloatW steepest, FloatW dx, FloatW dy, FloatW turned) {
    const FloatW one = 1.0f, zero = 0.0f;
    const IntW high = law >> 16;
    const FloatW t = from_16_bits(law & IntW(0xffff)), k = from_16_bits(high) * steepest, squared = t * t,
                 by = one / (one + squared);
    const FloatW ux = (one - squared) * by, uy = (t + t) * by, turned_k = k + turned * (one + k * k);
    const FloatW along = (ux * dx + uy * dy) + turned_k * (ux * dy - uy * dx);
    const MaskW is_share = high == IntW(0x8000);
    const FloatW share = select(law == IntW(kCornerOfB), one, select(law == IntW(kHalfway), FloatW(0.5f), zero));
    return {select(is_share, share * dx, ux * along), select(is_share, share * dy, uy * along)};
}

// Finds the laws of the contacts of `lanes`. (x, y): the contacts in the contact plane; has[k]: lanes with more than k
// contacts.
void find_contact_laws(const manifold_detail::LanesOfPair& of, std::uint32_t lanes,
                       const std::uint32_t (&has)[kManifoldPoints], const FloatW (&x)[kManifoldPoints],
                       const FloatW (&y)[kManifoldPoints], const FloatW (&separation)[kManifoldPoints],
                       ContactLawsW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
