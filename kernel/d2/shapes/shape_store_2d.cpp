// d2::ShapeStore: checks the caller's data and passes it to cooking.
#include <algorithm>
#include <utility>

#include <abut/d2/shapes_2d.hpp>

#include "base/parallel/fp_environment.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/rounding.hpp"
#include "cooking/shape_checks.hpp"
#include "d2/shapes/core_corners.hpp"
#include "d2/shapes/instances_2d.hpp"
#include "d2/shapes/option_checks.hpp"
#include "d2/shapes/parts_cooking.hpp"
#include "d2/shapes/polygon_cooking.hpp"
#include "d2/shapes/shape_source.hpp"

namespace abut::d2 {
namespace {

// Runs `make` on the tables, which are created for the first shape.
template <class Make>
Expected<ShapeId> guarded(std::unique_ptr<ShapeTables>& tables, Make&& make) {
    return guarded_call([&]() -> Expected<ShapeId> {
        if (tables == nullptr) tables = std::make_unique<ShapeTables>();
        return make(*tables);
    });
}

Expected<ShapeId> add(ShapeTables& tables, ShapeSource source, const InstanceOptions& options) {
    if (auto error = check_options(source.kind, options)) return *error;
    for (Vec2& p : source.points) p = {p.x + 0.0f, p.y + 0.0f};  // -0 becomes 0
    return insert(tables, make_shared<ShapeSource>(std::move(source)), options);
}

Expected<ShapeId> add_swept(ShapeTables& tables, ShapeKind kind, Vector<Vec2> points, float radius,
                            const InstanceOptions& options) {
    ShapeSource source;
    source.kind = kind, source.points = std::move(points), source.radius = radius;
    return add(tables, std::move(source), options);
}

maths::BoxD bounds_of_parts(const PartsGeometry& geometry) {
    const CompoundNode& root = geometry.nodes.back();
    maths::BoxD box = maths::kNoBounds;
    for (std::uint32_t i = 0; i < root.count; ++i)
        box = joined(box, {{root.low[0][i], root.low[1][i], 0}, {root.high[0][i], root.high[1][i], 0}});
    return box;
}

std::size_t copy_corners(const ShapeTables& tables, ShapeId id, std::span<Vec2> out) {
    const ShapeSource& source = *tables.table(id).sources[id.slot()];
    const InstanceOptions& options = tables.table(id).options[id.slot()];
    if (id.kind() == ShapeKind::compound || id.kind() == ShapeKind::halfplane) return 0;
    // Cooks the core again, because the record's corners are rounded relative to their centre.
    const Core core = cook_core(source, options);
    const std::size_t count = std::min(out.size(), core.corners.size());
    for (std::size_t i = 0; i < count; ++i)
        out[i] = {float(core.corners[i].x + core.origin.x) + 0.0f, float(core.corners[i].y + core.origin.y) + 0.0f};
    return count;
}

}  // namespace

ShapeStore::ShapeStore() = default;
ShapeStore::~ShapeStore() = default;

// A store that was moved from is empty and ready for use.
ShapeStore::ShapeStore(ShapeStore&&) noexcept = default;
ShapeStore& ShapeStore::operator=(ShapeStore&&) noexcept = default;

Expected<ShapeId> ShapeStore::add_circle(float radius, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_length("radius", radius)) return *error;
        return add_swept(tables, ShapeKind::circle, {{}}, radius, options);
    });
}

Expected<ShapeId> ShapeStore::add_capsule(float radius, float half_height, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_length("radius", radius)) return *error;
        if (auto error = check_length("half_height", half_height)) return *error;
        return add_swept(tables, ShapeKind::capsule, {{0, -half_height}, {0, half_height}}, radius, options);
    });
}

Expected<ShapeId> ShapeStore::add_segment(Vec2 from, Vec2 to, float radius, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_position("from", from)) return *error;
        if (auto error = check_position("to", to)) return *error;
        if (auto error = check_length("radius", radius)) return *error;
        return add_swept(tables, ShapeKind::capsule, {from, to}, radius, options);
    });
}

Expected<ShapeId> ShapeStore::add_box(Vec2 half_extents, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        const auto [x, y] = half_extents;
        if (auto error = check_length("half_extents.x", x)) return *error;
        if (auto error = check_length("half_extents.y", y)) return *error;
        return add_swept(tables, ShapeKind::box, {{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 0, options);
    });
}

