// A cooked triangle mesh. Triangles are numbered in the order of the tree's leaves, vertices in the order in which
// these use them.
#pragma once

#include <cstdint>

#include <abut/cooking.hpp>
#include <abut/math.hpp>

#include "base/memory.hpp"
#include "shapes/near_indices.hpp"

namespace abut {

inline constexpr std::uint32_t kNoTriangle = NearIndices::kNone;

// Sixteen boxes as 255ths of the node's own box, rounded outwards: `low + step * cells`, computed in floats, is outside
// the true box.
struct MeshNode {
    static constexpr std::uint32_t kWidth = 16;

    float low[3], step[3];
    std::uint32_t first_vertex;  // of a leaf: the anchor of its triangles' corners
    std::uint32_t count;
    std::uint8_t low_cells[3][kWidth], high_cells[3][kWidth];
};
static_assert(sizeof(MeshNode) == 128);

// A slab around each child of a node above the leaves, along the mean normal of the child's triangles: |axis . x -
// middle| <= half. An axis-aligned box around a tilted smooth patch is as thick as it is wide; a slab is thin. Axes are
// at most 1 long.
struct ChildSlabs {
    // An axis of this length stays at most 1 long if rounded to floats. A slab widened by the difference stays valid if
    // the length is taken as 1.
    static constexpr double kBelowUnit = 1 - 0x1p-22;

    float axis[3][MeshNode::kWidth], middle[MeshNode::kWidth], half[MeshNode::kWidth];
};

struct MeshGeometry {
    static constexpr std::uint32_t kMostLevels = 8;  // 16^8 triangles

    Vector<Vec3> vertices;  // in the body's frame, as they were given
    // Level by level, the leaves first, the root last. Node i of a level has the children (of a leaf: triangles) 16 i,
    // 16 i + 1, ...
    AlignedVector<MeshNode> nodes;
    Vector<ChildSlabs> slabs;  // of the nodes from level_first[1] on
    std::uint32_t level_first[kMostLevels] = {};
    std::uint32_t levels = 0;
    NearIndices corners;     // three per triangle, anchored at its leaf's first_vertex
    NearIndices neighbours;  // three per triangle, across the edges from corner k to the next, anchored at the triangle
    Vector<std::uint16_t>
        bends;  // per triangle: two bits each for three edges, then three corners (convexity.hpp); 0: all are flat
    Vector<std::uint32_t> parts;  // one triangle of each connected part: triangles that share corners are connected
    Vector<std::uint32_t> input;  // by triangle: its index in the caller's list
    Vector<std::uint32_t> user_values;  // by the caller's index; empty if the caller gave none
    MeshSides sides = MeshSides::front;
    // Every edge has two triangles that run along it in opposite directions, with their fronts outside: the mesh bounds
    // a solid.
    bool is_closed = false;
    bool is_solid = false;  // as MeshOptions::solid; the mesh is closed
    Vec3 bounds_min, bounds_max;
    float radius = 0;           // of a sphere about the centre of these bounds that contains all triangles
    std::uint32_t content = 0;  // a hash of all that an answer depends on
    MeshReport report;

    std::uint32_t triangle_count() const { return std::uint32_t(input.size()); }
    std::uint32_t corner(std::uint32_t triangle, std::uint32_t k) const {
        return corners.at(3 * triangle + k, nodes[triangle / MeshNode::kWidth].first_vertex);
    }
    std::uint32_t neighbour(std::uint32_t triangle, std::uint32_t edge) const {
        return neighbours.at(3 * triangle + edge, triangle);
    }
};

}  // namespace abut
