// Two parallel edges: the ends of their common segment, halfway between the surfaces. One pair of capsules per lane, or
// one pair's two edges in all lanes. If the ends are not as deep as the answer, capsules get the deepest point and the
// end farther from it.
#pragma once

#include "convex/manifold/manifold_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

// An edge in contact coordinates: the line on its surface that faces the other shape, continued to the deepest point
// (round_end.hpp).
struct EdgeW {
    bool is_round = true, has_flat_ends = false;  // as of a Feature
    float aside[2] = {0.0f, 0.0f};
    float outwards;  // 1 for A, -1 for B
    IntW name, corner[2];
    MaskW is_seen;  // lanes whose edge is not along the normal
    FloatW
        facing;  // cosine between the surface's normal on that line and the contact's; 0 for an edge along the normal
    FloatW flat, squared, radius;  // flat, squared: squared lengths of the line, in the plane and in space
    Vec3W start, end, along_line;  // ends of the line, and their difference
    Vec3W core;                    // the start of the core's edge
    FloatW length;                 // of the core's edge

    ABUT_INLINE EdgeW(const ExtentCore& of, const ContactAxesW& axes, FloatW of_radius)
        : outwards(axes.normal_sign),
          name(static_cast<std::int32_t>(edge_name(0, 1))),
          corner{0, 1},
          radius(of_radius) {
        const FloatW half = of.extent.y, whole = -half - half, zero = 0.0f;
        const Vec3W along_y = {axes.x.y, axes.y.y, axes.normal.y};
        along_line = along_y * whole;
        length = half + half;
        squared = length_squared(along_line);
        flat = along_line.x * along_line.x + along_line.y * along_line.y;
        is_seen = flat > FloatW(kSteepSegmentSquared) * squared;
        const FloatW inverse = FloatW(1.0f) / sqrt(flat * squared), scale = FloatW(outwards) * radius * inverse;
        const Vec3W shift = {-(along_line.x * along_line.z) * scale, -(along_line.y * along_line.z) * scale,
                             flat * scale};
        facing = select(is_seen, flat * inverse, zero);
        core = along_y * half + axes.origin;
        // Continues the line beyond its start (past > 0) or its end.
        const FloatW past = FloatW(outwards) * radius * along_y.z / max(facing, FloatW(kTiny));
        start = core + shift + along_y * max(past, zero);
        end = along_y * (min(past, zero) - half) + axes.origin + shift;
        along_line = along_y * (whole - abs(past));
        squared = length_squared(along_line);
        flat = along_line.x * along_line.x + along_line.y * along_line.y;
    }
    ABUT_INLINE EdgeW(const Feature& f, float of_radius, float normal_sign)
        : is_round(f.is_round),
          has_flat_ends(f.has_flat_ends),
          aside{f.aside[0], f.aside[1]},
          outwards(normal_sign),
          name(static_cast<std::int32_t>(f.own_name())),
          corner{static_cast<std::int32_t>(f.corner_name(0)), static_cast<std::int32_t>(f.corner_name(1))},
          is_seen(MaskW::from_bits(kAllLanes)),
          facing(f.facing),
          squared(f.edge_squared[0]),
          radius(of_radius),
          start{f.x[0], f.y[0], f.height[0]},
          end{f.x[1], f.y[1], f.height[1]},
          along_line{f.edge_x[0], f.edge_y[0], f.edge_height[0]} {
        const Float3 shift = f.deepest == 0 ? f.shift + f.past : f.shift;
        core = start - Vec3W{shift.x, shift.y, shift.z};
        length = sqrt_of(f.edge_squared[0]) - sqrt_of(dot(f.past, f.past));
        flat = along_line.x * along_line.x + along_line.y * along_line.y;
    }
    // The parameter of a point of the plane along the line, 0 to 1.
    FloatW along(FloatW x, FloatW y) const {
        return ((x - start.x) * along_line.x + (y - start.y) * along_line.y) / flat;
    }
    // At a parameter of the line: the square of the lateral distance within which the surface is as high as the line,
    // to rounding.
    FloatW aside_squared(FloatW at) const {
        const FloatW part = max(FloatW(0.0f), min(FloatW(1.0f), at));
        return FloatW(aside[0]) + FloatW(aside[1] - aside[0]) * part;
    }
    // The surface's height over a point of the plane, and whether the surface reaches over it. `slack`: allowed
    // distance beyond a flat end.
    MaskW find_height(FloatW x, FloatW y, FloatW slack, FloatW& height) const {
        return is_round ? find_height_of_round(x, y, slack, height) : find_height_of_line(x, y, slack, height);
    }

private:
    // The height of a cylinder about the edge, with balls at its ends unless it is a cylinder's lateral face.
    ABUT_INLINE MaskW find_height_of_round(FloatW x, FloatW y, FloatW slack, FloatW& height) const {
        const FloatW zero = 0.0f, sign = outwards;
        const Vec3W axis = core, unit = along_line * (FloatW(1.0f) / sqrt(squared));
        const FloatW flat_unit = unit.x * unit.x + unit.y * unit.y;
        const FloatW wx = x - axis.x, wy = y - axis.y, s = wx * unit.x + wy * unit.y, off = wx * unit.y - wy * unit.x;
        // The line along the normal meets the cylinder where (1 - unit.z^2) h^2 - 2 h unit.z s + w^2 - s^2 = radius^2.
        const FloatW under = flat_unit * radius * radius - off * off;
        const FloatW h = (unit.z * s + sign * sqrt(max(under, zero))) / flat_unit, foot = s + h * unit.z;
        if (has_flat_ends) {
            height = axis.z + h;
            return (under >= zero) & (foot >= -slack) & (foot <= length + slack);
        }
        const MaskW is_beside = (foot >= zero) & (foot <= length);
        const FloatW at = select(foot < zero, zero, length), ex = wx - unit.x * at, ey = wy - unit.y * at;
        const FloatW room = radius * radius - ex * ex - ey * ey;
        height = select(is_beside, axis.z + h, axis.z + unit.z * at + sign * sqrt(max(room, zero)));
        return (under >= zero) & (is_beside | (room >= zero));
    }
    // For edges that are not round: the surface is the line and, up to `aside`, the strips next to it.
    ABUT_INLINE MaskW find_height_of_line(FloatW x, FloatW y, FloatW slack, FloatW& height) const {
        const FloatW at = along(x, y), ox = x - start.x - along_line.x * at, oy = y - start.y - along_line.y * at,
                     one = 1.0f;
        const FloatW past = has_flat_ends ? slack / sqrt(flat) : FloatW(kTouchShare);
        height = start.z + along_line.z * at;
        return (ox * ox + oy * oy <= max(aside_squared(at), slack * slack)) & (at >= -past) & (at <= one + past);
    }
};

