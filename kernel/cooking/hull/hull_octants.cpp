// A vertex is the farthest along the directions of its region on the Gauss map. The region's borders are the arcs
// between the normals of the two faces of each of its edges. The vertex can be the farthest in an octant if such an arc
// passes through the octant, or if the region contains the whole octant and thus the octant's axes. No directions are
// sampled.
#include "cooking/hull/hull_octants.hpp"

#include <cstddef>

#include "base/memory.hpp"
#include "cooking/cooking_tolerances.hpp"
#include "cooking/cooking_types.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr int kOctants = 8;

double sign(int octant, int axis) { return octant >> axis & 1 ? -1.0 : 1.0; }

// True if (1 - t) a + t b is in the closed octant for some t in [0, 1].
bool arc_passes(const Vec3d& a, const Vec3d& b, int octant) {
    double first = 0.0, last = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double from = sign(octant, axis) * component(a, axis) + kOctantSlack,
                     to = sign(octant, axis) * component(b, axis) + kOctantSlack;
        if (from < 0.0 && to < 0.0) return false;
        if (from < 0.0) first = std::max(first, from / (from - to));
        if (to < 0.0) last = std::min(last, from / (from - to));
    }
    return first <= last;
}

// Returns for each vertex one bit per octant in which it can be the farthest.
Vector<std::uint8_t> octants_of_vertices(const HullGeometry& hull) {
    Vector<std::uint8_t> octants(hull.vertex_count, 0);
    for (const HullEdge& edge : hull.edges) {
        const Vec3d a = cooking::normal_of(hull, edge.f0), b = cooking::normal_of(hull, edge.f1);
        for (int octant = 0; octant < kOctants; ++octant) {
            if (!arc_passes(a, b, octant)) continue;
            octants[edge.v0] |= std::uint8_t(1 << octant);
            octants[edge.v1] |= std::uint8_t(1 << octant);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float* const column = hull.columns.data() + std::size_t(axis) * hull.padded_count;
        for (const double side : {1.0, -1.0}) {
            std::uint32_t farthest = 0;
            for (std::uint32_t i = 1; i < hull.vertex_count; ++i)
                if (side * column[i] > side * column[farthest]) farthest = i;
            for (int octant = 0; octant < kOctants; ++octant)
                if (sign(octant, axis) == side) octants[farthest] |= std::uint8_t(1 << octant);
        }
    }
    return octants;
}

}  // namespace

void lay_out_octants(HullGeometry& hull) {
    if (hull.report.dimension != 3 || hull.vertex_count <= kMostWholeVertices) return;
    const Vector<std::uint8_t> octants = octants_of_vertices(hull);
    for (int octant = 0; octant < kOctants; ++octant) {
        const std::size_t first = hull.octant_vertex.size();
        hull.octant_first[octant] = std::uint32_t(first);
        for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
            if (octants[i] >> octant & 1) hull.octant_vertex.push_back(std::uint16_t(i));
        while (hull.octant_vertex.size() % kHullPad != 0) hull.octant_vertex.push_back(hull.octant_vertex[first]);
    }
    hull.octant_first[kOctants] = std::uint32_t(hull.octant_vertex.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const std::uint16_t vertex : hull.octant_vertex)
            hull.octant_columns.push_back(hull.columns[axis * hull.padded_count + vertex]);
}

}  // namespace abut
