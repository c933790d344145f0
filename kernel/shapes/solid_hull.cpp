// Qhull's faces become polygons with exact predicates and are taken where they prove to be the hull: closed, strictly convex across
// every edge, a sphere by Euler's formula, and with no point above [Mehlhorn et al. 1996]. Else an exact quickhull decides, since Qhull
// works in double and merges what is coplanar to within rounding: 40 of 7,907 hulls of the fuzz tests' nasty clouds, none of 2,730
// ordinary ones. A hull has only one set of faces, so that both give the same bits.
#include "shapes/solid_hull.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "shapes/exact_grid.hpp"
#include "shapes/exact_hull.hpp"
#include "shapes/qhull_faces.hpp"

namespace abut::cooking {
namespace {

// Points to check against planes, one by one; past it (0.3 s) the check would cost more than the exact quickhull.
constexpr std::size_t kMostChecks = std::size_t(1) << 28;
// Clouds of more points go to the exact quickhull at once. Qhull merges coplanar facets one by one, each in time proportional to the merged
// face's corners: a cone over a ring of 4,000 points takes it half a second, and the exact quickhull 5 ms.
constexpr std::size_t kMostForQhull = 256;

// Without copies: the first index of each position, in ascending order.
Indices distinct(std::span<const Double3> grid, std::span<const std::uint32_t> subset) {
    Indices order(subset.begin(), subset.end());
    const auto key = [&](std::uint32_t i) { return std::tuple(grid[i].x, grid[i].y, grid[i].z); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return std::pair(key(i), i) < std::pair(key(j), j); });
    order.erase(std::unique(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return key(i) == key(j); }), order.end());
    std::sort(order.begin(), order.end());
    return order;
}

// The outline of corners in one plane, counter-clockwise about the normal from the least index on. The plane is seen along an axis.
Indices outline(std::span<const Double3> grid, std::span<const std::uint32_t> corners, Double3 normal) {
    const Double3 size = {std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    std::vector<Double3> plane;
    plane.reserve(corners.size());
    for (const std::uint32_t i : corners) {
        const Double3 p = grid[i];
        plane.push_back(axis == 0 ? Double3{p.y, p.z, 0} : axis == 1 ? Double3{p.z, p.x, 0} : p);
    }
    Indices all(corners.size());
    std::iota(all.begin(), all.end(), 0u);
    Indices loop = exact_polygon(plane, all);
    for (std::uint32_t& i : loop) i = corners[i];
    if ((axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z) < 0.0) std::reverse(loop.begin(), loop.end());
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    return loop;
}

// Ascending polygons as fans, and which polygon each triangle is of. No neighbours where an edge is not that of exactly two triangles.
struct Surface {
    Mesh mesh;
    Indices face;  // by triangle

    explicit Surface(std::vector<Indices> loops) {
        std::sort(loops.begin(), loops.end());
        for (std::uint32_t f = 0; f < loops.size(); ++f) {
            for (std::size_t i = 1; i + 1 < loops[f].size(); ++i) {
                mesh.triangles.push_back({loops[f][0], loops[f][i], loops[f][i + 1]});
                face.push_back(f);
            }
        }
        if (!connect()) mesh.neighbours.clear();
    }

private:
    struct HalfEdge {
        std::uint32_t low, high, half;  // low < high
        bool up;
    };

    bool connect() {
        std::vector<HalfEdge> edges;
        edges.reserve(3 * mesh.triangles.size());
        for (std::uint32_t half = 0; half < 3 * mesh.triangles.size(); ++half) {
            const std::uint32_t a = mesh.triangles[half / 3][half % 3], b = mesh.triangles[half / 3][(half + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), half, a < b});
        }
        std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
            return std::tuple(a.low, a.high, a.up, a.half) < std::tuple(b.low, b.high, b.up, b.half);
        });
        if (edges.size() % 2 != 0) return false;
        mesh.neighbours.resize(mesh.triangles.size());
        for (std::size_t i = 0; i < edges.size(); i += 2) {
            const HalfEdge &a = edges[i], &b = edges[i + 1];
            if (a.low != b.low || a.high != b.high || a.up == b.up) return false;
            if (i > 0 && edges[i - 1].low == a.low && edges[i - 1].high == a.high) return false;
            mesh.neighbours[a.half / 3][a.half % 3] = b.half / 3;
            mesh.neighbours[b.half / 3][b.half % 3] = a.half / 3;
        }
        return true;
    }
};

// Exactly coplanar neighbours of a closed convex mesh together.
std::vector<Indices> face_loops(std::span<const Double3> grid, const Mesh& mesh) {
    std::vector<Indices> loops;
    std::vector<bool> done(mesh.triangles.size(), false);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        if (done[t]) continue;
        done[t] = true;
        const Double3 a = grid[mesh.triangles[t][0]], b = grid[mesh.triangles[t][1]], c = grid[mesh.triangles[t][2]];
        Indices group = {t}, corners;
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (const std::uint32_t corner : mesh.triangles[group[i]]) corners.push_back(corner);
            for (const std::uint32_t other : mesh.neighbours[group[i]]) {
                if (done[other]) continue;
                const auto flat = [&](std::uint32_t corner) { return exact_side(a, b, c, grid[corner]) == 0; };
                const Triangle& across = mesh.triangles[other];
                if (!std::all_of(across.begin(), across.end(), flat)) continue;
                done[other] = true;
                group.push_back(other);
            }
        }
        const ExactNormal n = exact_normal(a, b, c);
        loops.push_back(outline(grid, corners, {double(n.x), double(n.y), double(n.z)}));
    }
    return loops;
}

