// Clipping of two features against each other, seen along the contact normal: the part of a face or edge over the
// other's face.
//
// A candidate is a corner of the incident feature over the reference face, a corner of the reference face over the
// incident one, or a crossing of their edges. Coinciding points become one candidate with the name of B's corner, or
// otherwise of A's, so that the name does not change when a corner moves across an edge.
#pragma once

#include "convex/manifold/candidates.hpp"
#include "convex/manifold/projected_corners.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The candidates that clip adds.
struct ClipParts {
    bool corners_a = true, corners_b = true, crossings = true;
};

namespace clip_detail {

struct ClipFeatures {
    const Feature& incident;
    const Feature& reference;
    bool reference_is_a;
};

inline FloatW plane_height(const Feature& f, FloatW x, FloatW y) {
    return FloatW(f.height0) + FloatW(f.slope_x) * x + FloatW(f.slope_y) * y;
}

// Lanes whose edge is longer than the slack. A shorter edge counts as its end point, the next corner.
inline std::uint32_t are_long(const Feature& f, std::uint32_t i, float slack) {
    return (FloatW::load(f.edge_squared + i) > FloatW(slack * slack)).bits();
}

// The parameters at which an edge of the incident feature (one edge per lane) enters and leaves the reference face;
// enter > leave if the edge misses the face.
struct Span {
    FloatW enter, leave;
    IntW enter_edge, leave_edge;  // of the reference face
};
inline Span clip_edges_wide(const Feature& reference, FloatW x, FloatW y, FloatW dx, FloatW dy, float slack) {
    const FloatW zero = 0.0f, one = 1.0f;
    Span span = {zero, one, IntW(0), IntW(0)};
    for (std::uint32_t j = 0; j < reference.count; ++j) {
        const FloatW nx = reference.line_x[j], ny = reference.line_y[j];
        const FloatW start = nx * x + ny * y + FloatW(reference.line_0[j]), step = nx * dx + ny * dy,
                     end = start + step;
        const MaskW start_out = start < FloatW(-slack), end_out = end < FloatW(-slack);
        if (!any(start_out | end_out)) continue;
        // The value is used only if one end is outside by more than the slack. The other end may be outside by less, so
        // the value is clamped.
        const FloatW at = max(zero, min(one, start / (start - end)));
        const MaskW enters = start_out & ~end_out & (at > span.enter),
                    leaves = end_out & ~start_out & (at < span.leave);
        span.enter = select(start_out & end_out, FloatW(2.0f), select(enters, at, span.enter));
        span.leave = select(leaves, at, span.leave);
        span.enter_edge = select(enters, IntW(static_cast<std::int32_t>(j)), span.enter_edge);
        span.leave_edge = select(leaves, IntW(static_cast<std::int32_t>(j)), span.leave_edge);
    }
    return span;
}

// The first corner of a face within `apart` of a point of the plane; the number of corners if there is none.
inline std::uint32_t corner_at(const Feature& f, float x, float y, float apart) {
    const FloatW limit = apart * apart;
    for (std::uint32_t i = 0; i < f.count; i += kLanes) {
        const FloatW dx = FloatW::load(f.x + i) - FloatW(x), dy = FloatW::load(f.y + i) - FloatW(y);
        const std::uint32_t near = (dx * dx + dy * dy <= limit).bits() & lane_bits(f.count - i);
        if (near != 0) return i + static_cast<std::uint32_t>(lowest_bit(near));
    }
    return f.count;
}

// The name of the crossing of the incident feature's edge i, at parameter t, with the reference face's edge `cut`. Next
// to a corner of either face, the crossing gets the name of that corner over the other face; next to corners of both
// faces, that of B's corner.
struct PointName {
    std::uint32_t incident, reference;
};
inline PointName name_of_crossing(const ClipFeatures& features, std::uint32_t i, float t, std::uint32_t cut, float x,
                                  float y, float apart) {
    const Feature &f = features.incident, &r = features.reference;
    const float squared = apart * apart, rest = 1.0f - t;
    const bool is_stop = rest * rest * f.edge_squared[i] <= squared,
               is_end = is_stop || t * t * f.edge_squared[i] <= squared;
    const std::uint32_t corner = is_end && features.reference_is_a ? r.count : corner_at(r, x, y, apart);
    if (corner < r.count) return {f.own_name(), r.corner_name(corner)};
    if (is_end) return {f.corner_name(is_stop ? f.next(i) : i), r.own_name()};
    return {f.name_of_edge(i), r.name_of_edge(cut)};
}

inline std::uint32_t name_of_both(bool first_is_a, std::uint32_t first, std::uint32_t second) {
    return first_is_a ? first << 16 | second : second << 16 | first;
}

// Adds corners of one feature over the other's face. A corner of A next to a corner of B gets the name of B's corner;
// the first corner of an edge shorter than `apart` gets the name of the edge's other end.
struct CornerPutter {
    const Feature &own, &other;
    const ProjectedCorners& on;
    bool own_is_a, is_incident;
    const ClipLimits& limits;
    Candidates& out;

