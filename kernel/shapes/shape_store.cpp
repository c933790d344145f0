// ShapeStore: checks a shape once, writes its instance record, and hands out ids that go stale when the shape goes.
#include <abut/shape_store.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "shapes/compounds.hpp"
#include "shapes/custom_shape.hpp"
#include "shapes/default_fp.hpp"
#include "shapes/hull_cooking.hpp"
#include "shapes/instance_records.hpp"
#include "shapes/instances.hpp"
#include "shapes/shape_checks.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

// An id of the caller's own.
Expected<ShapeId> counted(ShapeStore::Tables& tables, Expected<ShapeId> id) {
    if (id) ++tables.living;
    return id;
}

Expected<ShapeId> add(ShapeStore::Tables& tables, ShapeKind kind, InstanceSource source, const InstanceOptions& options) {
    source.scale = options.scale;
    return counted(tables, insert_instance(tables, kind, source, options.rounding));
}

// Runs `make` on the tables, which the first shape brings. No exception leaves the store; the parts it is made of leave nothing half done.
template <class Make>
Expected<ShapeId> guarded(std::unique_ptr<ShapeStore::Tables>& tables, Make&& make) {
    const DefaultFp fp;
    try {
        if (tables == nullptr) tables = std::make_unique<ShapeStore::Tables>();
        return make(*tables);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    return out_of_memory();
}

// A null pointer with a count.
template <class T>
std::optional<Error> check_data(const char* name, std::span<const T> items) {
    if (items.data() != nullptr || items.empty()) return std::nullopt;
    return Error{ErrorCode::bad_argument, std::string(name) + " is null, with a count of " + std::to_string(items.size())};
}

std::optional<Error> check_options(ShapeKind kind, const InstanceOptions& options) {
    if (auto error = check_length("rounding", options.rounding)) return error;
    return check_scale(kind, options.scale);
}

}  // namespace

ShapeStore::ShapeStore() noexcept = default;
ShapeStore::~ShapeStore() = default;

// What was moved from is an empty store, ready for use.
ShapeStore::ShapeStore(ShapeStore&&) noexcept = default;
ShapeStore& ShapeStore::operator=(ShapeStore&&) noexcept = default;

const ShapeStore::Tables& ShapeStore::tables() const {
    static const Tables none;
    return tables_ != nullptr ? *tables_ : none;
}

Expected<ShapeId> ShapeStore::add_sphere(float radius, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_length("radius", radius)) return *error;
        if (auto error = check_options(ShapeKind::sphere, options)) return *error;
        return add(tables, ShapeKind::sphere, {.extents = {}, .radius = radius}, options);
    });
}

Expected<ShapeId> ShapeStore::add_capsule(float radius, float half_height, const InstanceOptions& options) {
    return add_round(ShapeKind::capsule, radius, half_height, options);
}

Expected<ShapeId> ShapeStore::add_cylinder(float radius, float half_height, const InstanceOptions& options) {
    return add_round(ShapeKind::cylinder, radius, half_height, options);
}

Expected<ShapeId> ShapeStore::add_cone(float radius, float half_height, const InstanceOptions& options) {
    return add_round(ShapeKind::cone, radius, half_height, options);
}

Expected<ShapeId> ShapeStore::add_round(ShapeKind kind, float radius, float half_height, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_length("radius", radius)) return *error;
        if (auto error = check_length("half_height", half_height)) return *error;
        if (auto error = check_options(kind, options)) return *error;
        return add(tables, kind, {.extents = {}, .radius = radius, .half_height = half_height}, options);
    });
}

Expected<ShapeId> ShapeStore::add_box(Vec3 half_extents, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_each("half_extents", half_extents, check_length)) return *error;
        if (auto error = check_options(ShapeKind::box, options)) return *error;
        return add(tables, ShapeKind::box, {.extents = half_extents}, options);
    });
}

Expected<ShapeId> ShapeStore::add_ellipsoid(Vec3 radii, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_each("radii", radii, check_positive)) return *error;
        if (auto error = check_options(ShapeKind::ellipsoid, options)) return *error;
        return add(tables, ShapeKind::ellipsoid, {.extents = radii}, options);
    });
}

Expected<ShapeId> ShapeStore::add_custom(Vec3 lengths, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (!kHasCustomShape)
            return Error{ErrorCode::unsupported, "this build has no custom shape (ABUT_CUSTOM_SHAPE, custom_shape.hpp)"};
        if (auto error = check_each("lengths", lengths, check_length)) return *error;
        if (auto error = check_options(ShapeKind::custom, options)) return *error;
        return add(tables, ShapeKind::custom, {.extents = lengths}, options);
    });
}

