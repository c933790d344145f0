// How two triangles meet at an edge, seen from their fronts, and what follows for a vertex.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "geometry/double_math.hpp"
#include "tolerances.hpp"

namespace abut {

enum class Convexity : std::uint8_t {
    flat,
    convex,   // edge: a ridge. Vertex: ridges and flat edges alone
    concave,  // edge: a valley. Vertex: a valley at least, no open edge
    open,     // edge: no neighbour. Vertex: an open edge at least
};

// A point seen from a triangle across its edge: how far above the triangle's plane, and how far from the edge's line.
struct Across {
    double height, width;
    bool is_folded;  // on the triangle's own side of the edge
};
inline Across seen_across(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c, const exact::Vec3d& d) {
    const exact::Vec3d along = b - a, normal = exact::cross(along, c - a), sideways = exact::cross(along, d - a);
    return {exact::dot(normal, d - a) / exact::norm(normal), exact::norm(sideways) / exact::norm(along), exact::dot(sideways, normal) > 0};
}

inline Convexity bend_by_heights(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c, const exact::Vec3d& d, double coordinate) {
    const Across of_d = seen_across(a, b, c, d), of_c = seen_across(b, a, d, c);
    const auto is_level = [&](const Across& of) { return std::fabs(of.height) <= kFlatSine * of.width + kConvexityRounding * coordinate; };
    if (!of_d.is_folded && (is_level(of_d) || is_level(of_c))) return Convexity::flat;
    return of_d.height + of_c.height > 0 ? Convexity::concave : Convexity::convex;
}

// The edge from a to b of the triangle a, b, c; its neighbour is b, a, d. Both see the same. `coordinate`: the largest of the surface, whose rounding
// moves vertices by so much that a plane has no lower bends. Squares decide most edges: c's and d's widths are each other's normals over the edge's
// length, so that both are level or neither is but for the rounding, and both heights have the sign of the tetrahedron's volume.
inline Convexity bend_of(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c, const exact::Vec3d& d, double coordinate) {
    constexpr double kLeast = 1e-280;  // of a product: below, squares have lost digits
    const exact::Vec3d along = b - a, normal = exact::cross(along, c - a), sideways = exact::cross(along, d - a);
    const double volume = exact::dot(normal, d - a), rounding = kConvexityRounding * coordinate, length = exact::dot(along, along);
    const double area_c = exact::dot(normal, normal), area_d = exact::dot(sideways, sideways);
    const double height = volume * volume * length, level = kFlatSine * kFlatSine * area_c * area_d;
    // (x + y)^2 <= 2 x^2 + 2 y^2
    if (height > kLeast && height > 2.1 * (level + rounding * rounding * length * exact::most(area_c, area_d)))
        return volume > 0 ? Convexity::concave : Convexity::convex;
    if (level > kLeast && height < 0.99 * level && exact::dot(sideways, normal) <= 0) return Convexity::flat;
    return bend_by_heights(a, b, c, d, coordinate);
}

// Of a vertex: gathers the bends of the edges around it.
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
