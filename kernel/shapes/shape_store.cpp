// ShapeStore: checks a shape once, writes its instance record, and hands out ids that go stale when the shape goes.
#include <abut/shape_store.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "shapes/default_fp.hpp"
#include "shapes/hull_cooking.hpp"
#include "shapes/rounding.hpp"
#include "shapes/shape_checks.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

struct Instance {
    InstanceRecord record;
    float own_radius = 0;
};

// The swept radius is rounded to nearest; everything else of a record is derived from that rounded value.
std::optional<Error> make_core(Vec3 extents, float radius, float rounding, Instance& made) {
    InstanceRecord& r = made.record;
    made.own_radius = radius + 0.0f;  // -0 becomes 0, here and below
    r.extent_x = extents.x + 0.0f;
    r.extent_y = extents.y + 0.0f;
    r.extent_z = extents.z + 0.0f;
    r.rounding = rounding + 0.0f;
    r.radius = made.own_radius + r.rounding;
    r.size = std::max(std::max(r.extent_x, r.extent_y), r.extent_z) + r.radius;
    r.bound_radius = round_up(length_above(r.extent_x, r.extent_y, r.extent_z) + r.radius);
    if (std::isfinite(r.bound_radius)) return std::nullopt;
    return bad_shape("the shape's bounds are past float32's range (rounding is " + to_digits(rounding) + ")");
}

std::optional<Error> make_hull(const HullGeometry& hull, std::uint32_t geometry, float rounding, Instance& made) {
    InstanceRecord& r = made.record;
    r.extent_x = r.extent_y = r.extent_z = 1.0f;
    r.radius = r.rounding = rounding + 0.0f;
    r.size = hull.half_extent + r.radius;
    r.geometry = geometry;
    r.bound_radius = round_up(double(hull.bound_radius) + rounding);
    const Vec3 low = hull.bounds_min, high = hull.bounds_max;
    const float reach = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z});
    if (std::isfinite(r.bound_radius) && std::isfinite(round_up(double(reach) + rounding))) return std::nullopt;
    return bad_shape("the hull's bounds are past float32's range (rounding is " + to_digits(rounding) + ")");
}

// A slot that has been given every generation is never put on the free list again, so that ids stay unique for ever.
Expected<ShapeId> insert(ShapeStore::Tables& tables, ShapeKind kind, const Instance& instance) {
    InstanceTable& table = tables.kinds[std::uint32_t(kind)];
    std::uint32_t slot;
    if (!table.free_slots.empty()) {
        slot = table.free_slots.back();
        table.free_slots.pop_back();
    } else {
        slot = std::uint32_t(table.records.size());
        if (slot == ShapeId::kMaxSlots)
            return Error{ErrorCode::limit, std::string("no slot is left for another ") + to_string(kind) + ": a store holds " +
                                               std::to_string(ShapeId::kMaxSlots) + " of a kind"};
        table.records.emplace_back();
        table.own_radius.emplace_back();
        table.generations.push_back(kDeadGeneration);
        table.next_generation.push_back(0);
        table.free_slots.reserve(table.records.capacity());  // removing never allocates
    }
    const std::uint8_t generation = table.next_generation[slot]++;
    table.records[slot] = instance.record;
    table.own_radius[slot] = instance.own_radius;
    table.generations[slot] = generation;
    ++tables.living;
    return ShapeId::make(kind, slot, generation);
}

Expected<ShapeId> insert_core(ShapeStore::Tables& tables, ShapeKind kind, Vec3 extents, float radius, float rounding) {
    Instance made;
    if (auto error = make_core(extents, radius, rounding, made)) return *error;
    return insert(tables, kind, made);
}

Expected<ShapeId> insert_hull(ShapeStore::Tables& tables, const HullGeometry& hull, std::uint32_t geometry, float rounding) {
    Instance made;
    if (auto error = make_hull(hull, geometry, rounding, made)) return *error;
    return insert(tables, ShapeKind::hull, made);
}

std::uint32_t take_hull_place(ShapeStore::Tables& tables) {
    if (!tables.free_hulls.empty()) {
        const std::uint32_t place = tables.free_hulls.back();
        tables.free_hulls.pop_back();
        return place;
    }
    tables.hulls.emplace_back();
    tables.hull_users.push_back(0);
    tables.free_hulls.reserve(tables.hulls.capacity());
    return std::uint32_t(tables.hulls.size() - 1);
}

void release_hull(ShapeStore::Tables& tables, std::uint32_t place) {
    tables.hulls[place] = HullGeometry{};
    tables.free_hulls.push_back(place);
}

void widen(ShapeView& view, Vec3 low, Vec3 high, float by) {
    view.bounds_min = {round_down(double(low.x) - by), round_down(double(low.y) - by), round_down(double(low.z) - by)};
    view.bounds_max = {round_up(double(high.x) + by), round_up(double(high.y) + by), round_up(double(high.z) + by)};
}

}  // namespace

ShapeStore::ShapeStore() : tables_(std::make_unique<Tables>()) {}
ShapeStore::~ShapeStore() = default;

// What was moved from is an empty store, ready for use.
ShapeStore::ShapeStore(ShapeStore&& other) noexcept : tables_(std::make_unique<Tables>()) { tables_.swap(other.tables_); }

ShapeStore& ShapeStore::operator=(ShapeStore&& other) noexcept {
    ShapeStore taken(std::move(other));
    tables_.swap(taken.tables_);
    return *this;
}

