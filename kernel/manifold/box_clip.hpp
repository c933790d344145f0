// Contact candidates of box-box and capsule-box pairs, one pair per lane: the incident face (or the capsule's line of contact) against the
// rectangle of the reference face. The same candidates as clip.hpp's, in the same order; what this shape of the problem cannot tell is
// left to it: boxes that are flat, and edges side by side.
#pragma once

#include "manifold/candidates_wide.hpp"
#include "manifold/polygon.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace box_clip_detail {

// One side of the incident feature, from t = 0 to 1, within the rectangle; as clip_sides in clip.hpp.
struct SpanW {
    FloatW enter, leave;
    IntW enter_side, leave_side;  // 0 +u, 1 -u, 2 +v, 3 -v
};
ABUT_INLINE void clip_slab(SpanW& span, FloatW from, FloatW step, FloatW half, FloatW slack, int side) {
    const FloatW zero = 0.0f, one = 1.0f, to = from + step, inverse = one / step;
    ABUT_UNROLL(2)
    for (int negative = 0; negative < 2; ++negative) {
        const FloatW start = negative ? half + from : half - from, end = negative ? half + to : half - to;
        const MaskW start_out = start < -slack, end_out = end < -slack;
        const FloatW at = max(zero, min(one, negative ? -(start * inverse) : start * inverse));
        const MaskW enters = start_out & ~end_out & (at > span.enter), leaves = end_out & ~start_out & (at < span.leave);
        span.enter = select(start_out & end_out, FloatW(2.0f), select(enters, at, span.enter));
        span.leave = select(leaves, at, span.leave);
        span.enter_side = select(enters, IntW(side + negative), span.enter_side);
        span.leave_side = select(leaves, IntW(side + negative), span.leave_side);
    }
}

}  // namespace box_clip_detail

