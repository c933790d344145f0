// Clipping of two features against each other in the plane across the contact normal: what of a face or edge lies over the other's face.
//
// A candidate is a corner of the incident feature over the reference face, a corner of the reference face over the incident one, or a
// crossing of their sides. Corners win over crossings by a slack within promise 1, so that equal boxes on top of each other do not flicker
// between the three names of one point.
#pragma once

#include "manifold/candidates.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct ClipLimits {
    float separation;  // keep what is no farther apart
    float slack;       // in the plane
};

namespace clip_detail {

struct Sides {
    const Feature& incident;
    const Feature& reference;
    bool reference_is_a;
};

ABUT_INLINE void append(const Sides& sides, std::uint32_t lanes, FloatW x, FloatW y, FloatW on_incident, FloatW on_reference,
                        const LaneArray<std::int32_t>& incident_name, const LaneArray<std::int32_t>& reference_name,
                        const ClipLimits& limits, Candidates& out) {
    const FloatW separation = sides.reference_is_a ? on_incident - on_reference : on_reference - on_incident;
    lanes &= (separation <= FloatW(limits.separation)).bits();
    if (lanes == 0) return;
    const LaneArray<float> px = lanes_of(x), py = lanes_of(y), h = lanes_of((on_incident + on_reference) * FloatW(0.5f)),
                           s = lanes_of(separation);
    for_each_lane(lanes, [&](int lane) {
        const auto i = static_cast<std::uint32_t>(incident_name[lane]), r = static_cast<std::uint32_t>(reference_name[lane]);
        if (out.count < kMaxCandidates) out.append(px[lane], py[lane], h[lane], s[lane], sides.reference_is_a ? r << 16 | i : i << 16 | r);
    });
}

ABUT_INLINE FloatW plane_height(const Feature& f, FloatW x, FloatW y) {
    return FloatW(f.height0) + FloatW(f.slope_x) * x + FloatW(f.slope_y) * y;
}

// Whether a point near the line of side j lies beyond either of the side's ends.
ABUT_INLINE MaskW is_past(const Feature& f, std::uint32_t j, FloatW x, FloatW y, float slack) {
    const std::uint32_t k = f.next(j);
    const FloatW ex = f.line_y[j], ey = -f.line_x[j];
    const FloatW from = ex * (x - FloatW(f.x[j])) + ey * (y - FloatW(f.y[j])), to = ex * (x - FloatW(f.x[k])) + ey * (y - FloatW(f.y[k]));
    return (min(from, to) > FloatW(slack)) | (max(from, to) < FloatW(-slack));
}

// Where the incident feature's sides i .. i + kLanes enter and leave the reference face; enter > leave where they miss it.
struct Span {
    FloatW enter, leave;
    IntW enter_side, leave_side;  // of the reference face
};
ABUT_INLINE Span clip_sides(const Feature& reference, FloatW x, FloatW y, FloatW dx, FloatW dy, float slack) {
    const FloatW zero = 0.0f, one = 1.0f;
    Span span = {zero, one, IntW(0), IntW(0)};
    MaskW start_past, end_past;
    for (std::uint32_t j = 0; j < reference.count; ++j) {
        const FloatW nx = reference.line_x[j], ny = reference.line_y[j];
        const FloatW start = nx * x + ny * y + FloatW(reference.line_0[j]), step = nx * dx + ny * dy, end = start + step;
        if (!any((start < zero) | (end < zero))) continue;
        const MaskW start_out = start < FloatW(-slack), end_out = end < FloatW(-slack);
        const MaskW start_near = (start < zero) & ~start_out, end_near = (end < zero) & ~end_out;
        if (any(start_near)) start_past |= start_near & is_past(reference, j, x, y, slack);
        if (any(end_near)) end_past |= end_near & is_past(reference, j, x + dx, y + dy, slack);
        if (!any(start_out | end_out)) continue;
        // Used only where one of the two is out; the other may be so by less than the slack.
        const FloatW at = max(zero, min(one, start / (start - end)));
        const MaskW enters = start_out & ~end_out & (at > span.enter), leaves = end_out & ~start_out & (at < span.leave);
        span.enter = select(start_out & end_out, FloatW(2.0f), select(enters, at, span.enter));
        span.leave = select(leaves, at, span.leave);
        span.enter_side = select(enters, IntW(static_cast<std::int32_t>(j)), span.enter_side);
        span.leave_side = select(leaves, IntW(static_cast<std::int32_t>(j)), span.leave_side);
    }
    // Within the slack of every line, yet past the end of one that it is outside of: beyond the tip of a needle.
    const MaskW missed = (start_past & (span.enter == zero)) | (end_past & (span.leave == one));
    span.enter = select(missed, FloatW(2.0f), span.enter);
    return span;
}

ABUT_INLINE void clip_incident(const Sides& sides, const ClipLimits& limits, Candidates& out) {
    const Feature &f = sides.incident, &r = sides.reference;
    const std::uint32_t count = f.count == 2 ? 1 : f.count;
    const auto face = static_cast<std::int32_t>(r.own_name());
    struct Clipped {
        FloatW x, y, h, dx, dy, dh;
        Span span;
        std::uint32_t over;
    } block[kMaxCorners / kLanes];
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        Clipped& c = block[i / kLanes];
        c.x = FloatW::load(f.x + i), c.y = FloatW::load(f.y + i), c.h = FloatW::load(f.height + i);
        c.dx = FloatW::load(f.side_x + i), c.dy = FloatW::load(f.side_y + i), c.dh = FloatW::load(f.side_height + i);
        c.span = clip_sides(r, c.x, c.y, c.dx, c.dy, limits.slack);
        // A side shorter than the slack is its end: the next corner.
        c.over = lane_bits(count - i) &
                 (FloatW::load(f.side_squared + i) > FloatW(limits.slack * limits.slack)).bits() & (c.span.enter <= c.span.leave).bits();
    }
    LaneArray<std::int32_t> own, other;
    const auto put = [&](std::uint32_t i, std::uint32_t lanes, FloatW t, std::uint32_t cut, IntW cut_by, std::uint32_t corner) {
        const Clipped& c = block[i / kLanes];
        const LaneArray<std::int32_t> side = lanes_of(cut_by);
        for_each_lane(lanes, [&](int lane) {
            const std::uint32_t at = i + static_cast<std::uint32_t>(lane);
            const bool is_cut = cut >> lane & 1;
            own[lane] = static_cast<std::int32_t>(is_cut ? f.side_name(at) : f.corner_name(corner == 0 ? at : f.next(at)));
            other[lane] = is_cut ? static_cast<std::int32_t>(r.side_name(static_cast<std::uint32_t>(side[lane]))) : face;
        });
        const FloatW x = c.x + c.dx * t, y = c.y + c.dy * t;
        append(sides, lanes, x, y, c.h + c.dh * t, plane_height(r, x, y), own, other, limits, out);
    };
    // All starts, then all ends: the order of the candidates decides ties, and must not depend on the number of lanes.
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        const Clipped& c = block[i / kLanes];
        if (c.over != 0) put(i, c.over, c.span.enter, (c.span.enter > FloatW(0.0f)).bits(), c.span.enter_side, 0);
    }
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        // A corner is its own side's start; only the last of an open edge is no side's.
        const Clipped& c = block[i / kLanes];
        const std::uint32_t cut = (c.span.leave < FloatW(1.0f)).bits(), ends = c.over & (f.count == 2 ? kAllLanes : cut);
        if (ends != 0) put(i, ends, c.span.leave, cut, c.span.leave_side, 1);
    }
}

