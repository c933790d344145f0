// How contacts move with the bodies, and how far these may move before other features are in contact.
//
// A contact is a corner of B over A's face, a corner of A under B's, or the point where a line that stays with A crosses one that stays with B, seen along
// the normal: two edges, or an edge and the way from the middle of the other face to a corner that has been pulled onto it. While B moves by d against A,
// the first moves by d, the second stays, and the third slides along A's line, which has the direction u, by (u . d + k (u' . d)) u, where u' is
// perpendicular to u and k comes from the angle between the lines. Others, as at the rim of a cap or where edges are nearly parallel, move by d / 2.
//
// Where two faces touch, one of them along the normal, that holds until a contact is no more where both faces are (`room`). Other corners may come to lie
// over both faces meanwhile: the patch of the contacts is then smaller than the common part of the faces, by no more than the motion.
#pragma once

#include "manifold/choose_four.hpp"
#include "manifold/contact_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct ContactLawsW {
    IntW law[kManifoldPoints];  // of each contact
    FloatW room;                // scaled: no other feature is in contact while the bodies move by no more; 0 where that is not known
    FloatW short_room;          // scaled: the contacts stay on both surfaces while the bodies move by no more
    FloatW most_tilt;           // after a smaller one no part of the shapes is deeper than the contacts by more than kTiltShare of the slack, radians
    FloatW rise_x, rise_y;      // the slope of B's feature against A's; 0 where it makes no difference
    std::uint32_t of_b;         // lanes in which the contacts are along the normal of B's face alone
};

// For contacts whose laws nobody asks for.
ABUT_INLINE ContactLawsW no_laws() {
    const IntW none = 0;
    return {{none, none, none, none}, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0};
}

// A law in 32 bits. The low half has tan(angle / 4) of u, the high half k / `steepest`, or what no such number is.
inline constexpr std::int32_t kCornerOfA = INT32_MIN, kCornerOfB = INT32_MIN | 1, kHalfway = INT32_MIN | 2;

// The displacement in the contact plane of a contact while B's surface moves by (dx, dy) against A's and turns by `turned` radians.
struct SlideW {
    FloatW x, y;
};
ABUT_INLINE SlideW slide_by(IntW law, FloatW steepest, FloatW dx, FloatW dy, FloatW turned) {
    const FloatW one = 1.0f, zero = 0.0f;
    const IntW high = law >> 16;
    const FloatW t = from_16_bits(law & IntW(0xffff)), k = from_16_bits(high) * steepest, squared = t * t, by = one / (one + squared);
    const FloatW ux = (one - squared) * by, uy = (t + t) * by, turned_k = k + turned * (one + k * k);
    const FloatW along = (ux * dx + uy * dy) + turned_k * (ux * dy - uy * dx);
    const MaskW is_share = high == IntW(0x8000);
    const FloatW share = select(law == IntW(kCornerOfB), one, select(law == IntW(kHalfway), FloatW(0.5f), zero));
    return {select(is_share, share * dx, ux * along), select(is_share, share * dy, uy * along)};
}

// The laws of those of `lanes` whose contacts are all of two faces. `at`: the contacts in the plane; `has`: lanes that have so many.
void find_contact_laws(const manifold_detail::LanesOfPair& of, std::uint32_t lanes, const std::uint32_t (&has)[kManifoldPoints],
                       const FloatW (&x)[kManifoldPoints], const FloatW (&y)[kManifoldPoints], const FloatW (&separation)[kManifoldPoints],
                       ContactLawsW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
