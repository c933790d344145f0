// Contact candidates of box-box and capsule-box pairs, one pair per lane: the incident face (or the capsule's line of
// contact) is clipped against the rectangle of the reference face. The candidates and their order are those of
// clip.hpp, which handles the other cases: flat boxes and parallel edges.
#pragma once

#include "convex/manifold/candidates_wide.hpp"
#include "convex/manifold/polygon.hpp"
#include "convex/manifold/round_end.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace box_clip_detail {

// A corner of the incident feature, projected onto the plane of the reference face. (on_u, on_v): the corner moved onto
// the face, if `on`, as in ProjectedCorners.
struct CornerW {
    FloatW u, v, on_u, on_v;
    IntW name;
    MaskW on;
};

// A rectangle with half extents u and v. distance_into: its distance from (at_u, at_v) along (du, dv), in units of that
// vector; infinity if the line misses the rectangle or the distance exceeds `most`.
struct RectangleW {
    FloatW u, v, slack_u, slack_v;

    ABUT_INLINE FloatW distance_into(FloatW at_u, FloatW at_v, FloatW du, FloatW dv, FloatW most) const {
        const FloatW zero = 0.0f, never = kNotReachable;
        const auto along = [&](FloatW at, FloatW step, FloatW half) {
            const FloatW beyond = abs(at) - half, closer = -flip_sign(step, at);
            return select(beyond > zero, select(closer > zero, beyond / closer, never), zero);
        };
        const FloatW distance = max(along(at_u, du, u), along(at_v, dv, v));
        const MaskW reaches = (distance <= most) & (abs(at_u + distance * du) <= u + slack_u) &
                              (abs(at_v + distance * dv) <= v + slack_v);
        return select(reaches, distance, never);
    }
};

// The part of one edge of the incident feature, from t = 0 to 1, inside the rectangle; as clip_edges_wide in clip.hpp.
struct SpanW {
    FloatW enter, leave;
    IntW enter_edge, leave_edge;  // 0 +u, 1 -u, 2 +v, 3 -v
};
ABUT_INLINE void clip_slab(SpanW& span, FloatW from, FloatW step, FloatW half, FloatW slack, int edge) {
    const FloatW zero = 0.0f, one = 1.0f, to = from + step, inverse = one / step;
    ABUT_UNROLL(2)
    for (int negative = 0; negative < 2; ++negative) {
        const FloatW start = negative ? half + from : half - from, end = negative ? half + to : half - to;
        const MaskW start_out = start < -slack, end_out = end < -slack;
        const FloatW at = max(zero, min(one, negative ? -(start * inverse) : start * inverse));
        const MaskW enters = start_out & ~end_out & (at > span.enter),
                    leaves = end_out & ~start_out & (at < span.leave);
        span.enter = select(start_out & end_out, FloatW(2.0f), select(enters, at, span.enter));
        span.leave = select(leaves, at, span.leave);
        span.enter_edge = select(enters, IntW(edge + negative), span.enter_edge);
        span.leave_edge = select(leaves, IntW(edge + negative), span.leave_edge);
    }
}

}  // namespace box_clip_detail

