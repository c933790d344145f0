// The point of a simplex nearest to the origin, one simplex per lane.
//
// After [Johnson 1987; van den Bergen 1999], with what is known inside GJK: the newest vertex is a part of the answer,
// so only the three edges and three faces at that vertex are tested. Each candidate is a point of the simplex, so the
// nearest valid candidate is correct whatever the rounding of the region tests. Distances are computed from heights and
// residuals, not from differences of squares, which resolves touching shapes. Unused slots repeat a vertex; their faces
// have no area and are excluded.
#pragma once

#include "base/tolerances.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct SimplexW {
    Vec3W w[3];        // vertices of B - A
    IntW id[3];        // A's vertex in the low half, B's in the high
    FloatW lambda[3];  // barycentric coordinates: v = sum of lambda[i] w[i]
    Vec3W v;           // nearest to the origin
};

// Seeds of an exact depth search: four vertices that enclose the origin.
struct TetrahedronW {
    IntW id[4];
};

namespace simplex_detail {

// The nearest feature so far, by the values that distinguish candidates; the winner's point is computed at the end.
struct Nearest {
    FloatW distance_squared;
    FloatW t, u, over;  // barycentric weights of the feature's old vertices: t / over and u / over
    FloatW feature;     // 0 the new vertex; i the edge to old vertex i; 4, 5, 6 the faces with (1,2), (2,3), (3,1)
};

ABUT_INLINE void keep_if(MaskW better, Nearest& best, FloatW distance_squared, FloatW t, FloatW u, FloatW over,
                         float feature) {
    best.distance_squared = select(better, distance_squared, best.distance_squared);
    best.t = select(better, t, best.t);
    best.u = select(better, u, best.u);
    best.over = select(better, over, best.over);
    best.feature = select(better, FloatW(feature), best.feature);
}

// Tries the inside of edge e; c = a x e gives the distance without cancellation.
ABUT_INLINE void try_edge(Nearest& best, FloatW along, FloatW squared, Vec3W c, float feature) {
    const FloatW zero = 0.0f, distance_squared = length_squared(c) / max(squared, FloatW(kTiny));
    const MaskW better = (along > zero) & (along < squared) & (distance_squared < best.distance_squared);
    keep_if(better, best, distance_squared, along, zero, squared, feature);
}

// Tries the inside of face (w0, wi, wj) with normal n = ei x ej; ci = a x ei, cj = a x ej, height = n . a.
ABUT_INLINE void try_face(Nearest& best, Vec3W n, FloatW nn, FloatW height, Vec3W ci, Vec3W cj, FloatW gi, FloatW gj,
                          float feature) {
    const FloatW zero = 0.0f, ti = dot(n, cj), tj = -dot(n, ci);
    const FloatW distance_squared = height * height / max(nn, FloatW(kTiny));
    const MaskW better = (ti > zero) & (tj > zero) & (ti + tj < nn) & (nn > FloatW(kFlat) * gi * gj) &
                         (distance_squared < best.distance_squared);
    keep_if(better, best, distance_squared, ti, tj, nn, feature);
}

// If v is short relative to an edge on which it ends, rounding of w0 makes w0 + t e inexactly perpendicular to e. A
// second projection corrects the point, so that nearly touching edges can be certified.
ABUT_INLINE Vec3W point_on_edge(Vec3W w0, Vec3W e, FloatW t, FloatW inverse, MaskW on_edge) {
    const Vec3W v = w0 + e * t;
    const MaskW is_short = on_edge & (length_squared(v) < FloatW(kShortAgainstEdge) * length_squared(e));
    if (!any(is_short)) return v;
    return select(is_short, v - e * (dot(v, e) * inverse), v);
}

}  // namespace simplex_detail

// Whether a tetrahedron encloses the origin. `firmly`: no weight could be mere rounding; the weights of a long, thin
// tetrahedron are products of long edges that nearly cancel.
struct EnclosedW {
    MaskW at_all, firmly;
};