// Corners of the reference face well inside the incident one; on its border they are the crossings' or the incident corners' twins.
ABUT_INLINE void clip_reference(const Sides& sides, const ClipLimits& limits, Candidates& out) {
    const Feature &f = sides.incident, &r = sides.reference;
    LaneArray<std::int32_t> own, other;
    for (std::uint32_t i = 0; i < r.count; i += kLanes) {
        const FloatW x = FloatW::load(r.x + i), y = FloatW::load(r.y + i);
        std::uint32_t inside = lane_bits(r.count - i);
        for (std::uint32_t j = 0; j < f.count && inside != 0; ++j)
            inside &= (FloatW(f.line_x[j]) * x + FloatW(f.line_y[j]) * y + FloatW(f.line_0[j] - limits.slack) > FloatW(0.0f)).bits();
        if (inside == 0) continue;
        for_each_lane(inside, [&](int lane) {
            own[lane] = static_cast<std::int32_t>(f.own_name());
            other[lane] = static_cast<std::int32_t>(r.corner_name(i + static_cast<std::uint32_t>(lane)));
        });
        append(sides, inside, x, y, plane_height(f, x, y), FloatW::load(r.height + i), own, other, limits, out);
    }
}

// The rounded surface's drop below its highest line, `lateral` to the side of it; negative where there is none so far out.
ABUT_INLINE float drop(float radius, float lateral) {
    const float under = radius * radius - lateral * lateral;
    return under >= 0.0f ? radius - sqrt_of(under) : -1.0f;
}

// An edge's line in the plane and over it.
struct EdgeLine {
    float x, y, height, dx, dy, rise, squared;

