// Contact candidates of hulls against hulls, boxes and capsules, one pair per lane. The corners of both supporting
// faces are loaded and transposed, each edge of the incident face is clipped against all lines of the reference face,
// and corners of the reference face are tested against the incident face. The candidates are those of clip.hpp, which
// handles larger faces, slivers and faces perpendicular to the contact plane.
#pragma once

#include "convex/manifold/candidates_wide.hpp"
#include "convex/manifold/over_face.hpp"
#include "convex/manifold/polygon.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace polygon_detail {

// A corner of one feature: its distances inside the other face's lines, whether it is over that face, and its position.
// As ProjectedCorners.
struct ProjectedCornerW {
    FloatW inside[kPolygonCorners];
    FloatW x, y;
    MaskW on;
};

// The distance from a point along a unit direction to a face; infinity if the line misses the face or the distance
// exceeds `most`.
inline FloatW distance_to_face(const PolygonW& over, const ProjectedCornerW& from, FloatW dx, FloatW dy, FloatW most,
                               FloatW slack) {
    const FloatW zero = 0.0f, never = kNotReachable;
    FloatW distance = zero, rise[kPolygonCorners];
    for (int j = 0; j < over.most; ++j) {
        rise[j] = over.line_x[j] * dx + over.line_y[j] * dy;
        const MaskW outside = from.inside[j] < zero;
        distance = max(distance, select(outside, select(rise[j] > zero, -from.inside[j] / rise[j], never), zero));
    }
    MaskW reaches = distance <= most;
    for (int j = 0; j < over.most; ++j) reaches &= from.inside[j] + distance * rise[j] >= -slack;
    return select(reaches, distance, never);
}

// Moves a corner to the nearest point of the other face if that point is on the corner's own feature. On a face the
// corner may move anywhere; from a segment's end it moves only inwards, and laterally only while the height stays the
// same to rounding.
inline MaskW project(const PolygonW& own, int corner, const PolygonW& over, FloatW slack, MaskW next_to,
                     ProjectedCornerW& out) {
    const FloatW zero = 0.0f;
    FloatW by_x = zero, by_y = zero;
    for (int j = 0; j < over.most; ++j) {
        const FloatW by = min(out.inside[j], zero);
        by_x = by_x - over.line_x[j] * by, by_y = by_y - over.line_y[j] * by;
    }
    const FloatW x = out.x + by_x, y = out.y + by_y;
    MaskW moves = next_to;
    if (own.is_segment) {
        const FloatW dx = own.dx[0], dy = own.dy[0], along = by_x * dx + by_y * dy, aside = by_x * dy - by_y * dx;
        moves &=
            ((corner == 0 ? along : -along) >= zero) & (aside * aside <= slack * own.aside_share * (dx * dx + dy * dy));
    } else {
        moves &= are_over(own, x, y, slack);  // not beyond the tip of a needle
    }
    if (any(moves)) moves &= are_over(over, x, y, slack);
    out.x = select(moves, x, out.x), out.y = select(moves, y, out.y);
    out.on |= moves;
    return moves;
}
// Moves a corner along the one of its own edges on which the distance is shorter.
inline void slide(const PolygonW& own, int corner, const PolygonW& over, FloatW slack, FloatW apart, MaskW next_to,
                  ProjectedCornerW& out) {
    const FloatW zero = 0.0f;
    FloatW least = kNotReachable, by_x = zero, by_y = zero;
    const auto try_along = [&](FloatW dx, FloatW dy) {
        const FloatW length = sqrt(max(dx * dx + dy * dy, FloatW(kTiny))), inverse = FloatW(1.0f) / length;
        const FloatW x = dx * inverse, y = dy * inverse,
                     distance = distance_to_face(over, out, x, y, min(apart, length), slack);
        const MaskW less = distance < least;
        least = select(less, distance, least);
        by_x = select(less, distance * x, by_x), by_y = select(less, distance * y, by_y);
    };
    const int at = corner == own.most ? 0 : corner, last = own.most - 1;
    if (own.is_segment) {
        const FloatW sign = corner == 0 ? 1.0f : -1.0f;
        try_along(own.dx[0] * sign, own.dy[0] * sign);
    } else {
        try_along(own.dx[at], own.dy[at]);
        const int before = at == 0 ? last : at - 1;
        FloatW dx = own.dx[before], dy = own.dy[before];
        if (at == 0 && last == 3) dx = select(own.has(3), dx, own.dx[2]), dy = select(own.has(3), dy, own.dy[2]);
        try_along(-dx, -dy);
    }
    MaskW moves = next_to & (least < FloatW(kNotReachable));
    if (any(moves)) moves &= are_over(over, out.x + by_x, out.y + by_y, slack);
    out.x = select(moves, out.x + by_x, out.x), out.y = select(moves, out.y + by_y, out.y);
    out.on |= moves;
}
ABUT_INLINE void place(const PolygonW& own, int corner, const PolygonW& over, FloatW slack, FloatW apart,
                       ProjectedCornerW& out) {
    out.x = own.x[corner], out.y = own.y[corner];
    FloatW least = slack;
    for (int j = 0; j < over.most; ++j) {
        out.inside[j] = over.line_x[j] * out.x + over.line_y[j] * out.y + over.line_0[j];
        least = min(least, out.inside[j]);
    }
    out.on = least >= -slack;
    if (any(out.on & (least < slack))) out.on = are_over(over, out.x, out.y, slack);
    if (const MaskW next_to = ~out.on & (least >= -apart); any(next_to)) {
        const MaskW left = next_to & ~project(own, corner, over, slack, next_to, out);
        if (any(left)) slide(own, corner, over, slack, apart, left, out);
    }
}