Expected<ShapeId> ShapeStore::add_sphere(float radius, const InstanceOptions& options) {
    const DefaultFp fp;
    if (auto error = check_length("radius", radius)) return *error;
    if (auto error = check_options(options)) return *error;
    return insert_core(*tables_, ShapeKind::sphere, {}, radius, options.rounding);
}

Expected<ShapeId> ShapeStore::add_capsule(float radius, float half_height, const InstanceOptions& options) {
    const DefaultFp fp;
    if (auto error = check_length("radius", radius)) return *error;
    if (auto error = check_length("half_height", half_height)) return *error;
    if (auto error = check_options(options)) return *error;
    return insert_core(*tables_, ShapeKind::capsule, {0.0f, half_height, 0.0f}, radius, options.rounding);
}

Expected<ShapeId> ShapeStore::add_box(Vec3 half_extents, const InstanceOptions& options) {
    const DefaultFp fp;
    if (auto error = check_length("half_extents.x", half_extents.x)) return *error;
    if (auto error = check_length("half_extents.y", half_extents.y)) return *error;
    if (auto error = check_length("half_extents.z", half_extents.z)) return *error;
    if (auto error = check_options(options)) return *error;
    return insert_core(*tables_, ShapeKind::box, half_extents, 0.0f, options.rounding);
}

Expected<ShapeId> ShapeStore::add_hull(std::span<const Vec3> points, const InstanceOptions& options, const HullOptions& hull) {
    const DefaultFp fp;
    if (auto error = check_options(options)) return *error;
    auto cooked = cook_hull(points, hull);
    if (!cooked) return cooked.error();
    const std::uint32_t place = take_hull_place(*tables_);
    auto id = insert_hull(*tables_, *cooked, place, options.rounding);
    if (!id) {
        release_hull(*tables_, place);
        return id;
    }
    tables_->hulls[place] = std::move(*cooked);
    tables_->hull_users[place] = 1;
    return id;
}

Expected<ShapeId> ShapeStore::add_instance(ShapeId original, const InstanceOptions& options) {
    const DefaultFp fp;
    if (!contains(original))
        return Error{ErrorCode::bad_argument, "original names no living shape (id " + std::to_string(original.bits()) + ")"};
    if (auto error = check_options(options)) return *error;
    const InstanceTable& table = tables_->kinds[std::uint32_t(original.kind())];
    const InstanceRecord record = table.records[original.slot()];
    if (original.kind() != ShapeKind::hull) {
        const Vec3 extents = {record.extent_x, record.extent_y, record.extent_z};
        return insert_core(*tables_, original.kind(), extents, table.own_radius[original.slot()], options.rounding);
    }
    const HullGeometry& hull = tables_->hulls[record.geometry];
    auto id = insert_hull(*tables_, hull, record.geometry, options.rounding);
    if (id) ++tables_->hull_users[record.geometry];
    return id;
}

bool ShapeStore::remove(ShapeId id) {
    if (!contains(id)) return false;
    InstanceTable& table = tables_->kinds[std::uint32_t(id.kind())];
    if (id.kind() == ShapeKind::hull) {
        const std::uint32_t place = table.records[id.slot()].geometry;
        if (--tables_->hull_users[place] == 0) release_hull(*tables_, place);
    }
    table.records[id.slot()] = InstanceRecord{};
    table.generations[id.slot()] = kDeadGeneration;
    if (table.next_generation[id.slot()] != kDeadGeneration) table.free_slots.push_back(id.slot());
    --tables_->living;
    return true;
}

bool ShapeStore::contains(ShapeId id) const { return tables_->lives(id); }

ShapeView ShapeStore::view(ShapeId id) const {
    const DefaultFp fp;
    const InstanceTable& table = tables_->kinds[std::uint32_t(id.kind())];
    const InstanceRecord& record = table.records[id.slot()];
    ShapeView view;
    view.kind = id.kind();
    view.rounding = record.rounding;
    view.size = record.size;
    if (id.kind() == ShapeKind::hull) {
        const HullGeometry& hull = tables_->hulls[record.geometry];
        view.hull = hull.report;
        widen(view, hull.bounds_min, hull.bounds_max, record.radius);
        return view;
    }
    const Vec3 core = {record.extent_x, record.extent_y, record.extent_z};
    view.radius = table.own_radius[id.slot()];
    if (id.kind() == ShapeKind::capsule) view.half_height = record.extent_y;
    if (id.kind() == ShapeKind::box) view.half_extents = core;
    widen(view, {-core.x, -core.y, -core.z}, core, record.radius);
    return view;
}

std::size_t ShapeStore::hull_vertices(ShapeId id, std::span<Vec3> out) const {
    const DefaultFp fp;
    if (!contains(id) || id.kind() != ShapeKind::hull) return 0;
    const HullGeometry& hull = tables_->hulls[tables_->kinds[std::uint32_t(ShapeKind::hull)].records[id.slot()].geometry];
    const std::size_t count = std::min<std::size_t>(out.size(), hull.vertex_count);
    const Vec3 c = hull.centre;
    for (std::size_t i = 0; i < count; ++i) {
        const HullVertex& v = hull.vertices[i];
        out[i] = {float(double(c.x) + v.x), float(double(c.y) + v.y), float(double(c.z) + v.z)};
    }
    return count;
}

std::size_t ShapeStore::size() const { return tables_->living; }

}  // namespace abut
