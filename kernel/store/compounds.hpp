// Compounds: children checked and flattened, and the instances and the tree made of them.
#pragma once

#include <optional>
#include <span>

#include <abut/shape_store.hpp>
#include <abut/status.hpp>

#include "base/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// A convex child before the compound's own scale and rounding.
struct SourcePart {
    ShapeId original;  // the shape that gives the part its geometry
    Vec3 scale;
    float rounding;
    maths::Vec3d position;
    maths::Quatd orientation;  // unit
    bool is_rotated;
    std::uint64_t user_data;
};

// No error if all children may be children; otherwise the error names the first that may not.
std::optional<Error> check_children(const ShapeTables& tables, std::span<const CompoundChild> children);

// The convex children; a child that is a compound is replaced by its own children.
Vector<SourcePart> flattened(const ShapeTables& tables, std::span<const CompoundChild> children);

// The parts from which a compound was made.
Vector<SourcePart> source_parts(const ShapeTables& tables, ShapeId compound);

// If it fails, the tables do not change.
Expected<ShapeId> insert_compound(ShapeTables& tables, std::span<const SourcePart> parts,
                                  const InstanceOptions& options);
// Restores the compound with these source_parts() and own instances, which are in the tables.
Expected<ShapeId> restore_compound(ShapeTables& tables, std::span<const SourcePart> parts,
                                   std::span<const ShapeId> instances, const InstanceOptions& options);
// Changes the scale and rounding of a compound. The instances that the compound owns keep their ids. If the call fails,
// the tables do not change.
std::optional<Error> replace_compound(ShapeTables& tables, ShapeId id, const InstanceOptions& options);
void erase_compound(ShapeTables& tables, ShapeId id);

}  // namespace abut
