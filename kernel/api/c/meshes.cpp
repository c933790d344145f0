// Meshes cooked without a store.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {

abut_mesh_report to_c(const MeshReport& r) {
    return {sizeof(abut_mesh_report),
            r.input_triangles,
            r.vertices,
            r.triangles,
            r.welded_vertices,
            r.unused_vertices,
            r.degenerate_triangles,
            r.duplicate_triangles,
            r.needles,
            r.convex_edges,
            r.flat_edges,
            r.concave_edges,
            r.open_edges,
            r.nonmanifold_edges,
            r.inconsistent_edges,
            r.t_junctions,
            abut_mesh_sides(r.sides),
            r.bytes,
            r.solid,
            r.inside_out,
            {},
            {r.front_area.x, r.front_area.y, r.front_area.z}};
}
CallResult check_triangles(const abut_vec3* vertices, std::size_t vertex_count, const abut_mesh_triangle* triangles,
                           std::size_t triangle_count, std::span<const Vec3>& points,
                           std::span<const MeshTriangle>& all) {
    if (CallResult r = view_items("vertices", vertices, vertex_count, points); !r) return r;
    return view_items("triangles", triangles, triangle_count, all);
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_cook_mesh(const abut_vec3* vertices, size_t vertex_count, const abut_mesh_triangle* triangles,
                               size_t triangle_count, const abut_mesh_options* options, abut_cooked_mesh** mesh,
                               abut_error* error) {
    return c::run(error, {{"mesh", mesh}}, [&]() -> CallResult {
        MeshOptions wanted;
        std::span<const Vec3> points;
        std::span<const MeshTriangle> all;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        if (CallResult r = c::check_triangles(vertices, vertex_count, triangles, triangle_count, points, all); !r)
            return r;
        return c::give(cook_mesh(points, all, wanted), mesh);
    });
}

void abut_cooked_mesh_destroy(abut_cooked_mesh* mesh) { delete mesh; }

abut_error_code abut_cooked_mesh_report(const abut_cooked_mesh* mesh, abut_mesh_report* report, abut_error* error) {
    return c::run(error, {{"mesh", mesh}, {"report", report}}, [&]() -> CallResult {
        if (CallResult r = c::check_sized(report); !r) return r;
        c::write_sized(report, c::to_c(mesh->mesh.report()));
        return {};
    });
}

size_t abut_cooked_mesh_byte_count(const abut_cooked_mesh* mesh) {
    return mesh == nullptr ? 0 : mesh->mesh.byte_count();
}

abut_error_code abut_cooked_mesh_write(const abut_cooked_mesh* mesh, void* bytes, size_t room, abut_error* error) {
    return c::run(error, {{"mesh", mesh}, {"bytes", bytes}},
                  [&] { return c::write_bytes(mesh->mesh, "mesh", bytes, room); });
}

abut_error_code abut_cooked_mesh_read(const void* bytes, size_t count, abut_cooked_mesh** mesh, abut_error* error) {
    return c::run(error, {{"mesh", mesh}, {"bytes", bytes}}, [&] {
        return c::give(CookedMesh::read({static_cast<const std::byte*>(bytes), count}), mesh);
    });
}
