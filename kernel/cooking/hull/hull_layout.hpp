// The tables of a cooked hull, in the layout that lanes read.
#pragma once

#include "base/memory.hpp"
#include "cooking/cooking_types.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::cooking {

// The data from which a hull's tables follow.
struct HullParts {
    Vec3 centre;
    int dimension = 0;
    Vector<Vec3> vertices;             // relative to the centre
    Vector<Vec3> normals;              // of the faces, outward
    Vector<std::uint32_t> face_first;  // faces + 1: into loop
    Vector<std::uint16_t> loop;        // vertices of every face, counter-clockwise from outside, the lowest first
};

// An edge of a face's loop, by its lower and higher vertex. `left`: the loop runs from the lower vertex to the higher
// one, so the face is on the left.
struct LoopEdge {
    std::uint16_t low, high;
    bool left;
    std::uint32_t face;
};

// The edges of all faces. Those of both faces at an edge are adjacent, the left face first.
Vector<LoopEdge> loop_edges_of(const Vector<std::uint32_t>& face_first, const Vector<std::uint16_t>& loop);

HullGeometry lay_out(HullParts&& parts);

// Sets the vertices, as records and as columns, and their counts.
void lay_out_vertices(HullGeometry& hull, const Vector<Vec3>& vertices);

// `corners` are ascending indices into `points`; `loops` are faces by such indices, counter-clockwise from outside
// (two, back to back, for a polygon). Fills everything except the fields of HullReport about the points.
HullGeometry lay_out(const Vector<Vec3>& points, const Indices& corners, const Loops& loops, int dimension);

// True if all numbers of the hull are within float32's range.
bool is_finite(const HullGeometry& hull);

}  // namespace abut::cooking
