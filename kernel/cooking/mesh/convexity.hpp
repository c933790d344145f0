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
inline Across seen_across(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c, const exact::Vec3d& d) {
    const exact::Vec3d along = b - a, normal = exact::cross(along, c - a), other_normal = exact::cross(along, d - a);
    return {exact::dot(normal, d - a) / exact::norm(normal), exact::norm(other_normal) / exact::norm(along),
            exact::dot(other_normal, normal) > 0};
}

inline Convexity bend_by_heights(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c,
                                 const exact::Vec3d& d, double coordinate) {
    const Across of_d = seen_across(a, b, c, d), of_c = seen_across(b, a, d, c);
    const auto is_level = [&](const Across& of) {
        return std::fabs(of.height) <= kFlatSine * of.width + kConvexityRounding * coordinate;
    };
    if (!of_d.is_folded && (is_level(of_d) || is_level(of_c))) return Convexity::flat;
    return of_d.height + of_c.height > 0 ? Convexity::concave : Convexity::convex;
}

// The convexity of the edge from a to b between the triangles a, b, c and b, a, d; equal from both. `coordinate`: the
// largest of the surface; its rounding moves vertices, so that smaller bends count as flat. Squares decide most edges
// without a root: the heights have the sign of the tetrahedron's volume, and except for rounding both points are level
// or neither is.
inline Convexity bend_of(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c, const exact::Vec3d& d,
                         double coordinate) {
    constexpr double kLeast = 1e-280;  // the least product of squares that has full precision
    const exact::Vec3d along = b - a, normal = exact::cross(along, c - a), other_normal = exact::cross(along, d - a);
    const double volume = exact::dot(normal, d - a), rounding = kConvexityRounding * coordinate,
                 length = exact::dot(along, along);
    const double area_c = exact::dot(normal, normal), area_d = exact::dot(other_normal, other_normal);
    const double height = volume * volume * length, level = kFlatSine * kFlatSine * area_c * area_d;
    // (x + y)^2 <= 2 x^2 + 2 y^2
    if (height > kLeast && height > 2.1 * (level + rounding * rounding * length * exact::most(area_c, area_d)))
        return volume > 0 ? Convexity::concave : Convexity::convex;
    if (level > kLeast && height < 0.99 * level && exact::dot(other_normal, normal) <= 0) return Convexity::flat;
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