// The two ends of a common segment. If ends of both edges coincide, B's gives the name.
struct StretchW {
    CandidateW end[2];
    MaskW has[2];

    // `apart`: points closer than this become one.
    ABUT_INLINE StretchW(const EdgeW& a, const EdgeW& b, FloatW margin, FloatW slack, FloatW apart, MaskW lanes) {
        const FloatW zero = 0.0f, one = 1.0f, both = a.radius + b.radius,
                     across = a.along_line.x * b.along_line.x + a.along_line.y * b.along_line.y;
        const FloatW from = a.along(b.start.x, b.start.y), to = a.along(b.end.x, b.end.y);
        const FloatW first = max(min(from, to), zero), second = min(max(from, to), one);
        const MaskW is_shared = lanes & a.is_seen & b.is_seen &
                                (across * across > FloatW(kCrossingCosine * kCrossingCosine) * a.flat * b.flat) &
                                (a.flat > FloatW(kTiny)) & (first < second);
        const auto is_near = [&](FloatW t, FloatW u) { return (t - u) * (t - u) * a.flat <= apart * apart; };
        for (int k = 0; k < 2; ++k) {
            const FloatW t = k == 0 ? first : second, u = (t - from) / (to - from), share = share_at(a, b, both, t, u);
            const FloatW ax = a.start.x + a.along_line.x * t, ay = a.start.y + a.along_line.y * t;
            CandidateW& at = end[k];
            at.x = ax + (b.start.x + b.along_line.x * u - ax) * share,
            at.y = ay + (b.start.y + b.along_line.y * u - ay) * share;
            FloatW on_a, on_b;
            const MaskW reaches = a.find_height(at.x, at.y, slack, on_a) & b.find_height(at.x, at.y, slack, on_b);
            at.height = (on_a + on_b) * FloatW(0.5f), at.separation = on_b - on_a;
            const MaskW is_from = is_near(t, from), is_of_b = is_from | is_near(t, to);
            const IntW name_a = select(is_of_b, a.name, select(t == zero, a.corner[0], a.corner[1]));
            at.name = (name_a << 16) | select(is_of_b, select(is_from, b.corner[0], b.corner[1]), b.name);
            has[k] = is_shared & reaches & (at.separation <= margin);
        }
        const FloatW dx = end[1].x - end[0].x, dy = end[1].y - end[0].y;
        has[1] &= ~(has[0] & ((dx * dx + dy * dy <= apart * apart) | (end[1].name == end[0].name)));
    }

private:
    // The position of a contact between the lines, 0 on A's and 1 on B's: on the line that is not round, if one is;
    // between round edges in proportion to the radii, between others in proportion to their `aside`.
    static FloatW share_at(const EdgeW& a, const EdgeW& b, FloatW both, FloatW t, FloatW u) {
        const FloatW zero = 0.0f;
        if (a.is_round != b.is_round) return a.is_round ? 1.0f : 0.0f;
        const FloatW by_radius = select(both > zero, a.radius / both, FloatW(0.5f));
        if (a.is_round) return by_radius;
        const FloatW wide_a = sqrt(a.aside_squared(t)), wide = wide_a + sqrt(b.aside_squared(u));
        return select(wide > zero, wide_a / wide, by_radius);
    }
};

