// The command line's meshes: what the readers of triangle_file.hpp make, in float32 and metres.
#include <cmath>

#include <fmt/format.h>

#include "files.hpp"
#include "mesh.hpp"
#include "printable.hpp"
#include "triangle_file.hpp"

namespace abut::tools {

Mesh read_mesh(const std::string& path, double scale) {
    constexpr std::uint64_t kMeshLimit = (std::uint64_t(1) << 31) - 1;
    const MappedFile mapped(path, kMeshLimit);
    TriangleFile file =
        read_triangle_file({reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()}, path);
    for (const std::string& remark : file.remarks) fmt::print(stderr, "{}: {}\n", printable(path), printable(remark));
    Mesh mesh;
    mesh.positions.reserve(file.positions.size());
    for (const auto& [x, y, z] : file.positions) {
        mesh.positions.push_back({float(x * scale) + 0.0f, float(y * scale) + 0.0f, float(z * scale) + 0.0f});  // no -0
        const Vec3 p = mesh.positions.back();
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(fmt::format("{}: vertex {} is ({}, {}, {}), which is not finite when scaled to float32",
                                         path, mesh.positions.size() - 1, x, y, z));
    }
    mesh.triangles = std::move(file.triangles);
    mesh.object_of = std::move(file.object_of);
    mesh.objects = std::move(file.objects);
    return mesh;
}

}  // namespace abut::tools
