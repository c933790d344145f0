// ShapeStore: checks a shape once, writes its instance record, and gives out ids that become stale when the shape is
// removed.
#include <abut/shape_store.hpp>

#include <optional>
#include <string_view>
#include <utility>

#include <abut/custom_shape.hpp>

#include "base/parallel/fp_environment.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/rounding.hpp"
#include "cooking/hull/hull_box.hpp"
#include "cooking/hull/hull_cooking.hpp"
#include "cooking/hull/unit_cube.hpp"
#include "cooking/hull/unit_prism.hpp"
#include "cooking/mesh/heightfield_cooking.hpp"
#include "cooking/shape_checks.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surfaces.hpp"
#include "shapes/tables.hpp"
#include "store/compounds.hpp"
#include "store/equal_geometry.hpp"
#include "store/instance_records.hpp"
#include "store/instances.hpp"
#include "store/store_bytes.hpp"
#include "store/surface_instances.hpp"

namespace abut {
namespace {

// Counts an id that the caller gets.
Expected<ShapeId> count_id(ShapeTables& tables, Expected<ShapeId> id) {
    if (id) ++tables.living;
    return id;
}

InstanceSource with_options(InstanceSource source, const InstanceOptions& options) {
    source.scale = options.scale, source.pose = options.pose;
    return source;
}

Expected<ShapeId> add(ShapeTables& tables, ShapeKind kind, InstanceSource source, const InstanceOptions& options) {
    source.scale = options.scale;
    return count_id(tables, insert_instance(tables, kind, source, options.rounding));
}

std::unique_ptr<ShapeTables> make_tables() {
    auto tables = std::make_unique<ShapeTables>();
    tables->cube = make_unit_cube();
    tables->prism = make_unit_prism();
    return tables;
}

// Runs `make` on the tables, which are created for the first shape.
template <class Make>
auto guarded_add(std::unique_ptr<ShapeTables>& tables, Make&& make) {
    return guarded_call([&] {
        if (tables == nullptr) tables = make_tables();
        return make(*tables);
    });
}

std::optional<Error> check_options(ShapeKind kind, const InstanceOptions& options) {
    if (auto error = check_length("rounding", options.rounding)) return error;
    if (auto error = check_pose(options.pose)) return error;
    return check_scale(kind, options.scale);
}

Expected<ShapeId> add_geometry(ShapeTables& tables, HullGeometry&& hull, const InstanceOptions& options) {
    return count_id(
        tables, insert_equal_hull(tables, with_options(InstanceSource(), options), options.rounding, std::move(hull)));
}

void set_bounds(ShapeView& view, const maths::BoxD& core, double rounding) {
    view.bounds_min = {round_down(core.low.x - rounding), round_down(core.low.y - rounding),
                       round_down(core.low.z - rounding)};
    view.bounds_max = {round_up(core.high.x + rounding), round_up(core.high.y + rounding),
                       round_up(core.high.z + rounding)};
}

std::optional<Error> replace(ShapeTables& tables, ShapeId id, const InstanceOptions& options) {
    if (id.kind() == ShapeKind::compound) return replace_compound(tables, id, options);
    return replace_instance(
        tables, id, with_options(tables.kinds[std::uint32_t(id.kind())].sources[id.slot()], options), options.rounding);
}

// The index in ShapeTables::customs of a shape that was added before or is added now.
Expected<std::uint32_t> number_of(ShapeTables& tables, const CustomShape& shape) {
    if (shape.name == nullptr || shape.support == nullptr || shape.support_lanes == nullptr)
        return Error{ErrorCode::bad_argument, "shape has no name or no support function: make it by custom_shape<S>"};
    for (std::uint32_t i = 0; i < tables.customs.size(); ++i) {
        const CustomShape& other = *tables.customs[i];
        if (std::string_view(other.name) != shape.name) continue;
        if (other.support == shape.support && other.support_lanes == shape.support_lanes) return i;
        return bad_argument(
            message_of("shape is another one than that added before by the name of '", shape.name, "'"));
    }
    tables.customs.push_back(&shape);
    return std::uint32_t(tables.customs.size() - 1);
}

}  // namespace

ShapeStore::ShapeStore() noexcept = default;
ShapeStore::~ShapeStore() = default;

// A store that was moved from is empty and ready for use.
ShapeStore::ShapeStore(ShapeStore&&) noexcept = default;
ShapeStore& ShapeStore::operator=(ShapeStore&&) noexcept = default;

Expected<ShapeId> ShapeStore::add_sphere(float radius, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_length("radius", radius)) return *error;
        if (auto error = check_options(ShapeKind::sphere, options)) return *error;
        return add(tables, ShapeKind::sphere, {.extents = {}, .radius = radius, .pose = options.pose}, options);
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

Expected<ShapeId> ShapeStore::add_round(ShapeKind kind, float radius, float half_height,
                                        const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_length("radius", radius)) return *error;
        if (auto error = check_length("half_height", half_height)) return *error;
        if (auto error = check_options(kind, options)) return *error;
        return add(tables, kind, {.extents = {}, .radius = radius, .half_height = half_height, .pose = options.pose},
                   options);
    });
}

