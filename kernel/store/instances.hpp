// Takes and frees slots of the store's tables. Does not count living ids, because a compound's own instances are none.
#pragma once

#include <optional>

#include <abut/status.hpp>

#include "base/rollback.hpp"
#include "shapes/tables.hpp"

namespace abut {

Expected<ShapeId> insert_record(ShapeTables& tables, ShapeKind kind, const InstanceRecord& record,
                                const InstanceSource& source, ShapeIdentity identity);
// Inserts an instance of `source`, which includes the scale, in a new slot. `hull` and its index: for hulls only.
Expected<ShapeId> insert_instance(ShapeTables& tables, ShapeKind kind, const InstanceSource& source, float rounding,
                                  const HullGeometry* hull = nullptr, std::uint32_t index = 0);
// Inserts the first instance of a hull; the hull moves into the store.
Expected<ShapeId> insert_hull(ShapeTables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull);
// Inserts another instance of the hull at `index`, or of that hull cooked again for the scale.
Expected<ShapeId> insert_hull_instance(ShapeTables& tables, std::uint32_t index, const InstanceSource& source,
                                       float rounding);
// Inserts an instance with the geometry of `original`, which must live. A hull is shared.
Expected<ShapeId> insert_like(ShapeTables& tables, ShapeId original, const InstanceSource& source, float rounding);
// Changes the scale and rounding of a living instance in its slot. If it fails, nothing changes. Not for compounds.
std::optional<Error> replace_instance(ShapeTables& tables, ShapeId id, const InstanceSource& source, float rounding);
// Frees the slot, and a hull with its last instance. Not for compounds.
void erase_instance(ShapeTables& tables, ShapeId id);

// Lets slots without a living instance start again with their first generation.
void forget_removed(InstanceTable& table);
// The number of instances that can still be inserted.
std::size_t ids_left(const InstanceTable& table);

// Gives up a use of a hull; erases the hull with its last use.
void drop_hull(ShapeTables& tables, std::uint32_t index);

struct DropHull {
    ShapeTables* tables;
    std::uint32_t index;
    void operator()() const { drop_hull(*tables, index); }
};
// A counted use of a hull, given up at the end of the scope unless it is kept.
using HullUse = Rollback<DropHull>;

}  // namespace abut