// Adds vertex w0 to a simplex of at most `kOld` distinct vertices, and reduces the simplex to its feature nearest to
// the origin. Undefined if the simplex encloses the origin.
template <int kOld>
ABUT_INLINE EnclosedW advance(SimplexW& s, Vec3W w0, IntW id0) {
    using namespace simplex_detail;
    const FloatW zero = 0.0f, one = 1.0f;
    const Vec3W a = -w0;
    EnclosedW enclosed;

    // Edges and faces at the new vertex.
    const Vec3W e1 = s.w[0] - w0, c1 = cross(a, e1);
    const FloatW g1 = length_squared(e1);
    Nearest best = {length_squared(a), zero, zero, one, zero};
    try_edge(best, dot(a, e1), g1, c1, 1.0f);
    if constexpr (kOld >= 2) {
        const Vec3W e2 = s.w[1] - w0, c2 = cross(a, e2), n12 = cross(e1, e2);
        const FloatW g2 = length_squared(e2), h12 = dot(n12, a), nn12 = length_squared(n12);
        try_edge(best, dot(a, e2), g2, c2, 2.0f);
        if constexpr (kOld >= 3) {
            const Vec3W e3 = s.w[2] - w0, c3 = cross(a, e3), n23 = cross(e2, e3), n31 = cross(e3, e1);
            const FloatW g3 = length_squared(e3), h23 = dot(n23, a), h31 = dot(n31, a), volume = dot(n12, e3);
            try_edge(best, dot(a, e3), g3, c3, 3.0f);
            try_face(best, n23, length_squared(n23), h23, c2, c3, g2, g3, 5.0f);
            try_face(best, n31, length_squared(n31), h31, c3, c1, g3, g1, 6.0f);
            // The barycentric weights of the old vertices, times the volume, have the volume's sign and do not exceed
            // it.
            const FloatW w3 = flip_sign(h12, volume), w1 = flip_sign(h23, volume), w2 = flip_sign(h31, volume);
            const FloatW least = min(w1, min(w2, w3)), last = abs(volume) - (w1 + w2 + w3);
            enclosed.at_all = (least >= zero) & (last >= zero) & (volume * volume > FloatW(kFlat) * nn12 * g3);
            if (any(enclosed.at_all)) {
                // Each weight is a product of two edges and the vector to the origin; their sum is a product of three
                // edges. So a short edge makes only its own weights more exact.
                const FloatW shortest = min(g1, min(g2, g3)), longest = max(g1, max(g2, g3)),
                             middle = max(min(g1, g2), min(max(g1, g2), g3));
                const FloatW noise = FloatW(kWeightNoise * kWeightNoise) * longest * middle *
                                     max(shortest, length_squared(a)),
                             sure = min(least, last);
                enclosed.firmly = enclosed.at_all & (sure * sure > noise);
            }
        }
        try_face(best, n12, nn12, h12, c1, c2, g1, g2, 4.0f);
    }

    // The winner's vertices.
    Vec3W first = s.w[0], second = w0;
    IntW first_id = s.id[0], second_id = id0;
    const MaskW is_face = best.feature > FloatW(3.0f);
    if constexpr (kOld == 2) {
        const MaskW two = best.feature == FloatW(2.0f);
        first = select(two, s.w[1], first);
        first_id = select(two, s.id[1], first_id);
        second = select(is_face, s.w[1], second);
        second_id = select(is_face, s.id[1], second_id);
    }
    if constexpr (kOld >= 3) {
        const MaskW f12 = best.feature == FloatW(4.0f), f23 = best.feature == FloatW(5.0f),
                    f31 = best.feature == FloatW(6.0f);
        const MaskW two = f23 | (best.feature == FloatW(2.0f)), three = f31 | (best.feature == FloatW(3.0f));
        first = select(three, s.w[2], select(two, s.w[1], first));
        first_id = select(three, s.id[2], select(two, s.id[1], first_id));
        second = select(f12, s.w[1], select(f23, s.w[2], select(f31, s.w[0], second)));
        second_id = select(f12, s.id[1], select(f23, s.id[2], select(f31, s.id[0], second_id)));
    }

    // The nearest point; if it is on a face, along the face's normal, so that a short v keeps its direction.
    const FloatW inverse = one / best.over, t = best.t * inverse, u = best.u * inverse;
    const Vec3W e = first - w0;
    const Vec3W on_edge = point_on_edge(w0, e, t, inverse, (best.feature > zero) & ~is_face);
    if constexpr (kOld >= 2) {
        const Vec3W n = cross(e, second - w0);
        s.v = select(is_face, n * (dot(n, w0) * inverse), on_edge);
    } else {
        s.v = on_edge;
    }
    s.w[0] = w0;
    s.w[1] = first;
    s.w[2] = second;
    s.id[0] = id0;
    s.id[1] = first_id;
    s.id[2] = second_id;
    s.lambda[0] = one - t - u;
    s.lambda[1] = t;
    s.lambda[2] = u;
    return enclosed;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
