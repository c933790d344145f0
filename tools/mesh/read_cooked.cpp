// Cooked bytes (.abutmesh), which the library itself reads and checks.
#include <cmath>
#include <limits>

#include <abut/shape_store.hpp>

#include <fmt/format.h>

#include "files.hpp"
#include "mesh.hpp"

namespace abut::tools {

CookedMesh read_cooked_mesh(const std::string& path) {
    const MappedFile file(path, std::numeric_limits<std::uint32_t>::max());
    auto mesh = CookedMesh::read(file.bytes());
    if (!mesh) throw InputError(fmt::format("{}: {}", path, mesh.error().message.view()));
    return std::move(*mesh);
}

Mesh mesh_of(const CookedMesh& cooked, double scale, const std::string& name) {
    ShapeStore store;
    const auto id = store.add_mesh(cooked);
    if (!id) throw InputError(fmt::format("{}: {}", name, id.error().message.view()));
    Mesh mesh;
    mesh.objects.emplace_back();
    mesh.positions.resize(cooked.report().vertices);
    store.mesh_vertices(*id, mesh.positions);
    for (Vec3& p : mesh.positions) {
        p = {float(p.x * scale) + 0.0f, float(p.y * scale) + 0.0f, float(p.z * scale) + 0.0f};
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(fmt::format("{}: a vertex is not finite when scaled", name));
    }
    std::vector<MeshTriangle> triangles(cooked.report().input_triangles);
    store.mesh_triangles(*id, triangles);
    for (const auto& [corners] : triangles) {
        if (corners[0] == corners[1]) continue;  // one that cooking dropped
        mesh.triangles.push_back({corners[0], corners[1], corners[2]});
        mesh.object_of.push_back(0);
    }
    return mesh;
}

}  // namespace abut::tools
