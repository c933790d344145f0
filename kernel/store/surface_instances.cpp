// See surface_instances.hpp.
#include "store/surface_instances.hpp"

#include <cmath>

#include <abut/math.hpp>

#include "base/content_hash.hpp"
#include "base/message.hpp"
#include "base/rounding.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surfaces.hpp"
#include "store/equal_geometry.hpp"
#include "store/instances.hpp"

namespace abut {
namespace {

using maths::BoxD;
using maths::Vec3d;

struct SurfaceInstance {
    InstanceRecord record;
    ShapeIdentity identity;
};

std::uint32_t content_of(const Surface& surface) {
    ContentHash hash;
    hash.add(surface.mesh != nullptr ? surface.mesh->content : surface.field->content);
    hash.add(std::uint32_t(surface.mesh != nullptr));
    hash.add(surface.scale), hash.add(surface.rounding);
    return hash.value();
}

// Makes the record except `geometry`.
Expected<SurfaceInstance> make_surface(ShapeKind kind, const Surface& surface) {
    const BoxD box = bounds_of(surface);
    const Vec3d reach = {maths::max(-box.low.x, box.high.x), maths::max(-box.low.y, box.high.y),
                         maths::max(-box.low.z, box.high.z)};
    InstanceRecord r;
    r.extent_x = surface.scale.x, r.extent_y = surface.scale.y, r.extent_z = surface.scale.z;
    r.radius = r.rounding = surface.rounding;
    r.size = static_cast<float>(0.5 * maths::max_abs(box.high - box.low)) + r.rounding;
    r.bound_radius = round_up(length_above(reach.x, reach.y, reach.z) + r.rounding);
    if (!(r.bound_radius <= kMostMetres))
        return bad_shape(message_of("the ", to_string(kind), "'s bounds are past the range of ", kMostMetres,
                                    " m (rounding is ", r.rounding, ")"));
    return SurfaceInstance{r, {content_of(surface), r.bound_radius}};
}

template <class Geometry>
Expected<ShapeId> insert(ShapeTables& tables, SharedTable<Geometry>& table, ShapeKind kind, const Surface& surface,
                         std::shared_ptr<const Geometry>&& geometry, const InstanceSource& source) {
    const auto made = make_surface(kind, surface);
    if (!made) return made.error();
    const std::uint32_t index = table.take();
    Rollback undo([&] { table.release(index); });
    table[index] = std::move(geometry);
    InstanceRecord record = made->record;
    record.geometry = index;
    auto id = insert_record(tables, kind, record, source, made->identity);
    if (id) undo.keep();
    return id;
}

}  // namespace

Expected<ShapeId> insert_mesh(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh,
                              const InstanceSource& source, float rounding) {
    Surface surface;
    surface.mesh = mesh.get(), surface.scale = source.scale, surface.rounding = rounding + 0.0f;
    return insert(tables, tables.meshes, ShapeKind::mesh, surface, std::move(mesh), source);
}

Expected<ShapeId> insert_field(ShapeTables& tables, std::shared_ptr<const HeightfieldGeometry> field,
                               const InstanceSource& source, float rounding) {
    Surface surface;
    surface.field = field.get(), surface.scale = source.scale, surface.rounding = rounding + 0.0f;
    return insert(tables, tables.heightfields, ShapeKind::heightfield, surface, std::move(field), source);
}

Expected<ShapeId> insert_surface_like(ShapeTables& tables, ShapeId original, const InstanceSource& source,
                                      float rounding) {
    const std::uint32_t index = tables.record(original).geometry;
    if (original.kind() == ShapeKind::mesh) return insert_mesh(tables, tables.meshes[index], source, rounding);
    return insert_field(tables, tables.heightfields[index], source, rounding);
}

std::optional<Error> replace_surface(ShapeTables& tables, ShapeId id, const InstanceSource& source, float rounding) {
    Surface surface = surface_of(tables, id);
    surface.scale = source.scale, surface.rounding = rounding + 0.0f;
    const auto made = make_surface(id.kind(), surface);
    if (!made) return made.error();
    InstanceTable& table = tables.kinds[std::uint32_t(id.kind())];
    const std::uint32_t index = table.records[id.slot()].geometry;
    table.records[id.slot()] = made->record;
    table.records[id.slot()].geometry = index;
    table.sources[id.slot()] = source;
    table.identities[id.slot()] = made->identity;
    return std::nullopt;
}

void drop_surface(ShapeTables& tables, ShapeId id) {
    const std::uint32_t index = tables.record(id).geometry;
    const bool is_mesh = id.kind() == ShapeKind::mesh;
    const std::uint32_t content = is_mesh ? tables.meshes[index]->content : tables.heightfields[index]->content;
    is_mesh ? tables.meshes.release(index) : tables.heightfields.release(index);
    forget_unused(tables, id.kind(), content);
}

}  // namespace abut