Expected<ShapeId> ShapeStore::add_box(Vec3 half_extents, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_each("half_extents", half_extents, check_length)) return *error;
        if (auto error = check_options(ShapeKind::box, options)) return *error;
        return add(tables, ShapeKind::box, {.extents = half_extents, .pose = options.pose}, options);
    });
}

Expected<ShapeId> ShapeStore::add_ellipsoid(Vec3 radii, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_each("radii", radii, check_positive)) return *error;
        if (auto error = check_options(ShapeKind::ellipsoid, options)) return *error;
        return add(tables, ShapeKind::ellipsoid, {.extents = radii, .pose = options.pose}, options);
    });
}

Expected<ShapeId> ShapeStore::add_custom(const CustomShape& shape, Vec3 lengths, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        const auto number = number_of(tables, shape);
        if (!number) return number.error();
        if (auto error = check_each("lengths", lengths, check_length)) return *error;
        if (auto error = check_options(ShapeKind::custom, options)) return *error;
        return add(tables, ShapeKind::custom, {.extents = lengths, .custom = *number, .pose = options.pose}, options);
    });
}

Expected<ShapeId> ShapeStore::add_halfspace(Vec3 normal, float offset, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_each("normal", normal, check_finite)) return *error;
        if (normal == Vec3{}) return bad_shape("normal must not be zero");
        if (auto error = check_finite("offset", offset)) return *error;
        if (auto error = check_options(ShapeKind::halfspace, options)) return *error;
        return add(tables, ShapeKind::halfspace, {.extents = normal, .offset = offset, .pose = options.pose}, options);
    });
}

Expected<ShapeId> ShapeStore::add_hull(std::span<const Vec3> points, const InstanceOptions& options,
                                       const HullOptions& hull) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_data("points", points)) return *error;
        if (auto error = check_options(ShapeKind::hull, options)) return *error;
        CookingInput input;
        if (tables.equal != nullptr) {
            input = input_of(points, hull);
            if (const auto known = cooked_hull(tables, input))
                return count_id(tables, insert_hull_instance(tables, *known, with_options(InstanceSource(), options),
                                                             options.rounding));
        }
        auto cooked = cook_geometry(points, hull);
        if (!cooked) return cooked.error();
        if (hull.recognise_box && cooking::is_centred_box(cooked->report))
            return add(tables, ShapeKind::box, {.extents = cooked->report.box_half_extents, .pose = options.pose},
                       options);
        auto id = add_geometry(tables, std::move(*cooked), options);
        if (id && tables.equal != nullptr) register_hull(tables, *id, std::move(input));
        return id;
    });
}

