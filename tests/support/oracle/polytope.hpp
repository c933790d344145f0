// The oracle's own convex hull: incremental, with exact predicates on the raw float32 points, triangulated. It owes
// nothing to the library's cooking, which it is there to check.
//
// What looks flat but is not exactly so is a thin solid here; the difference is far below promise 1's tolerance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/math.hpp>

#include "support/oracle/vec.hpp"

namespace abut::oracle {

// An edge as the Minkowski sum sees it: its unit direction, and the normals that end its arc on the Gauss map.
struct Arc {
    static constexpr std::uint32_t kNone = ~0u;  // no end: the arc may be anywhere
    Vec3d direction;
    std::uint32_t normal0 = kNone, normal1 = kNone;
};

struct Polytope {
    struct Edge {
        std::uint32_t v0, v1;
    };
    struct Triangle {
        std::uint32_t v[3];
    };

    int dimension = 0;                // 0 point, 1 segment, 2 polygon, 3 solid
    std::vector<Vec3d> vertices;      // every corner; some points inside a flat face or on an edge may be among them
    std::vector<Edge> edges;          // without the diagonals of exactly flat faces
    std::vector<Triangle> triangles;  // the surface; of a polygon one side
    std::vector<Vec3d> normals;  // unit, outward, one a facet (of a polygon both sides, and outwards from every edge)
    std::vector<Arc> arcs;       // at least one an edge
    Vec3d centre;                // of the vertices
};

// Precondition: at least one point, all finite.
Polytope convex_hull(std::span<const Vec3> points);

// Each coordinate times a positive factor, in double: which points are corners and which faces are flat stays exact.
void scale(Polytope& polytope, const Vec3d& by);

}  // namespace abut::oracle