    // Adds the corners from i in `lanes`. Corners in `lone` have no duplicate. `from`: the corners' positions before
    // they were moved.
    void put(std::uint32_t i, std::uint32_t lanes, std::uint32_t lone, Vec3W from) const {
        const FloatW x = FloatW::load_unaligned(on.x + i), y = FloatW::load_unaligned(on.y + i);
        const FloatW line = from.z + FloatW(own.slope_x) * (x - from.x) + FloatW(own.slope_y) * (y - from.y),
                     height = line - FloatW(own.winding) * own.behind(x, y), over = plane_height(other, x, y);
        const FloatW separation = own_is_a ? over - height : height - over, half = (height + over) * FloatW(0.5f);
        lanes &= (separation <= FloatW(limits.separation)).bits();
        lone &= out.count + kLanes <= kMaxCandidates ? lanes : 0;
        if (lone != 0) {
            const IntW corner = IntW::load_unaligned(own.vertex + i) & IntW(kNameIndex),
                       face = static_cast<std::int32_t>(other.own_name());
            out.append(lone, x, y, half, separation, own_is_a ? (corner << 16) | face : (face << 16) | corner);
        }
        if (lanes == lone) return;
        const LaneArray<float> px = lanes_of(x), py = lanes_of(y), h = lanes_of(half), s = lanes_of(separation);
        for_each_lane(lanes & ~lone, [&](int lane) {
            const std::uint32_t name = name_of(i + static_cast<std::uint32_t>(lane), px[lane], py[lane]);
            if (out.count < kMaxCandidates && !out.has_duplicate(px[lane], py[lane], name))
                out.append(px[lane], py[lane], h[lane], s[lane], name);
        });
    }

private:
    std::uint32_t name_of(std::uint32_t corner, float x, float y) const {
        const std::uint32_t tip = own_is_a ? corner_at(other, x, y, limits.apart) : other.count;
        if (tip < other.count) return name_of_both(own_is_a, own.own_name(), other.corner_name(tip));
        const bool has_edge = is_incident && (own.count > 2 || corner == 0),
                   is_short = has_edge && own.edge_squared[corner] <= limits.apart * limits.apart;
        return name_of_both(own_is_a, own.corner_name(is_short ? own.next(corner) : corner), other.own_name());
    }
};

ABUT_INLINE Vec3W corners_of(const Feature& f, std::uint32_t i) {
    return {FloatW::load(f.x + i), FloatW::load(f.y + i), FloatW::load(f.height + i)};
}

// Adds the corners of the incident feature that are over the reference face.
inline void put_incident(const ClipFeatures& features, const ProjectedCorners& on, const ClipLimits& limits,
                         Candidates& out) {
    const Feature& f = features.incident;
    const CornerPutter corners = {f, features.reference, on, !features.reference_is_a, true, limits, out};
    if (f.count == 2) {
        if (!(f.edge_squared[0] > limits.slack * limits.slack)) return;
        const Vec3W from = corners_of(f, 0), along = {f.edge_x[0], f.edge_y[0], f.edge_height[0]};
        corners.put(0, on.are_on(0) & 1, 0, from);
        return corners.put(1, on.are_on(1) & 1, 0, from + along);
    }
    for (std::uint32_t i = 0; i < f.count; i += kLanes)
        corners.put(i, on.are_on(i) & are_long(f, i, limits.slack), on.are_lone(i), corners_of(f, i));
}

// Adds the corners of the reference face that are over the incident one. On its border they may duplicate crossings or
// incident corners.
inline void put_reference(const ClipFeatures& features, const ClipLimits& limits, Candidates& out) {
    const Feature& r = features.reference;
    const ProjectedCorners on(r, features.incident, limits);
    const CornerPutter corners = {r, features.incident, on, features.reference_is_a, false, limits, out};
    for (std::uint32_t i = 0; i < r.count; i += kLanes)
        if (const std::uint32_t lanes = on.are_on(i); lanes != 0)
            corners.put(i, lanes, on.are_lone(i), corners_of(r, i));
}

// Adds the crossings of the incident feature's edges that have an end outside the reference face. Crossings come after
// the corners, because the first of two candidates at the same position stays.
ABUT_INLINE void put_crossings(const ClipFeatures& features, const ProjectedCorners& on, const ClipLimits& limits,
                               Candidates& out) {
    const Feature &f = features.incident, &r = features.reference;
    const auto put = [&](std::uint32_t i, float t, std::int32_t cut) {
        const float x = f.x[i] + f.edge_x[i] * t, y = f.y[i] + f.edge_y[i] * t;
        if (!is_over(r, x, y, limits.slack)) return;
        const float own = f.height[i] + f.edge_height[i] * t - f.winding * f.behind(x, y),
                    over = r.height0 + r.slope_x * x + r.slope_y * y;
        const float separation = features.reference_is_a ? own - over : over - own;
        if (!(separation <= limits.separation)) return;
        const PointName names = name_of_crossing(features, i, t, static_cast<std::uint32_t>(cut), x, y, limits.apart);
        const std::uint32_t name = name_of_both(!features.reference_is_a, names.incident, names.reference);
        if (out.count < kMaxCandidates && !out.has_duplicate(x, y, name))
            out.append(x, y, (own + over) * 0.5f, separation, name);
    };
    const std::uint32_t count = f.count == 2 ? 1 : f.count;
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        const std::uint32_t start_on = on.are_on(i), end_on = on.are_next_on(i),
                            lanes = lane_bits(count - i) & are_long(f, i, limits.slack);
        if ((lanes & ~(start_on & end_on)) == 0) continue;
        const Span span = clip_edges_wide(r, FloatW::load(f.x + i), FloatW::load(f.y + i), FloatW::load(f.edge_x + i),
                                          FloatW::load(f.edge_y + i), limits.slack);
        const std::uint32_t over = lanes & (span.enter <= span.leave).bits();
        const std::uint32_t entering = over & ~start_on & (span.enter > FloatW(0.0f)).bits(),
                            leaving = over & ~end_on & (span.leave < FloatW(1.0f)).bits();
        if ((entering | leaving) == 0) continue;
        const LaneArray<float> enter = lanes_of(span.enter), leave = lanes_of(span.leave);
        const LaneArray<std::int32_t> enter_edge = lanes_of(span.enter_edge), leave_edge = lanes_of(span.leave_edge);
        // One edge at a time, so that the order does not depend on the number of lanes.
        for_each_lane(entering | leaving, [&](int lane) {
            const std::uint32_t edge = i + static_cast<std::uint32_t>(lane);
            if ((entering >> lane & 1) != 0) put(edge, enter[lane], enter_edge[lane]);
            if ((leaving >> lane & 1) != 0) put(edge, leave[lane], leave_edge[lane]);
        });
    }
}

}  // namespace clip_detail

// Adds the candidates of two features. The reference feature is a face: A's, unless A has none or A's is the steeper
// one of two.
inline void clip(const Feature& a, const Feature& b, const ClipParts& parts, const ClipLimits& limits,
                 Candidates& out) {
    using namespace clip_detail;
    const bool reference_is_a = a.count >= 3 && (b.count < 3 || a.facing >= b.facing - kFacingBias);
    const ClipFeatures features = {reference_is_a ? b : a, reference_is_a ? a : b, reference_is_a};
    const bool of_incident = reference_is_a ? parts.corners_b : parts.corners_a,
               of_reference = reference_is_a ? parts.corners_a : parts.corners_b;
    if (of_incident || parts.crossings) {
        const ProjectedCorners on(features.incident, features.reference, limits);
        if (of_incident) put_incident(features, on, limits, out);
        if (parts.crossings) put_crossings(features, on, limits, out);
    }
    if (of_reference && features.incident.count >= 3) put_reference(features, limits, out);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
