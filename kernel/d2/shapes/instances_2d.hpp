// Instances in their tables: slots, generations, records.
#pragma once

#include <memory>

#include <abut/d2/shapes_2d.hpp>
#include <abut/status.hpp>

#include "d2/shapes/core_cooking.hpp"
#include "d2/shapes/shape_source.hpp"
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

// Inserts an instance. If this throws or returns an error, nothing has changed.
Expected<ShapeId> insert(ShapeTables& tables, NewInstance instance);
// Inserts an instance of a convex shape, a chain or a compound.
Expected<ShapeId> insert(ShapeTables& tables, std::shared_ptr<const ShapeSource> source,
                         const InstanceOptions& options);

// Removes a living instance and its parts.
void erase(ShapeTables& tables, ShapeId id) noexcept;

}  // namespace abut::d2
