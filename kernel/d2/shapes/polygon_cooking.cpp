// See polygon_cooking.hpp. Monotone chains [Andrew 1979] on an exact predicate.
#include "d2/shapes/polygon_cooking.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace abut::d2 {
namespace {

// The error bound of the filter below [Shewchuk 1997].
constexpr double kFilterError = 0x1.8p-52 + 0x1p-102;

// The largest term of an expansion of the sum of six doubles, which has the sum's sign [Shewchuk 1997, GROW-EXPANSION].
double sum_sign(const double (&terms)[6]) {
    double parts[6];
    for (int count = 0; count < 6; ++count) {
        double sum = terms[count];
        for (int i = 0; i < count; ++i) {
            const double a = sum, b = parts[i];
            sum = a + b;
            const double of_b = sum - a;
            parts[i] = (a - (sum - of_b)) + (b - of_b);
        }
        parts[count] = sum;
    }
    for (int i = 5; i > 0; --i)
        if (parts[i] != 0) return parts[i];
    return parts[0];
}

// Products of two floats are exact in double; differences of floats far apart are not.
double exact_orientation(Vec2 a, Vec2 b, Vec2 c) {
    const double ax = a.x, ay = a.y, bx = b.x, by = b.y, cx = c.x, cy = c.y;
    return sum_sign({ax * by, -(ay * bx), bx * cy, -(by * cx), cx * ay, -(cy * ax)});
}

}  // namespace

double orientation(Vec2 a, Vec2 b, Vec2 c) {
    const double left = (double(b.x) - a.x) * (double(c.y) - a.y), right = (double(b.y) - a.y) * (double(c.x) - a.x);
    const double area = left - right;
    if (std::fabs(area) > kFilterError * (std::fabs(left) + std::fabs(right))) return area;
    return exact_orientation(a, b, c);
}

Vector<std::uint32_t> convex_hull(std::span<const Vec2> points) {
    Vector<std::uint32_t> order(points.size()), hull;
    for (std::size_t i = 0; i < points.size(); ++i) order[i] = std::uint32_t(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
        const Vec2 p = points[i], q = points[k];
        return std::tie(p.y, p.x, i) < std::tie(q.y, q.x, k);
    });
    const auto is_equal = [&](std::uint32_t i, std::uint32_t k) { return points[i] == points[k]; };
    order.erase(std::unique(order.begin(), order.end(), is_equal), order.end());
    if (order.size() < 3) return order;
    // Goes up along the right chain, then down along the left one.
    const auto append = [&](std::uint32_t i, std::size_t least) {
        while (hull.size() > least && !(orientation(points[hull[hull.size() - 2]], points[hull.back()], points[i]) > 0))
            hull.pop_back();
        hull.push_back(i);
    };
    for (const std::uint32_t i : order) append(i, 1);
    const std::size_t top = hull.size();
    for (std::size_t i = order.size() - 1; i-- > 0;) append(order[i], top);
    hull.pop_back();
    return hull;
}

}  // namespace abut::d2
