// The search in the tree of a mesh or a height field, sixteen boxes at a time.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "shapes/compound_tree.hpp"
#include "shapes/surface.hpp"

namespace abut {

struct SurfaceItem {
    std::uint32_t index;  // of a node, a block or a cell in its level, or a triangle
    std::int32_t level;   // -1: a mesh's triangle, or a cell of a height field
};
using SurfaceChildren = TreeChildren<SurfaceItem>;

SurfaceItem root_of(const Surface& surface);
// The children of an item that is no leaf, and their boxes without the surface's rounding. Sets no bounds.
void children_of(const Surface& surface, SurfaceItem item, SixteenBoxes& boxes, SurfaceChildren& out);
// The largest error of the boxes of the surface's tree, metres.
float box_slack(const Surface& surface);
// The volume, widened by the error of the boxes of the surface's tree.
Volume widened(const Surface& surface, const Volume& volume);

// A box in a surface's own frame, unscaled.
struct NearBox {
    double low[3], high[3];
};
// The box of all points within `reach` of `volume`, a box (no plane) in the surface's frame; widened by the tree's
// error.
NearBox near_box(const Surface& surface, const Volume& volume, double reach);
// A bit mask of the children whose boxes overlap `box`.
std::uint32_t children_near(const MeshNode& node, const NearBox& box);

// The cells of a height field above and below a box, which may be in none.
struct NearCells {
    std::uint32_t first_row, end_row, first_column, end_column;

    // True if testing each cell costs less than a walk from the root.
    bool are_few() const { return (end_row - first_row) * std::uint64_t(end_column - first_column) <= 64; }
};
NearCells cells_near(const HeightfieldGeometry& field, const NearBox& box);
// False if the cell is a hole, or above or below the box.
bool is_cell_near(const HeightfieldGeometry& field, std::uint32_t row, std::uint32_t column, const NearBox& box);

// Calls visit(triangle) for the triangles of these cells. If visit returns false, stops and returns false.
template <class Visit>
bool walk_cells(const Surface& surface, const NearBox& box, const NearCells& cells, Visit&& visit) {
    const HeightfieldGeometry& field = *surface.field;
    for (std::uint32_t row = cells.first_row; row < cells.end_row; ++row)
        for (std::uint32_t column = cells.first_column; column < cells.end_column; ++column) {
            if (!is_cell_near(field, row, column, box)) continue;
            const std::uint32_t first = 2 * (row * (field.columns - 1) + column);
            for (std::uint32_t triangle = first; triangle < first + 2; ++triangle)
                if (has_triangle(surface, triangle) && !visit(triangle)) return false;
        }
    return true;
}

// Calls visit(triangle) for every triangle of a mesh whose box overlaps the given box, in any order. If visit returns
// false, stops and returns false.
template <class Visit>
bool walk_near(const MeshGeometry& mesh, const NearBox& box, Visit&& visit) {
    SurfaceItem stack[MeshGeometry::kMostLevels * MeshNode::kWidth];
    std::uint32_t size = 0;
    stack[size++] = {0, std::int32_t(mesh.levels) - 1};
    while (size != 0) {
        const SurfaceItem item = stack[--size];
        const MeshNode& node = mesh.nodes[mesh.level_first[item.level] + item.index];
        for (std::uint32_t near = children_near(node, box); near != 0; near &= near - 1) {
            const std::uint32_t child = item.index * MeshNode::kWidth + std::uint32_t(std::countr_zero(near));
            if (item.level > 0)
                stack[size++] = {child, item.level - 1};
            else if (!visit(child))
                return false;
        }
    }
    return true;
}

// Descends from the root, each time to the child whose box is nearest to a point, and returns the triangle that it
// reaches; kNoTriangle if the surface has only holes there.
std::uint32_t some_triangle_near(const Surface& surface, const maths::Vec3d& point);

// Calls visit(triangle, bound) once for every triangle in a box whose bound is at most limit(), nearest first, ties in
// a fixed order. If visit returns false, stops and returns false. bounds_of(boxes, bounds) writes the bound of each box.
template <class Limit, class BoundsOf, class Visit>
bool walk_bounds(const Surface& surface, const Limit& limit, const BoundsOf& bounds_of, Visit&& visit) {
    const auto expand = [&](SurfaceItem item, SurfaceChildren& out) {
        if (item.level < 0) return false;
        SixteenBoxes boxes = {};
        children_of(surface, item, boxes, out);
        bounds_of(boxes, out.bounds);
        return true;
    };
    return walk_tree<HeightfieldGeometry::kMostLevels>(root_of(surface), limit, expand,
                                                       [&](SurfaceItem leaf, float bound) {
        if (surface.mesh != nullptr) return visit(leaf.index, bound);
        for (std::uint32_t triangle = 2 * leaf.index; triangle < 2 * leaf.index + 2; ++triangle)
            if (has_triangle(surface, triangle) && !visit(triangle, bound)) return false;
        return true;
    });
}

// Walks as walk_bounds does, with visit(triangle).
template <class Limit, class BoundsOf, class Visit>
bool walk_boxes(const Surface& surface, const Limit& limit, const BoundsOf& bounds_of, Visit&& visit) {
    return walk_bounds(surface, limit, bounds_of, [&](std::uint32_t triangle, float) { return visit(triangle); });
}

// As walk_boxes, for triangles that may be within `reach` of the volume (in the body's frame). The reach includes the
// surface's rounding, and may shrink meanwhile.
template <class Visit>
bool walk(const Surface& surface, const Volume& about, const double& reach, Visit&& visit) {
    const Volume volume = widened(surface, about);
    const auto limit = [&] { return limit_of(volume, reach); };
    return walk_boxes(
        surface, limit, [&](const SixteenBoxes& boxes, float* bounds) { lower_bounds(boxes, volume, bounds, limit()); },
        visit);
}

// As walk, for a box (no plane) and a constant reach, in any order.
template <class Visit>
bool walk_within(const Surface& surface, const Volume& about, double reach, Visit&& visit) {
    const NearBox box = near_box(surface, about, reach);
    if (surface.mesh != nullptr) return walk_near(*surface.mesh, box, visit);
    if (const NearCells cells = cells_near(*surface.field, box); cells.are_few())
        return walk_cells(surface, box, cells, visit);
    Volume volume = about;
    volume.kind = Volume::Kind::box;
    return walk(surface, volume, reach, visit);
}

}  // namespace abut
