// Slots of the store's tables, taken and given back. Nothing here counts as living by itself: a compound's own instances do not.
#pragma once

#include <optional>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

Expected<ShapeId> insert_record(ShapeStore::Tables& tables, ShapeKind kind, const InstanceRecord& record, const InstanceSource& source,
                                ShapeIdentity identity);
// Makes a record of `source`, its scale included, in a slot of its own; `hull` and its place for hulls alone.
Expected<ShapeId> insert_instance(ShapeStore::Tables& tables, ShapeKind kind, const InstanceSource& source, float rounding,
                                  const HullGeometry* hull = nullptr, std::uint32_t place = 0);
// The first instance of a hull, which moves into the store.
Expected<ShapeId> insert_hull(ShapeStore::Tables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull);
// The same with the geometry of `original`, which lives; a hull is shared.
Expected<ShapeId> insert_like(ShapeStore::Tables& tables, ShapeId original, const InstanceSource& source, float rounding);
// Another scale and rounding for a living instance, in its slot; nothing changes where it fails. Not for compounds.
std::optional<Error> replace_instance(ShapeStore::Tables& tables, ShapeId id, const InstanceSource& source, float rounding);
// Gives the slot back, and a hull with its last instance. Not for compounds.
void erase_instance(ShapeStore::Tables& tables, ShapeId id);

// Slots without a living instance start again with their first generation.
void forget_removed(InstanceTable& table);
// How many more instances can be inserted.
std::size_t ids_left(const InstanceTable& table);

std::uint32_t take_hull_place(ShapeStore::Tables& tables);
void release_hull(ShapeStore::Tables& tables, std::uint32_t place);

}  // namespace abut
