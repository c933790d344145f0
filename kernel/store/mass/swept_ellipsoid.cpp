// The ellipsoid and the shell around it; the shell is a polynomial in its thickness, whose coefficients are the
// surface's curvatures. The surface is integrated over an octant of p (x = radii * p, |p| = 1) in the logarithms s, t
// of p.x / p.z and p.y / p.z: in these the integrands decay exponentially, needles and discs are no narrower than
// balls, and the trapezoidal rule converges exponentially [Trefethen, Weideman 2014]. Steps are by the square root of
// 2, whose powers are exact to rounding.
#include <cmath>
#include <numbers>

#include "store/mass/moments.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr double kStep = 0.34657359027997265471;  // log(2) / 2
constexpr int kTail = 92;                         // steps beyond the last feature: a decay to 2^-46

struct Shell {
    double volume = 0;
    Vec3d second = {0, 0, 0};  // integral of x^2, y^2, z^2
};

// The shell of thickness r per surface area, at the point x with unit normal n. `sum`, `product`: of the two principal
// curvatures.
Shell shell_over(const Vec3d& x, const Vec3d& n, double sum, double product, double r) {
    const double c1 = r, c2 = r * r / 2, c3 = r * r * r / 3, c4 = r * r * r * r / 4, c5 = r * r * r * r * r / 5;
    const double of_xx = c1 + sum * c2 + product * c3, of_xn = 2 * (c2 + sum * c3 + product * c4),
                 of_nn = c3 + sum * c4 + product * c5;
    const auto second = [&](double p, double q) { return p * p * of_xx + p * q * of_xn + q * q * of_nn; };
    return {of_xx, {second(x.x, n.x), second(x.y, n.y), second(x.z, n.z)}};
}

int steps_between(double a, double b) { return int(std::floor(std::log(a / b) / kStep)); }

double half_power(int steps) {  // sqrt(2)^steps
    return std::ldexp(steps % 2 == 0 ? 1.0 : 1.41421356237309504880, (steps - (steps % 2 == 0 ? 0 : 1)) / 2);
}

}  // namespace

Moments swept_ellipsoid(const Vec3d& radii, double r) {
    const double a = radii.x, b = radii.y, c = radii.z, solid = a * b * c, volume = 4 * std::numbers::pi / 3 * solid;
    Shell all = {volume, {volume * a * a / 5, volume * b * b / 5, volume * c * c / 5}};
    const int features[2] = {steps_between(a, c), steps_between(b, c)};
    const auto low = [&](int i) { return (features[i] < 0 ? features[i] : 0) - kTail; };
    const auto high = [&](int i) { return (features[i] > 0 ? features[i] : 0) + kTail; };
    for (int i = low(0); r > 0 && i <= high(0); ++i) {
        for (int k = low(1); k <= high(1); ++k) {
            const double u = half_power(i), v = half_power(k), inverse = 1 / std::sqrt(u * u + v * v + 1);
            const Vec3d p = {u * inverse, v * inverse, inverse}, x = {a * p.x, b * p.y, c * p.z},
                        across = {p.x / a, p.y / b, p.z / c};
            const double g = maths::norm(across), weight = 8 * kStep * kStep * solid * g * p.x * p.y * p.z;
            const double gauss = 1 / (solid * g * g), product = gauss * gauss;
            const double sum = (a * a + b * b + c * c - maths::dot(x, x)) * (gauss / solid) / g;
            const Shell shell = shell_over(x, across * (1 / g), sum, product, r);
            all.volume += weight * shell.volume;
            all.second = all.second + shell.second * weight;
        }
    }
    return {all.volume, {0, 0, 0}, {all.second.x, all.second.y, all.second.z, 0, 0, 0}};
}

}  // namespace abut
