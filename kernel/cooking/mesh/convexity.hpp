// The convexity of an edge between two triangles, seen from their fronts, and that of a vertex.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/double_math.hpp"
#include "base/tolerances.hpp"

namespace abut {

enum class Convexity : std::uint8_t {
    flat,
    convex,   // edge: a ridge. Vertex: a ridge, and otherwise only ridges and flat edges
    concave,  // edge: a valley. Vertex: at least one valley, no open edge
    open,     // edge: no neighbour. Vertex: at least one open edge
};

// The height of a point above a triangle's plane, and its distance from the line of one edge.
struct Across {
    double height, width;
    bool is_folded;  // the point is on the same side of the edge as the triangle
};
inline Across seen_across(const maths::Vec3d& a, const maths::Vec3d& b, const maths::Vec3d& c, const maths::Vec3d& d) {
    const maths::Vec3d along = b - a, normal = maths::cross(along, c - a), other_normal = maths::cross(along, d - a);
    return {maths::dot(normal, d - a) / maths::norm(normal), maths::norm(other_normal) / maths::norm(along),
            maths::dot(other_normal, normal) > 0};
}

inline Convexity bend_by_heights(const maths::Vec3d& a, const maths::Vec3d& b, const maths::Vec3d& c,
                                 const maths::Vec3d& d, double coordinate) {
    const Across of_d = seen_across(a, b, c, d), of_c = seen_across(b, a, d, c);
    const auto is_level = [&](const Across& of) {
        return std::fabs(of.height) <= kFlatSine * of.width + kConvexityRounding * coordinate;
    };
    if (!of_d.is_folded && (is_level(of_d) || is_level(of_c))) return Convexity::flat;
    return of_d.height + of_c.height > 0 ? Convexity::concave : Convexity::convex;
}

// The convexity of the edge from a to b between the triangles a, b, c and b, a, d; equal from both. `coordinate`: the
// largest of the surface; its rounding moves vertices, so that smaller bends count as flat. Squares decide most edges
// without a root: the heights have the sign of the tetrahedron's volume and, except for rounding, both points are in
// the planes or neither is.
inline Convexity bend_of(const maths::Vec3d& a, const maths::Vec3d& b, const maths::Vec3d& c, const maths::Vec3d& d,
                         double coordinate) {
    constexpr double kLeast = 1e-280;  // the least product of squares that has full precision
    const maths::Vec3d along = b - a, normal = maths::cross(along, c - a), other_normal = maths::cross(along, d - a);
    const double volume = maths::dot(normal, d - a), rounding = kConvexityRounding * coordinate,
                 length = maths::dot(along, along);
    const double area_c = maths::dot(normal, normal), area_d = maths::dot(other_normal, other_normal);
    const double height = volume * volume * length, level = kFlatSine * kFlatSine * area_c * area_d;
    // (x + y)^2 <= 2 x^2 + 2 y^2
    if (height > kLeast && height > 2.1 * (level + rounding * rounding * length * maths::max(area_c, area_d)))
        return volume > 0 ? Convexity::concave : Convexity::convex;
    if (level > kLeast && height < 0.99 * level && maths::dot(other_normal, normal) <= 0) return Convexity::flat;
    return bend_by_heights(a, b, c, d, coordinate);
}

// Combines the convexities of the edges around a vertex into that of the vertex.
class VertexBend {
public:
    void add(Convexity edge) { seen_ = std::uint8_t(seen_ | 1u << unsigned(edge)); }
    Convexity bend() const {
        for (const Convexity b : {Convexity::open, Convexity::concave, Convexity::convex})
            if ((seen_ >> unsigned(b) & 1u) != 0) return b;
        return Convexity::flat;
    }

private:
    std::uint8_t seen_ = 0;
};

}  // namespace abut
