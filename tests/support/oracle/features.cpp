// Distances of features [Ericson 2005, 5.1]. Parameters are clamped last, so that every witness is a point of its
// feature whatever rounding did to them.
#include <algorithm>

#include "support/oracle/solvers.hpp"

namespace abut::oracle {
namespace {

Witness witness(const Vec3d& a, const Vec3d& b) { return {length(b - a), a, b}; }

double clamp01(double t) { return t > 0 ? std::min(t, 1.0) : 0.0; }  // NaN gives 0

Vec3d closest_on_segment(const Vec3d& point, const Vec3d& s0, const Vec3d& s1) {
    const Vec3d along = s1 - s0;
    // From the nearer end, for the sake of long segments.
    const double t = clamp01(dot(point - s0, along) / dot(along, along));
    return t <= 0.5 ? s0 + along * t : s1 - along * (1 - t);
}

}  // namespace

Witness segment_segment(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
    const Vec3d u = a1 - a0, v = b1 - b0, r = a0 - b0;
    const Vec3d n = cross(u, v);
    // Both lines seen along n; parallel ones give 0 / 0, hence the end a0.
    const double s = clamp01(dot(cross(v, r), n) / dot(n, n));
    const Vec3d on_a = a0 + u * s;
    const Vec3d on_b = closest_on_segment(on_a, b0, b1);
    return witness(closest_on_segment(on_b, a0, a1), on_b);
}

Witness point_triangle(const Vec3d& point, const Vec3d& t0, const Vec3d& t1, const Vec3d& t2) {
    const Vec3d n = cross(t1 - t0, t2 - t0);
    const double whole = dot(n, n);
    const double w0 = dot(cross(t1 - point, t2 - point), n) / whole;
    const double w1 = dot(cross(t2 - point, t0 - point), n) / whole;
    const double w2 = 1 - w0 - w1;
    if (w0 >= 0 && w1 >= 0 && w2 >= 0) return witness(point, t0 * w0 + t1 * w1 + t2 * w2);
    Witness best = witness(point, closest_on_segment(point, t0, t1));
    for (const Vec3d& on : {closest_on_segment(point, t1, t2), closest_on_segment(point, t2, t0)}) {
        const Witness other = witness(point, on);
        if (other.distance < best.distance) best = other;
    }
    return best;
}

}  // namespace abut::oracle
