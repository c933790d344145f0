// See abut/cooking.hpp.
#include <abut/cooking.hpp>

#include <utility>

#include "base/parallel/guarded_call.hpp"
#include "cooking/mesh/mesh_bytes.hpp"
#include "cooking/mesh/mesh_cooking.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

Expected<CookedMesh> wrapped(Expected<MeshGeometry>&& mesh) {
    if (!mesh) return mesh.error();
    return CookedMesh(make_shared<MeshGeometry>(std::move(*mesh)));
}

}  // namespace

MeshReport CookedMesh::report() const { return empty() ? MeshReport{} : geometry_->report; }

std::size_t CookedMesh::byte_count() const { return empty() ? 0 : mesh_byte_count(*geometry_); }

std::size_t CookedMesh::write(std::span<std::byte> out) const {
    const std::size_t count = byte_count();
    if (count == 0 || out.size() < count || out.data() == nullptr) return 0;
    write_mesh(*geometry_, out.first(count));
    return count;
}

Expected<CookedMesh> CookedMesh::read(std::span<const std::byte> bytes) {
    return guarded_call([&]() -> Expected<CookedMesh> {
        if (auto error = check_data("bytes", bytes)) return *error;
        return wrapped(read_mesh(bytes));
    });
}

Expected<CookedMesh> cook_mesh(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                               const MeshOptions& options) {
    return guarded_call([&]() -> Expected<CookedMesh> {
        if (auto error = check_data("vertices", vertices)) return *error;
        if (auto error = check_data("triangles", triangles)) return *error;
        if (auto error = check_data("user_values", options.user_values)) return *error;
        return wrapped(cook_mesh_geometry(vertices, triangles, options));
    });
}

}  // namespace abut