// The parameters at which an edge of the incident feature enters and leaves the reference face, and the edges that it
// crosses there. If the edge misses the face, enter > leave.
struct CutW {
    FloatW enter = 0.0f, leave = 1.0f;
    IntW enter_name = 0, leave_name = 0;
};
ABUT_INLINE CutW clip_edge(const PolygonW& reference, const ProjectedCornerW& from, const ProjectedCornerW& to,
                           FloatW slack) {
    const FloatW zero = 0.0f, one = 1.0f;
    CutW cut;
    for (int j = 0; j < reference.most; ++j) {
        const FloatW start = from.inside[j], end = to.inside[j];
        const MaskW start_out = start < -slack, end_out = end < -slack;
        // The value is used only if one end is outside by more than the slack. The other end may be outside by less, so
        // the value is clamped.
        const FloatW at = max(zero, min(one, start / (start - end)));
        const MaskW enters = start_out & ~end_out & (at > cut.enter), leaves = end_out & ~start_out & (at < cut.leave);
        cut.enter = select(start_out & end_out, FloatW(2.0f), select(enters, at, cut.enter));
        cut.leave = select(leaves, at, cut.leave);
        cut.enter_name = select(enters, reference.name_of_edge[j], cut.enter_name);
        cut.leave_name = select(leaves, reference.name_of_edge[j], cut.leave_name);
    }
    return cut;
}

struct ClipW {
    const PolygonW &reference, &incident;
    MaskW lanes, reference_is_a;
    FloatW slack, apart;  // in the plane: rounding; the distance within which points become one
    const ClipLimitsW& limits;
    CandidatesW& out;

    // True if a point at distance `from` of an edge's end has that end's name.
    MaskW is_end(FloatW from, FloatW edge_squared) const { return from * from * edge_squared <= out.apart_squared; }

