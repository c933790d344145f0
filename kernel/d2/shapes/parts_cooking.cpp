// See parts_cooking.hpp.
#include "d2/shapes/parts_cooking.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "base/message.hpp"
#include "base/rollback.hpp"
#include "d2/shapes/core_corners.hpp"
#include "d2/shapes/instances_2d.hpp"
#include "d2/shapes/option_checks.hpp"
#include "shapes/seam.hpp"
#include "store/build_tree.hpp"

namespace abut::d2 {
namespace {

// A scale with two factors may shear a child by this part of it: rounding of its rotation.
constexpr double kMostShear = 1e-6;

Error named(const char* name, std::uint32_t number, const Error& error) {
    return {error.code, message_of(name, "[", number, "]: ", error.message.view())};
}

// Adds a convex part with options of its own. There is room in the geometry.
std::optional<Error> add_part(ShapeTables& tables, PartsGeometry& to, const char* name, std::uint32_t number,
                              std::shared_ptr<const ShapeSource> source, const InstanceOptions& options,
                              const DPose& pose) {
    Expected<NewInstance> made = cook_convex(std::move(source), options);
    if (!made) return named(name, number, made.error());
    (*made).is_owned = true;
    const auto id = insert(tables, std::move(*made));
    if (!id) return id.error();
    to.parts.push_back({*id, pose});
    to.numbers.push_back(number);
    return std::nullopt;
}

// A mirror would exchange front and back: the ends are exchanged, too.
std::optional<Error> add_segments(ShapeTables& tables, const ShapeSource& chain, const InstanceOptions& options,
                                  PartsGeometry& to) {
    const bool is_mirrored = (options.scale.x < 0) != (options.scale.y < 0);
    const Vector<std::uint32_t> numbers = segments_of(chain);
    const auto count = std::uint32_t(numbers.size());
    to.parts.reserve(count), to.numbers.reserve(count), to.joints.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        ShapeSource segment;
        segment.kind = ShapeKind::capsule;
        segment.points = {chain.points[numbers[i]], chain.points[(numbers[i] + 1) % chain.points.size()]};
        if (is_mirrored) std::swap(segment.points[0], segment.points[1]);
        if (auto error =
                add_part(tables, to, "segments", numbers[i], make_shared<ShapeSource>(std::move(segment)), options, {}))
            return error;
        Joints joints;
        if (chain.is_loop || i > 0) joints.before = (i + count - 1) % count;
        if (chain.is_loop || i + 1 < count) joints.after = (i + 1) % count;
        if (is_mirrored) std::swap(joints.before, joints.after);
        to.joints.push_back(joints);
    }
    return std::nullopt;
}

// With the compound's scale S = M |S|, M its signs, and the child's rotation R, a point p of the child becomes
// S R p = (M R M) M |S'| p: S' is S, or S with its factors exchanged if R is an odd number of quarter turns.
struct ScaledPart {
    InstanceOptions options;
    DPose pose;
};
Expected<ScaledPart> scaled(const SourcePart& part, const InstanceOptions& compound) {
    const Vec2 scale = compound.scale;
    const double x = std::fabs(scale.x), y = std::fabs(scale.y), sign_x = scale.x < 0 ? -1 : 1,
                 sign_y = scale.y < 0 ? -1 : 1;
    bool is_odd = false;
    if (x != y) {
        is_odd = std::fabs(part.pose.c) <= kMostShear;
        if (!is_odd && !(std::fabs(part.pose.s) <= kMostShear))
            return bad_shape(
                message_of("scale of a compound must be the same along both axes for children that are "
                           "not rotated by right angles, but is (",
                           scale.x, ", ", scale.y, ")"));
        if (part.rounding != 0)
            return bad_shape(
                message_of("scale of a compound must be the same along both axes for children with a "
                           "rounding, but is (",
                           scale.x, ", ", scale.y, ")"));
    }
    ScaledPart made;
    made.options.scale = {float(sign_x * (is_odd ? y : x) * part.scale.x),
                          float(sign_y * (is_odd ? x : y) * part.scale.y)};
    if (auto error = check_scale(part.source->kind, made.options.scale)) return *error;
    made.options.rounding = float(x * part.rounding + compound.rounding);
    const DPose inner = {
        {scale.x * part.pose.position.x, scale.y * part.pose.position.y}, part.pose.c, sign_x * sign_y * part.pose.s};
    made.pose = composed(to_double(compound.pose), inner);
    return made;
}

std::optional<Error> add_children(ShapeTables& tables, const ShapeSource& compound, const InstanceOptions& options,
                                  PartsGeometry& to) {
    to.parts.reserve(compound.parts.size()), to.numbers.reserve(compound.parts.size());
    for (std::uint32_t i = 0; i < compound.parts.size(); ++i) {
        const auto made = scaled(compound.parts[i], options);
        if (!made) return named("children", i, made.error());
        if (auto error = add_part(tables, to, "children", i, compound.parts[i].source, made->options, made->pose))
            return error;
    }
    return std::nullopt;
}

// An edge by its first end and its outward normal, as long as the edge.
struct EdgeLine {
    DVec2 from, normal;
    // Whether another edge has the same direction and lies on this one's line.
    bool has(const EdgeLine& other, double slack) const {
        const auto dot = [](DVec2 a, DVec2 b) { return a.x * b.x + a.y * b.y; };
        const double length = std::sqrt(dot(normal, normal)), other_length = std::sqrt(dot(other.normal, other.normal)),
                     turn = std::fabs(normal.x * other.normal.y - normal.y * other.normal.x);
        const auto height = [&](DVec2 p) { return std::fabs(dot(normal, {p.x - from.x, p.y - from.y})); };
        return dot(normal, other.normal) > 0 && turn <= kSeamTurn * length * other_length &&
               height(other.from) <= slack * length;
    }
};

// The edges of a box or a polygon without rounding, in the compound's frame; none of other parts.
void list_edges(const ShapeTables& tables, const Part& part, Vector<EdgeLine>& to) {
    to.clear();
    if (part.shape.kind() < ShapeKind::box || tables.record<CoreRecord>(part.shape).radius != 0) return;
    for_each_corner(tables, part.shape, [&](DVec2 corner) { to.push_back({transformed(part.pose, corner), {}}); });
    for (std::size_t i = 0; i < to.size(); ++i) {
        const DVec2 from = to[i].from, end = to[(i + 1) % to.size()].from;
        to[i].normal = {end.y - from.y, from.x - end.x};
    }
    std::erase_if(to, [](const EdgeLine& edge) { return edge.normal == DVec2(); });
}

// Finds the parts that have an edge on the line of an edge of a part that they touch: tiles, bricks, a wall at the end of
// a floor. Parts are compared along x.
void find_joined(const ShapeTables& tables, std::span<const maths::BoxD> bounds, PartsGeometry& to) {
    Vector<std::uint32_t> order(bounds.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t k) { return bounds[i].low.x < bounds[k].low.x; });
    to.is_joined.assign(bounds.size(), 0);
    Vector<EdgeLine> edges, others;
    const auto size_of = [&](std::uint32_t i) { return double(tables.record<CoreRecord>(to.parts[i].shape).size); };
    for (std::size_t n = 0; n < order.size(); ++n) {
        const std::uint32_t i = order[n];
        list_edges(tables, to.parts[i], edges);
        const double reach = kSeamShare * size_of(i);
        for (std::size_t m = n + 1; m < order.size() && bounds[order[m]].low.x <= bounds[i].high.x + reach; ++m) {
            const std::uint32_t k = order[m];
            if (edges.empty() || bounds[k].low.y > bounds[i].high.y + reach ||
                bounds[i].low.y > bounds[k].high.y + reach)
                continue;
            list_edges(tables, to.parts[k], others);
            const double slack = kSeamShare * std::min(size_of(i), size_of(k));
            for (const EdgeLine& edge : edges)
                for (const EdgeLine& other : others)
                    if (edge.has(other, slack)) to.is_joined[i] = to.is_joined[k] = 1;
        }
    }
}

}  // namespace

