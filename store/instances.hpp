// Slots of the store's tables, taken and given back. Nothing here counts as living by itself: a compound's own instances do not.
#pragma once

#include <optional>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

Expected<ShapeId> insert_record(ShapeTables& tables, ShapeKind kind, const InstanceRecord& record, const InstanceSource& source,
                                ShapeIdentity identity);
// Makes a record of `source`, its scale included, in a slot of its own; `hull` and its index for hulls alone.
Expected<ShapeId> insert_instance(ShapeTables& tables, ShapeKind kind, const InstanceSource& source, float rounding,
                                  const HullGeometry* hull = nullptr, std::uint32_t index = 0);
// The first instance of a hull, which moves into the store.
Expected<ShapeId> insert_hull(ShapeTables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull);
// Another instance of the hull at `index`, or of that hull cooked again for the scale.
Expected<ShapeId> insert_hull_instance(ShapeTables& tables, std::uint32_t index, const InstanceSource& source, float rounding);
// The same with the geometry of `original`, which lives; a hull is shared.
Expected<ShapeId> insert_like(ShapeTables& tables, ShapeId original, const InstanceSource& source, float rounding);
// Another scale and rounding for a living instance, in its slot; nothing changes where it fails. Not for compounds.
std::optional<Error> replace_instance(ShapeTables& tables, ShapeId id, const InstanceSource& source, float rounding);
// Gives the slot back, and a hull with its last instance. Not for compounds.
void erase_instance(ShapeTables& tables, ShapeId id);

// Slots without a living instance start again with their first generation.
void forget_removed(InstanceTable& table);
// How many more instances can be inserted.
std::size_t ids_left(const InstanceTable& table);

// Gives up a use of a hull, and the hull with its last one.
void drop_hull(ShapeTables& tables, std::uint32_t index);

// A use of a hull that is given up again, unless it is kept.
class HullUse {
public:
    // Takes over one that is counted already.
    HullUse(ShapeTables& tables, std::uint32_t index) : tables_(&tables), index_(index) {}
    HullUse(HullUse&& other) noexcept : tables_(other.tables_), index_(other.keep()) {}
    HullUse& operator=(HullUse&&) = delete;
    ~HullUse() {
        if (tables_ != nullptr) drop_hull(*tables_, index_);
    }
    std::uint32_t keep() {
        tables_ = nullptr;
        return index_;
    }

private:
    ShapeTables* tables_;
    std::uint32_t index_;
};

}  // namespace abut