    // A point near a corner of `of` gets the names of that corner and of face `over`.
    void name_corner(const PolygonW& of, const PolygonW& over, MaskW wanted, FloatW x, FloatW y, IntW& corner,
                     IntW& face) const {
        if (!any(wanted)) return;
        for (int j = 0; j < of.most; ++j) {
            const FloatW dx = of.x[j] - x, dy = of.y[j] - y;
            const MaskW near = wanted & (dx * dx + dy * dy <= out.apart_squared);
            corner = select(near, of.vertex[j], corner);
            face = select(near, over.name, face);
        }
    }
    void put(MaskW wanted, FloatW x, FloatW y, FloatW on_incident, FloatW on_reference, IntW incident_name,
             IntW reference_name) const {
        const FloatW up = on_incident - on_reference, separation = select(reference_is_a, up, -up);
        wanted &= lanes & limits.keep(separation);
        const IntW name =
            select(reference_is_a, (reference_name << 16) | incident_name, (incident_name << 16) | reference_name);
        out.append(wanted,
                   {x, y, (on_incident + on_reference) * FloatW(0.5f), max(separation, limits.separation), name});
    }
    // Adds a corner of the incident feature over the reference face.
    ABUT_INLINE void put_corner(int corner, MaskW wanted, const ProjectedCornerW& at) const {
        if (!any(wanted)) return;
        const PolygonW& f = incident;
        FloatW height = f.height[corner] + f.slope_x * (at.x - f.x[corner]) + f.slope_y * (at.y - f.y[corner]);
        if (f.is_segment) height = height - f.behind(at.x, at.y);
        IntW own = f.vertex[corner], other = reference.name;
        name_corner(reference, incident, wanted & ~reference_is_a, at.x, at.y, other, own);
        put(wanted, at.x, at.y, height, reference.height_at(at.x, at.y), own, other);
    }
    // Adds a crossing on edge i. Next to an end of the edge, or to a corner of the reference face, the crossing gets
    // that corner's name; next to both, the name of B's corner.
    ABUT_INLINE void put_crossing(int i, MaskW wanted, FloatW t, IntW cut_by) const {
        if (!any(wanted)) return;
        const PolygonW& f = incident;
        const FloatW x = f.x[i] + f.dx[i] * t, y = f.y[i] + f.dy[i] * t;
        wanted &= are_over(reference, x, y, slack);
        const MaskW is_start = is_end(t, f.edge_squared[i]), is_stop = is_end(FloatW(1.0f) - t, f.edge_squared[i]);
        const MaskW crossing = ~(is_start | is_stop);
        IntW own = select(crossing, f.name_of_edge[i], select(is_stop, f.vertex[i + 1], f.vertex[i]));
        IntW other = select(crossing, cut_by, reference.name);
        name_corner(reference, incident, wanted & (crossing | ~reference_is_a), x, y, other, own);
        FloatW height = f.height[i] + f.dh[i] * t;
        if (f.is_segment) height = height - f.behind(x, y);
        put(wanted, x, y, height, reference.height_at(x, y), own, other);
    }
    // Adds the corners of the reference face over the incident face. On its border, corners may duplicate incident
    // corners.
    void put_reference_corners() const {
        const PolygonW &f = incident, &r = reference;
        for (int i = 0; i < r.most; ++i) {
            ProjectedCornerW at;
            place(r, i, f, slack, apart, at);
            const MaskW inside = r.has(i) & at.on;
            if (!any(inside)) continue;
            IntW own = f.name, other = r.vertex[i];
            name_corner(f, r, inside & reference_is_a, at.x, at.y, own, other);
            const FloatW height = r.height[i] + r.slope_x * (at.x - r.x[i]) + r.slope_y * (at.y - r.y[i]);
            put(inside, at.x, at.y, f.height_at(at.x, at.y), height, own, other);
        }
    }
    // Adds both ends of a segment, or each corner of a face once. Crossings come last because noise moves them most.
    void clip() const {
        const PolygonW& f = incident;
        const int sides = f.edge_count();
        ProjectedCornerW at[kPolygonCorners + 1];
        MaskW has[kPolygonCorners];
        for (int i = 0; i < sides; ++i) {
            // An edge shorter than the slack counts as its end point, the next corner.
            has[i] = f.has(i) & (f.edge_squared[i] > slack * slack);
            place(f, i, reference, slack, apart, at[i]);
            put_corner(i, has[i] & at[i].on, at[i]);
        }
        if (f.is_segment)
            place(f, 1, reference, slack, apart, at[1]), put_corner(1, has[0] & at[1].on, at[1]);
        else
            at[sides] = at[0], put_reference_corners();
        for (int i = 0; i < sides; ++i) {
            const ProjectedCornerW &from = at[i], &to = i + 1 < sides || f.is_segment ? at[i + 1] : at[0];
            // In lanes with fewer corners, the next corner is corner 0 again: at the same position, but with its own
            // state.
            const MaskW to_on = f.is_segment ? to.on : (to.on & f.has(i + 1)) | (at[0].on & ~f.has(i + 1));
            if (!any(has[i] & ~(from.on & to_on))) continue;
            const CutW cut = clip_edge(reference, from, to, slack);
            const MaskW over = has[i] & (cut.enter <= cut.leave);
            put_crossing(i, over & ~from.on & (cut.enter > FloatW(0.0f)), cut.enter, cut.enter_name);
            put_crossing(i, over & ~to_on & (cut.leave < FloatW(1.0f)), cut.leave, cut.leave_name);
        }
    }
};

}  // namespace polygon_detail

// Finds the candidates of the lanes in `able`. `a_is_segment`: A is a segment in all lanes; otherwise it is a hull or
// box.
struct PolygonsW {
    PolygonW reference, incident;
    MaskW able;

    PolygonsW(const FaceViewW& a, bool a_is_segment, const FaceViewW& b, const ClipLimitsW& limits, MaskW lanes,
              CandidatesW& out) {
        const MaskW reference_is_a = a_is_segment ? MaskW() : a.facing >= b.facing - FloatW(kFacingBias);
        read_polygon(a_is_segment ? b : select(reference_is_a, a, b), false, reference);
        read_polygon(a_is_segment ? a : select(reference_is_a, b, a), a_is_segment, incident);
        able = a.usable & b.usable & lanes;
        if (!any(able)) return;
        // Scaled by the steeper face's cosine, because the same distance in the plane is more height on a steeper face.
        const FloatW slack = FloatW(kClipShare) * limits.tolerance * min(a.facing, b.facing);
        const FloatW apart = limits.apart(min(a.width, b.width), min(a.facing, b.facing));
        out.apart_squared = apart * apart;
        const polygon_detail::ClipW clip = {reference, incident, able, reference_is_a, slack, apart, limits, out};
        clip.clip();
    }
    // True if some edge of one is nearly parallel to some edge of the other.
    MaskW have_parallel_edges() const {
        const PolygonW &f = incident, &r = reference;
        MaskW found;
        for (int i = 0; i < f.edge_count(); ++i) {
            const FloatW limit = FloatW(kParallelSineSquared) * (f.dx[i] * f.dx[i] + f.dy[i] * f.dy[i]);
            for (int j = 0; j < r.most; ++j) {
                const FloatW across = f.dx[i] * r.line_x[j] + f.dy[i] * r.line_y[j];
                found |= f.has(i) & r.has(j) & (across * across <= limit);
            }
        }
        return found;
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
