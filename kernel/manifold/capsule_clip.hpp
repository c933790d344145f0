// Contact candidates of two capsules, one pair per lane: the ends of their common stretch, at the heights of the round surfaces there. Where these are
// not as deep as the answer, the deepest point and the end farther from it. The rules, and the bits, are those of clip_edges (clip.hpp) for two
// round edges.
#pragma once

#include "manifold/manifold_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

// A capsule as its contact sees it: the line on its surface that faces the other capsule.
struct CapsuleLineW {
    MaskW is_seen;  // not end on
    FloatW facing;  // the cosine between what faces the other capsule and the normal; 0 where it is seen end on
    FloatW flat;    // the line's length in the plane, squared
    FloatW radius, length;
    float outwards;         // 1 for A, -1 for B
    Vec3W start, end, way;  // the line's ends, and the way from one to the other, along the contact's axes
    Vec3W axis, unit;       // the axis' first end and its direction

    ABUT_INLINE CapsuleLineW(const ExtentCore& core, const ContactAxesW& axes, FloatW of_radius) : radius(of_radius), outwards(axes.side) {
        const FloatW half = core.extent.y, whole = -half - half;
        const Vec3W along_y = {axes.x.y, axes.y.y, axes.normal.y};
        way = along_y * whole;
        const FloatW squared = length_squared(way);
        flat = way.x * way.x + way.y * way.y;
        is_seen = flat > FloatW(kSteepSegmentSquared) * squared;
        const FloatW inverse = FloatW(1.0f) / sqrt(flat * squared), scale = FloatW(outwards) * radius * inverse;
        const Vec3W shift = {-(way.x * way.z) * scale, -(way.y * way.z) * scale, flat * scale};
        facing = select(is_seen, flat * inverse, FloatW(0.0f));
        start = along_y * half + axes.origin + shift;
        end = along_y * -half + axes.origin + shift;
        axis = start - shift;
        length = sqrt(squared);
        unit = way * (FloatW(1.0f) / length);
    }
    // Of a point of the plane: 0 at the line's first end, 1 at the other.
    ABUT_INLINE FloatW along(FloatW x, FloatW y) const { return ((x - start.x) * way.x + (y - start.y) * way.y) / flat; }

    // The surface's height over a point of the plane, that of the cylinder or of the balls at its ends. Whether it reaches over the point.
    ABUT_INLINE MaskW find_height(FloatW x, FloatW y, FloatW& height) const {
        const FloatW zero = 0.0f, flat_unit = unit.x * unit.x + unit.y * unit.y, sign = outwards;
        const FloatW wx = x - axis.x, wy = y - axis.y, s = wx * unit.x + wy * unit.y, aside = wx * unit.y - wy * unit.x;
        // The ray along the normal meets the cylinder where (1 - unit.z^2) h^2 - 2 h unit.z s + w^2 - s^2 = radius^2.
        const FloatW under = flat_unit * radius * radius - aside * aside;
        const FloatW h = (unit.z * s + sign * sqrt(max(under, zero))) / flat_unit, foot = s + h * unit.z;
        const MaskW is_beside = (foot >= zero) & (foot <= length);
        const FloatW at = select(foot < zero, zero, length), ex = wx - unit.x * at, ey = wy - unit.y * at;
        const FloatW room = radius * radius - ex * ex - ey * ey;
        height = select(is_beside, axis.z + h, axis.z + unit.z * at + sign * sqrt(max(room, zero)));
        return (under >= zero) & (is_beside | (room >= zero));
    }
};

// The two ends of a common stretch.
struct StretchW {
    CandidateW end[2];
    MaskW has[2];
    FloatW apart;  // nearer points are one
};

