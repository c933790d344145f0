// A point and an ellipsoid, see ellipsoid.hpp. With c = radii^2 - (least radius)^2 and s = t + (least radius)^2 the
// root is that of N(s) = |radii p / (s + c)| = 1; 1 / N is nearly linear [More, Sorensen 1983], so that Newton's method
// on it takes a few steps.
#include "support/oracle/ellipsoid.hpp"

#include <algorithm>

namespace abut::oracle {
namespace {

// One axis less a common shift. An axis on which the point is 0 stays out of every sum: its quotient may be 0 / 0.
struct Axis {
    double radius, point, c;

    double quotient(double s) const { return point == 0 ? 0 : radius * point / (s + c); }
};
using Axes = Axis[3];

double norm(const Axes& axes, double s) {
    double sum = 0;
    for (const Axis& axis : axes) sum += axis.quotient(s) * axis.quotient(s);
    return std::sqrt(sum);
}

// From the left of the root, monotonically.
double root(const Axes& axes, double s) {
    constexpr int kMaxSteps = 100;
    for (int step = 0; step < kMaxSteps; ++step) {
        const double n = norm(axes, s);
        double slope = 0;
        for (const Axis& axis : axes)
            if (axis.point != 0) slope += axis.quotient(s) * axis.quotient(s) / (s + axis.c);
        const double next = s + (n - 1) * n * n / slope;
        if (!(next > s)) break;
        s = next;
    }
    return s;
}

}  // namespace

Exact ellipsoid_to_point(const Vec3d& radii, const Vec3d& point) {
    const double least = std::min({radii.x, radii.y, radii.z}), shift = least * least;
    const auto axis = [&](double r, double p) { return Axis{r, std::fabs(p), (r - least) * (r + least)}; };
    const Axes axes = {axis(radii.x, point.x), axis(radii.y, point.y), axis(radii.z, point.z)};
    // Where the least axes' own term alone reaches 1, or at the end of the interval.
    double s = 0;
    for (const Axis& x : axes)
        if (x.c == 0) s = std::max(s, x.radius * x.point);
    const bool centred = s == 0 && !(norm(axes, 0) > 1);
    if (!centred) s = root(axes, s);

    double x[3];  // the closest point over the radii
    for (int i = 0; i < 3; ++i) x[i] = axes[i].quotient(s);
    if (centred) {
        const int i = axes[0].c == 0 ? 0 : axes[1].c == 0 ? 1 : 2;
        x[i] = std::sqrt(std::max(0.0, 1 - x[0] * x[0] - x[1] * x[1] - x[2] * x[2]));
    }
    const Vec3d unit{std::copysign(x[0], point.x), std::copysign(x[1], point.y), std::copysign(x[2], point.z)};
    const Vec3d outward = normalised({unit.x / radii.x, unit.y / radii.y, unit.z / radii.z});
    Exact exact;
    exact.normal = outward;
    exact.lower = dot(outward, point) - length({radii.x * outward.x, radii.y * outward.y, radii.z * outward.z});
    exact.signed_distance = exact.lower;
    if (exact.lower > 0) {
        const Vec3d on = unit / std::max(1.0, length(unit));
        exact.upper = length(point - Vec3d{radii.x * on.x, radii.y * on.y, radii.z * on.z});
    } else {
        const double t = s - shift;
        double square = -t;
        for (const Axis& a : axes)
            if (a.point != 0) square += a.point * a.point * t / (s + a.c);
        exact.upper = -std::sqrt(std::max(0.0, square));
    }
    exact.upper = std::max(exact.upper, exact.lower);
    return exact;
}

}  // namespace abut::oracle
