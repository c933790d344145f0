// Instances of meshes and height fields, inserted, replaced and removed. Instances of the same geometry share it.
#pragma once

#include <memory>
#include <optional>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

Expected<ShapeId> insert_mesh(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh,
                              const InstanceSource& source, float rounding);
Expected<ShapeId> insert_field(ShapeTables& tables, std::shared_ptr<const HeightfieldGeometry> field,
                               const InstanceSource& source, float rounding);
// insert_like, replace_instance and erase_instance call these functions for surfaces.
Expected<ShapeId> insert_surface_like(ShapeTables& tables, ShapeId original, const InstanceSource& source,
                                      float rounding);
std::optional<Error> replace_surface(ShapeTables& tables, ShapeId id, const InstanceSource& source, float rounding);
void drop_surface(ShapeTables& tables, ShapeId id);

}  // namespace abut
