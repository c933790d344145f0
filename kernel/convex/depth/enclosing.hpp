// The depth of overlapping cores from four vertices of B - A that enclose the origin, usually an earlier frame's: no
// search, no separating axes.
//
// The tetrahedron is a part of B - A, so the depth is at least the distance of the origin from the tetrahedron's
// nearest face. The depth is at most the depth along that face's normal, by two supports. If the face lies in a facet
// of B - A, both bounds are equal, whatever moved meanwhile. The other faces must be farther away; in shallow overlaps
// they are, because their common vertex is deep inside.
#pragma once

#include "convex/lanes/answer.hpp"
#include "convex/lanes/load.hpp"
#include "convex/separation/simplex_features.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Four vertices of B - A, and the vertices of A from which they are made.
struct EnclosingW {
    IntW id[4];
    Vec3W w[4], on_a[4];
};

template <class CoreA, class CoreB>
inline EnclosingW enclosing_of(const PairW<CoreA, CoreB>& pair, const TetrahedronW& seeds) {
    EnclosingW out;
    ABUT_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
        out.id[k] = seeds.id[k];
        out.on_a[k] = vertex(pair.a, out.id[k]);
        out.w[k] = rotate(pair.rotation, vertex(pair.b, out.id[k] >> 16)) + pair.offset - out.on_a[k];
    }
    return out;
}

// The tetrahedron's face nearest to the origin.
struct NearestFaceW {
    FloatW distance;  // lower bound on the distance of all faces; negative if the origin is outside
    Vec3W outward;    // unit
    Vec3W w[3], on_a[3];
    IntW id[3], last;  // the face's corners, and the opposite vertex
};

inline NearestFaceW nearest_face(const EnclosingW& t) {
    NearestFaceW out = {HUGE_VALF,
                        splat(0.0f),
                        {t.w[0], t.w[0], t.w[0]},
                        {t.on_a[0], t.on_a[0], t.on_a[0]},
                        {t.id[0], t.id[0], t.id[0]},
                        t.id[0]};
    constexpr int kCorner[4][3] = {{0, 1, 2}, {1, 2, 3}, {2, 3, 0}, {3, 0, 1}};
    ABUT_UNROLL(4)
    for (int face = 0; face < 4; ++face) {
        const int i = kCorner[face][0], j = kCorner[face][1], k = kCorner[face][2], inside = (face + 3) % 4;
        const Vec3W across = cross(t.w[j] - t.w[i], t.w[k] - t.w[i]);
        const Vec3W outward = -flip_sign(across, dot(across, t.w[inside] - t.w[i])) *
                              (FloatW(1.0f) / sqrt(max(length_squared(across), FloatW(kTiny))));
        // The least height of the three corners is a lower bound, whatever the rounding of the direction.
        const FloatW distance = min(dot(outward, t.w[i]), min(dot(outward, t.w[j]), dot(outward, t.w[k])));
        const MaskW nearer = distance < out.distance;
        out.distance = select(nearer, distance, out.distance);
        out.outward = select(nearer, outward, out.outward);
        out.last = select(nearer, t.id[inside], out.last);
        const int corner[3] = {i, j, k};
        ABUT_UNROLL(3)
        for (int c = 0; c < 3; ++c) {
            out.w[c] = select(nearer, t.w[corner[c]], out.w[c]);
            out.on_a[c] = select(nearer, t.on_a[corner[c]], out.on_a[c]);
            out.id[c] = select(nearer, t.id[corner[c]], out.id[c]);
        }
    }
    return out;
}

struct EnclosedAnswerW {
    AnswerW answer;
    IntW names;
    MaskW proved;
    FloatW unproved;  // the depth along the axis may exceed the least depth by this
};

// The depth along the nearest face's normal, and the part of that depth that the tetrahedron leaves unproved.
template <class CoreA, class CoreB>
inline EnclosedAnswerW answer_along(const PairW<CoreA, CoreB>& pair, const NearestFaceW& face, std::uint32_t lanes) {
    const Vec3W normal = -face.outward;
    const FloatW separation = gap_along(pair, normal, lanes), allowed = FloatW(kCertificateShare) * pair.tolerance;
    const FloatW unproved = -(separation + face.distance);
    // Projection of the origin onto the face.
    const Vec3W ei = face.w[1] - face.w[0], ej = face.w[2] - face.w[0], n = cross(ei, ej);
    const FloatW over = FloatW(1.0f) / max(length_squared(n), FloatW(kTiny)), half = 0.5f;
    SimplexW s;
    s.lambda[1] = dot(n, cross(ej, face.w[0])) * over;
    s.lambda[2] = dot(n, cross(face.w[0], ei)) * over;
    s.lambda[0] = FloatW(1.0f) - s.lambda[1] - s.lambda[2];
    Vec3W on_a = splat(0.0f), nearest = splat(0.0f);
    ABUT_UNROLL(3)
    for (int c = 0; c < 3; ++c) {
        s.id[c] = face.id[c];
        on_a = on_a + face.on_a[c] * s.lambda[c];
        nearest = nearest + face.w[c] * s.lambda[c];
    }
    const FloatW outside = min(s.lambda[0], min(s.lambda[1], s.lambda[2]));
    const MaskW holds =
        (outside >= FloatW(-kTouchShare)) & (length_squared(nearest - normal * separation) <= allowed * allowed);
    return {
        {separation - pair.radius, normal, on_a + nearest * half + normal * ((pair.radius_a - pair.radius_b) * half)},
        simplex_features(s),
        holds & (separation <= FloatW(0.0f)) & (unproved <= allowed),
        unproved};
}

// If the nearest face is a face of A at one vertex of B, or the reverse, replaces that vertex by the support vertex
// along the face's normal, because rocking bodies change the vertex. Other faces keep their vertices.
template <class CoreA, class CoreB>
inline TetrahedronW about_farthest(const PairW<CoreA, CoreB>& pair, const NearestFaceW& face, std::uint32_t lanes) {
    const auto is_one = [&](const auto& part) {
        const IntW first = part(face.id[0]);
        return (part(face.id[1]) == first) & (part(face.id[2]) == first);
    };
    const IntW half = 0xffff;
    const MaskW of_a = is_one([&](IntW id) { return id >> 16; }),
                of_b = ~of_a & is_one([&](IntW id) { return id & half; });
    IntW vertex_a = 0, vertex_b = 0;
    if (const std::uint32_t asked = of_a.bits() & lanes; asked != 0)
        support(pair.b, rotate_back(pair.rotation, face.outward), asked, vertex_b);
    if (const std::uint32_t asked = of_b.bits() & lanes; asked != 0) support(pair.a, -face.outward, asked, vertex_a);
    TetrahedronW out;
    ABUT_UNROLL(3)
    for (int c = 0; c < 3; ++c) {
        const IntW id = face.id[c];
        out.id[c] = select(of_a, (id & half) | (vertex_b << 16), select(of_b, (id & (half << 16)) | vertex_a, id));
    }
    out.id[3] = face.last;
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
