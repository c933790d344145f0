// The way down the tree of a mesh or a height field, sixteen boxes at a time.
#pragma once

#include <bit>
#include <cstdint>

#include "geometry/surface.hpp"
#include "shapes/compound_tree.hpp"

namespace abut {

// The children of an item of a surface's tree: how far the volume is at least from each (as lower_bounds gives it), and what they are.
struct SurfaceItem {
    std::uint32_t index;  // of a node, a block or a cell in its level, or a triangle
    std::int32_t level;   // -1: a mesh's triangle, or a cell of a height field
};
struct SurfaceChildren {
    static constexpr std::uint32_t kWidth = 16;

    float bounds[kWidth];
    SurfaceItem items[kWidth];
    std::uint32_t count;
};

SurfaceItem root_of(const Surface& surface);
void children_of(const Surface& surface, SurfaceItem item, const Volume& volume, SurfaceChildren& out);
// The volume, wider by what the boxes of the surface's tree may be off by.
Volume widened(const Surface& surface, const Volume& volume);

// A box in a mesh's own frame, unscaled.
struct NearBox {
    double low[3], high[3];
};
// All that is within `reach` of a box (no plane) in the surface's frame, and what its tree's boxes may be off by.
NearBox near_box(const Surface& surface, const Volume& volume, double reach);
// A bit for each child whose box meets the other.
std::uint32_t children_near(const MeshNode& node, const NearBox& box);

// Calls visit(triangle) for every triangle of a mesh whose box meets the other, in any order, until it returns false: then so does this.
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

// Calls visit(triangle) for every triangle that may be within `reach` of the volume (in the body's frame, the surface scaled; its rounding is part of
// the reach), nearest boxes first, until it returns false: then so does this. `reach` may shrink on the way. Once each; ties in a fixed order.
template <class Visit>
bool walk(const Surface& surface, const Volume& about, const double& reach, Visit&& visit) {
    struct Pending {
        SurfaceItem item;
        float bound;
    };
    const Volume volume = widened(surface, about);
    Pending stack[HeightfieldGeometry::kMostLevels * SurfaceChildren::kWidth + 1];
    std::uint32_t size = 0;
    stack[size++] = {root_of(surface), -INFINITY};
    while (size != 0) {
        const Pending top = stack[--size];
        if (top.bound > limit_of(volume, reach)) continue;
        if (top.item.level < 0) {
            if (surface.mesh != nullptr) {
                if (!visit(top.item.index)) return false;
                continue;
            }
            for (std::uint32_t triangle = 2 * top.item.index; triangle < 2 * top.item.index + 2; ++triangle)
                if (has_triangle(surface, triangle) && !visit(triangle)) return false;
            continue;
        }
        SurfaceChildren children;
        children_of(surface, top.item, volume, children);
        const float limit = limit_of(volume, reach);
        const std::uint32_t first = size;
        for (std::uint32_t lane = 0; lane < children.count; ++lane) {
            const float bound = children.bounds[lane];
            if (bound > limit) continue;
            std::uint32_t at = size++;
            for (; at > first && stack[at - 1].bound <= bound; --at) stack[at] = stack[at - 1];
            stack[at] = {children.items[lane], bound};
        }
    }
    return true;
}

// The same of a box (no plane) and a reach that stays, in any order.
template <class Visit>
bool walk_within(const Surface& surface, const Volume& about, double reach, Visit&& visit) {
    if (surface.mesh == nullptr) return walk(surface, about, reach, visit);
    return walk_near(*surface.mesh, near_box(surface, about, reach), visit);
}

}  // namespace abut