    ABUT_INLINE explicit EdgeLine(const Feature& f)
        : x(f.x[0]), y(f.y[0]), height(f.height[0]), dx(f.side_x[0]), dy(f.side_y[0]), rise(f.side_height[0]),
          squared(dx * dx + dy * dy) {}
    ABUT_INLINE float along(float px, float py) const { return ((px - x) * dx + (py - y) * dy) / squared; }
    // Whether t is on the edge: to within the slack where nothing is beyond its ends.
    ABUT_INLINE bool is_over(float t, const Feature& f, float slack) const {
        const float past = f.has_flat_ends ? slack / sqrt_of(squared) : kTouchShare;
        return t >= -past && t <= 1.0f + past;
    }
    // Of the rounded surface at t, `lateral` to the side: what it drops there is upright only where the edge is level.
    ABUT_INLINE float surface(float t, float drop, float side) const {
        return height + rise * t - side * drop * sqrt_of(1.0f + rise * rise / squared);
    }
};

}  // namespace clip_detail

// Two edges side by side: the ends of their common stretch, halfway between them by their radii.
ABUT_INLINE void clip_edges(const Feature& a, const Feature& b, float radius_a, float radius_b, const ClipLimits& limits, Candidates& out) {
    using namespace clip_detail;
    const EdgeLine la(a), lb(b);
    const float across = la.dx * lb.dx + la.dy * lb.dy;
    if (!(across * across > kCrossingCosine * kCrossingCosine * la.squared * lb.squared) || !(la.squared > kTiny)) return;
    const float from = la.along(b.x[0], b.y[0]), to = la.along(b.x[1], b.y[1]), low = from < to ? from : to, high = from < to ? to : from;
    const float start = low > 0.0f ? low : 0.0f, end = high < 1.0f ? high : 1.0f;
    if (!(start < end)) return;
    const float radius = radius_a + radius_b, share = radius > 0.0f ? radius_a / radius : 0.5f;
    const float ends[2] = {start, end};
    for (const float t : ends) {
        const float ax = la.x + la.dx * t, ay = la.y + la.dy * t, u = (t - from) / (to - from);
        const float x = ax + (lb.x + lb.dx * u - ax) * share, y = ay + (lb.y + lb.dy * u - ay) * share, foot = lb.along(x, y);
        const float bx = lb.x + lb.dx * foot, by = lb.y + lb.dy * foot;
        const float aside_a = sqrt_of((x - ax) * (x - ax) + (y - ay) * (y - ay));
        const float aside_b = sqrt_of((x - bx) * (x - bx) + (y - by) * (y - by));
        const float drop_a = aside_a > limits.slack ? drop(radius_a, aside_a) : 0.0f;
        const float drop_b = aside_b > limits.slack ? drop(radius_b, aside_b) : 0.0f;
        if (drop_a < 0.0f || drop_b < 0.0f || !lb.is_over(foot, b, limits.slack)) continue;
        if (a.has_flat_ends && !la.is_over(la.along(x, y), a, limits.slack)) continue;
        if (!(a.is_round && b.is_round) && drop_a + drop_b > limits.slack) continue;
        // At the round end of an edge that is not level the drop is another one.
        if (drop_a * drop_a * la.rise * la.rise > limits.slack * limits.slack * la.squared ||
            drop_b * drop_b * lb.rise * lb.rise > limits.slack * limits.slack * lb.squared)
            continue;
        const float on_a = la.surface(t, drop_a, 1.0f), on_b = lb.surface(foot, drop_b, -1.0f);
        if (!(on_b - on_a <= limits.separation)) continue;
        const bool ends_a = t == 0.0f || t == 1.0f;
        const std::uint32_t name_a = ends_a ? a.corner_name(t == 0.0f ? 0 : 1) : a.own_name();
        const std::uint32_t name_b = ends_a ? b.own_name() : b.corner_name(t == from ? 0 : 1);
        out.append(x, y, (on_a + on_b) * 0.5f, on_b - on_a, name_a << 16 | name_b);
    }
}

// `a` is the reference where both are faces and it is seen no more edge on than `b`.
ABUT_INLINE void clip(const Feature& a, const Feature& b, bool prefer_a, const ClipLimits& limits, Candidates& out) {
    using namespace clip_detail;
    const bool reference_is_a = a.count >= 3 && (prefer_a || b.count < 3);
    const Sides sides = {reference_is_a ? b : a, reference_is_a ? a : b, reference_is_a};
    clip_incident(sides, limits, out);
    if (sides.incident.count >= 3) clip_reference(sides, limits, out);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
