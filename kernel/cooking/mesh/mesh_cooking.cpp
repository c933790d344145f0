// See mesh_cooking.hpp.
#include "cooking/mesh/mesh_cooking.hpp"

#include <cmath>
#include <optional>

#include <abut/math.hpp>

#include "base/message.hpp"
#include "cooking/cooking_tolerances.hpp"
#include "cooking/mesh/mesh_edges.hpp"
#include "cooking/mesh/mesh_layout.hpp"
#include "cooking/mesh/mesh_tree.hpp"
#include "cooking/mesh/mesh_weld.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

using cooking::check_vertex, cooking::KeptTriangle, cooking::kMostTriangles, cooking::kMostVertices;

std::optional<Error> check_triangle(std::size_t i, const MeshTriangle& triangle, std::size_t vertices) {
    for (int k = 0; k < 3; ++k)
        if (triangle.corners[k] >= vertices)
            return bad_shape(message_of(numbered("triangles", i), "[", k, "] is ", triangle.corners[k],
                                        ", but there are ", vertices, " vertices"));
    return std::nullopt;
}

std::optional<Error> check(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                           const MeshOptions& options) {
    if (vertices.empty()) return bad_shape("vertices is empty: a mesh needs three at least");
    if (triangles.empty()) return bad_shape("triangles is empty: a mesh needs one at least");
    if (triangles.size() > kMostTriangles)
        return Error{ErrorCode::limit,
                     message_of("triangles has ", triangles.size(), " of them, but a mesh at most ", kMostTriangles)};
    if (vertices.size() > kMostVertices)
        return Error{ErrorCode::limit,
                     message_of("vertices has ", vertices.size(), " of them, but a mesh at most ", kMostVertices)};
    if (auto error = check_sides(options.sides)) return error;
    if (auto error = check_length("weld_tolerance", options.weld_tolerance)) return error;
    if (!options.user_values.empty() && options.user_values.size() != triangles.size())
        return bad_argument(message_of("user_values has ", options.user_values.size(), " values, but there are ",
                                       triangles.size(), " triangles"));
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
            if (n == kUnused)
                n = std::uint32_t(mesh.vertices.size()), mesh.vertices.push_back({v.x + 0.0f, v.y + 0.0f, v.z + 0.0f});
            corner = n;
        }
    }
    mesh.vertices.shrink_to_fit();
}

void count_vertices(std::span<const std::uint32_t> first_of, MeshGeometry& mesh) {
    for (std::uint32_t i = 0; i < first_of.size(); ++i) mesh.report.welded_vertices += first_of[i] != i;
    mesh.report.unused_vertices = std::uint32_t(first_of.size() - mesh.vertices.size()) - mesh.report.welded_vertices;
}

}  // namespace

Expected<MeshGeometry> cook_mesh_geometry(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                                          const MeshOptions& options) {
    if (auto error = check(vertices, triangles, options)) return *error;
    MeshGeometry mesh;
    mesh.sides = options.sides, mesh.is_solid = options.solid;
    const Vector<std::uint32_t> first_of = cooking::weld(vertices, options.weld_tolerance);
    Vector<KeptTriangle> kept = cooking::kept_triangles(vertices, first_of, triangles, options.sides, mesh.report);
    if (kept.empty())
        return bad_shape(message_of("triangles has ", triangles.size(), " of them, but all are degenerate: lower than ",
                                    kDegenerateHeight, " of their longest edge"));
    cooking::sort_triangles(vertices, kept);
    number_vertices(vertices, kept, mesh);
    cooking::lay_out(kept, mesh);
    mesh.user_values.assign(options.user_values.begin(), options.user_values.end());
    cooking::join_edges(kept, double(options.weld_tolerance), mesh);
    count_vertices(first_of, mesh);
    mesh.report.input_triangles = std::uint32_t(triangles.size());
    cooking::finish(kept, mesh);
    if (auto error = cooking::check_solid(mesh)) return *error;
    return mesh;
}

}  // namespace abut