Expected<ShapeId> ShapeStore::add_hull(const CookedHull& hull, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_options(ShapeKind::hull, options)) return *error;
        if (hull.empty())
            return Error{ErrorCode::bad_argument, "hull is empty: nothing was cooked, or it was moved from"};
        return add_geometry(tables, HullGeometry(*hull.geometry()), options);
    });
}

Expected<ShapeId> ShapeStore::add_mesh(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                                       const InstanceOptions& options, const MeshOptions& mesh) {
    if (tables_ == nullptr || tables_->equal == nullptr || check_data("vertices", vertices) ||
        check_data("triangles", triangles) || check_data("user_values", mesh.user_values)) {
        const auto cooked = cook_mesh(vertices, triangles, mesh);
        return cooked ? add_mesh(*cooked, options) : cooked.error();
    }
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        CookingInput input = input_of(vertices, triangles, mesh);
        auto known = cooked_mesh(tables, input);
        const bool is_new = known == nullptr;
        if (is_new) {
            const auto cooked = cook_mesh(vertices, triangles, mesh);
            if (!cooked) return cooked.error();
            known = equal_one(tables, cooked->geometry());
        }
        if (auto error = check_options(ShapeKind::mesh, options)) return *error;
        auto id = insert_mesh(tables, known, with_options(InstanceSource(), options), options.rounding);
        if (id && is_new) remember_mesh(tables, known, std::move(input));
        return count_id(tables, id);
    });
}

Expected<ShapeId> ShapeStore::add_mesh(const CookedMesh& mesh, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_options(ShapeKind::mesh, options)) return *error;
        if (mesh.empty()) return Error{ErrorCode::bad_argument, "mesh is empty: nothing was cooked"};
        return count_id(tables, insert_mesh(tables, equal_one(tables, mesh.geometry()),
                                            with_options(InstanceSource(), options), options.rounding));
    });
}

Expected<ShapeId> ShapeStore::add_heightfield(std::span<const float> heights, std::uint32_t rows, std::uint32_t columns,
                                              const InstanceOptions& options, const HeightfieldOptions& field) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_data("heights", heights)) return *error;
        if (auto error = check_data("cells", field.cells)) return *error;
        if (auto error = check_options(ShapeKind::heightfield, options)) return *error;
        auto cooked = cook_field(heights, rows, columns, field);
        if (!cooked) return cooked.error();
        auto field_geometry = equal_one(tables, make_shared<HeightfieldGeometry>(std::move(*cooked)));
        return count_id(tables, insert_field(tables, std::move(field_geometry), with_options(InstanceSource(), options),
                                             options.rounding));
    });
}

Expected<ShapeId> ShapeStore::add_instance(ShapeId original, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (!tables.lives(original))
            return bad_argument(message_of("original names no living shape (id ", original.bits(), ")"));
        const ShapeKind kind = original.kind();
        if (auto error = check_options(kind, options)) return *error;
        if (kind == ShapeKind::compound)
            return count_id(tables, insert_compound(tables, source_parts(tables, original), options));
        const InstanceSource source = with_options(tables.kinds[std::uint32_t(kind)].sources[original.slot()], options);
        return count_id(tables, insert_like(tables, original, source, options.rounding));
    });
}

Expected<ShapeId> ShapeStore::add_compound(std::span<const CompoundChild> children, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_data("children", children)) return *error;
        if (auto error = check_children(tables, children)) return *error;
        if (auto error = check_options(ShapeKind::compound, options)) return *error;
        return count_id(tables, insert_compound(tables, flattened(tables, children), options));
    });
}

CallResult ShapeStore::share_equal(bool is_on) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> CallResult {
        abut::share_equal(tables, is_on);
        return {};
    });
}

CallResult ShapeStore::set_instance(ShapeId id, const InstanceOptions& options) {
    return guarded_add(tables_, [&](ShapeTables& tables) -> CallResult {
        if (!tables.lives(id)) return bad_argument(message_of("id names no living shape (id ", id.bits(), ")"));
        if (tables.is_owned(id))
            return bad_argument(
                message_of("id names a compound's own instance (id ", id.bits(), "): set the compound's"));
        if (auto error = check_options(id.kind(), options)) return *error;
        if (auto error = replace(tables, id, options)) return *error;
        tables.has_poses |= is_posed(options.pose);
        return {};
    });
}