// x < y as signed numbers.
inline MaskW is_before(IntW x, IntW y) {
    const auto is_less = [](IntW half, IntW than) { return ((half - than) >> 31) == IntW(1); };
    const IntW high_x = (x >> 16) ^ IntW(0x8000), high_y = (y >> 16) ^ IntW(0x8000);
    return is_less(high_x, high_y) | ((high_x == high_y) & is_less(x & IntW(0xffff), y & IntW(0xffff)));
}

// Returns the lanes that have all their candidates; the others need the deepest point.
template <class Know>
MaskW find_capsules(const PairW<ExtentCore, ExtentCore>& pair, const ContactsW& contacts, Know&& know_deepest,
                    MaskW lanes, CandidatesW& found) {
    const ClipLimitsW& limits = contacts.limits;
    const EdgeW a(pair.a, contacts.in_a, pair.radius_a), b(pair.b, contacts.in_b, pair.radius_b);
    const FloatW apart = limits.same_place * min(a.facing, b.facing);
    StretchW stretch(a, b, limits.margin, FloatW(0.0f), apart, lanes);
    // Separations smaller than the answer's are rounding and are set to it; points off a surface are removed.
    found.apart_squared = FloatW(-1.0f);
    for (int k = 0; k < 2; ++k) {
        CandidateW& at = stretch.end[k];
        const MaskW kept = stretch.has[k] & (at.separation >= limits.separation - limits.tolerance);
        at.separation = max(at.separation, limits.separation);
        found.append(kept, at);
    }
    OutcomeW outcome(found, contacts.as_deep(true), lanes);
    if (any(outcome.open)) {
        know_deepest();
        const CandidateW& deepest = contacts.deepest;
        const MaskW known = outcome.open & contacts.is_known;
        // The capsules touch along one line: keeps the end farther from the deepest point, the first of equally far
        // ends.
        const auto off = [&](const CandidateW& c) {
            return (c.x - deepest.x) * (c.x - deepest.x) + (c.y - deepest.y) * (c.y - deepest.y);
        };
        const MaskW both = known & found.uses(1);
        if (any(both)) {
            const MaskW takes_second = both & (off(found.slot[1]) > FloatW(kSameEnd * kSameEnd) * off(found.slot[0]));
            found.slot[0] = select(takes_second, found.slot[1], found.slot[0]);
            found.count = select(both, FloatW(1.0f), found.count);
        }
        found.add_deepest(known, deepest, contacts.near);
        outcome.settled |= known;
    }
    // Sorts by name, so that the order does not depend on how the points were found.
    if (found.most > 1) {
        const MaskW swaps = found.uses(1) & is_before(found.slot[1].name, found.slot[0].name);
        const CandidateW first = found.slot[0];
        found.slot[0] = select(swaps, found.slot[1], first), found.slot[1] = select(swaps, first, found.slot[1]);
    }
    found.apart_squared = apart * apart;
    return outcome.settled;
}

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
