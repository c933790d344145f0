// See abut/cooked_mesh.hpp.
#include <abut/cooked_mesh.hpp>

#include <utility>

#include "cooking/mesh_cooking.hpp"
#include "shapes/guarded.hpp"

namespace abut {

MeshReport CookedMesh::report() const { return empty() ? MeshReport{} : geometry_->report; }

Expected<CookedMesh> cook_mesh(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles, const MeshOptions& options) {
    return guarded([&]() -> Expected<CookedMesh> {
        if (auto error = check_data("vertices", vertices)) return *error;
        if (auto error = check_data("triangles", triangles)) return *error;
        if (auto error = check_data("user_values", options.user_values)) return *error;
        auto mesh = cook_mesh_geometry(vertices, triangles, options);
        if (!mesh) return mesh.error();
        return CookedMesh(make_shared<MeshGeometry>(std::move(*mesh)));
    });
}

}  // namespace abut
