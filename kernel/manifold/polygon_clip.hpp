// Contact candidates of hulls against hulls, boxes and capsules, one pair per lane: corners of both supporting faces are fetched and transposed,
// each side of the incident one is clipped against all lines of the reference face, and the reference's corners are looked for inside it.
// The same candidates as clip.hpp's. Faces of more corners than fit, slivers and faces seen edge on are left to it.
#pragma once

#include "manifold/candidates_wide.hpp"
#include "manifold/polygon.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace polygon_detail {

// Whether a point near the line of side j lies beyond either of the side's ends.
ABUT_INLINE MaskW is_past(const PolygonW& f, int j, FloatW x, FloatW y, FloatW slack) {
    const FloatW ex = f.line_y[j], ey = -f.line_x[j];
    const FloatW from = ex * (x - f.x[j]) + ey * (y - f.y[j]), to = ex * (x - f.x[j + 1]) + ey * (y - f.y[j + 1]);
    return (min(from, to) > slack) | (max(from, to) < -slack);
}

// How far a corner of one face is inside the other's lines, and whether it is near one without being over its side: beyond the tip of a needle
// much is within a slack of all lines.
struct PlaceW {
    FloatW inside[kPolygonCorners];
    MaskW past;
};
ABUT_INLINE void place(const PolygonW& reference, FloatW x, FloatW y, FloatW slack, PlaceW& out) {
    const FloatW zero = 0.0f;
    out.past = MaskW();
    for (int j = 0; j < reference.most; ++j) {
        const FloatW inside = reference.line_x[j] * x + reference.line_y[j] * y + reference.line_0[j];
        const MaskW near = (inside < zero) & (inside >= -slack);
        if (any(near)) out.past |= near & is_past(reference, j, x, y, slack);
        out.inside[j] = inside;
    }
}

// Where a side of the incident feature enters and leaves the reference face, and across which of its sides; enter > leave: it misses it.
struct CutW {
    FloatW enter = 0.0f, leave = 1.0f;
    IntW enter_name = 0, leave_name = 0;
};
ABUT_INLINE CutW cut_side(const PolygonW& reference, const PlaceW& from, const PlaceW& to, FloatW slack) {
    const FloatW zero = 0.0f, one = 1.0f;
    CutW cut;
    for (int j = 0; j < reference.most; ++j) {
        const FloatW start = from.inside[j], end = to.inside[j];
        const MaskW start_out = start < -slack, end_out = end < -slack;
        // Used only where one of the two is out; the other may be so by less than the slack.
        const FloatW at = max(zero, min(one, start / (start - end)));
        const MaskW enters = start_out & ~end_out & (at > cut.enter), leaves = end_out & ~start_out & (at < cut.leave);
        cut.enter = select(start_out & end_out, FloatW(2.0f), select(enters, at, cut.enter));
        cut.leave = select(leaves, at, cut.leave);
        cut.enter_name = select(enters, reference.side_name[j], cut.enter_name);
        cut.leave_name = select(leaves, reference.side_name[j], cut.leave_name);
    }
    const MaskW missed = (from.past & (cut.enter == zero)) | (to.past & (cut.leave == one));
    cut.enter = select(missed, FloatW(2.0f), cut.enter);
    return cut;
}

struct ClipW {
    const PolygonW &reference, &incident;
    MaskW lanes, reference_is_a;
    FloatW slack;  // in the plane
    const ClipLimitsW& limits;
    CandidatesW& out;

    // Whether a place `from` one end of a side has that end's name.
    ABUT_INLINE MaskW is_end(FloatW from, FloatW side_squared) const { return from * from * side_squared <= out.apart_squared; }

