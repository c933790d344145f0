// What the kernels read of a ShapeStore: one table of instances a kind, and the cooked hulls they share.
//
// Every convex shape is a core swept by a sphere (core + radius): a sphere's core is a point, a capsule's a segment, a box's a box.
// An instance is one aligned 32-byte record, because W records fetched whole and transposed cost 0.9-5.2 ns a pair where
// gathers from columns cost 4.6-13.4 (docs/decisions.md); what a support function walks (hull vertices, face planes) is
// structure-of-arrays.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "shapes/hull_geometry.hpp"

namespace abut {

// Loaded by lanes as eight floats: keep the order, see separation/load.hpp.
struct alignas(32) InstanceRecord {
    // Half extents of the core along the local axes: (0,0,0) sphere, (0,half_height,0) capsule, box. Hull: the scale (1,1,1).
    float extent_x = 0, extent_y = 0, extent_z = 0;
    float radius = 0;             // swept around the core: the shape's own radius plus rounding
    float size = 0;               // half the longest side of the local bounds, radius included; "size" in promise 1
    std::uint32_t geometry = 0;   // hull: index into Tables::hulls
    float rounding = 0;           // what of radius is rounding
    float bound_radius = 0;       // of a sphere about the core's centre that holds the shape, radius included; rounded up
};
static_assert(sizeof(InstanceRecord) == 32);

inline constexpr std::uint32_t kKindCount = 10;  // ShapeKind::sphere .. compound
inline constexpr std::uint8_t kDeadGeneration = 0xff;  // never issued: a dead slot matches no id

struct InstanceTable {
    std::vector<InstanceRecord> records;     // by slot
    std::vector<float> own_radius;           // by slot: sphere and capsule without rounding, which a float sum may swallow
    std::vector<std::uint8_t> generations;   // by slot; kDeadGeneration where the slot is free or retired
    std::vector<std::uint8_t> next_generation;  // by slot: what the next instance there gets
    std::vector<std::uint32_t> free_slots;   // last in, first out
};

struct ShapeStore::Tables {
    std::array<InstanceTable, kKindCount> kinds;
    std::vector<HullGeometry> hulls;           // by InstanceRecord::geometry; empty() where free
    std::vector<std::uint32_t> hull_users;     // living instances of each
    std::vector<std::uint32_t> free_hulls;
    std::size_t living = 0;

    // The dead generation is tested for by itself: bits that were never issued may carry it.
    bool lives(ShapeId id) const {
        const auto kind = std::uint32_t(id.kind());
        if (kind >= kKindCount || id.generation() == kDeadGeneration) return false;
        const InstanceTable& table = kinds[kind];
        return id.slot() < table.generations.size() && table.generations[id.slot()] == id.generation();
    }
};

}  // namespace abut
