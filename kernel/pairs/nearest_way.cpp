// See nearest_way.hpp. The simplex lies in the difference of the shape and the triangle; its newest vertex is the last one [van den Bergen 1999].
#include "pairs/nearest_way.hpp"

#include <cmath>

namespace abut {
namespace {

using exact::Vec3d;

constexpr int kMostSteps = 24;
// Of the squared distance: the way is right to the root of it, which is less than the rules about normals can tell.
constexpr double kSameWay = 1e-9;

struct Simplex {
    Vec3d at[4];
    int count = 0;
    Vec3d nearest{};  // to the origin

    void take(const Vec3d& p) { at[0] = p, count = 1, nearest = p; }
    void take(const Vec3d& p, const Vec3d& q, double t) { at[0] = p, at[1] = q, count = 2, nearest = p + (q - p) * t; }
    bool has(const Vec3d& p) const {
        for (int i = 0; i < count; ++i)
            if (exact::is_zero(at[i] - p)) return true;
        return false;
    }
};

double squared(const Vec3d& v) { return exact::dot(v, v); }

// `newest` is a vertex of what is nearest.
Simplex nearest_of(const Vec3d& p, const Vec3d& newest) {
    Simplex out;
    const Vec3d way = p - newest;
    const double length = squared(way), along = -exact::dot(newest, way);
    if (!(along > 0) || !(length > 0))
        out.take(newest);
    else
        out.take(p, newest, 1 - exact::least(1, along / length));
    return out;
}

Simplex nearest_of(const Vec3d& p, const Vec3d& q, const Vec3d& newest) {
    const Vec3d to_p = p - newest, to_q = q - newest, area = exact::cross(to_p, to_q);
    const double whole = squared(area);
    // The weights of p and of q, times `whole`.
    const double of_p = -exact::dot(exact::cross(newest, to_q), area), of_q = -exact::dot(exact::cross(to_p, newest), area);
    if (whole > 0 && of_p > 0 && of_q > 0 && of_p + of_q < whole) {
        Simplex out;
        out.at[0] = p, out.at[1] = q, out.at[2] = newest, out.count = 3;
        out.nearest = area * (exact::dot(area, newest) / whole);
        return out;
    }
    const Simplex one = nearest_of(p, newest), other = nearest_of(q, newest);
    return squared(one.nearest) < squared(other.nearest) ? one : other;
}

// False where the origin is in the tetrahedron.
bool nearest_of(const Simplex& face, const Vec3d& newest, Simplex& out) {
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        const Vec3d &p = face.at[k], &q = face.at[(k + 1) % 3], &across = face.at[(k + 2) % 3];
        const Vec3d normal = exact::cross(p - newest, q - newest);
        if (exact::dot(normal, across - newest) * exact::dot(normal, newest) < 0) continue;  // the origin is on the inner side
        const Simplex side = nearest_of(p, q, newest);
        if (const double length = squared(side.nearest); length < least) least = length, out = side;
    }
    return least < INFINITY;
}

bool add(Simplex& simplex, const Vec3d& newest) {
    const Simplex before = simplex;
    switch (before.count) {
        case 0: simplex.take(newest); return true;
        case 1: simplex = nearest_of(before.at[0], newest); return true;
        case 2: simplex = nearest_of(before.at[0], before.at[1], newest); return true;
        default: return nearest_of(before, newest, simplex);
    }
}

}  // namespace

NearestWay nearest_way(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners, const Vec3d& start, double beyond) {
    const Vec3d v[3] = {exact::to_double(corners.at[0]), exact::to_double(corners.at[1]), exact::to_double(corners.at[2])};
    NearestWay out;
    Simplex simplex;
    Vec3d way = start;
    for (int step = 0; step < kMostSteps; ++step) {
        const double length = squared(way);
        Vec3d point;
        if (!(length > 0) || !farthest_point(tables, probe.shape, exact::transposed_times(probe.axes, -way), point)) return out;
        const double heights[3] = {exact::dot(way, v[0]), exact::dot(way, v[1]), exact::dot(way, v[2])};
        const int top = heights[0] >= heights[1] ? (heights[0] >= heights[2] ? 0 : 2) : heights[1] >= heights[2] ? 1 : 2;
        const Vec3d between = probe.position + probe.axes * point - v[top];
        const double least = exact::dot(way, between);
        if (least > 0 && least * least > beyond * beyond * length) {
            out.is = NearestWay::Is::beyond;
            return out;
        }
        if (simplex.count != 0 && (length - least <= kSameWay * length || simplex.has(between))) {
            out.is = NearestWay::Is::found;
            out.way = exact::unit(way);
            return out;
        }
        if (!add(simplex, between)) return out;
        way = simplex.nearest;
    }
    return out;
}

}  // namespace abut
