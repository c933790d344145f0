// See instances.hpp.
#include "store/instances.hpp"

#include "base/memory.hpp"
#include "base/message.hpp"
#include "cooking/hull/hull_cooking.hpp"
#include "cooking/hull/hull_mirror.hpp"
#include "cooking/hull/hull_scale.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "store/equal_geometry.hpp"
#include "store/instance_identity.hpp"
#include "store/instance_records.hpp"
#include "store/surface_instances.hpp"

namespace abut {

namespace {

// Allocates room for one more element. The allocation may fail, but before any change; later additions cannot fail.
template <class T>
void make_room(Vector<T>& items) {
    if (items.size() == items.capacity()) items.reserve(2 * items.size() + 1);
}

std::uint32_t add_hull_slot(ShapeTables& tables) {
    make_room(tables.hull_users);
    const std::uint32_t index = tables.hulls.take();
    tables.hull_users.resize(tables.hulls.size());
    return index;
}

// The index of the hull that was cooked from hull `first` for this scale, or kNoHull.
std::uint32_t cooked_before(const ShapeTables& tables, std::uint32_t first, Vec3 scale) {
    for (std::uint32_t i = 0; i < tables.hulls.size(); ++i)
        if (tables.hulls[i].cooked_from == first && tables.hulls[i].source->cooked_for == scale) return i;
    return HullGeometry::kNoHull;
}

// A hull cooked again for a scale, or mirrored, or both.
Expected<HullGeometry> variant_of(const HullGeometry& first, Vec3 scale, bool shows_more) {
    const Vec3 signs = signs_of(scale);
    if (shows_more && signs == Vec3{1, 1, 1}) return cook_for_scale(first, scale);
    HullGeometry made;
    if (shows_more) {
        auto cooked = cook_for_scale(first, magnitude(scale));
        if (!cooked) return cooked.error();
        made = mirrored(*cooked, signs);
    } else {
        made = mirrored(first, signs);
    }
    made.source =
        make_shared<HullSource>(HullSource{.points = {}, .sides = {}, .cooked_for = shows_more ? scale : signs});
    return made;
}

// The index of the hull for instances of hull `index` at this scale; adds a use to it. Usually the original hull, else
// a variant, cooked for the scale or mirrored; each variant is one use of the original. Instances mirrored alike share
// one hull, unless it is cooked again.
Expected<std::uint32_t> use_hull(ShapeTables& tables, std::uint32_t index, Vec3 scale) {
    const std::uint32_t from = tables.hulls[index].cooked_from, first = from == HullGeometry::kNoHull ? index : from;
    std::uint32_t used = first;
    const Vec3 signs = signs_of(scale);
    const bool shows_more = cooking::shows_more(tables.hulls[first], magnitude(scale)),
               is_plain = signs == Vec3{1, 1, 1};
    const Vec3 key = shows_more ? scale : signs;
    if (shows_more || !is_plain) used = cooked_before(tables, first, key);
    if (used == HullGeometry::kNoHull) {
        auto made = variant_of(tables.hulls[first], scale, shows_more);
        if (!made) return made.error();
        used = add_hull_slot(tables);
        tables.hulls[used] = std::move(*made);
        tables.hulls[used].cooked_from = first;
        ++tables.hull_users[first];
    }
    ++tables.hull_users[used];
    return used;
}

}  // namespace

// A slot that has used all generations is not put on the free list again before forget_removed, so that ids stay
// unique.
Expected<ShapeId> insert_record(ShapeTables& tables, ShapeKind kind, const InstanceRecord& record,
                                const InstanceSource& source, ShapeIdentity identity) {
    InstanceTable& table = tables.kinds[std::uint32_t(kind)];
    std::uint32_t slot;
    if (!table.free_slots.empty()) {
        slot = table.free_slots.back();
        table.free_slots.pop_back();
    } else {
        slot = std::uint32_t(table.records.size());
        if (slot == ShapeId::kMaxSlots)
            return Error{
                ErrorCode::limit,
                message_of("no slot is left for another ", to_string(kind), ": a store holds ", ShapeId::kMaxSlots,
                           " of a kind, and ids are not issued twice before forget_removed")};
        make_room(table.records);
        make_room(table.sources);
        make_room(table.identities);
        make_room(table.ids);
        make_room(table.next_generation);
        make_room(table.user_data);
        make_room(table.is_owned);
        table.free_slots.reserve(table.records.capacity());  // removing never allocates
        table.records.emplace_back();
        table.sources.emplace_back();
        table.identities.emplace_back();
        table.ids.emplace_back();
        table.next_generation.push_back(ShapeId::kFirstGeneration);
        table.user_data.push_back(0);
        table.is_owned.push_back(0);
    }
    const ShapeId id = ShapeId::make(kind, slot, table.next_generation[slot]++);
    table.records[slot] = record;
    table.sources[slot] = source;
    tables.has_poses |= is_posed(source.pose);
    table.identities[slot] = identity;
    table.ids[slot] = id;
    table.user_data[slot] = 0;
    table.is_owned[slot] = 0;
    return id;
}

Expected<ShapeId> insert_instance(ShapeTables& tables, ShapeKind kind, const InstanceSource& source, float rounding,
                                  const HullGeometry* hull, std::uint32_t index) {
    const CustomShape* const custom = tables.custom(kind, source.custom);
    const auto made = make_record(kind, source, rounding, hull, custom);
    if (!made) return made.error();
    InstanceRecord record = *made;
    if (hull != nullptr) record.geometry = index;
    return insert_record(tables, kind, record, source, identity_of(kind, record, hull, custom));
}

Expected<ShapeId> insert_hull_instance(ShapeTables& tables, std::uint32_t index, const InstanceSource& source,
                                       float rounding) {
    const auto used = use_hull(tables, index, source.scale);
    if (!used) return used.error();
    HullUse use({&tables, *used});
    auto id = insert_instance(tables, ShapeKind::hull, source, rounding, &tables.hulls[*used], *used);
    if (id) use.keep();
    return id;
}

Expected<ShapeId> insert_hull(ShapeTables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull) {
    const std::uint32_t index = add_hull_slot(tables);
    tables.hulls[index] = std::move(hull);
    tables.hull_users[index] = 1;
    const HullUse until_used({&tables, index});
    return insert_hull_instance(tables, index, source, rounding);
}

Expected<ShapeId> insert_like(ShapeTables& tables, ShapeId original, const InstanceSource& source, float rounding) {
    const ShapeKind kind = original.kind();
    if (is_surface(kind)) return insert_surface_like(tables, original, source, rounding);
    if (kind != ShapeKind::hull) return insert_instance(tables, kind, source, rounding);
    return insert_hull_instance(tables, tables.record(original).geometry, source, rounding);
}

std::optional<Error> replace_instance(ShapeTables& tables, ShapeId id, const InstanceSource& source, float rounding) {
    if (is_surface(id.kind())) return replace_surface(tables, id, source, rounding);
    InstanceTable& table = tables.kinds[std::uint32_t(id.kind())];
    const std::uint32_t former = table.records[id.slot()].geometry;
    const HullGeometry* hull = nullptr;
    std::optional<HullUse> use;
    std::uint32_t index = former;
    if (id.kind() == ShapeKind::hull) {
        const auto used = use_hull(tables, former, source.scale);
        if (!used) return used.error();
        index = *used;
        use.emplace(DropHull{&tables, index});
        hull = &tables.hulls[index];
    }
    const CustomShape* const custom = tables.custom(id.kind(), source.custom);
    const auto made = make_record(id.kind(), source, rounding, hull, custom);
    if (!made) return made.error();
    InstanceRecord record = *made;
    if (hull != nullptr) record.geometry = index;
    table.records[id.slot()] = record;
    table.sources[id.slot()] = source;
    table.identities[id.slot()] = identity_of(id.kind(), record, hull, custom);
    if (use) {
        use->keep();
        drop_hull(tables, former);
    }
    return std::nullopt;
}

void forget_removed(InstanceTable& table) {
    for (std::uint32_t slot = 0; slot < table.ids.size(); ++slot) {
        if (table.ids[slot] != ShapeId()) continue;
        if (table.next_generation[slot] == kDeadGeneration) table.free_slots.push_back(slot);
        table.next_generation[slot] = ShapeId::kFirstGeneration;
    }
}

std::size_t ids_left(const InstanceTable& table) {
    std::size_t left =
        (ShapeId::kMaxSlots - table.next_generation.size()) * (kDeadGeneration - ShapeId::kFirstGeneration);
    for (const std::uint8_t next : table.next_generation) left += std::size_t(kDeadGeneration - next);
    return left;
}

void erase_instance(ShapeTables& tables, ShapeId id) {
    InstanceTable& table = tables.kinds[std::uint32_t(id.kind())];
    if (is_surface(id.kind())) drop_surface(tables, id);
    if (id.kind() == ShapeKind::hull) drop_hull(tables, table.records[id.slot()].geometry);
    table.records[id.slot()] = InstanceRecord{};
    table.ids[id.slot()] = ShapeId();
    if (table.next_generation[id.slot()] != kDeadGeneration) table.free_slots.push_back(id.slot());
}

void drop_hull(ShapeTables& tables, std::uint32_t index) {
    if (--tables.hull_users[index] != 0) return;
    forget_hull(tables, index);
    const std::uint32_t first = tables.hulls[index].cooked_from;
    tables.hulls.release(index);
    if (first != HullGeometry::kNoHull) drop_hull(tables, first);
}

}  // namespace abut