// `face_a`, `face_b`: those that look most along the normal. Returns the lanes that are answered here.
inline MaskW clip_boxes(const PairW<ExtentCore, ExtentCore>& pair, bool a_is_segment, const SideAxesW& along_a,
                        const SideAxesW& along_b, IntW face_a, IntW face_b, const ClipLimitsW& limits, MaskW lanes,
                        CandidatesW& out) {
    using namespace box_clip_detail;
    const FloatW zero = 0.0f, one = 1.0f, two = 2.0f;
    const FaceAxisW at_a(face_a), at_b(face_b);
    const FloatW facing_a = abs(at_a.w(along_a.normal)), facing_b = abs(at_b.w(along_b.normal));
    const MaskW reference_is_a = a_is_segment ? MaskW() : facing_a >= facing_b - FloatW(kFacingBias);

    // The reference's frame: its face, the contact's axes, and the incident shape.
    const FaceAxisW face(select(reference_is_a, face_a, face_b)), other(select(reference_is_a, face_b, face_a));
    const Vec3W half = select(reference_is_a, pair.a.extent, pair.b.extent);
    const Vec3W other_half = select(reference_is_a, pair.b.extent, pair.a.extent);
    const FloatW radius = select(reference_is_a, pair.radius_a, pair.radius_b), other_radius = pair.radius - radius;
    const Mat3W& r = pair.rotation;
    const Vec3W column[3] = {select(reference_is_a, r.x, {r.x.x, r.y.x, r.z.x}),
                             select(reference_is_a, r.y, {r.x.y, r.y.y, r.z.y}),
                             select(reference_is_a, r.z, {r.x.z, r.y.z, r.z.z})};
    const Vec3W centre = face.turn(select(reference_is_a, pair.offset, -rotate_back(r, pair.offset)));
    const Vec3W n = face.turn(select(reference_is_a, along_a.normal, -along_b.normal));  // out of the reference
    const FloatW hu = face.u(half), hv = face.v(half), top = face.w(half) + radius, inverse_n = one / n.z;

    // The incident middle and half sides; a capsule has one side only.
    Vec3W middle, side_1, side_2;
    FloatW facing_other;
    MaskW usable = (n.z > FloatW(kSteepFace));
    if (a_is_segment) {
        const Vec3W axis = face.turn(column[1]);
        const FloatW along = dot(n, axis), flat = one - along * along;  // of the unit axis
        usable &= flat > FloatW(kSteepSegmentSquared);
        // The direction square to the axis that is most against n.
        const FloatW level = sqrt(max(flat, FloatW(kSteepSegmentSquared)));
        middle = centre - (n - axis * along) * (other_radius / level);
        side_1 = axis * other_half.y;
        side_2 = splat(0.0f);
        facing_other = level;
        usable &= other_half.y > zero;
    } else {
        const Vec3W across = {other.w({column[0].x, column[1].x, column[2].x}), other.w({column[0].y, column[1].y, column[2].y}),
                              other.w({column[0].z, column[1].z, column[2].z})};
        const Vec3W outward = face.turn(across * other.sign);
        const Vec3W u = {other.u({column[0].x, column[1].x, column[2].x}), other.u({column[0].y, column[1].y, column[2].y}),
                         other.u({column[0].z, column[1].z, column[2].z})};
        const Vec3W v = {other.v({column[0].x, column[1].x, column[2].x}), other.v({column[0].y, column[1].y, column[2].y}),
                         other.v({column[0].z, column[1].z, column[2].z})};
        middle = centre + outward * (other.w(other_half) + other_radius);
        side_1 = face.turn(u) * other.u(other_half);
        side_2 = face.turn(v) * other.v(other_half);
        facing_other = -dot(n, outward);
        usable &= facing_other > FloatW(kSteepFace);
    }
    const FloatW slack = FloatW(kClipShare) * pair.tolerance * min(n.z, facing_other);
    const FloatW narrow =
        FloatW(2.0f) * min(min(hu, hv), a_is_segment ? other_half.y : min(other.u(other_half), other.v(other_half)));
    const FloatW apart = limits.apart(narrow, min(n.z, facing_other));
    out.apart_squared = apart * apart;
    const FloatW thin = pair.tolerance * FloatW(2.0f);
    const MaskW full =
        (min(hu, hv) > thin) & (a_is_segment ? other_half.y > thin : min(other.u(other_half), other.v(other_half)) > thin);
    lanes &= full;

    // Down along n on the reference plane: separations and places, affine in the incident feature's own coordinates.
    const FloatW s0 = (middle.z - top) * inverse_n, s1 = side_1.z * inverse_n, s2 = side_2.z * inverse_n;
    const FloatW q0u = middle.x - n.x * s0, q0v = middle.y - n.y * s0;
    const FloatW g1u = side_1.x - n.x * s1, g1v = side_1.y - n.y * s1, g2u = side_2.x - n.x * s2, g2v = side_2.y - n.y * s2;

    // From there to the contact's coordinates.
    const auto turned = [&](Vec3W in_a, Vec3W in_b) { return face.turn(select(reference_is_a, in_a, in_b)); };
    const Vec3W tx = turned(along_a.x, along_b.x), ty = turned(along_a.y, along_b.y), tn = turned(along_a.normal, along_b.normal);
    const Vec3W origin = select(reference_is_a, splat(0.0f), along_b.origin);
    const FloatW x0 = origin.x + tx.z * top, y0 = origin.y + ty.z * top, h0 = origin.z + tn.z * top;
    const FloatW to_middle = select(reference_is_a, FloatW(0.5f), FloatW(-0.5f));

    // Names: `face_name` of either, corners and edges by vertex bits.
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

    const auto put = [&](MaskW valid, FloatW qu, FloatW qv, FloatW s, IntW incident, IntW reference) {
        valid &= lanes & limits.keep(s);
        if (!any(valid)) return;
        out.append(valid, {x0 + tx.x * qu + tx.y * qv, y0 + ty.x * qu + ty.y * qv, h0 + tn.x * qu + tn.y * qv + to_middle * s,
                           max(s, limits.separation), pair_name(incident, reference)});
    };

    // Sides of the incident face, counter-clockwise in its own coordinates: corner i to corner i + 1.
    const int sides = a_is_segment ? 1 : 4;
    const float start_1[4] = {1.0f, -1.0f, -1.0f, 1.0f}, start_2[4] = {1.0f, 1.0f, -1.0f, -1.0f};
    const IntW none = 0;
    ABUT_UNROLL(4)
    for (int i = 0; i < sides; ++i) {
        const bool along_1 = i % 2 == 0;
        const FloatW a = start_1[i], b = a_is_segment ? 0.0f : start_2[i], turn = i < 2 ? -two : two;
        const FloatW fu = q0u + g1u * a + g2u * b, fv = q0v + g1v * a + g2v * b, fs = s0 + s1 * a + s2 * b;
        const FloatW du = (along_1 ? g1u : g2u) * turn, dv = (along_1 ? g1v : g2v) * turn, ds = (along_1 ? s1 : s2) * turn;
        SpanW span = {zero, one, none, none};
        clip_slab(span, fu, du, hu, slack, 0);
        clip_slab(span, fv, dv, hv, slack, 2);
        const MaskW over = usable & (span.enter <= span.leave), cut_start = span.enter > zero, cut_end = span.leave < one;
        IntW corner, next, own;
        if (a_is_segment) {
            corner = none, next = IntW(1);
            own = IntW(static_cast<std::int32_t>(kEdgeName | 1));
        } else {
            const int j = (i + 1) % 4;
            corner = other.corner | (start_1[i] < 0 ? other.bit_u : none) | (start_2[i] < 0 ? other.bit_v : none);
            next = other.corner | (start_1[j] < 0 ? other.bit_u : none) | (start_2[j] < 0 ? other.bit_v : none);
            own = edge(corner, along_1 ? other.bit_u : other.bit_v);
        }
        const FloatW squared = du * du + dv * dv;
        // A crossing next to an end of the side, or to a corner of the rectangle, is that; of both B's has the name.
        const auto at = [&](MaskW valid, FloatW t, MaskW cut, IntW cut_by, IntW end) {
            const FloatW u = fu + du * t, v = fv + dv * t, rest = one - t;
            const MaskW is_start = cut & (t * t * squared <= out.apart_squared),
                        is_stop = cut & (rest * rest * squared <= out.apart_squared);
            const MaskW crossing = cut & ~(is_start | is_stop),
                        is_corner = (crossing | ~reference_is_a) & (abs(u) >= hu - apart) & (abs(v) >= hv - apart);
            const IntW corner_there = face.corner | (select(u < zero, face.bit_u, none)) | select(v < zero, face.bit_v, none);
            const IntW incident = select(crossing, own, select(is_stop, next, select(is_start, corner, end)));
            put(valid, u, v, fs + ds * t, select(is_corner, a_is_segment ? own : incident_face, incident),
                select(is_corner, corner_there, select(crossing, side_edge(cut_by), reference_face)));
        };
        at(over, span.enter, cut_start, span.enter_side, corner);
        at(a_is_segment ? over : over & cut_end, span.leave, cut_end, span.leave_side, next);
    }
    if (a_is_segment) return lanes;

    // Corners of the reference over the incident face.
    const FloatW area = g1u * g2v - g1v * g2u;
    const FloatW inverse = one / select(area == zero, one, area);
    const FloatW unit_1 = sqrt(length_squared({g2u, g2v, zero})) * abs(inverse),
                 unit_2 = sqrt(length_squared({g1u, g1v, zero})) * abs(inverse);
    const FloatW inner_1 = one + slack * unit_1, inner_2 = one + slack * unit_2, tip_1 = one - apart * unit_1,
                 tip_2 = one - apart * unit_2;
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
        const FloatW cu = hu * FloatW(start_1[i]), cv = hv * FloatW(start_2[i]), pu = cu - q0u, pv = cv - q0v;
        const FloatW a = (pu * g2v - pv * g2u) * inverse, b = (g1u * pv - g1v * pu) * inverse;
        const MaskW inside = usable & ~(area == zero) & (abs(a) <= inner_1) & (abs(b) <= inner_2);
        const IntW corner = face.corner | (start_1[i] < 0 ? face.bit_u : none) | (start_2[i] < 0 ? face.bit_v : none);
        // Next to a corner of B's face it is that.
        const MaskW is_tip = inside & reference_is_a & (abs(a) >= tip_1) & (abs(b) >= tip_2);
        const IntW tip = other.corner | select(a < zero, other.bit_u, none) | select(b < zero, other.bit_v, none);
        put(inside, cu, cv, s0 + s1 * a + s2 * b, select(is_tip, tip, incident_face), select(is_tip, reference_face, corner));
    }
    return lanes;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
