// ShapeStore's functions that read the content of hulls, compounds, meshes and height fields.
#include <algorithm>
#include <cmath>

#include <abut/shape_store.hpp>

#include "base/double_math.hpp"
#include "base/parallel/fp_environment.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// Null if `id` names no living hull.
const HullGeometry* hull_of(const ShapeTables& tables, ShapeId id) {
    if (!tables.lives(id) || id.kind() != ShapeKind::hull) return nullptr;
    return &tables.hulls[tables.record(id).geometry];
}

Vec3 narrow(const Vec3d& v) { return {float(v.x) + 0.0f, float(v.y) + 0.0f, float(v.z) + 0.0f}; }

const MeshGeometry* mesh_of(const ShapeTables& tables, ShapeId id) {
    if (!tables.lives(id) || id.kind() != ShapeKind::mesh) return nullptr;
    return tables.meshes[tables.record(id).geometry].get();
}

template <class T>
std::size_t copy_first(const Vector<T>& items, std::span<T> out) {
    if (out.data() == nullptr) return 0;
    const std::size_t count = std::min(items.size(), out.size());
    std::copy_n(items.begin(), count, out.begin());
    return count;
}

}  // namespace

HullFace scaled(const HullFace& face, Vec3 scale) {
    const FpEnvironment fp;
    const Vec3d across = {face.normal.x / double(scale.x), face.normal.y / double(scale.y),
                          face.normal.z / double(scale.z)};
    const double most = maths::max_abs(across);
    if (!(most > 0.0) || !std::isfinite(most)) return {};
    // Scaled by a power of two before the norm, because the squares may leave double's range.
    const double by = maths::scale_to_one(most), inverse = by / maths::norm(across * by);
    return {narrow(maths::unit(across)), float(face.offset * inverse), face.corners};
}

ShapeAxis axis_between(Vec3 bottom, Vec3 top) {
    const FpEnvironment fp;
    const Vec3d from = maths::to_double(bottom), way = maths::to_double(top) - from;
    const double length = maths::norm(way), across = way.x * way.x + way.z * way.z;
    // The quaternion of the smallest rotation from +Y to the axis. Below the horizontal `length + way.y` would cancel,
    // so `w` is computed from its conjugate.
    const double w = way.y >= 0 ? length + way.y : across / (length - way.y), by = 1 / std::sqrt(across + w * w);
    ShapeAxis axis = {float(0.5 * length), {narrow(from + way * 0.5), {}}};
    if (across > 0)
        axis.pose.orientation = {float(way.z * by), 0, float(-way.x * by), float(w * by)};
    else if (way.y < 0)
        axis.pose.orientation = {1, 0, 0, 0};
    return axis;
}

std::size_t ShapeStore::hull_vertices(ShapeId id, std::span<Vec3> out) const {
    const FpEnvironment fp;
    const HullGeometry* hull = hull_of(tables_of(*this), id);
    if (hull == nullptr || out.data() == nullptr) return 0;
    const std::size_t count = std::min<std::size_t>(out.size(), hull->vertex_count);
    const Vec3 c = hull->centre;
    for (std::size_t i = 0; i < count; ++i) {
        const HullVertex& v = hull->vertices[i];
        out[i] = {float(double(c.x) + v.x), float(double(c.y) + v.y), float(double(c.z) + v.z)};
    }
    return count;
}

HullFace ShapeStore::hull_face(ShapeId id, std::uint32_t face) const {
    const FpEnvironment fp;
    const HullGeometry* hull = hull_of(tables_of(*this), id);
    if (hull == nullptr || face >= hull->face_count) return {};
    const float* const planes = hull->planes.data();
    const std::size_t column = hull->padded_faces;
    const Vec3 n = {planes[face], planes[column + face], planes[2 * column + face]}, c = hull->centre;
    const double offset = planes[3 * column + face] + maths::dot(maths::to_double(n), maths::to_double(c));
    const std::uint32_t first = hull->face_first[face];
    return {n, float(offset), {hull->loop.data() + first, hull->face_first[face + 1] - first}};
}

std::span<const HullEdge> ShapeStore::hull_edges(ShapeId id) const {
    const HullGeometry* hull = hull_of(tables_of(*this), id);
    if (hull == nullptr) return {};
    return {hull->edges.data(), hull->edges.size()};
}

std::size_t ShapeStore::compound_children(ShapeId id, std::span<CompoundChild> out) const {
    const FpEnvironment fp;
    if (!contains(id) || id.kind() != ShapeKind::compound || out.data() == nullptr) return 0;
    const CompoundGeometry& compound = tables_->compound(id);
    const std::size_t count = std::min(out.size(), compound.parts.size());
    for (std::size_t i = 0; i < count; ++i) {
        const CompoundPart& part = compound.parts[i];
        const maths::Quatd q = part.orientation;
        out[i] = {
            part.instance, narrow(part.position), {float(q.x), float(q.y), float(q.z), float(q.w)}, part.user_data};
    }
    return count;
}

std::size_t ShapeStore::mesh_vertices(ShapeId id, std::span<Vec3> out) const {
    const MeshGeometry* mesh = mesh_of(tables_of(*this), id);
    return mesh != nullptr ? copy_first(mesh->vertices, out) : 0;
}

std::size_t ShapeStore::mesh_triangles(ShapeId id, std::span<MeshTriangle> out) const {
    const MeshGeometry* mesh = mesh_of(tables_of(*this), id);
    if (mesh == nullptr || out.data() == nullptr) return 0;
    const std::size_t count = std::min<std::size_t>(mesh->report.input_triangles, out.size());
    std::fill_n(out.begin(), count, MeshTriangle{});
    for (std::uint32_t i = 0; i < mesh->triangle_count(); ++i)
        if (mesh->input[i] < count)
            out[mesh->input[i]] = {{mesh->corner(i, 0), mesh->corner(i, 1), mesh->corner(i, 2)}};
    return count;
}

std::uint32_t ShapeStore::triangle_user_value(ShapeId id, std::uint32_t triangle) const {
    const MeshGeometry* mesh = mesh_of(tables_of(*this), id);
    return mesh != nullptr && triangle < mesh->user_values.size() ? mesh->user_values[triangle] : 0;
}

std::size_t ShapeStore::field_heights(ShapeId id, std::span<float> out) const {
    const ShapeTables& tables = tables_of(*this);
    if (!tables.lives(id) || id.kind() != ShapeKind::heightfield) return 0;
    return copy_first(tables.heightfields[tables.record(id).geometry]->heights, out);
}

std::size_t ShapeStore::field_cells(ShapeId id, std::span<std::uint8_t> out) const {
    const ShapeTables& tables = tables_of(*this);
    if (!tables.lives(id) || id.kind() != ShapeKind::heightfield || out.data() == nullptr) return 0;
    const HeightfieldGeometry& field = *tables.heightfields[tables.record(id).geometry];
    const std::size_t count = std::min<std::size_t>(field.cell_count(), out.size());
    for (std::size_t cell = 0; cell < count; ++cell) out[cell] = field.flags(std::uint32_t(cell));
    return count;
}

}  // namespace abut
