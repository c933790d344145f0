// See mesh_cooking.hpp.
#include "cooking/mesh_cooking.hpp"

#include <cmath>
#include <optional>

#include <abut/range.hpp>

#include "cooking/mesh_edges.hpp"
#include "cooking/mesh_tree.hpp"
#include "cooking/mesh_weld.hpp"
#include "geometry/content_hash.hpp"
#include "geometry/shape_checks.hpp"
#include "host/message.hpp"

namespace abut {
namespace {

using cooking::KeptTriangle;

constexpr std::uint32_t kMostTriangles = 1u << 28, kMostVertices = 1u << 30;

std::optional<Error> check_vertex(std::size_t i, Vec3 v) {
    for (const float x : {v.x, v.y, v.z}) {
        if (!std::isfinite(x)) return check_each(numbered("vertices", i).c_str(), v, check_finite);
        if (!(std::fabs(x) <= kMostMetres)) return bad_shape(message_of(numbered("vertices", i), " is past the range of ", kMostMetres, " m: ", x));
    }
    return std::nullopt;
}

std::optional<Error> check_triangle(std::size_t i, const MeshTriangle& triangle, std::size_t vertices) {
    for (int k = 0; k < 3; ++k)
        if (triangle.corners[k] >= vertices)
            return bad_shape(message_of(numbered("triangles", i), "[", k, "] is ", triangle.corners[k], ", but there are ", vertices, " vertices"));
    return std::nullopt;
}

std::optional<Error> check(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles, const MeshOptions& options) {
    if (vertices.empty()) return bad_shape("vertices is empty: a mesh needs three at least");
    if (triangles.empty()) return bad_shape("triangles is empty: a mesh needs one at least");
    if (triangles.size() > kMostTriangles)
        return Error{ErrorCode::limit, message_of("triangles has ", triangles.size(), " of them, but a mesh at most ", kMostTriangles)};
    if (vertices.size() > kMostVertices)
        return Error{ErrorCode::limit, message_of("vertices has ", vertices.size(), " of them, but a mesh at most ", kMostVertices)};
    if (auto error = check_sides(options.sides)) return error;
    if (auto error = check_length("weld_tolerance", options.weld_tolerance)) return error;
    if (!options.user_values.empty() && options.user_values.size() != triangles.size())
        return bad_argument(message_of("user_values has ", options.user_values.size(), " values, but there are ", triangles.size(), " triangles"));
    for (std::size_t i = 0; i < vertices.size(); ++i)
        if (auto error = check_vertex(i, vertices[i])) return error;
    for (std::size_t i = 0; i < triangles.size(); ++i)
        if (auto error = check_triangle(i, triangles[i], vertices.size())) return error;
    return std::nullopt;
}

// Vertices get new numbers in the order of their first use.
void number_vertices(std::span<const Vec3> vertices, std::span<KeptTriangle> triangles, MeshGeometry& mesh) {
    constexpr std::uint32_t kUnused = 0xffffffff;
    Vector<std::uint32_t> number(vertices.size(), kUnused);
    mesh.vertices.reserve(vertices.size());
    for (KeptTriangle& triangle : triangles) {
        for (std::uint32_t& corner : triangle.corners) {
            const Vec3 v = vertices[corner];
            std::uint32_t& n = number[corner];
            if (n == kUnused) n = std::uint32_t(mesh.vertices.size()), mesh.vertices.push_back({v.x + 0.0f, v.y + 0.0f, v.z + 0.0f});
            corner = n;
        }
    }
    mesh.vertices.shrink_to_fit();
}

// The corners are anchored at the middle of the vertices that the leaf uses first: most others it has are near.
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
    for (const Vec3 v : mesh.vertices)
        for (const float x : {v.x, v.y, v.z}) hash.add(x);
    for (const KeptTriangle& triangle : triangles)
        for (const std::uint32_t corner : triangle.corners) hash.add(corner);
    return hash.value();
}

std::size_t bytes_of(const MeshGeometry& mesh) {
    return sizeof mesh + mesh.vertices.size() * sizeof(Vec3) + mesh.nodes.size() * sizeof(MeshNode) + mesh.corners.bytes() + mesh.neighbours.bytes() +
           mesh.bends.size() * sizeof(mesh.bends[0]) + (mesh.input.size() + mesh.user_values.size()) * sizeof(std::uint32_t);
}

void count_vertices(std::span<const std::uint32_t> first_of, MeshGeometry& mesh) {
    for (std::uint32_t i = 0; i < first_of.size(); ++i) mesh.report.welded_vertices += first_of[i] != i;
    mesh.report.vertices = std::uint32_t(mesh.vertices.size());
    mesh.report.unused_vertices = std::uint32_t(first_of.size()) - mesh.report.welded_vertices - mesh.report.vertices;
}

}  // namespace

Expected<MeshGeometry> cook_mesh_geometry(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles, const MeshOptions& options) {
    if (auto error = check(vertices, triangles, options)) return *error;
    MeshGeometry mesh;
    mesh.sides = options.sides;
    const Vector<std::uint32_t> first_of = cooking::weld(vertices, options.weld_tolerance);
    Vector<KeptTriangle> kept = cooking::kept_triangles(vertices, first_of, triangles, options.sides, mesh.report);
    if (kept.empty())
        return bad_shape(message_of("triangles has ", triangles.size(), " of them, but all are degenerate: lower than ", kDegenerateHeight,
                                    " of their longest edge"));
    cooking::sort_into_leaves(vertices, kept);
    number_vertices(vertices, kept, mesh);
    cooking::build_nodes(kept, mesh);
    write_triangles(kept, mesh);
    mesh.user_values.assign(options.user_values.begin(), options.user_values.end());
    cooking::join_edges(kept, double(options.weld_tolerance), mesh);
    count_vertices(first_of, mesh);
    mesh.report.input_triangles = std::uint32_t(triangles.size());
    mesh.report.triangles = mesh.triangle_count();
    mesh.report.sides = mesh.sides;
    mesh.content = content_of(kept, mesh);
    mesh.report.bytes = bytes_of(mesh);
    return mesh;
}

}  // namespace abut