Expected<ShapeId> ShapeStore::add_halfspace(Vec3 normal, float offset, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_each("normal", normal, check_finite)) return *error;
        if (normal == Vec3{}) return bad_shape("normal must not be zero");
        if (auto error = check_finite("offset", offset)) return *error;
        if (auto error = check_options(ShapeKind::halfspace, options)) return *error;
        return add(tables, ShapeKind::halfspace, {.extents = normal, .offset = offset}, options);
    });
}

Expected<ShapeId> ShapeStore::add_hull(std::span<const Vec3> points, const InstanceOptions& options, const HullOptions& hull) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_data("points", points)) return *error;
        if (auto error = check_options(ShapeKind::hull, options)) return *error;
        auto cooked = cook_hull(points, hull);
        if (!cooked) return cooked.error();
        InstanceSource source;
        source.scale = options.scale;
        return counted(tables, insert_hull(tables, source, options.rounding, std::move(*cooked)));
    });
}

Expected<ShapeId> ShapeStore::add_instance(ShapeId original, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (!tables.lives(original))
            return Error{ErrorCode::bad_argument, "original names no living shape (id " + std::to_string(original.bits()) + ")"};
        const ShapeKind kind = original.kind();
        if (auto error = check_options(kind, options)) return *error;
        if (kind == ShapeKind::compound) return counted(tables, insert_compound(tables, source_parts(tables, original), options));
        InstanceSource source = tables.kinds[std::uint32_t(kind)].sources[original.slot()];
        source.scale = options.scale;
        return counted(tables, insert_like(tables, original, source, options.rounding));
    });
}

Expected<ShapeId> ShapeStore::add_compound(std::span<const CompoundChild> children, const InstanceOptions& options) {
    return guarded(tables_, [&](Tables& tables) -> Expected<ShapeId> {
        if (auto error = check_data("children", children)) return *error;
        if (auto error = check_children(tables, children)) return *error;
        if (auto error = check_options(ShapeKind::compound, options)) return *error;
        return counted(tables, insert_compound(tables, flattened(tables, children), options));
    });
}

bool ShapeStore::remove(ShapeId id) {
    if (!contains(id)) return false;
    if (id.kind() == ShapeKind::compound)
        erase_compound(*tables_, id);
    else
        erase_instance(*tables_, id);
    --tables_->living;
    return true;
}

bool ShapeStore::contains(ShapeId id) const { return tables().lives(id); }

ShapeView ShapeStore::view(ShapeId id) const {
    const DefaultFp fp;
    const InstanceTable& table = tables_->kinds[std::uint32_t(id.kind())];
    const InstanceRecord& record = table.records[id.slot()];
    const InstanceSource& source = table.sources[id.slot()];
    const HullGeometry* hull = id.kind() == ShapeKind::hull ? &tables_->hulls[record.geometry] : nullptr;
    ShapeView view;
    view.kind = id.kind();
    view.radius = source.radius + 0.0f;
    view.half_height = source.half_height + 0.0f;
    if (id.kind() == ShapeKind::halfspace)
        view.normal = source.extents, view.offset = source.offset;
    else
        view.half_extents = source.extents;
    view.rounding = record.rounding;
    view.scale = source.scale;
    view.size = record.size;
    if (hull != nullptr) view.hull = hull->report;
    if (id.kind() == ShapeKind::compound) {
        const CompoundGeometry& compound = tables_->compounds[record.geometry];
        view.children = std::uint32_t(compound.parts.size());
        view.bounds_min = compound.bounds_min, view.bounds_max = compound.bounds_max;
        return view;
    }
    set_bounds(view, record, hull);
    return view;
}

std::size_t ShapeStore::hull_vertices(ShapeId id, std::span<Vec3> out) const {
    const DefaultFp fp;
    if (!contains(id) || id.kind() != ShapeKind::hull || out.data() == nullptr) return 0;
    const HullGeometry& hull = tables_->hulls[tables_->kinds[std::uint32_t(ShapeKind::hull)].records[id.slot()].geometry];
    const std::size_t count = std::min<std::size_t>(out.size(), hull.vertex_count);
    const Vec3 c = hull.centre;
    for (std::size_t i = 0; i < count; ++i) {
        const HullVertex& v = hull.vertices[i];
        out[i] = {float(double(c.x) + v.x), float(double(c.y) + v.y), float(double(c.z) + v.z)};
    }
    return count;
}

std::size_t ShapeStore::size() const { return tables().living; }

}  // namespace abut
