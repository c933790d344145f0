// See mesh_tree.hpp. Nodes need no pointers, because the positions of their children follow from their own.
#include "cooking/mesh/mesh_tree.hpp"

#include <algorithm>
#include <cmath>

#include "base/double_math.hpp"
#include "base/rounding.hpp"
#include "cooking/tree_order.hpp"

namespace abut::cooking {
namespace {

constexpr std::uint32_t kWidth = MeshNode::kWidth;

struct Box {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

    void add(const float* from, const float* to) {
        for (int axis = 0; axis < 3; ++axis) {
            if (from[axis] < low[axis]) low[axis] = from[axis];
            if (to[axis] > high[axis]) high[axis] = to[axis];
        }
    }
};

Box box_of(std::span<const Vec3> vertices, const KeptTriangle& triangle) {
    Box box;
    for (const std::uint32_t corner : triangle.corners) {
        const float at[3] = {vertices[corner].x, vertices[corner].y, vertices[corner].z};
        box.add(at, at);
    }
    return box;
}

// The least step for which low + 255 * step, as the walk computes it, is at least `high`.
float step_between(float low, float high) {
    float step = (high - low) / 255.0f;
    while (low + 255.0f * step < high) step = std::nextafter(step, INFINITY);
    return step;
}

// Rounds by casts, because std::floor and std::ceil are function calls without SSE4.1. Precondition: x is at least
// `low`.
std::uint8_t cells_below(float low, float step, float x) {
    if (!(step > 0)) return 0;
    const float cells = (x - low) / step;
    int q = cells < 255.0f ? int(cells) : 255;
    while (q > 0 && low + float(q) * step > x) --q;
    return std::uint8_t(q);
}

std::uint8_t cells_above(float low, float step, float x) {
    if (!(step > 0)) return 0;
    const float cells = (x - low) / step;
    int q = cells < 255.0f ? int(cells) : 255;
    q += q < 255 && float(q) < cells;
    while (q > 0 && low + float(q - 1) * step >= x) --q;
    while (q < 255 && low + float(q) * step < x) ++q;
    return std::uint8_t(q);
}

MeshNode make_node(std::span<const Box> children, const Box& all) {
    MeshNode node = {};
    node.count = std::uint32_t(children.size());
    for (int axis = 0; axis < 3; ++axis) {
        node.low[axis] = all.low[axis];
        node.step[axis] = step_between(all.low[axis], all.high[axis]);
        for (std::size_t i = 0; i < children.size(); ++i) {
            node.low_cells[axis][i] = cells_below(node.low[axis], node.step[axis], children[i].low[axis]);
            node.high_cells[axis][i] = cells_above(node.low[axis], node.step[axis], children[i].high[axis]);
        }
    }
    return node;
}

// Adds a level of nodes with sixteen children each; child(i) is the box of child i. Returns the boxes of the nodes.
template <class Child>
Vector<Box> add_level(MeshGeometry& mesh, std::size_t count, Child&& child) {
    mesh.level_first[mesh.levels++] = std::uint32_t(mesh.nodes.size());
    const std::size_t nodes = (count + kWidth - 1) / kWidth;
    Vector<Box> boxes(nodes);
    mesh.nodes.reserve(mesh.nodes.size() + nodes + nodes / kWidth + kWidth);  // and the few nodes of the levels above
    for (std::size_t node = 0; node < nodes; ++node) {
        Box children[kWidth];
        const std::size_t first = node * kWidth, size = std::min<std::size_t>(kWidth, count - first);
        for (std::size_t i = 0; i < size; ++i) {
            children[i] = child(first + i);
            boxes[node].add(children[i].low, children[i].high);
        }
        mesh.nodes.push_back(make_node({children, size}, boxes[node]));
    }
    return boxes;
}

// Sets the slab of some triangles along their mean normal; rounding to floats makes it no thinner.
void set_slab(std::span<const KeptTriangle> triangles, const MeshGeometry& mesh, std::uint32_t lane,
              ChildSlabs& slabs) {
    using maths::Vec3d;
    const auto corner = [&](const KeptTriangle& t, int k) { return maths::to_double(mesh.vertices[t.corners[k]]); };
    Vec3d area = {};
    for (const KeptTriangle& t : triangles)
        area = area + maths::cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
    const Vec3d mean = (maths::is_zero(area) ? Vec3d{0, 1, 0} : maths::unit(area)) * ChildSlabs::kBelowUnit;
    for (int axis = 0; axis < 3; ++axis) slabs.axis[axis][lane] = float(component(mean, axis));
    const Vec3d along = {slabs.axis[0][lane], slabs.axis[1][lane], slabs.axis[2][lane]};
    double low = INFINITY, high = -INFINITY;
    for (const KeptTriangle& t : triangles)
        for (int k = 0; k < 3; ++k) {
            const double height = maths::dot(along, corner(t, k));
            low = maths::min(low, height), high = maths::max(high, height);
        }
    slabs.middle[lane] = float((low + high) * 0.5);
    const double half = maths::max(high - slabs.middle[lane], slabs.middle[lane] - low);
    slabs.half[lane] = round_up(half / ChildSlabs::kBelowUnit);
}

void add_slabs(std::span<const KeptTriangle> triangles, MeshGeometry& mesh) {
    std::size_t in_child = kWidth;
    for (std::uint32_t level = 1; level < mesh.levels; ++level, in_child *= kWidth) {
        const std::size_t end = level + 1 < mesh.levels ? mesh.level_first[level + 1] : mesh.nodes.size();
        for (std::size_t node = mesh.level_first[level]; node < end; ++node) {
            ChildSlabs& slabs = mesh.slabs.emplace_back();
            for (std::uint32_t lane = 0; lane < mesh.nodes[node].count; ++lane) {
                const std::size_t first = ((node - mesh.level_first[level]) * kWidth + lane) * in_child;
                set_slab(triangles.subspan(first, std::min(in_child, triangles.size() - first)), mesh, lane, slabs);
            }
        }
    }
}

}  // namespace

void sort_triangles(std::span<const Vec3> vertices, Vector<KeptTriangle>& triangles) {
    Vector<TreeItem> items;
    items.reserve(triangles.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        const Box box = box_of(vertices, triangles[i]);
        TreeItem item = {{}, i};
        for (int axis = 0; axis < 3; ++axis) item.middle[axis] = 0.5f * box.low[axis] + 0.5f * box.high[axis];
        items.push_back(item);
    }
    sort_into_leaves(items);
    Vector<KeptTriangle> sorted;
    sorted.reserve(triangles.size());
    for (const TreeItem& item : items) sorted.push_back(triangles[item.index]);
    triangles = std::move(sorted);
}

float reach_of(std::span<const KeptTriangle> triangles, const MeshGeometry& mesh) {
    const maths::Vec3d centre = (maths::to_double(mesh.bounds_min) + maths::to_double(mesh.bounds_max)) * 0.5;
    double squared = 0;
    for (const KeptTriangle& triangle : triangles) {
        for (const std::uint32_t corner : triangle.corners) {
            const maths::Vec3d from = maths::to_double(mesh.vertices[corner]) - centre;
            squared = maths::max(squared, maths::dot(from, from));
        }
    }
    return round_up(std::sqrt(squared) * (1 + 0x1p-40));
}

void build_nodes(std::span<const KeptTriangle> triangles, MeshGeometry& mesh) {
    Vector<Box> boxes =
        add_level(mesh, triangles.size(), [&](std::size_t i) { return box_of(mesh.vertices, triangles[i]); });
    while (boxes.size() > 1) {
        const Vector<Box> below = std::move(boxes);
        boxes = add_level(mesh, below.size(), [&](std::size_t i) { return below[i]; });
    }
    const Box all = boxes[0];
    mesh.bounds_min = {all.low[0], all.low[1], all.low[2]};
    mesh.bounds_max = {all.high[0], all.high[1], all.high[2]};
    mesh.radius = reach_of(triangles, mesh);
    if (mesh.levels > 1) mesh.slabs.reserve(mesh.nodes.size() - mesh.level_first[1]);
    add_slabs(triangles, mesh);
}

}  // namespace abut::cooking
