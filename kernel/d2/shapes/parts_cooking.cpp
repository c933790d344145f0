// See parts_cooking.hpp.
#include "d2/shapes/parts_cooking.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
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

// A scale with two factors may shear a child by this part of the scale: the rounding of the child's rotation.
constexpr double kMostShear = 1e-6;

Error named(const char* name, std::uint32_t number, const Error& error) {
    return {error.code, message_of(name, "[", number, "]: ", error.message.view())};
}

// Adds a convex part with options of its own. Precondition: the geometry has room.
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

// A mirror would exchange front and back, so the ends of each segment are exchanged, too.
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

// The line of an edge: its outward unit normal, and its offset along that normal.
struct EdgeLine {
    DVec2 normal;
    double offset, slack;
    std::uint32_t part;
};

// Marks the boxes and polygons without rounding that have an edge on the line of another one's edge.
void find_joined(const ShapeTables& tables, PartsGeometry& to) {
    Vector<EdgeLine> lines;
    Vector<DVec2> corners;
    for (std::uint32_t i = 0; i < to.parts.size(); ++i) {
        const auto& [shape, pose] = to.parts[i];
        if (shape.kind() < ShapeKind::box || tables.record<CoreRecord>(shape).radius != 0) continue;
        corners.clear();
        for_each_corner(tables, shape, [&, &by = pose](DVec2 corner) { corners.push_back(transformed(by, corner)); });
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const DVec2 from = corners[k], end = corners[(k + 1) % corners.size()];
            const double x = end.y - from.y, y = from.x - end.x, length = std::sqrt(x * x + y * y);
            if (length == 0) continue;
            lines.push_back({{x / length, y / length},
                             (x * from.x + y * from.y) / length,
                             kSeamShare * tables.record<CoreRecord>(shape).size,
                             i});
        }
    }
    std::sort(lines.begin(), lines.end(), [](const EdgeLine& a, const EdgeLine& b) {
        return std::pair(a.offset, a.part) < std::pair(b.offset, b.part);
    });
    to.is_joined.assign(to.parts.size(), 0);
    for (auto a = lines.begin(); a != lines.end(); ++a)
        for (auto b = a + 1; b != lines.end() && b->offset - a->offset <= a->slack; ++b) {
            const double cosine = a->normal.x * b->normal.x + a->normal.y * b->normal.y;
            if (a->part == b->part || cosine < 1 - kSeamTurn * kSeamTurn || b->offset - a->offset > b->slack) continue;
            to.is_joined[a->part] = to.is_joined[b->part] = 1;
            break;  // the next lines are even farther from a's
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
    if (!is_chain) find_joined(tables, *geometry);
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
