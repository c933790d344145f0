// The point of a Minkowski difference nearest to the origin, see nearest.hpp.
#include "support/oracle/nearest.hpp"

#include <algorithm>
#include <limits>

#include "support/oracle/solvers.hpp"

namespace abut::oracle {
namespace {

constexpr int kMaxSteps = 300;

double volume(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return dot(cross(a, b), c); }

// Strictly and plainly: the four tetrahedra that the origin makes with the faces have one sign, none of them rounding.
bool encloses_origin(const Vec3d (&p)[4]) {
    double scale = 0;
    for (const Vec3d& v : p) scale = std::max(scale, length(v));
    const double parts[] = {volume(p[1], p[3], p[2]), volume(p[0], p[2], p[3]), volume(p[0], p[3], p[1]),
                            volume(p[0], p[1], p[2])};
    const double noise = 1e-15 * scale * scale * scale;
    return std::all_of(parts, parts + 4, [&](double v) { return v > noise; }) ||
           std::all_of(parts, parts + 4, [&](double v) { return v < -noise; });
}

// Away from the origin's side; zero where the three are collinear.
Vec3d plane_normal(const Vec3d (&p)[4], const Vec3d& point) {
    const Vec3d area = cross(p[1] - p[0], p[2] - p[0]);
    const double len = length(area);
    return len > 0 ? area * ((dot(area, point) > 0 ? -1 : 1) / len) : Vec3d{};
}

}  // namespace

NearestPoint nearest_to_origin(const Difference& difference, const Vec3d& start, double wanted) {
    NearestPoint best{false, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), start};
    const Vec3d first = difference.support(start);
    Vec3d p[4] = {first, first, first, first}, point = first;
    best.upper = length(first);
    best.lower = -dot(start, first);
    bool stalled = false;
    for (int step = 0; step < kMaxSteps && best.upper > 0; ++step) {
        // A short way to a sliver has lost its direction to rounding before the sliver has lost its plane.
        const Vec3d n = stalled ? plane_normal(p, point) : -point / length(point);
        if (n == Vec3d{}) break;
        p[3] = difference.support(n);
        if (const double lower = -dot(n, p[3]); lower > best.lower) best.lower = lower, best.normal = n;
        if (best.upper - best.lower <= wanted) break;
        if (encloses_origin(p)) {
            best.encloses = true;
            break;
        }
        // Of the faces around the new point the one nearest to the origin.
        Witness nearest{std::numeric_limits<double>::infinity(), {}, {}};
        int left_out = 0;
        for (int i = 0; i < 3; ++i) {
            const Witness w = point_triangle({}, p[(i + 1) % 3], p[(i + 2) % 3], p[3]);
            if (w.distance < nearest.distance) nearest = w, left_out = i;
        }
        const bool nearer = nearest.distance < best.upper;
        if (!nearer && stalled) break;
        stalled = !nearer;
        if (stalled) continue;
        best.upper = nearest.distance;
        point = nearest.b;
        p[left_out] = p[3];
    }
    return best;
}

}  // namespace abut::oracle