Vector<std::uint32_t> segments_of(const ShapeSource& chain) {
    Vector<std::uint32_t> numbers;
    const std::size_t count = chain.points.size();
    for (std::size_t i = 0; i < (chain.is_loop ? count : count - 1); ++i)
        if (chain.points[i] != chain.points[(i + 1) % count]) numbers.push_back(std::uint32_t(i));
    return numbers;
}

Vector<SourcePart> flattened(const ShapeTables& tables, std::span<const CompoundChild> children) {
    Vector<SourcePart> parts;
    const auto append = [&](ShapeId id, const DPose& pose) {
        const InstanceOptions& options = tables.table(id).options[id.slot()];
        parts.push_back({tables.table(id).sources[id.slot()], options.scale, options.rounding,
                         composed(pose, to_double(options.pose))});
    };
    for (const CompoundChild& child : children) {
        const DPose pose = to_double(child.pose);
        if (child.shape.kind() != ShapeKind::compound)
            append(child.shape, pose);
        else
            for (const Part& part : tables.parts(child.shape).parts) append(part.shape, composed(pose, part.pose));
    }
    return parts;
}

Expected<ShapeId> insert_whole(ShapeTables& tables, std::shared_ptr<const ShapeSource> source,
                               const InstanceOptions& options) {
    const auto geometry = std::allocate_shared<PartsGeometry>(HostAllocator<PartsGeometry>());
    Rollback erase_parts([&] {
        for (const Part& part : geometry->parts) erase(tables, part.shape);
    });
    const bool is_chain = source->kind == ShapeKind::chain;
    if (auto error = is_chain ? add_segments(tables, *source, options, *geometry)
                              : add_children(tables, *source, options, *geometry))
        return *error;
    Vector<maths::BoxD> bounds;
    maths::BoxD all = maths::kNoBounds;
    for (const Part& part : geometry->parts) {
        bounds.push_back(bounds_in_frame(tables, part.shape, part.pose));
        all = joined(all, bounds.back());
    }
    const auto size = size_of(all, {}, source->kind, options);
    if (!size) return size.error();
    build_tree(bounds, geometry->nodes);
    if (!is_chain) find_joined(tables, bounds, *geometry);
    const Vec2 centre = middle_of(all, {});
    const CoreRecord record = {centre.x, centre.y, is_chain ? options.rounding + 0.0f : 0.0f, *size};
    NewInstance made;
    made.kind = source->kind;
    std::memcpy(made.record, &record, sizeof record);
    made.parts = geometry, made.source = std::move(source), made.options = options;
    auto id = insert(tables, std::move(made));
    if (id) erase_parts.keep();
    return id;
}

}  // namespace abut::d2
