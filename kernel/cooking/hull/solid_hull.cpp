// Exact quickhull, and its one canonical form: exactly coplanar triangles become one polygon of its extreme points, cut
// as a fan from the first.
#include "cooking/hull/solid_hull.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/grid.hpp"
#include "base/memory.hpp"
#include "cooking/hull/exact_hull.hpp"

namespace abut::cooking {
namespace {

// The first index of each position, in ascending order.
Indices distinct(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset) {
    Indices order(subset.begin(), subset.end());
    const auto key = [&](std::uint32_t i) { return std::tuple(grid[i].x, grid[i].y, grid[i].z); };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t j) { return std::pair(key(i), i) < std::pair(key(j), j); });
    order.erase(
        std::unique(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return key(i) == key(j); }),
        order.end());
    std::sort(order.begin(), order.end());
    return order;
}

// The outline of corners in one plane, counter-clockwise about the normal, from the lowest index. Projects along the
// normal's largest axis.
Indices outline(std::span<const Vec3d> grid, std::span<const std::uint32_t> corners, Vec3d normal) {
    const int axis = largest_axis(absolute(normal));
    Vector<Vec3d> plane;
    plane.reserve(corners.size());
    for (const std::uint32_t i : corners) {
        const Vec3d p = grid[i];
        plane.push_back(axis == 0 ? Vec3d{p.y, p.z, 0} : axis == 1 ? Vec3d{p.z, p.x, 0} : p);
    }
    Indices all(corners.size());
    std::iota(all.begin(), all.end(), 0u);
    Indices loop = exact_polygon(plane, all);
    for (std::uint32_t& i : loop) i = corners[i];
    if (component(normal, axis) < 0.0) std::reverse(loop.begin(), loop.end());
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    return loop;
}

struct HalfEdge {
    std::uint32_t low, high, half;  // low < high
};

// Fills the neighbours. Precondition: each edge belongs to exactly two triangles, as on a closed surface.
void connect(Mesh& mesh) {
    Vector<HalfEdge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::uint32_t half = 0; half < 3 * mesh.triangles.size(); ++half) {
        const std::uint32_t a = mesh.triangles[half / 3][half % 3], b = mesh.triangles[half / 3][(half + 1) % 3];
        edges.push_back({std::min(a, b), std::max(a, b), half});
    }
    std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return std::tuple(a.low, a.high, a.half) < std::tuple(b.low, b.high, b.half);
    });
    mesh.neighbours.resize(mesh.triangles.size());
    for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
        const HalfEdge &a = edges[i], &b = edges[i + 1];
        mesh.neighbours[a.half / 3][a.half % 3] = b.half / 3;
        mesh.neighbours[b.half / 3][b.half % 3] = a.half / 3;
    }
}

// A mesh from polygons in ascending order, each as a fan from its first corner.
Mesh surface(Vector<Indices> loops) {
    std::sort(loops.begin(), loops.end());
    Mesh mesh;
    for (const Indices& loop : loops)
        for (std::size_t i = 1; i + 1 < loop.size(); ++i) mesh.triangles.push_back({loop[0], loop[i], loop[i + 1]});
    connect(mesh);
    return mesh;
}

// The outlines of the faces of a closed convex mesh: exactly coplanar neighbours form one face.
Vector<Indices> face_loops(std::span<const Vec3d> grid, const Mesh& mesh) {
    Vector<Indices> loops;
    Vector<bool> done(mesh.triangles.size(), false);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (done[t]) continue;
        done[t] = true;
        const Vec3d a = grid[mesh.triangles[t][0]], b = grid[mesh.triangles[t][1]], c = grid[mesh.triangles[t][2]];
        Indices group = {t}, corners;
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (const std::uint32_t corner : mesh.triangles[group[i]]) corners.push_back(corner);
            for (const std::uint32_t other : mesh.neighbours[group[i]]) {
                if (done[other]) continue;
                const auto flat = [&](std::uint32_t corner) {
                    return maths::triple_sign(b - a, c - a, grid[corner] - a) == 0;
                };
                const Triangle& across = mesh.triangles[other];
                if (!std::all_of(across.begin(), across.end(), flat)) continue;
                done[other] = true;
                group.push_back(other);
            }
        }
        loops.push_back(outline(grid, corners, maths::integer_cross(b - a, c - a)));
    }
    return loops;
}

}  // namespace

Mesh solid_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset) {
    return surface(face_loops(grid, exact_hull(grid, distinct(grid, subset))));
}

}  // namespace abut::cooking
