// How two triangles meet at an edge, seen from their fronts, and what follows for a vertex.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "geometry/double_math.hpp"
#include "tolerances.hpp"

namespace abut {

enum class Bend : std::uint8_t {
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

// The edge from a to b of the triangle a, b, c; its neighbour is b, a, d. Both see the same. `coordinate`: the largest of the surface, whose rounding
// moves vertices by so much that a plane has no lower bends.
inline Bend bend_of(const exact::Vec3d& a, const exact::Vec3d& b, const exact::Vec3d& c, const exact::Vec3d& d, double coordinate) {
    const Across of_d = seen_across(a, b, c, d), of_c = seen_across(b, a, d, c);
    const auto is_level = [&](const Across& of) { return std::fabs(of.height) <= kFlatBend * of.width + kBendRounding * coordinate; };
    if (!of_d.is_folded && (is_level(of_d) || is_level(of_c))) return Bend::flat;
    return of_d.height + of_c.height > 0 ? Bend::concave : Bend::convex;
}

// Of a vertex: gathers the bends of the edges around it.
class VertexBend {
public:
    void add(Bend edge) { seen_ = std::uint8_t(seen_ | 1u << unsigned(edge)); }
    Bend bend() const {
        for (const Bend b : {Bend::open, Bend::concave, Bend::convex})
            if ((seen_ >> unsigned(b) & 1u) != 0) return b;
        return Bend::flat;
    }

private:
    std::uint8_t seen_ = 0;
};

}  // namespace abut