Expected<ShapeId> ShapeStore::add_polygon(std::span<const Vec2> points, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_points("points", points)) return *error;
        Vector<Vec2> corners;
        for (const std::uint32_t i : convex_hull(points)) corners.push_back(points[i]);
        if (corners.size() > kMostCorners)
            return Error{ErrorCode::limit, message_of("points have a convex hull of ", corners.size(),
                                                      " corners, above the limit of ", kMostCorners)};
        return add_swept(tables, ShapeKind::polygon, std::move(corners), 0, options);
    });
}

Expected<ShapeId> ShapeStore::add_halfplane(Vec2 normal, float offset, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_finite("normal.x", normal.x)) return *error;
        if (auto error = check_finite("normal.y", normal.y)) return *error;
        if (normal == Vec2{}) return bad_shape("normal must not be zero");
        if (auto error = check_finite("offset", offset)) return *error;
        ShapeSource source;
        source.kind = ShapeKind::halfplane, source.points = {normal}, source.offset = offset;
        return add(tables, std::move(source), options);
    });
}

Expected<ShapeId> ShapeStore::add_chain(std::span<const Vec2> points, bool is_loop, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_points("points", points)) return *error;
        ShapeSource source;
        source.kind = ShapeKind::chain, source.points = {points.begin(), points.end()}, source.is_loop = is_loop;
        if (segments_of(source).empty())
            return bad_shape(message_of("points of a chain must be 2 different ones at least, but all ", points.size(),
                                        " are equal"));
        return add(tables, std::move(source), options);
    });
}

Expected<ShapeId> ShapeStore::add_compound(std::span<const CompoundChild> children, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (auto error = check_children(tables, children)) return *error;
        ShapeSource source;
        source.kind = ShapeKind::compound, source.parts = flattened(tables, children);
        return add(tables, std::move(source), options);
    });
}

Expected<ShapeId> ShapeStore::add_instance(ShapeId original, const InstanceOptions& options) {
    return guarded(tables_, [&](ShapeTables& tables) -> Expected<ShapeId> {
        if (!tables.lives(original))
            return bad_argument(message_of("original names no living shape (id ", original.bits(), ")"));
        const auto source = tables.table(original).sources[original.slot()];
        if (auto error = check_options(source->kind, options)) return *error;
        return insert(tables, source, options);
    });
}

bool ShapeStore::remove(ShapeId id) {
    if (!contains(id) || tables_->table(id).is_owned[id.slot()] != 0) return false;
    erase(*tables_, id);
    return true;
}

bool ShapeStore::contains(ShapeId id) const { return ShapeTables::of(*this).lives(id); }

ShapeView ShapeStore::view(ShapeId id) const {
    const FpEnvironment fp;
    if (!contains(id)) return {};
    const ShapeTables& tables = *tables_;
    const auto& record = tables.record<CoreRecord>(id);
    ShapeView view;
    view.kind = id.kind();
    view.rounding = tables.table(id).options[id.slot()].rounding;
    view.radius = record.radius, view.size = record.size;
    maths::BoxD box = {{-INFINITY, -INFINITY, 0}, {INFINITY, INFINITY, 0}};
    if (is_of_parts(id.kind())) {
        view.children = std::uint32_t(tables.parts(id).parts.size());
        if (id.kind() == ShapeKind::chain)
            view.corners = std::uint32_t(tables.table(id).sources[id.slot()]->points.size());
        box = bounds_of_parts(tables.parts(id));
    } else if (id.kind() != ShapeKind::halfplane) {
        for_each_corner(tables, id, [&](DVec2) { ++view.corners; });
        box = bounds_in_frame(tables, id);
    }
    view.bounds_min = {round_down(box.low.x), round_down(box.low.y)};
    view.bounds_max = {round_up(box.high.x), round_up(box.high.y)};
    return view;
}

std::size_t ShapeStore::size() const { return ShapeTables::of(*this).living; }

std::size_t ShapeStore::corners(ShapeId id, std::span<Vec2> out) const {
    if (!contains(id)) return 0;
    const auto count = guarded_call([&]() -> Expected<std::size_t> { return copy_corners(*tables_, id, out); });
    return count ? *count : 0;
}

std::size_t ShapeStore::compound_children(ShapeId id, std::span<CompoundChild> out) const {
    if (!contains(id) || id.kind() != ShapeKind::compound) return 0;
    const FpEnvironment fp;
    const auto& parts = tables_->parts(id).parts;
    const std::size_t count = std::min(out.size(), parts.size());
    for (std::size_t i = 0; i < count; ++i) {
        const DPose& pose = parts[i].pose;
        out[i] = {parts[i].shape, {{float(pose.position.x), float(pose.position.y)}, {float(pose.c), float(pose.s)}}};
    }
    return count;
}

}  // namespace abut::d2
