// The tables of a d2::ShapeStore: the records by kind and slot, and the parts of chains and compounds.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <abut/d2/shapes_2d.hpp>

#include "base/memory.hpp"
#include "d2/shapes/core_records.hpp"
#include "d2/shapes/poses_2d.hpp"
#include "shapes/compound_geometry.hpp"

namespace abut::d2 {

struct ShapeSource;  // the caller's data, shared by the instances made of it (shape_source.hpp)

// A convex child of a chain or a compound: an instance that its parent owns and removes.
struct Part {
    ShapeId shape;
    DPose pose;  // in the parent's frame; the identity for the segments of a chain
};

inline constexpr std::uint32_t kNoSegment = 0xffffffff;

// The segments before and after a segment of a chain, as indices of parts; kNoSegment at the ends.
struct Joints {
    std::uint32_t before = kNoSegment, after = kNoSegment;
};

struct PartsGeometry {
    Vector<Part> parts;              // in the given order: children of a compound, or a chain's segments
    Vector<Joints> joints;           // of a chain
    Vector<std::uint32_t> numbers;   // of each part: the caller's number (equal points of a chain are merged)
    Vector<std::uint8_t> is_joined;  // for parts of a compound: 1 if an edge is on the line of another part's edge
    Vector<CompoundNode> nodes;      // the tree of the parts' bounds (z: 0), the root last
};

struct alignas(16) RecordQuad {
    float at[4];
};

inline constexpr std::size_t kMostQuads = sizeof(PolygonRecord<8>) / sizeof(RecordQuad);  // of a record
inline constexpr std::uint8_t kDeadGeneration = 0xff;                                     // never issued

struct InstanceTable {
    AlignedVector<RecordQuad> records;  // by slot, kRecordBytes of the kind each
    Vector<ShapeId> ids;                // by slot: the living instance; an id that names nothing if the slot is free
    // By slot: the generation of the next instance; kDeadGeneration if all were issued.
    Vector<std::uint8_t> next_generation;
    Vector<std::uint8_t> is_owned;     // by slot: 1 for a part of a chain or compound, which is removed with its parent
    Vector<std::uint32_t> free_slots;  // last in, first out
    Vector<InstanceOptions> options;   // by slot
    Vector<std::shared_ptr<const ShapeSource>> sources;  // by slot
};

struct ShapeTables : HostAllocated<ShapeTables> {
    std::array<InstanceTable, kKinds> kinds;
    Vector<Vec2> corners;                                            // of large polygons, relative to their centres
    Vector<std::shared_ptr<const PartsGeometry>> chains, compounds;  // by slot
    std::size_t living = 0;                                          // ids that the caller holds

    bool lives(ShapeId id) const {
        if (std::uint32_t(id.kind()) >= kKinds) return false;
        const InstanceTable& table = kinds[std::uint32_t(id.kind())];
        return id.slot() < table.ids.size() && table.ids[id.slot()] == id;
    }
    // `id`: a living instance of Record's kind.
    template <class Record>
    const Record& record(ShapeId id) const {
        const RecordTable of = records_of(id.kind());
        return *reinterpret_cast<const Record*>(of.records + std::size_t(of.record_bytes) * id.slot());
    }
    RecordTable records_of(ShapeKind kind) const {
        return {reinterpret_cast<const std::byte*>(kinds[std::uint32_t(kind)].records.data()),
                kRecordBytes[std::uint32_t(kind)]};
    }
    const InstanceTable& table(ShapeId id) const { return kinds[std::uint32_t(id.kind())]; }
    InstanceTable& table(ShapeId id) { return kinds[std::uint32_t(id.kind())]; }
    const PartsGeometry& parts(ShapeId id) const {
        return *(id.kind() == ShapeKind::chain ? chains : compounds)[id.slot()];
    }

    static const ShapeTables& of(const ShapeStore& store);
};

}  // namespace abut::d2