    // A point next to a corner of one face is that corner, over the other face.
    ABUT_INLINE void name_corner(const PolygonW& of, const PolygonW& over, MaskW wanted, FloatW x, FloatW y, IntW& corner,
                                 IntW& face) const {
        if (!any(wanted)) return;
        for (int j = 0; j < of.most; ++j) {
            const FloatW dx = of.x[j] - x, dy = of.y[j] - y;
            const MaskW near = wanted & (dx * dx + dy * dy <= out.apart_squared);
            corner = select(near, of.vertex[j], corner);
            face = select(near, over.name, face);
        }
    }
    ABUT_INLINE void put(MaskW wanted, FloatW x, FloatW y, FloatW on_incident, FloatW on_reference, IntW incident_name,
                         IntW reference_name) const {
        const FloatW up = on_incident - on_reference, separation = select(reference_is_a, up, -up);
        wanted &= lanes & limits.keep(separation);
        const IntW name = select(reference_is_a, (reference_name << 16) | incident_name, (incident_name << 16) | reference_name);
        out.append(wanted, {x, y, (on_incident + on_reference) * FloatW(0.5f), max(separation, limits.separation), name});
    }
    // All sides of the incident feature; of a segment both ends, of a face's sides each corner once.
    ABUT_INLINE void clip_incident() const {
        const PolygonW& f = incident;
        PlaceW at[2];
        place(reference, f.x[0], f.y[0], slack, at[0]);
        const int sides = f.is_segment ? 1 : f.most;
        for (int i = 0; i < sides; ++i) {
            const PlaceW &from = at[i % 2], &to = at[(i + 1) % 2];
            place(reference, f.x[i + 1], f.y[i + 1], slack, at[(i + 1) % 2]);
            const CutW cut = cut_side(reference, from, to, slack);
            // A side shorter than the slack is its end: the next corner.
            const MaskW over = f.has(i) & (f.side_squared[i] > slack * slack) & (cut.enter <= cut.leave);
            // A crossing next to an end of the side, or to a corner of the reference face, is that; of both B's has the name.
            const auto put_at = [&](MaskW wanted, FloatW t, MaskW is_cut, int corner, IntW cut_by) {
                const FloatW x = f.x[i] + f.dx[i] * t, y = f.y[i] + f.dy[i] * t;
                const MaskW is_start = is_cut & is_end(t, f.side_squared[i]),
                            is_stop = is_cut & is_end(FloatW(1.0f) - t, f.side_squared[i]);
                const MaskW crossing = is_cut & ~(is_start | is_stop);
                IntW own = select(crossing, f.side_name[i],
                                  select(is_stop, f.vertex[i + 1], select(is_start, f.vertex[i], f.vertex[corner])));
                IntW other = select(crossing, cut_by, reference.name);
                name_corner(reference, incident, wanted & (crossing | ~reference_is_a), x, y, other, own);
                put(wanted, x, y, f.height[i] + f.dh[i] * t, reference.height_at(x, y), own, other);
            };
            const MaskW is_cut = cut.leave < FloatW(1.0f);
            put_at(over, cut.enter, cut.enter > FloatW(0.0f), i, cut.enter_name);
            put_at(f.is_segment ? over : over & is_cut, cut.leave, is_cut, i + 1, cut.leave_name);
        }
    }
    // Corners of the reference face over the incident one. On its border they may be twins of crossings or of the incident corners.
    ABUT_INLINE void clip_reference() const {
        const PolygonW &f = incident, &r = reference;
        for (int i = 0; i < r.most; ++i) {
            PlaceW at;
            place(f, r.x[i], r.y[i], slack, at);
            MaskW inside = r.has(i) & ~at.past;
            for (int j = 0; j < f.most; ++j) inside &= at.inside[j] >= -slack;
            IntW own = f.name, other = r.vertex[i];
            name_corner(f, r, inside & reference_is_a, r.x[i], r.y[i], own, other);
            put(inside, r.x[i], r.y[i], f.height_at(r.x[i], r.y[i]), r.height[i], own, other);
        }
    }
};

}  // namespace polygon_detail

// `a_is_segment`: of all lanes; hulls and boxes otherwise. Lanes that are not `able` have no candidates, and want another way.
struct PolygonsW {
    PolygonW reference, incident;
    MaskW able;

    ABUT_INLINE PolygonsW(const FaceViewW& a, bool a_is_segment, const FaceViewW& b, const ClipLimitsW& limits, MaskW lanes,
                          CandidatesW& out) {
        const MaskW reference_is_a = a_is_segment ? MaskW() : a.facing >= b.facing - FloatW(kFacingBias);
        read_polygon(a_is_segment ? b : select(reference_is_a, a, b), false, reference);
        read_polygon(a_is_segment ? a : select(reference_is_a, b, a), a_is_segment, incident);
        able = a.usable & b.usable & lanes;
        if (!any(able)) return;
        // The steeper a face, the more height its slack would be worth.
        const FloatW slack = FloatW(kClipShare) * limits.tolerance * min(a.facing, b.facing);
        const FloatW apart = limits.apart(min(a.width, b.width), min(a.facing, b.facing));
        out.apart_squared = apart * apart;
        const polygon_detail::ClipW clip = {reference, incident, able, reference_is_a, slack, limits, out};
        clip.clip_incident();
        if (!a_is_segment) clip.clip_reference();
    }
    // Whether some side of one is nearly parallel to some side of the other.
    ABUT_INLINE MaskW have_sides_side_by_side() const {
        const PolygonW &f = incident, &r = reference;
        MaskW found;
        for (int i = 0; i < f.sides(); ++i) {
            const FloatW limit = FloatW(kSideBySideSineSquared) * (f.dx[i] * f.dx[i] + f.dy[i] * f.dy[i]);
            for (int j = 0; j < r.most; ++j) {
                const FloatW across = f.dx[i] * r.line_x[j] + f.dy[i] * r.line_y[j];
                found |= f.has(i) & r.has(j) & (across * across <= limit);
            }
        }
        return found;
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
