// Compounds: children checked and flattened, and the instances and the tree made of them.
#pragma once

#include <optional>
#include <span>

#include <abut/shape_store.hpp>
#include <abut/status.hpp>

#include "host/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// A convex child before the compound's own scale and rounding.
struct SourcePart {
    ShapeId original;  // whose geometry it has
    Vec3 scale;
    float rounding;
    exact::Vec3d position;
    exact::Quatd orientation;  // unit
    bool is_rotated;
    std::uint64_t user_data;
};

// Nothing where all of them may be children; names the first that may not.
std::optional<Error> check_children(const ShapeTables& tables, std::span<const CompoundChild> children);

// The children, those of compounds in their compound's place.
Vector<SourcePart> flattened(const ShapeTables& tables, std::span<const CompoundChild> children);

// What a compound was made from.
Vector<SourcePart> source_parts(const ShapeTables& tables, ShapeId compound);

// Leaves the tables as they were where it fails.
Expected<ShapeId> insert_compound(ShapeTables& tables, std::span<const SourcePart> parts, const InstanceOptions& options);
// The compound that had these source_parts() and own instances, which are there.
Expected<ShapeId> restore_compound(ShapeTables& tables, std::span<const SourcePart> parts, std::span<const ShapeId> instances,
                                   const InstanceOptions& options);
// Another scale and rounding, in place: the compound's own instances keep their ids. Leaves the tables as they were where it fails.
std::optional<Error> replace_compound(ShapeTables& tables, ShapeId id, const InstanceOptions& options);
void erase_compound(ShapeTables& tables, ShapeId id);

}  // namespace abut
