// See mesh_layout.hpp.
#include "cooking/mesh/mesh_layout.hpp"

#include <cmath>
#include <numeric>

#include <abut/math.hpp>

#include "base/content_hash.hpp"
#include "base/double_math.hpp"
#include "base/message.hpp"
#include "cooking/mesh/mesh_tree.hpp"
#include "cooking/shape_checks.hpp"
#include "shapes/child_poses.hpp"

namespace abut::cooking {
namespace {

// The corners are anchored at the middle of the vertices that the leaf uses first, which is near most of its other
// vertices.
void write_triangles(std::span<const KeptTriangle> triangles, MeshGeometry& mesh) {
    std::uint32_t used = 0;
    mesh.corners.offsets.reserve(3 * triangles.size());
    mesh.input.reserve(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        MeshNode& leaf = mesh.nodes[i / MeshNode::kWidth];
        if (i % MeshNode::kWidth == 0) leaf.first_vertex = used;
        for (const std::uint32_t corner : triangles[i].corners) {
            mesh.corners.append(corner, leaf.first_vertex);
            if (corner >= used) used = corner + 1;
        }
        mesh.input.push_back(triangles[i].input);
    }
}

std::uint32_t content_of(std::span<const KeptTriangle> triangles, const MeshGeometry& mesh) {
    ContentHash hash;
    hash.add(std::uint32_t(mesh.sides));
    for (const Vec3 v : mesh.vertices) hash.add(v);
    for (const KeptTriangle& triangle : triangles)
        for (const std::uint32_t corner : triangle.corners) hash.add(corner);
    if (mesh.is_solid) hash.add(1u);
    return hash.value();
}

// A mesh is closed if all edges have a neighbour. A closed mesh bounds a solid if its signed volume is positive (the
// sum of tetrahedra with one corner in common).
void find_fronts(MeshGeometry& mesh) {
    const maths::Vec3d from = maths::to_double(mesh.vertices[0]);
    double volume = 0;
    maths::Vec3d area = {0, 0, 0};
    bool has_open_edges = false;
    for (std::uint32_t triangle = 0; triangle < mesh.triangle_count(); ++triangle) {
        maths::Vec3d p[3];
        for (std::uint32_t k = 0; k < 3; ++k) {
            has_open_edges = has_open_edges || mesh.neighbour(triangle, k) == kNoTriangle;
            p[k] = maths::to_double(mesh.vertices[mesh.corner(triangle, k)]) - from;
        }
        volume += dot(cross(p[0], p[1]), p[2]);
        area = area + cross(p[1] - p[0], p[2] - p[0]) * 0.5;
    }
    mesh.is_closed = !has_open_edges && volume > 0;
    mesh.report.inside_out = !has_open_edges && volume < 0;
    if (has_open_edges) mesh.report.front_area = finite_float(area);
}

// Joins the vertices of each triangle (union-find with path halving). The lowest vertex of a part is that of its first
// triangle, because vertices are numbered as triangles use them first.
Vector<std::uint32_t> parts_of(const MeshGeometry& mesh) {
    Vector<std::uint32_t> lower(mesh.vertices.size());
    std::iota(lower.begin(), lower.end(), 0u);
    const auto root = [&](std::uint32_t v) {
        for (; lower[v] != v; v = lower[v]) lower[v] = lower[lower[v]];
        return v;
    };
    for (std::uint32_t triangle = 0; triangle < mesh.triangle_count(); ++triangle)
        for (const std::uint32_t k : {1u, 2u}) {
            const std::uint32_t a = root(mesh.corner(triangle, 0)), b = root(mesh.corner(triangle, k));
            lower[a < b ? b : a] = a < b ? a : b;
        }
    Vector<std::uint32_t> parts;
    Vector<std::uint8_t> is_listed(lower.size(), 0);
    for (std::uint32_t triangle = 0; triangle < mesh.triangle_count(); ++triangle)
        if (std::uint8_t& listed = is_listed[root(mesh.corner(triangle, 0))]; listed == 0)
            listed = 1, parts.push_back(triangle);
    parts.shrink_to_fit();
    return parts;
}

std::size_t bytes_of(const MeshGeometry& mesh) {
    return sizeof mesh + mesh.vertices.size() * sizeof(Vec3) + mesh.nodes.size() * sizeof(MeshNode) +
           mesh.slabs.size() * sizeof(ChildSlabs) + mesh.corners.bytes() + mesh.neighbours.bytes() +
           mesh.bends.size() * sizeof(mesh.bends[0]) +
           (mesh.parts.size() + mesh.input.size() + mesh.user_values.size()) * sizeof(std::uint32_t);
}

}  // namespace

std::optional<Error> check_vertex(std::size_t i, Vec3 v) {
    for (const float x : {v.x, v.y, v.z}) {
        if (!std::isfinite(x)) return check_each(numbered("vertices", i).c_str(), v, check_finite);
        if (!(std::fabs(x) <= kMostMetres))
            return bad_shape(message_of(numbered("vertices", i), " is past the range of ", kMostMetres, " m: ", x));
    }
    return std::nullopt;
}

void lay_out(std::span<const KeptTriangle> triangles, MeshGeometry& mesh) {
    build_nodes(triangles, mesh);
    write_triangles(triangles, mesh);
}

void finish(std::span<const KeptTriangle> triangles, MeshGeometry& mesh) {
    mesh.report.vertices = std::uint32_t(mesh.vertices.size());
    mesh.report.triangles = mesh.triangle_count();
    mesh.report.sides = mesh.sides, mesh.report.solid = mesh.is_solid;
    find_fronts(mesh);
    mesh.parts = parts_of(mesh);
    mesh.content = content_of(triangles, mesh);
    mesh.report.bytes = bytes_of(mesh);
}

std::optional<Error> check_solid(const MeshGeometry& mesh) {
    if (!mesh.is_solid || mesh.is_closed) return std::nullopt;
    if (mesh.report.open_edges == 0) return bad_shape("solid is true, but the fronts of the mesh are inside");
    return bad_shape(message_of("solid is true, but the mesh has ", mesh.report.open_edges, " open edges"));
}

}  // namespace abut::cooking
