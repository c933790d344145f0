// Geometry that is equal to some of the store's, found by a hash of its content and compared (ShapeStore::share_equal).
#pragma once

#include <memory>
#include <unordered_map>

#include "host/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct EqualGeometry : HostAllocated<EqualGeometry> {
    template <class Value>
    using ByContent = std::unordered_multimap<std::uint32_t, Value, std::hash<std::uint32_t>, std::equal_to<std::uint32_t>,
                                              HostAllocator<std::pair<const std::uint32_t, Value>>>;

    ByContent<std::uint32_t> hulls;  // index in ShapeTables::hulls; kNoHull: of none
    ByContent<std::weak_ptr<const MeshGeometry>> meshes;
    ByContent<std::weak_ptr<const HeightfieldGeometry>> fields;
};

// From now on, or not any more; with what the tables have.
void share_equal(ShapeTables& tables, bool is_on);

// Inserts an instance of an equal hull, or the hull.
Expected<ShapeId> insert_equal_hull(ShapeTables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull);
// The hull is about to go.
void forget_hull(ShapeTables& tables, std::uint32_t index);

// The equal one that lives, or the one that is given, which others are then shared with.
std::shared_ptr<const MeshGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh);
std::shared_ptr<const HeightfieldGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const HeightfieldGeometry> field);
// An instance of a mesh or height field with this content has gone.
void forget_unused(ShapeTables& tables, ShapeKind kind, std::uint32_t content);

}  // namespace abut