// `face_a`, `face_b`: the faces best aligned with the normal. Returns the lanes that are answered here.
template <bool a_is_segment>
inline MaskW clip_boxes(const PairW<ExtentCore, ExtentCore>& pair, const ContactAxesW& along_a,
                        const ContactAxesW& along_b, IntW face_a, IntW face_b, const ClipLimitsW& limits, MaskW lanes,
                        CandidatesW& out) {
    using namespace box_clip_detail;
    const FloatW zero = 0.0f, one = 1.0f, two = 2.0f;
    const FaceAxisW at_a(face_a), at_b(face_b);
    const FloatW facing_a = abs(at_a.w(along_a.normal)), facing_b = abs(at_b.w(along_b.normal));
    const MaskW reference_is_a = a_is_segment ? MaskW() : facing_a >= facing_b - FloatW(kFacingBias);

    // In the frame of the reference face: the contact axes and the incident shape.
    const FaceAxisW face(select(reference_is_a, face_a, face_b)), other(select(reference_is_a, face_b, face_a));
    const Vec3W half = select(reference_is_a, pair.a.extent, pair.b.extent);
    const Vec3W other_half = select(reference_is_a, pair.b.extent, pair.a.extent);
    const FloatW radius = select(reference_is_a, pair.radius_a, pair.radius_b), other_radius = pair.radius - radius;
    const Mat3W& r = pair.rotation;
    const Vec3W column[3] = {select(reference_is_a, r.x, {r.x.x, r.y.x, r.z.x}),
                             select(reference_is_a, r.y, {r.x.y, r.y.y, r.z.y}),
                             select(reference_is_a, r.z, {r.x.z, r.y.z, r.z.z})};
    const Vec3W centre = face.to_face_axes(select(reference_is_a, pair.offset, -rotate_back(r, pair.offset)));
    const Vec3W n = face.to_face_axes(
        select(reference_is_a, along_a.normal, -along_b.normal));  // contact normal, out of the reference
    const FloatW hu = face.u(half), hv = face.v(half), top = face.w(half) + radius, inverse_n = one / n.z;

    // The incident face's middle and half edges; a capsule has one edge.
    Vec3W middle, side_1, side_2;
    FloatW facing_other;
    // For a capsule only. past[i]: the length by which the capsule's line is continued at end i, in units of side_1.
    // deepest_at: the deepest point on the line, in the same units. behind_end[i]: the distance of the surface behind
    // the line at end i.
    RoundEndW round = {zero, one, zero};
    FloatW past[2] = {zero, zero}, behind_end[2] = {zero, zero}, deepest_at = one, half_length = one;
    MaskW usable = (n.z > FloatW(kSteepFace));
    if (a_is_segment) {
        const Vec3W axis = face.to_face_axes(column[1]);
        const FloatW along = dot(n, axis),
                     flat = one - along * along;  // the unit axis along n, and its squared length in the contact plane
        usable &= flat > FloatW(kSteepSegmentSquared);
        // The direction perpendicular to the axis that is most opposed to n.
        const FloatW level = sqrt(max(flat, FloatW(kSteepSegmentSquared)));
        middle = centre - (n - axis * along) * (other_radius / level);
        side_1 = axis * other_half.y;
        side_2 = splat(0.0f);
        facing_other = level;
        usable &= other_half.y > zero;
        const MaskW is_first = along < zero;
        round = {other_radius, level, abs(along)};
        half_length = other_half.y * level;
        const FloatW by = round.radius * round.rise / max(half_length, FloatW(kTiny));
        past[0] = select(is_first, by, zero), past[1] = select(is_first, zero, -by);
        const FloatW behind = other_radius / level - other_radius;
        behind_end[0] = select(is_first, behind, zero), behind_end[1] = select(is_first, zero, behind);
        deepest_at = select(is_first, one + by, -(one + by));
    } else {
        const Vec3W across = {other.w({column[0].x, column[1].x, column[2].x}),
                              other.w({column[0].y, column[1].y, column[2].y}),
                              other.w({column[0].z, column[1].z, column[2].z})};
        const Vec3W outward = face.to_face_axes(across * other.sign);
        const Vec3W u = {other.u({column[0].x, column[1].x, column[2].x}),
                         other.u({column[0].y, column[1].y, column[2].y}),
                         other.u({column[0].z, column[1].z, column[2].z})};
        const Vec3W v = {other.v({column[0].x, column[1].x, column[2].x}),
                         other.v({column[0].y, column[1].y, column[2].y}),
                         other.v({column[0].z, column[1].z, column[2].z})};
        middle = centre + outward * (other.w(other_half) + other_radius);
        side_1 = face.to_face_axes(u) * other.u(other_half);
        side_2 = face.to_face_axes(v) * other.v(other_half);
        facing_other = -dot(n, outward);
        usable &= facing_other > FloatW(kSteepFace);
    }
    const FloatW slack = FloatW(kClipShare) * pair.tolerance * min(n.z, facing_other);
    const FloatW narrow =
        FloatW(2.0f) * min(min(hu, hv), a_is_segment ? other_half.y : min(other.u(other_half), other.v(other_half)));
    const FloatW apart = limits.apart(narrow, min(n.z, facing_other));
    out.apart_squared = apart * apart;
    const FloatW thin = pair.tolerance * FloatW(2.0f);
    const MaskW full = (min(hu, hv) > thin) &
                       (a_is_segment ? other_half.y > thin : min(other.u(other_half), other.v(other_half)) > thin);
    lanes &= full;

    // Projection along n onto the reference plane: separations and positions are affine in the incident feature's own
    // coordinates.
    const FloatW s0 = (middle.z - top) * inverse_n, s1 = side_1.z * inverse_n, s2 = side_2.z * inverse_n;
    const FloatW q0u = middle.x - n.x * s0, q0v = middle.y - n.y * s0;
    const FloatW g1u = side_1.x - n.x * s1, g1v = side_1.y - n.y * s1, g2u = side_2.x - n.x * s2,
                 g2v = side_2.y - n.y * s2;

    // The gradient of the separation in the reference plane.
    const FloatW area = g1u * g2v - g1v * g2u, inverse = one / select(area == zero, one, area);
    const FloatW squared_1 = g1u * g1u + g1v * g1v, squared_2 = g2u * g2u + g2v * g2v;
    const FloatW rise =
        s1 / max(squared_1, FloatW(kTiny));  // for a capsule: the gradient is rise * g1, along its segment
    const FloatW su = a_is_segment ? rise * g1u : (s1 * g2v - s2 * g1v) * inverse,
                 sv = a_is_segment ? rise * g1v : (s2 * g1u - s1 * g2u) * inverse;

    // Transformation from the reference plane to the contact axes.
    const auto to_face = [&](Vec3W in_a, Vec3W in_b) { return face.to_face_axes(select(reference_is_a, in_a, in_b)); };
    const Vec3W tx = to_face(along_a.x, along_b.x), ty = to_face(along_a.y, along_b.y),
                tn = to_face(along_a.normal, along_b.normal);
    const Vec3W origin = select(reference_is_a, splat(0.0f), along_b.origin);
    const FloatW x0 = origin.x + tx.z * top, y0 = origin.y + ty.z * top, h0 = origin.z + tn.z * top;
    const FloatW to_middle = select(reference_is_a, FloatW(0.5f), FloatW(-0.5f));

    // Names: face names, and vertex bits of corners and edges.
    const auto pair_name = [&](IntW incident, IntW reference) {
        return select(reference_is_a, (reference << 16) | incident, (incident << 16) | reference);
    };
    const auto edge = [](IntW corner, IntW bit) { return vertex_or_edge((corner | bit) ^ bit, corner | bit); };
    const IntW reference_face = IntW(static_cast<std::int32_t>(kFaceName)) | select(reference_is_a, face_a, face_b);
    const IntW incident_face = IntW(static_cast<std::int32_t>(kFaceName)) | select(reference_is_a, face_b, face_a);
    const auto side_edge = [&](IntW side) {
        const MaskW along_u = float_of(side & IntW(2)) > zero, negative = float_of(side & IntW(1)) > zero;
        const IntW fixed = select(along_u, face.bit_v, face.bit_u), free = select(along_u, face.bit_u, face.bit_v);
        return edge(face.corner | select(negative, fixed, IntW(0)), free);
    };

    // The distance of a capsule's surface behind its line at a parameter of that line.
    const auto behind = [&](FloatW a) { return round.behind(abs(deepest_at - a) * half_length); };
    const auto candidate = [&](FloatW qu, FloatW qv, FloatW s, IntW incident, IntW reference) {
        return CandidateW{x0 + tx.x * qu + tx.y * qv, y0 + ty.x * qu + ty.y * qv,
                          h0 + tn.x * qu + tn.y * qv + to_middle * s, max(s, limits.separation),
                          pair_name(incident, reference)};
    };
    // Only next to corners are there duplicates.
    const FloatW about = FloatW(kAboutCorner) * apart, about_squared = about * about;
    const MaskW is_steep = min(n.z, facing_other) < FloatW(kSquareCorners);
    const auto put =
        [&](MaskW valid, MaskW is_about_corner, FloatW qu, FloatW qv, FloatW s, IntW incident, IntW reference) {
        valid &= lanes & limits.keep(s);
        if (!any(valid)) return;
        const CandidateW c = candidate(qu, qv, s, incident, reference);
        any(valid & (is_steep | is_about_corner)) ? out.append(valid, c) : out.append_apart(valid, c);
    };

    // Corners of the incident feature. Edge i goes from corner i to corner i + 1, counter-clockwise in the face's own
    // coordinates.
    const int sides = a_is_segment ? 1 : 4, ends = a_is_segment ? 2 : 4;
    const float start_1[4] = {1.0f, -1.0f, -1.0f, 1.0f}, start_2[4] = {1.0f, 1.0f, -1.0f, -1.0f};
    const IntW none = 0;
    const FloatW inverse_1 = one / sqrt(max(squared_1, FloatW(kTiny))),
                 inverse_2 = one / sqrt(max(squared_2, FloatW(kTiny)));
    const RectangleW rectangle = {hu, hv, slack, slack};
    CornerW corners[4] = {};
    ABUT_UNROLL(4)
    for (int i = 0; i < ends; ++i) {
        const FloatW a = start_1[i], b = a_is_segment ? 0.0f : start_2[i];
        CornerW& c = corners[i];
        c.u = q0u + g1u * a + g2u * b, c.v = q0v + g1v * a + g2v * b;
        if (a_is_segment) c.u = c.u + g1u * past[i], c.v = c.v + g1v * past[i];
        c.on_u = c.u, c.on_v = c.v;
        c.name = a_is_segment
                     ? IntW(i)
                     : other.corner | (start_1[i] < 0 ? other.bit_u : none) | (start_2[i] < 0 ? other.bit_v : none);
        const FloatW beyond = max(abs(c.u) - hu, abs(c.v) - hv);
        c.on = usable & (beyond <= slack);
        const MaskW next_to = usable & (beyond > slack) & (beyond <= apart);
        if (!any(next_to & lanes)) continue;
        const FloatW toward_1 = -(inverse_1 * a), toward_2 = -(inverse_2 * b);
        const FloatW u1 = g1u * toward_1, v1 = g1v * toward_1, u2 = g2u * toward_2, v2 = g2v * toward_2;
        const FloatW distance_1 = rectangle.distance_into(c.u, c.v, u1, v1, apart);
        const FloatW distance_2 =
            a_is_segment ? FloatW(kNotReachable) : rectangle.distance_into(c.u, c.v, u2, v2, apart);
        const MaskW first = distance_1 <= distance_2, slides = min(distance_1, distance_2) < FloatW(kNotReachable);
        FloatW du = select(first, distance_1 * u1, distance_2 * u2),
               dv = select(first, distance_1 * v1, distance_2 * v2);
        MaskW moves = next_to & slides;
        if (a_is_segment) {
            // Moves the corner to the nearest point of the rectangle, but along a capsule's line only inwards, and
            // laterally only while the surface's height is the same to rounding.
            const FloatW to_u = max(-hu, min(hu, c.u)) - c.u, to_v = max(-hv, min(hv, c.v)) - c.v;
            const FloatW along = to_u * u1 + to_v * v1, aside = to_u * v1 - to_v * u1;
            const MaskW drops = next_to & (n.z > FloatW(kParallelCosine)) & (along >= zero) &
                                (aside * aside <= slack * other_radius * facing_other);
            du = select(drops, to_u, du), dv = select(drops, to_v, dv);
            moves |= drops;
        }
        c.on_u = select(moves, c.u + du, c.u), c.on_v = select(moves, c.v + dv, c.v);
        c.on |= moves;
    }

    // A crossing next to a corner of the rectangle gets that corner's name. Any point gets it if the rectangle is B's.
    const IntW segment = static_cast<std::int32_t>(kEdgeName | 1),
               incident_name = a_is_segment ? segment : incident_face;
    const auto is_at_corner = [&](FloatW u, FloatW v, FloatW within) {
        return (abs(u) >= hu - within) & (abs(v) >= hv - within);
    };
    const auto corner_at = [&](FloatW u, FloatW v) {
        return face.corner | select(u < zero, face.bit_u, none) | select(v < zero, face.bit_v, none);
    };
    ABUT_UNROLL(4)
    for (int i = 0; i < ends; ++i) {
        const CornerW& at = corners[i];
        const FloatW a = start_1[i], b = a_is_segment ? 0.0f : start_2[i];
        FloatW s = s0 + s1 * a + s2 * b + su * (at.on_u - at.u) + sv * (at.on_v - at.v);
        if (a_is_segment) {
            const FloatW du = at.on_u - at.u, dv = at.on_v - at.v;
            FloatW by = behind_end[i];
            if (const MaskW moved = ~((du == zero) & (dv == zero)); any(moved & lanes))
                by = select(moved, behind(a + past[i] + (du * g1u + dv * g1v) / max(squared_1, FloatW(kTiny))), by);
            s = s + s1 * past[i] + by;
        }
        const MaskW valid = at.on & lanes & limits.keep(s);
        if (!any(valid)) continue;
        const MaskW is_corner = ~reference_is_a & is_at_corner(at.on_u, at.on_v, apart);
        const IntW own = select(is_corner, incident_name, at.name),
                   cut = select(is_corner, corner_at(at.on_u, at.on_v), reference_face);
        // No search for duplicates: these are the first candidates, and corners are farther apart than duplicates.
        out.append_apart(valid, candidate(at.on_u, at.on_v, s, own, cut));
    }
    if (!a_is_segment) {
        // Corners of the reference over the incident face.
        const FloatW unit_1 = squared_2 * inverse_2 * abs(inverse), unit_2 = squared_1 * inverse_1 * abs(inverse);
        const FloatW tip_1 = one - apart * unit_1, tip_2 = one - apart * unit_2;
        const RectangleW incident = {one, one, slack * unit_1, slack * unit_2};
        ABUT_UNROLL(4)
        for (int i = 0; i < 4; ++i) {
            FloatW cu = hu * FloatW(start_1[i]), cv = hv * FloatW(start_2[i]);
            const FloatW pu = cu - q0u, pv = cv - q0v;
            FloatW a = (pu * g2v - pv * g2u) * inverse, b = (g1u * pv - g1v * pu) * inverse;
            const MaskW able = usable & ~(area == zero);
            MaskW inside = able & (abs(a) <= one + incident.slack_u) & (abs(b) <= one + incident.slack_v);
            const MaskW next_to = able & ~inside & (abs(a) <= one + apart * unit_1) & (abs(b) <= one + apart * unit_2);
            if (any(next_to & lanes)) {
                // The directions of the rectangle's edges, in the incident face's own coordinates.
                const FloatW toward_u = -inverse * FloatW(start_1[i]), toward_v = -inverse * FloatW(start_2[i]);
                const FloatW ua = g2v * toward_u, ub = -(g1v * toward_u), va = -(g2u * toward_v), vb = g1u * toward_v;
                const FloatW distance_u = incident.distance_into(a, b, ua, ub, apart),
                             distance_v = incident.distance_into(a, b, va, vb, apart);
                const MaskW by_u = distance_u <= distance_v,
                            moves = next_to & (min(distance_u, distance_v) < FloatW(kNotReachable));
                const FloatW u = select(moves & by_u, distance_u, zero), v = select(moves & ~by_u, distance_v, zero);
                a = a + ua * u + va * v, b = b + ub * u + vb * v;
                cu = cu - FloatW(start_1[i]) * u, cv = cv - FloatW(start_2[i]) * v;
                inside |= moves;
            }
            const IntW corner =
                face.corner | (start_1[i] < 0 ? face.bit_u : none) | (start_2[i] < 0 ? face.bit_v : none);
            // A point next to a corner of B's face gets that corner's name.
            const MaskW is_tip = inside & reference_is_a & (abs(a) >= tip_1) & (abs(b) >= tip_2);
            const IntW tip = other.corner | select(a < zero, other.bit_u, none) | select(b < zero, other.bit_v, none);
            const MaskW is_about_tip = (abs(a) >= one - about * unit_1) & (abs(b) >= one - about * unit_2);
            put(inside, is_about_tip, cu, cv, s0 + s1 * a + s2 * b, select(is_tip, tip, incident_face),
                select(is_tip, reference_face, corner));
        }
    }
    // Crossings come last because noise moves them most. Next to an end of its edge, a crossing gets the end's name.
    ABUT_UNROLL(4)
    for (int i = 0; i < sides; ++i) {
        const CornerW &from = corners[i], &to = corners[a_is_segment ? 1 : (i + 1) % 4];
        const MaskW cut = lanes & usable & ~(from.on & to.on);
        if (!any(cut)) continue;
        const bool along_1 = i % 2 == 0;
        const FloatW b = a_is_segment ? 0.0f : start_2[i];
        FloatW a = start_1[i], direction = i < 2 ? -two : two;
        if (a_is_segment) a = a + past[0], direction = direction + past[1] - past[0];
        const FloatW fs = s0 + s1 * a + s2 * b, ds = (along_1 ? s1 : s2) * direction;
        const FloatW du = (along_1 ? g1u : g2u) * direction, dv = (along_1 ? g1v : g2v) * direction,
                     squared = du * du + dv * dv;
        const IntW own = a_is_segment ? segment : edge(from.name, along_1 ? other.bit_u : other.bit_v);
        SpanW span = {zero, one, none, none};
        clip_slab(span, from.u, du, hu, slack, 0);
        clip_slab(span, from.v, dv, hv, slack, 2);
        const auto put_crossing = [&](MaskW valid, FloatW t, IntW cut_by) {
            if (!any(valid)) return;
            const FloatW rest = one - t, to_start = t * t * squared, to_stop = rest * rest * squared;
            const MaskW is_stop = to_stop <= out.apart_squared, crossing = ~(is_stop | (to_start <= out.apart_squared));
            const FloatW u = from.u + du * t, v = from.v + dv * t;
            const MaskW is_corner = (crossing | ~reference_is_a) & is_at_corner(u, v, apart);
            const IntW end = select(is_stop, to.name, from.name);
            const MaskW is_about_corner = (min(to_start, to_stop) <= about_squared) | is_at_corner(u, v, about);
            const FloatW s = a_is_segment ? fs + ds * t + behind(a + direction * t) : fs + ds * t;
            put(valid, is_about_corner, u, v, s, select(is_corner, incident_name, select(crossing, own, end)),
                select(is_corner, corner_at(u, v), select(crossing, side_edge(cut_by), reference_face)));
        };
        const MaskW over = cut & (span.enter <= span.leave);
        put_crossing(over & ~from.on & (span.enter > zero), span.enter, span.enter_edge);
        put_crossing(over & ~to.on & (span.leave < one), span.leave, span.leave_edge);
    }
    return lanes;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
