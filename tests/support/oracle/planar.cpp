// Convex polygons in the plane, see planar.hpp.
#include "support/oracle/planar.hpp"

#include <algorithm>
#include <tuple>

namespace abut::oracle {

Loop convex_loop(Loop points) {
    const auto before = [](const Vec2d& p, const Vec2d& q) { return std::tie(p.u, p.v) < std::tie(q.u, q.v); };
    std::sort(points.begin(), points.end(), before);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return points;
    Loop loop;
    for (int half = 0; half < 2; ++half, std::reverse(points.begin(), points.end())) {
        const std::size_t start = loop.size();
        for (const Vec2d& p : points) {
            while (loop.size() >= start + 2 && cross(loop.back() - loop[loop.size() - 2], p - loop.back()) <= 0)
                loop.pop_back();
            loop.push_back(p);
        }
        loop.pop_back();  // the other half begins with it
    }
    return loop;
}

Loop clipped(const Loop& subject, const Loop& clipper) {
    Loop inside = subject, before;
    for (std::size_t i = 0; i < clipper.size() && !inside.empty(); ++i) {
        const Vec2d corner = clipper[i], along = clipper[(i + 1) % clipper.size()] - corner;
        before.swap(inside);
        inside.clear();
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Vec2d &p = before[k], &q = before[(k + 1) % before.size()];
            const double at_p = cross(along, p - corner), at_q = cross(along, q - corner);
            if (at_p >= 0) inside.push_back(p);
            if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0))
                inside.push_back(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    return inside;
}

double area(const Loop& loop) {
    double twice = 0;
    for (std::size_t i = 2; i < loop.size(); ++i) twice += cross(loop[i - 1] - loop[0], loop[i] - loop[0]);
    return twice / 2;
}

double diameter(std::span<const Vec2d> points) {
    double longest = 0;
    for (const Vec2d& p : points)
        for (const Vec2d& q : points) longest = std::max(longest, length(p - q));
    return longest;
}

double largest_quadrilateral(const Loop& loop, std::span<const std::size_t> required) {
    double largest = 0;
    for (const std::size_t i : required) {
        for (const Vec2d& end : loop) {
            double left = 0, right = 0;
            for (const Vec2d& p : loop) {
                const double twice = cross(end - loop[i], p - loop[i]);
                left = std::max(left, twice), right = std::max(right, -twice);
            }
            largest = std::max(largest, (left + right) / 2);
        }
    }
    return largest;
}

}  // namespace abut::oracle
