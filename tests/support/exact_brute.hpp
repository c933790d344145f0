// A slow reference for the exact path's tests: every direction and every feature that could matter, in long double. It
// knows nothing of faces or neighbours, so nothing of it can be wrong in the way that an incremental hull can.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "convex/exact/signed_distance.hpp"

namespace brute {

using Real = long double;

struct Vec {
    Real x = 0, y = 0, z = 0;
};

inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(Vec a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
inline Real dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline Real norm(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec from(const abut::maths::Vec3d& v) { return {v.x, v.y, v.z}; }

inline Vec rotate(const abut::Quat& quat, Vec v) {
    const Real n2 = Real(quat.x) * quat.x + Real(quat.y) * quat.y + Real(quat.z) * quat.z + Real(quat.w) * quat.w;
    const Vec q = {quat.x, quat.y, quat.z};
    const Vec t = cross(q, v) * 2;
    return v + (t * Real(quat.w) + cross(q, t)) * (1 / n2);
}

// A core as bare points, in world axes relative to `origin`.
struct Cloud {
    std::vector<Vec> points;
    Real radius = 0;
};

inline Cloud cloud_of(const abut::exact::Posed& posed, abut::Vec3 origin) {
    using abut::ShapeKind;
    const auto& shape = posed.shape;
    std::vector<Vec> local;
    if (shape.kind == ShapeKind::hull) {
        const auto& hull = *shape.hull;
        for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
            local.push_back({(Real(hull.centre.x) + hull.column_x()[i]) * shape.extents.x,
                             (Real(hull.centre.y) + hull.column_y()[i]) * shape.extents.y,
                             (Real(hull.centre.z) + hull.column_z()[i]) * shape.extents.z});
    } else {
        for (int i = 0; i < 8; ++i) {
            const abut::maths::Vec3d& e = shape.extents;
            const bool repeats = (e.x == 0 && i & 1) || (e.y == 0 && i & 2) || (e.z == 0 && i & 4);
            if (repeats) continue;
            local.push_back({i & 1 ? -e.x : e.x, i & 2 ? -e.y : e.y, i & 4 ? -e.z : e.z});
        }
    }
    const Vec at = {Real(posed.position.x) - origin.x, Real(posed.position.y) - origin.y,
                    Real(posed.position.z) - origin.z};
    Cloud cloud;
    for (const Vec& v : local) cloud.points.push_back(rotate(posed.orientation, v) + at);
    cloud.radius = shape.radius;
    return cloud;
}

inline Real most(const Cloud& c, Vec n) {
    Real best = dot(c.points[0], n);
    for (const Vec& p : c.points) best = std::max(best, dot(p, n));
    return best;
}
inline Real least(const Cloud& c, Vec n) { return -most(c, n * -1); }

// How far apart the support planes along unit n are, radii included: no pair is nearer, and no overlap deeper than its
// negative.
inline Real gap_along(const Cloud& a, const Cloud& b, Vec n) { return least(b, n) - most(a, n) - a.radius - b.radius; }

// All directions square to two edges of one cloud, and all edges.
struct Directions {
    std::vector<Vec> edges, normals;
};

inline Directions directions_of(const Cloud& c) {
    Directions d;
    const auto n = c.points.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const Vec e = c.points[j] - c.points[i];
            if (norm(e) > 0) d.edges.push_back(e * (1 / norm(e)));
            for (std::size_t k = j + 1; k < n; ++k) {
                const Vec f = c.points[k] - c.points[i], m = cross(e, f);
                if (norm(m) > 1e-15L * norm(e) * norm(f)) d.normals.push_back(m * (1 / norm(m)));
            }
        }
    return d;
}

// The largest gap along any direction that can be a face of the cores' difference: the signed distance of overlapping
// solids. O(n^5).
inline Real overlap(const Cloud& a, const Cloud& b) {
    Real best = -HUGE_VALL;
    const auto consider = [&](Vec n) { best = std::max({best, gap_along(a, b, n), gap_along(a, b, n * -1)}); };
    const Directions da = directions_of(a), db = directions_of(b);
    for (const Vec& n : da.normals) consider(n);
    for (const Vec& n : db.normals) consider(n);
    for (const Vec& e : da.edges)
        for (const Vec& f : db.edges) {
            const Vec m = cross(e, f);
            if (norm(m) > 1e-15L) consider(m * (1 / norm(m)));
        }
    return best;
}

inline Real clamp01(Real x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

inline Real point_segment(Vec p, Vec a, Vec b) {
    const Vec e = b - a;
    const Real ee = dot(e, e);
    return norm(a + e * (ee > 0 ? clamp01(dot(p - a, e) / ee) : 0) - p);
}

inline Real segment_segment(Vec a, Vec b, Vec c, Vec d) {
    Real best =
        std::min({point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)});
    const Vec e = b - a, f = d - c, m = cross(e, f);
    const Real mm = dot(m, m);
    if (mm > 1e-30L * dot(e, e) * dot(f, f)) {
        const Real s = dot(cross(c - a, f), m) / mm, t = dot(cross(c - a, e), m) / mm;
        if (s > 0 && s < 1 && t > 0 && t < 1) best = std::min(best, std::fabs(dot(c - a, m)) / std::sqrt(mm));
    }
    return best;
}

inline Real point_triangle(Vec p, Vec a, Vec b, Vec c) {
    Real best = std::min({point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)});
    const Vec n = cross(b - a, c - a);
    const Real nn = dot(n, n);
    if (nn > 0 && dot(cross(b - a, p - a), n) > 0 && dot(cross(c - b, p - b), n) > 0 && dot(cross(a - c, p - c), n) > 0)
        best = std::min(best, std::fabs(dot(p - a, n)) / std::sqrt(nn));
    return best;
}

inline Real point_to_cloud(Vec p, const Cloud& c) {
    Real best = HUGE_VALL;
    const auto n = c.points.size();
    for (std::size_t i = 0; i < n; ++i) {
        best = std::min(best, norm(p - c.points[i]));
        for (std::size_t j = i + 1; j < n; ++j) {
            best = std::min(best, point_segment(p, c.points[i], c.points[j]));
            for (std::size_t k = j + 1; k < n; ++k)
                best = std::min(best, point_triangle(p, c.points[i], c.points[j], c.points[k]));
        }
    }
    return best;
}

// The least distance of any features of two cores that are apart, less the radii. O(n^4).
inline Real separation(const Cloud& a, const Cloud& b) {
    Real best = HUGE_VALL;
    for (const Vec& p : a.points) best = std::min(best, point_to_cloud(p, b));
    for (const Vec& p : b.points) best = std::min(best, point_to_cloud(p, a));
    for (std::size_t i = 0; i < a.points.size(); ++i)
        for (std::size_t j = i + 1; j < a.points.size(); ++j)
            for (std::size_t k = 0; k < b.points.size(); ++k)
                for (std::size_t l = k + 1; l < b.points.size(); ++l)
                    best = std::min(best, segment_segment(a.points[i], a.points[j], b.points[k], b.points[l]));
    return best - a.radius - b.radius;
}

// How far p is from being in the core: the distance where some plane through its points parts them, else 0.
inline Real outside(Vec p, const Cloud& c) {
    const Real distance = point_to_cloud(p, c);
    for (const Vec& n : directions_of(c).normals)
        if (dot(p, n) > most(c, n) || dot(p, n) < least(c, n)) return distance;
    return c.points.size() < 4 ? distance : 0;
}

}  // namespace brute