inline StretchW common_stretch(const PairW<ExtentCore, ExtentCore>& pair, const ContactsW& contacts, MaskW lanes) {
    const CapsuleLineW a(pair.a, contacts.in_a, pair.radius_a), b(pair.b, contacts.in_b, pair.radius_b);
    const FloatW zero = 0.0f, one = 1.0f;
    StretchW out;
    out.apart = contacts.limits.same_place * min(a.facing, b.facing);
    const FloatW across = a.way.x * b.way.x + a.way.y * b.way.y;
    const FloatW from = a.along(b.start.x, b.start.y), to = a.along(b.end.x, b.end.y);
    const FloatW start = max(min(from, to), zero), end = min(max(from, to), one);
    const MaskW is_shared = lanes & a.is_seen & b.is_seen & (across * across > FloatW(kCrossingCosine * kCrossingCosine) * a.flat * b.flat) &
                            (a.flat > FloatW(kTiny)) & (start < end);
    const FloatW share = select(pair.radius > zero, pair.radius_a / pair.radius, FloatW(0.5f));
    const auto is_near = [&](FloatW t, FloatW u) { return (t - u) * (t - u) * a.flat <= out.apart * out.apart; };
    const IntW whole = static_cast<std::int32_t>(edge_name(0, 1)), first = 0, last = 1;
    for (int k = 0; k < 2; ++k) {
        const FloatW t = k == 0 ? start : end, u = (t - from) / (to - from);
        const FloatW ax = a.start.x + a.way.x * t, ay = a.start.y + a.way.y * t;
        CandidateW& at = out.end[k];
        at.x = ax + (b.start.x + b.way.x * u - ax) * share, at.y = ay + (b.start.y + b.way.y * u - ay) * share;
        FloatW on_a, on_b;
        const MaskW reaches = a.find_height(at.x, at.y, on_a) & b.find_height(at.x, at.y, on_b);
        at.height = (on_a + on_b) * FloatW(0.5f), at.separation = on_b - on_a;
        const MaskW is_from = is_near(t, from), is_of_b = is_from | is_near(t, to);
        const IntW name_a = select(is_of_b, whole, select(t == zero, first, last)), name_b = select(is_of_b, select(is_from, first, last), whole);
        at.name = (name_a << 16) | name_b;
        out.has[k] = is_shared & reaches & (at.separation <= contacts.limits.margin);
    }
    const FloatW dx = out.end[1].x - out.end[0].x, dy = out.end[1].y - out.end[0].y;
    out.has[1] &= ~(out.has[0] & ((dx * dx + dy * dy <= out.apart * out.apart) | (out.end[1].name == out.end[0].name)));
    return out;
}

// Whether x < y, as signed numbers.
ABUT_INLINE MaskW is_before(IntW x, IntW y) {
    const auto is_less = [](IntW half, IntW than) { return ((half - than) >> 31) == IntW(1); };
    const IntW high_x = (x >> 16) ^ IntW(0x8000), high_y = (y >> 16) ^ IntW(0x8000);
    return is_less(high_x, high_y) | ((high_x == high_y) & is_less(x & IntW(0xffff), y & IntW(0xffff)));
}

// Returns the lanes that have all their candidates; the others lack the deepest point.
template <class Know>
MaskW find_capsules(const PairW<ExtentCore, ExtentCore>& pair, const ContactsW& contacts, Know&& know_deepest, MaskW lanes, CandidatesW& found) {
    StretchW stretch = common_stretch(pair, contacts, lanes);
    const ClipLimitsW& limits = contacts.limits;
    // No pair of points is nearer than the answer says: what seems to be by rounding is brought up to it, what is off a surface goes.
    found.apart_squared = FloatW(-1.0f);
    for (int k = 0; k < 2; ++k) {
        CandidateW& at = stretch.end[k];
        const MaskW kept = stretch.has[k] & (at.separation >= limits.separation - limits.tolerance);
        at.separation = max(at.separation, limits.separation);
        found.append(kept, at);
    }
    OutcomeW outcome(found, contacts, lanes);
    if (any(outcome.open)) {
        know_deepest();
        const CandidateW& deepest = contacts.deepest;
        const MaskW known = outcome.open & contacts.is_known;
        // They touch along one line: of two ends the farther one stays, the first of ends that are as far.
        const auto off = [&](const CandidateW& c) { return (c.x - deepest.x) * (c.x - deepest.x) + (c.y - deepest.y) * (c.y - deepest.y); };
        const MaskW both = known & found.uses(1);
        if (any(both)) {
            const MaskW takes_last = both & (off(found.slot[1]) > FloatW(kSameEnd * kSameEnd) * off(found.slot[0]));
            found.slot[0] = select(takes_last, found.slot[1], found.slot[0]);
            found.count = select(both, FloatW(1.0f), found.count);
        }
        found.add_deepest(known, deepest, contacts.near);
        outcome.settled |= known;
    }
    // In the order of their names, which does not depend on how they were found.
    if (found.most > 1) {
        const MaskW turned = found.uses(1) & is_before(found.slot[1].name, found.slot[0].name);
        const CandidateW first = found.slot[0];
        found.slot[0] = select(turned, found.slot[1], first), found.slot[1] = select(turned, first, found.slot[1]);
    }
    found.apart_squared = stretch.apart * stretch.apart;
    return outcome.settled;
}

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
