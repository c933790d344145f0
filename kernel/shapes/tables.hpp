// The tables of a ShapeStore: one of instances per kind, and the cooked hulls and compounds that they share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "base/memory.hpp"
#include "shapes/compound_geometry.hpp"
#include "shapes/heightfield_geometry.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"
#include "shapes/mesh_geometry.hpp"
#include "shapes/shape_identity.hpp"

namespace abut {

// The data from which an instance is made, before scale and rounding. Other instances of the same shape are made from
// it.
struct InstanceSource {
    Vec3 extents;           // box: half extents; ellipsoid: radii; half-space: normal; custom: lengths
    float radius = 0;       // sphere, capsule, cylinder, cone
    float half_height = 0;  // capsule, cylinder, cone
    float offset = 0;       // half-space
    Vec3 scale = {1.0f, 1.0f, 1.0f};
    std::uint32_t custom = 0;  // custom: index into Tables::customs
    RelativePose pose;         // of the shape in its body's frame; not in the record (instance_pose.hpp)
};

inline constexpr std::uint8_t kDeadGeneration = 0xff;  // never issued

struct InstanceTable {
    Vector<InstanceRecord> records;    // by slot
    Vector<InstanceSource> sources;    // by slot
    Vector<ShapeIdentity> identities;  // by slot
    Vector<ShapeId>
        ids;  // by slot: the id of the living instance; an id that names nothing if the slot is free or retired
    Vector<std::uint8_t>
        next_generation;  // by slot: the generation of its next instance; kDeadGeneration if the slot is retired
    Vector<std::uint64_t> user_data;  // by slot: the caller's value
    Vector<std::uint8_t> is_owned;  // by slot: 1 for a compound's own instance, which is erased only with the compound
    Vector<std::uint32_t> free_slots;  // last in, first out
};

// Geometry of one kind by InstanceRecord::geometry; empty where free.
template <class Geometry>
struct GeometryTable : Vector<Geometry> {
    Vector<std::uint32_t> free;  // last in, first out

    // Allocates, which may fail, before it changes anything; release() never allocates.
    std::uint32_t take() {
        if (free.empty()) {
            if (this->size() == this->capacity()) this->reserve(2 * this->size() + 1);
            free.reserve(this->capacity());
            this->emplace_back();
            return std::uint32_t(this->size() - 1);
        }
        const std::uint32_t index = free.back();
        free.pop_back();
        return index;
    }
    void release(std::uint32_t index) {
        (*this)[index] = Geometry();
        free.push_back(index);
    }
};
// Geometry of meshes, height fields or compounds: each instance has its own index, but several indices may share one
// geometry.
template <class Geometry>
using SharedTable = GeometryTable<std::shared_ptr<const Geometry>>;

struct EqualGeometry;  // the store's own

struct ShapeTables : HostAllocated<ShapeTables> {
    std::array<InstanceTable, kKindCount> kinds;
    HullGeometry cube,
        prism;  // unit_cube.hpp, unit_prism.hpp: clipping uses them for boxes and for caps of cylinders and cones
    GeometryTable<HullGeometry> hulls;
    Vector<std::uint32_t> hull_users;  // of each hull: its living instances, and the hulls cooked from it
    GeometryTable<CompoundGeometry> compounds;
    SharedTable<MeshGeometry> meshes;
    SharedTable<HeightfieldGeometry> heightfields;
    Vector<const CustomShape*> customs;    // by InstanceRecord::geometry; kept for good
    std::size_t living = 0;                // the number of ids that the caller holds
    bool has_poses = false;                // true once any instance had a pose; otherwise queries do not look for poses
    std::shared_ptr<EqualGeometry> equal;  // null unless equal geometry is shared

    const InstanceRecord& record(ShapeId id) const { return kinds[std::uint32_t(id.kind())].records[id.slot()]; }
    const ShapeIdentity& identity(ShapeId id) const { return kinds[std::uint32_t(id.kind())].identities[id.slot()]; }
    // `number`: InstanceSource::custom or InstanceRecord::geometry. Null for other kinds.
    const CustomShape* custom(ShapeKind kind, std::uint32_t number) const {
        return kind == ShapeKind::custom ? customs[number] : nullptr;
    }
    const CompoundGeometry& compound(ShapeId id) const { return compounds[record(id).geometry]; }

    // `id`: a living instance.
    bool is_owned(ShapeId id) const { return kinds[std::uint32_t(id.kind())].is_owned[id.slot()] != 0; }

    // False for bits that were never issued, too.
    bool lives(ShapeId id) const {
        const auto kind = std::uint32_t(id.kind());
        if (kind >= kKindCount) return false;
        const InstanceTable& table = kinds[kind];
        return id.slot() < table.ids.size() && table.ids[id.slot()] == id;
    }
};

// The tables of a store; empty tables for a store without shapes.
const ShapeTables& tables_of(const ShapeStore& store);

}  // namespace abut
