// What the kernels read of a ShapeStore: one table of instances a kind, and the cooked hulls they share.
//
// Every convex shape is a core swept by a sphere (core + radius): a sphere's core is a point, a capsule's a segment, a box's a box.
// An instance is one aligned 32-byte record, because W records fetched whole and transposed cost 0.9-5.2 ns a pair where
// gathers from columns cost 4.6-13.4 (docs/decisions.md); what a support function walks (hull vertices, face planes) is
// structure-of-arrays.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "shapes/compound_geometry.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/identity.hpp"

namespace abut {

// Loaded by lanes as eight floats: keep the order, see separation/load.hpp.
struct alignas(32) InstanceRecord {
    // Half extents of the core along the local axes: (0,0,0) sphere, (0,half_height,0) capsule, box, (radius,half_height,radius) cylinder
    // and cone, the radii of an ellipsoid before it is eroded. Hull: the scale. Half-space: its normal, of any length. Compound: 0.
    float extent_x = 0, extent_y = 0, extent_z = 0;
    float radius = 0;             // swept around the core: the shape's own radius plus rounding
    float size = 0;               // half the longest side of the local bounds, radius included; "size" in promise 1; half-space: 0
    std::uint32_t geometry = 0;   // index into Tables::hulls or Tables::compounds; half-space: the bits of its offset, rounded
    float rounding = 0;           // what of radius is rounding
    // Of a sphere about the core's centre that holds the shape, radius included; rounded up. Half-space: what its offset is more than the
    // rounded one, as scale times offset is no float.
    float bound_radius = 0;
};
static_assert(sizeof(InstanceRecord) == 32);

// An ellipsoid is kept as a smaller, eroded one swept by a sphere: what is left for GJK and EPA to search is the less round part of it. The
// rest of the radius is its rounding.
inline float erosion_of(const InstanceRecord& ellipsoid) { return ellipsoid.radius - ellipsoid.rounding; }
inline double offset_of(const InstanceRecord& halfspace) {
    return double(std::bit_cast<float>(halfspace.geometry)) + halfspace.bound_radius;
}

// What an instance was made from, before scale and rounding: other instances of it are made from that.
struct InstanceSource {
    Vec3 extents;            // box: half extents; ellipsoid: radii; half-space: normal
    float radius = 0;        // sphere, capsule, cylinder, cone
    float half_height = 0;   // capsule, cylinder, cone
    float offset = 0;        // half-space
    Vec3 scale = {1.0f, 1.0f, 1.0f};
};

inline constexpr std::uint32_t kKindCount = 10;  // ShapeKind::sphere .. compound
inline constexpr std::uint8_t kDeadGeneration = 0xff;  // never issued: a dead slot matches no id

struct InstanceTable {
    std::vector<InstanceRecord> records;     // by slot
    std::vector<InstanceSource> sources;     // by slot
    std::vector<ShapeIdentity> identities;   // by slot
    std::vector<std::uint8_t> generations;   // by slot; kDeadGeneration where the slot is free or retired
    std::vector<std::uint8_t>
        next_generation;                 // by slot: what the next instance there gets; kDeadGeneration: none, the slot retires
    std::vector<std::uint8_t> is_owned;  // by slot: a compound's own instance, which goes with it and not by itself
    std::vector<std::uint32_t> free_slots;   // last in, first out
};

struct ShapeStore::Tables {
    std::array<InstanceTable, kKindCount> kinds;
    std::vector<HullGeometry> hulls;           // by InstanceRecord::geometry; empty() where free
    std::vector<std::uint32_t> hull_users;     // living instances of each
    std::vector<std::uint32_t> free_hulls;
    std::vector<CompoundGeometry> compounds;   // by InstanceRecord::geometry; empty() where free
    std::vector<std::uint32_t> free_compounds;
    std::size_t living = 0;                    // ids the caller holds

    const InstanceRecord& record(ShapeId id) const { return kinds[std::uint32_t(id.kind())].records[id.slot()]; }
    const CompoundGeometry& compound(ShapeId id) const { return compounds[record(id).geometry]; }

    bool is_owned(ShapeId id) const { return kinds[std::uint32_t(id.kind())].is_owned[id.slot()] != 0; }  // of a living one

    // The dead generation is tested for by itself: bits that were never issued may carry it.
    bool lives(ShapeId id) const {
        const auto kind = std::uint32_t(id.kind());
        if (kind >= kKindCount || id.generation() == kDeadGeneration) return false;
        const InstanceTable& table = kinds[kind];
        return id.slot() < table.generations.size() && table.generations[id.slot()] == id.generation();
    }
};

}  // namespace abut