bool ShapeStore::set_user_data(ShapeId id, std::uint64_t value) {
    if (!contains(id)) return false;
    tables_->kinds[std::uint32_t(id.kind())].user_data[id.slot()] = value;
    return true;
}

std::uint64_t ShapeStore::user_data(ShapeId id) const {
    return contains(id) ? tables_->kinds[std::uint32_t(id.kind())].user_data[id.slot()] : 0;
}

std::uint64_t ShapeStore::child_user_data(ShapeId compound, std::uint32_t child) const {
    if (!contains(compound) || compound.kind() != ShapeKind::compound) return 0;
    const auto& parts = tables_->compound(compound).parts;
    return child < parts.size() ? parts[child].user_data : 0;
}

bool ShapeStore::remove(ShapeId id) {
    if (!contains(id) || tables_->is_owned(id)) return false;
    if (id.kind() == ShapeKind::compound)
        erase_compound(*tables_, id);
    else
        erase_instance(*tables_, id);
    --tables_->living;
    return true;
}

bool ShapeStore::contains(ShapeId id) const { return tables_of(*this).lives(id); }

ShapeView ShapeStore::view(ShapeId id) const {
    const FpEnvironment fp;
    if (!contains(id)) return {};
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
    view.scale = hull != nullptr ? magnitude(source.scale) : source.scale;
    view.pose = source.pose;
    view.size = record.size;
    if (hull != nullptr) view.hull = hull->report;
    if (id.kind() == ShapeKind::compound) {
        const CompoundGeometry& compound = tables_->compounds[record.geometry];
        view.children = std::uint32_t(compound.parts.size());
        view.bounds_min = compound.bounds_min, view.bounds_max = compound.bounds_max;
        return view;
    }
    if (is_surface(view.kind)) {
        const Surface surface = surface_of(*tables_, id);
        if (surface.mesh != nullptr) view.mesh = surface.mesh->report;
        if (surface.field != nullptr) view.heightfield = surface.field->report;
        set_bounds(view, bounds_of(surface), record.rounding);
        return view;
    }
    view.custom = tables_->custom(view.kind, record.geometry);
    set_bounds(view, record, hull, view.custom);
    return view;
}

std::size_t ShapeStore::size() const { return tables_of(*this).living; }

std::size_t ShapeStore::ids_left(ShapeKind kind) const {
    return std::uint32_t(kind) < kKindCount ? abut::ids_left(tables_of(*this).kinds[std::uint32_t(kind)]) : 0;
}

void ShapeStore::forget_removed() {
    if (tables_ == nullptr) return;
    for (InstanceTable& table : tables_->kinds) abut::forget_removed(table);
}

std::size_t ShapeStore::byte_count() const {
    const auto count = guarded_call([&]() -> Expected<std::size_t> { return store_byte_count(tables_of(*this)); });
    return count ? *count : 0;
}

std::size_t ShapeStore::write(std::span<std::byte> out) const {
    const auto count = guarded_call([&]() -> Expected<std::size_t> {
        const std::size_t needed = store_byte_count(tables_of(*this));
        if (needed == 0 || out.size() < needed || out.data() == nullptr) return std::size_t(0);
        write_store(tables_of(*this), out.first(needed));
        return needed;
    });
    return count ? *count : 0;
}

Expected<ShapeStore> ShapeStore::read(std::span<const std::byte> bytes) {
    return guarded_call([&]() -> Expected<ShapeStore> {
        if (auto error = check_data("bytes", bytes)) return *error;
        ShapeStore store;
        store.tables_ = make_tables();
        if (auto error = read_store(bytes, *store.tables_)) return *error;
        return store;
    });
}

}  // namespace abut
