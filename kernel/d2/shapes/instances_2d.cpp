// See instances_2d.hpp.
#include "d2/shapes/instances_2d.hpp"

#include <cstring>
#include <utility>

#include "base/message.hpp"
#include "d2/shapes/parts_cooking.hpp"

namespace abut::d2 {
namespace {

// Allocates room for `more` elements. The allocation may fail, but before any change; later additions cannot fail.
template <class Items>
void make_room(Items& items, std::size_t more = 1) {
    if (items.capacity() - items.size() < more) items.reserve(2 * items.size() + more);
}

Vector<std::shared_ptr<const PartsGeometry>>& geometries(ShapeTables& tables, ShapeKind kind) {
    return kind == ShapeKind::chain ? tables.chains : tables.compounds;
}

std::size_t quads_of(ShapeKind kind) { return kRecordBytes[std::uint32_t(kind)] / sizeof(RecordQuad); }

RecordQuad* record_at(ShapeTables& tables, ShapeId id) {
    return tables.table(id).records.data() + quads_of(id.kind()) * id.slot();
}

void add_slot(ShapeTables& tables, ShapeKind kind) {
    InstanceTable& table = tables.kinds[std::uint32_t(kind)];
    make_room(table.records, quads_of(kind));
    make_room(table.next_generation);
    make_room(table.is_owned);
    make_room(table.options);
    make_room(table.sources);
    if (is_of_parts(kind)) make_room(geometries(tables, kind));
    make_room(table.ids);
    table.free_slots.reserve(table.ids.capacity());  // removing never allocates
    table.records.resize(table.records.size() + quads_of(kind));
    table.next_generation.push_back(ShapeId::kFirstGeneration);
    table.is_owned.push_back(0);
    table.options.emplace_back();
    table.sources.emplace_back();
    if (is_of_parts(kind)) geometries(tables, kind).emplace_back();
    table.ids.emplace_back();
}

// Moves the corners of later polygons down to fill the gap.
void drop_corners(ShapeTables& tables, const LargePolygonRecord& dropped) {
    const InstanceTable& table = tables.kinds[std::uint32_t(ShapeKind::polygon)];
    for (const ShapeId id : table.ids) {
        if (id == ShapeId()) continue;
        auto record = tables.record<LargePolygonRecord>(id);
        if (record.first > dropped.first) record.first -= dropped.count;
        std::memcpy(record_at(tables, id), &record, sizeof record);
    }
    const auto first = tables.corners.begin() + dropped.first;
    tables.corners.erase(first, first + dropped.count);
}

}  // namespace

// A slot that has used all generations is not freed again, so that ids stay unique.
Expected<ShapeId> insert(ShapeTables& tables, NewInstance instance) {
    const ShapeKind kind = instance.kind;
    InstanceTable& table = tables.kinds[std::uint32_t(kind)];
    make_room(tables.corners, instance.corners.size());
    if (table.free_slots.empty()) {
        if (table.ids.size() == ShapeId::kMaxSlots)
            return Error{ErrorCode::limit,
                         message_of("no slot is left for another ", to_string(kind), ": a store holds ",
                                    ShapeId::kMaxSlots, " of a kind, and ids are not issued twice")};
        add_slot(tables, kind);
        table.free_slots.push_back(std::uint32_t(table.ids.size() - 1));
    }
    const std::uint32_t slot = table.free_slots.back();
    table.free_slots.pop_back();
    const ShapeId id = ShapeId::make(kind, slot, table.next_generation[slot]++);
    std::memcpy(record_at(tables, id), instance.record, kRecordBytes[std::uint32_t(kind)]);
    if (kind == ShapeKind::polygon) {
        auto record = tables.record<LargePolygonRecord>(id);
        record.first = std::uint32_t(tables.corners.size());
        std::memcpy(record_at(tables, id), &record, sizeof record);
        tables.corners.insert(tables.corners.end(), instance.corners.begin(), instance.corners.end());
    }
    if (is_of_parts(kind)) geometries(tables, kind)[slot] = std::move(instance.parts);
    table.options[slot] = instance.options;
    table.sources[slot] = std::move(instance.source);
    table.ids[slot] = id;
    table.is_owned[slot] = instance.is_owned;
    tables.living += !instance.is_owned;
    return id;
}

Expected<ShapeId> insert(ShapeTables& tables, std::shared_ptr<const ShapeSource> source,
                         const InstanceOptions& options) {
    if (is_of_parts(source->kind)) return insert_whole(tables, std::move(source), options);
    auto made = cook_convex(std::move(source), options);
    if (!made) return made.error();
    return insert(tables, std::move(*made));
}

void erase(ShapeTables& tables, ShapeId id) noexcept {
    InstanceTable& table = tables.table(id);
    const std::uint32_t slot = id.slot();
    table.ids[slot] = ShapeId();
    if (id.kind() == ShapeKind::polygon) drop_corners(tables, tables.record<LargePolygonRecord>(id));
    if (is_of_parts(id.kind())) {
        for (const Part& part : tables.parts(id).parts) erase(tables, part.shape);
        geometries(tables, id.kind())[slot].reset();
    }
    table.sources[slot].reset();
    if (table.next_generation[slot] != kDeadGeneration) table.free_slots.push_back(slot);
    tables.living -= !table.is_owned[slot];
}

}  // namespace abut::d2