// Polygons of Qhull's faces; none where the corners of one are not in one plane exactly, or on a line.
std::vector<Indices> face_loops(std::span<const Double3> grid, const FaceSets& faces) {
    std::vector<Indices> loops;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        Indices loop = outline(grid, faces[f], faces.normals[f]);
        if (loop.size() < 3) return {};
        const auto flat = [&](std::uint32_t i) { return exact_side(grid[loop[0]], grid[loop[1]], grid[loop[2]], grid[i]) == 0; };
        if (faces[f].size() > 3 && !std::all_of(faces[f].begin(), faces[f].end(), flat)) return {};
        loops.push_back(std::move(loop));
    }
    return loops;
}

// Strictly convex between faces, and a sphere. With that a closed surface is the hull of its corners.
bool is_convex(std::span<const Double3> grid, const Surface& surface, std::size_t corners) {
    const Mesh& mesh = surface.mesh;
    if (mesh.neighbours.empty() || 2 * corners != mesh.triangles.size() + 4) return false;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        for (const std::uint32_t other : mesh.neighbours[t]) {
            if (surface.face[other] == surface.face[t]) continue;
            int below = 0;
            for (const std::uint32_t corner : mesh.triangles[other]) below += exact_side(grid[a], grid[b], grid[c], grid[corner]) < 0;
            if (below != 1) return false;
        }
    }
    return true;
}

struct Plane {
    Triangle corner;
    Double3 base, normal;
    double error;
};

// Whether no point is above any face. Most points are cleared by a ball inside.
class Containment {
public:
    Containment(std::span<const Double3> grid, const Surface& surface, const Indices& corners) : grid_(grid) {
        for (std::size_t t = 0; t < surface.face.size(); ++t) {
            if (t > 0 && surface.face[t] == surface.face[t - 1]) continue;
            const auto [a, b, c] = surface.mesh.triangles[t];
            const Double3 u = grid[b] - grid[a], v = grid[c] - grid[a];
            planes_.push_back({{a, b, c}, grid[a], cross(u, v), height_error(u, v)});
        }
        for (const std::uint32_t i : corners) middle_ = middle_ + grid[i] * (1.0 / double(corners.size()));
        radius_ = 0x1p40;
        for (const Plane& plane : planes_) {
            const double depth = dot(plane.normal, plane.base - middle_) - 2.0 * plane.error;
            radius_ = std::min(radius_, std::max(depth, 0.0) / length(plane.normal) * (1.0 - 0x1p-20));
        }
    }

    bool holds(const Indices& points) const {
        Indices rest;
        for (const std::uint32_t i : points)
            if (!(length(grid_[i] - middle_) < radius_)) rest.push_back(i);
        if (rest.size() > kMostChecks / planes_.size()) return false;
        return std::all_of(rest.begin(), rest.end(), [&](std::uint32_t i) { return is_inside(grid_[i]); });
    }

private:
    bool is_inside(Double3 p) const {
        for (const Plane& plane : planes_) {
            const double height = dot(plane.normal, p - plane.base);
            if (height < -plane.error) continue;
            const auto [a, b, c] = plane.corner;
            if (height > plane.error || exact_side(grid_[a], grid_[b], grid_[c], p) > 0) return false;
        }
        return true;
    }

    std::span<const Double3> grid_;
    std::vector<Plane> planes_;
    Double3 middle_;
    double radius_;
};

// Empty where Qhull's hull is not the exact one.
Mesh checked_hull(std::span<const Double3> grid, const Indices& points) {
    const std::optional<FaceSets> faces = qhull_faces(grid, points);
    if (!faces) return {};
    Surface surface(face_loops(grid, *faces));
    std::vector<bool> is_corner(grid.size(), false);
    for (const Triangle& t : surface.mesh.triangles)
        for (const std::uint32_t i : t) is_corner[i] = true;
    Indices corners, rest;
    for (const std::uint32_t i : points) (is_corner[i] ? corners : rest).push_back(i);
    if (!is_convex(grid, surface, corners.size())) return {};
    if (!Containment(grid, surface, corners).holds(rest)) return {};
    return std::move(surface.mesh);
}

}  // namespace

Mesh solid_hull(std::span<const Double3> grid, std::span<const std::uint32_t> subset) {
    const Indices points = distinct(grid, subset);
    if (points.size() <= kMostForQhull) {
        Mesh mesh = checked_hull(grid, points);
        if (!mesh.triangles.empty()) return mesh;
    }
    return Surface(face_loops(grid, exact_hull(grid, points))).mesh;
}

}  // namespace abut::cooking
