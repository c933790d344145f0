// Convex polygons in the plane, as much of them as judging a contact patch takes. A loop of two corners is a segment,
// of one a point.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace abut::oracle {

struct Vec2d {
    double u = 0, v = 0;

    friend constexpr Vec2d operator+(const Vec2d& p, const Vec2d& q) { return {p.u + q.u, p.v + q.v}; }
    friend constexpr Vec2d operator-(const Vec2d& p, const Vec2d& q) { return {p.u - q.u, p.v - q.v}; }
    friend constexpr Vec2d operator*(const Vec2d& p, double s) { return {p.u * s, p.v * s}; }
    friend bool operator==(const Vec2d&, const Vec2d&) = default;
};

constexpr double dot(const Vec2d& p, const Vec2d& q) { return p.u * q.u + p.v * q.v; }
constexpr double cross(const Vec2d& p, const Vec2d& q) { return p.u * q.v - p.v * q.u; }
inline double length(const Vec2d& p) { return std::sqrt(dot(p, p)); }

using Loop = std::vector<Vec2d>;

// The corners of the points' convex hull, counter-clockwise [Andrew 1979].
Loop convex_loop(Loop points);

// The part of `subject` inside the convex polygon `clipper` [Sutherland, Hodgman 1974]. Both counter-clockwise; corners
// may repeat.
Loop clipped(const Loop& subject, const Loop& clipper);

double area(const Loop& loop);
double diameter(std::span<const Vec2d> points);

// The largest area of four (or three) of a convex loop's corners, at least one of which is `required`. Each diagonal
// from a required corner has its best partner on either side: O(required * corners^2).
double largest_quadrilateral(const Loop& loop, std::span<const std::size_t> required);

}  // namespace abut::oracle
