// See exact_simplex.hpp.
#include "convex/exact/exact_simplex.hpp"

namespace abut::exact {
namespace {

Nearest at_vertex(const Simplex& s, int i) { return {s.p[i].w, dot(s.p[i].w, s.p[i].w), 1, {i, 0, 0, 0}}; }

Nearest on_segment(const Simplex& s, int i, int j) {
    const Vec3d &a = s.p[i].w, &b = s.p[j].w;
    const Vec3d e = b - a;
    if (dot(a, e) >= 0) return at_vertex(s, i);
    if (dot(b, e) <= 0) return at_vertex(s, j);
    const Vec3d m = accurate_cross(a, e);
    const double inverse = 1.0 / dot(e, e);
    return {cross(e, m) * inverse, dot(m, m) * inverse, 2, {i, j, 0, 0}};
}

Nearest nearer(const Nearest& a, const Nearest& b) { return b.square < a.square ? b : a; }

// True if the origin's projection is inside edge p -> q of a triangle with normal n. The cross product is exact if its
// sign is in doubt.
inline bool inside_edge(const Vec3d& n, const Vec3d& p, const Vec3d& e) {
    const double t = dot(n, cross(p, e));
    if (t * t > 0x1p-96 * (dot(n, n) * dot(p, p) * dot(e, e))) return t > 0;
    return dot(n, accurate_cross(p, e)) > 0;
}

Nearest on_triangle(const Simplex& s, int i, int j, int k) {
    const Vec3d &a = s.p[i].w, &b = s.p[j].w, &c = s.p[k].w;
    const Vec3d ab = b - a, ac = c - a;
    const Vec3d n = accurate_cross(ab, ac);
    const bool in_ab = inside_edge(n, a, ab), in_bc = inside_edge(n, b, c - b), in_ca = inside_edge(n, c, a - c);
    if (in_ab && in_bc && in_ca) {
        const double nn = dot(n, n), d = accurate_triple(ab, ac, a);
        return {n * (d / nn), d * d / nn, 3, {i, j, k, 0}};
    }
    // The nearest point is on one of the edges outside of which the projection lies.
    Nearest best{};
    bool any = false;
    const auto take = [&](int p, int q) {
        const Nearest candidate = on_segment(s, p, q);
        best = any ? nearer(best, candidate) : candidate;
        any = true;
    };
    if (!in_ab) take(i, j);
    if (!in_bc) take(j, k);
    if (!in_ca) take(i, k);
    return best;
}

// The corners of each face, and the opposite vertex. The sign is that of (face normal) . (opposite - face) for a
// positive volume.
constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
constexpr double kOppositeSign[4] = {1, -1, 1, -1};

Nearest on_tetrahedron(const Simplex& s) {
    const Vertex* p = s.p;
    const double volume = triple_sign(p[1].w - p[0].w, p[2].w - p[0].w, p[3].w - p[0].w);
    Nearest best{};
    bool outside_any = false;
    for (int f = 0; f < 4; ++f) {
        const int *face = kFaces[f], i = face[0], j = face[1], k = face[2];
        if (volume != 0) {
            const double to_origin = -triple_sign(p[j].w - p[i].w, p[k].w - p[i].w, p[i].w);
            const double opposite = volume > 0 ? kOppositeSign[f] : -kOppositeSign[f];
            if (to_origin * opposite >= 0) continue;
        }
        const Nearest candidate = on_triangle(s, i, j, k);
        if (volume != 0 && candidate.count == 3)
            return candidate;  // the face separates the origin from the tetrahedron, so no other face is nearer
        best = outside_any ? nearer(best, candidate) : candidate;
        outside_any = true;
    }
    if (outside_any) return best;
    return {{0, 0, 0}, 0, 4, {0, 1, 2, 3}};
}

}  // namespace

Nearest nearest_to_origin(const Simplex& s) {
    switch (s.count) {
        case 1: return at_vertex(s, 0);
        case 2: return on_segment(s, 0, 1);
        case 3: return on_triangle(s, 0, 1, 2);
        default: return on_tetrahedron(s);
    }
}

void keep(Simplex& s, const Nearest& feature) {
    for (int i = 0; i < feature.count; ++i)
        if (feature.index[i] != i) s.p[i] = s.p[feature.index[i]];
    s.count = feature.count;
}

}  // namespace abut::exact
