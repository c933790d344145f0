// See flat.hpp.
#include "convex/exact/flat.hpp"

#include "convex/exact/exact_gjk.hpp"

namespace abut::exact {
namespace {

constexpr Vec3d kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

Vec3d perpendicular_to(const Vec3d& e) {
    const double x = std::fabs(e.x), y = std::fabs(e.y), z = std::fabs(e.z);
    return unit(cross(e, x <= y && x <= z ? kAxes[0] : y <= z ? kAxes[1] : kAxes[2]));
}

// The vector from the lowest point of A - B along d to the highest.
Vec3d extent_along(const CorePair& pair, const Vec3d& d) { return support(pair, d).w - support(pair, -d).w; }

// A measure that increases with the distance of w from the point, line or plane of the simplex.
double added_extent(const Simplex& s, const Vec3d& w) {
    const Vec3d q = w - s.p[0].w;
    if (s.count == 1) return dot(q, q);
    const Vec3d e = s.p[1].w - s.p[0].w;
    if (s.count == 2) {
        const Vec3d n = accurate_cross(e, q);
        return dot(n, n);
    }
    return std::fabs(accurate_triple(e, s.p[2].w - s.p[0].w, q));
}

int probe_directions(const Simplex& s, Vec3d* directions) {
    if (s.count == 1) {
        for (int i = 0; i < 3; ++i) directions[i] = kAxes[i];
        return 3;
    }
    const Vec3d e = s.p[1].w - s.p[0].w;
    if (s.count == 2) {
        directions[0] = perpendicular_to(unit(e));
        directions[1] = unit(cross(e, directions[0]));
        return 2;
    }
    directions[0] = unit(accurate_cross(e, s.p[2].w - s.p[0].w));
    return 1;
}

}  // namespace

Flatness flatness(const CorePair& pair) {
    const double thin = 2 * kGridTolerance;
    Vec3d e = {0, 0, 0};
    for (const Vec3d& axis : kAxes) {
        const Vec3d candidate = extent_along(pair, axis);
        if (dot(candidate, candidate) > dot(e, e)) e = candidate;
    }
    if (norm(e) <= thin) return {0, {}};
    const Vec3d longest = e;
    e = unit(e);
    const Vec3d u = perpendicular_to(e), v = cross(e, u);
    const Vec3d span_u = extent_along(pair, u), span_v = extent_along(pair, v);
    const double width_u = dot(span_u, u), width_v = dot(span_v, v);
    if (width_u <= thin && width_v <= thin) return {1, e};
    const Vec3d n = unit(accurate_cross(longest, width_u > width_v ? span_u : span_v));
    if (dot(extent_along(pair, n), n) <= thin) return {2, n};
    return {3, {}};
}

bool grow_to_tetrahedron(const CorePair& pair, Simplex& s) {
    while (s.count < 4) {
        Vec3d directions[3];
        const int count = probe_directions(s, directions);
        double most = 0;
        Vertex best = s.p[0];
        for (int i = 0; i < 2 * count; ++i) {
            const Vertex candidate = support(pair, i % 2 ? -directions[i / 2] : directions[i / 2]);
            const double gain = added_extent(s, candidate.w);
            if (gain > most) most = gain, best = candidate;
        }
        if (most == 0) return false;
        s.p[s.count++] = best;
    }
    return true;
}

Vec3d square_to(const Simplex& s) {
    if (s.count == 1) return {0, 1, 0};
    const Vec3d e = s.p[1].w - s.p[0].w;
    return s.count == 2 ? perpendicular_to(unit(e)) : unit(accurate_cross(e, s.p[2].w - s.p[0].w));
}

}  // namespace abut::exact
