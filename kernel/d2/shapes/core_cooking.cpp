// See core_cooking.hpp. Scale, rounding and pose are applied in double. The corners are rounded once, relative to the
// centre, and become a hull again, because rounding may join corners or bend a straight line inwards.
#include "d2/shapes/core_cooking.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/message.hpp"
#include "d2/shapes/polygon_cooking.hpp"

namespace abut::d2 {
namespace {

using maths::BoxD;

ShapeKind polygon_kind(std::size_t corners) {
    if (corners <= 2) return corners == 1 ? ShapeKind::circle : ShapeKind::capsule;
    return corners <= 4 ? ShapeKind::polygon4 : corners <= 8 ? ShapeKind::polygon8 : ShapeKind::polygon;
}

void become_hull(Core& core) {
    const Vector<std::uint32_t> hull = convex_hull(core.relative);
    Core all = core;
    core.corners.clear(), core.relative.clear();
    for (const std::uint32_t i : hull) core.corners.push_back(all.corners[i]), core.relative.push_back(all.relative[i]);
    core.kind = polygon_kind(hull.size());
}

// A box along the axes keeps its kind, a quarter turn included.
void become_box(Core& core, const BoxD& box) {
    core.corners = {{box.low.x, box.low.y}, {box.high.x, box.low.y}, {box.high.x, box.high.y}, {box.low.x, box.high.y}};
    // Halves of the exact lengths: equal at both corners even if the centre was rounded.
    const auto x = float(0.5 * (box.high.x - box.low.x)), y = float(0.5 * (box.high.y - box.low.y));
    core.relative = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
}

template <class Record>
void set_record(NewInstance& to, const Record& record) {
    static_assert(sizeof record <= sizeof to.record);
    std::memcpy(to.record, &record, sizeof record);
}

// The outward unit normal of the edge from a to b; 0 if both are one point.
DVec2 normal_of(Vec2 a, Vec2 b) {
    const double x = double(b.x) - a.x, y = double(b.y) - a.y, length = std::sqrt(x * x + y * y);
    if (length == 0) return {};
    return {y / length + 0.0, -x / length + 0.0};
}

CapsuleRecord capsule_record(const CoreRecord& common, const Core& core) {
    const DVec2 a = core.corners[0], b = core.corners[1];
    CapsuleRecord r{common};
    r.half_x = float(0.5 * (b.x - a.x)), r.half_y = float(0.5 * (b.y - a.y));
    const DVec2 normal = normal_of({}, {r.half_x, r.half_y});
    r.normal_x = float(normal.x), r.normal_y = float(normal.y);
    return r;
}

template <int N>
PolygonRecord<N> polygon_record(const CoreRecord& common, std::span<const Vec2> corners) {
    PolygonRecord<N> r{common};
    for (std::size_t i = 0; i < N; ++i) {
        const bool exists = i < corners.size();
        const Vec2 a = corners[exists ? i : 0], b = corners[(i + 1) % corners.size()];
        r.x[i] = a.x, r.y[i] = a.y, r.offset[i] = kNoEdge;
        if (!exists) continue;
        const DVec2 normal = normal_of(a, b);
        r.normal_x[i] = float(normal.x), r.normal_y[i] = float(normal.y);
        // Offsets are those of the rounded normal, with which lanes compute.
        const auto along = [&](Vec2 p) { return double(r.normal_x[i]) * p.x + double(r.normal_y[i]) * p.y; };
        r.offset[i] = float(std::max(along(a), along(b)));
    }
    return r;
}

void set_record(NewInstance& to, const CoreRecord& common, Core& core) {
    switch (core.kind) {
        case ShapeKind::capsule: return set_record(to, capsule_record(common, core));
        case ShapeKind::box: {
            BoxRecord r{common};
            r.half_x = core.relative[2].x, r.half_y = core.relative[2].y;
            return set_record(to, r);
        }
        case ShapeKind::polygon4: return set_record(to, polygon_record<4>(common, core.relative));
        case ShapeKind::polygon8: return set_record(to, polygon_record<8>(common, core.relative));
        case ShapeKind::polygon: {
            LargePolygonRecord r{common};
            r.count = std::uint32_t(core.relative.size());
            to.corners = std::move(core.relative);
            return set_record(to, r);
        }
        default: return set_record(to, common);
    }
}

std::optional<Error> cook_halfplane(NewInstance& made) {
    const ShapeSource& source = *made.source;
    const InstanceOptions& options = made.options;
    const double x = source.points[0].x, y = source.points[0].y, length = std::sqrt(x * x + y * y);
    const double sign_x = options.scale.x < 0 ? -1 : 1, sign_y = options.scale.y < 0 ? -1 : 1;
    const DPose pose = to_double(options.pose);
    const DVec2 normal = rotated(pose, {sign_x * x / length, sign_y * y / length});
    HalfplaneRecord r;
    r.radius = options.rounding + 0.0f;
    r.normal_x = normal.x + 0.0, r.normal_y = normal.y + 0.0;
    r.offset =
        source.offset / length * std::fabs(options.scale.x) + (normal.x * pose.position.x + normal.y * pose.position.y);
    if (const double reach = std::fabs(r.offset) + r.radius; !(reach <= kMostMetres))
        return bad_shape(message_of("the halfplane's line, at offset / |normal|, is ", float(reach),
                                    " m from the origin, past the range of ", kMostMetres, " m"));
    made.kind = ShapeKind::halfplane;
    set_record(made, r);
    return std::nullopt;
}

// A core before rounding.
Core swept_core(const ShapeSource& source, const InstanceOptions& options) {
    Core core;
    core.kind = source.kind;
    const DPose pose = to_double(options.pose);
    core.origin = pose.position;
    for (const Vec2 p : source.points)
        core.corners.push_back(rotated(pose, {double(p.x) * options.scale.x, double(p.y) * options.scale.y}));
    // Circles and capsules have equal factors.
    core.radius = double(source.radius) * std::fabs(options.scale.x) + options.rounding;
    return core;
}

void round_corners(Core& core, const Pose& pose) {
    const BoxD box = bounds_of(core.corners, 0);
    core.centre = middle_of(box, core.origin);
    const bool is_along_axes = pose.rotation.c == 0 || pose.rotation.s == 0;
    if (core.kind == ShapeKind::box && is_along_axes) return become_box(core, box);
    // Shapes far from the body's origin get exactly the corners of the same shape about its own origin.
    const double x = core.origin.x - core.centre.x, y = core.origin.y - core.centre.y;
    for (const DVec2& p : core.corners) core.relative.push_back({float(p.x + x) + 0.0f, float(p.y + y) + 0.0f});
    if (core.kind == ShapeKind::box || core.kind == ShapeKind::polygon) become_hull(core);
    if (core.kind != ShapeKind::capsule) return;
    // A segment of no length becomes a point. A segment whose middle is no float becomes a polygon of two corners,
    // which keeps its ends.
    const Vec2 from = core.relative[0], to = core.relative[1];
    if (from == to)
        core.kind = ShapeKind::circle, core.corners.resize(1), core.relative.resize(1);
    else if (from.x != -to.x || from.y != -to.y)
        core.kind = ShapeKind::polygon4;
}

}  // namespace

BoxD bounds_of(std::span<const DVec2> corners, double radius) {
    BoxD box = maths::kNoBounds;
    for (const DVec2& p : corners)
        box = joined(box, {{p.x - radius, p.y - radius, 0}, {p.x + radius, p.y + radius, 0}});
    return box;
}

Vec2 middle_of(const BoxD& bounds, DVec2 origin) {
    return {float(0.5 * (bounds.low.x + bounds.high.x) + origin.x) + 0.0f,
            float(0.5 * (bounds.low.y + bounds.high.y) + origin.y) + 0.0f};
}

Expected<float> size_of(const BoxD& bounds, DVec2 origin, ShapeKind kind, const InstanceOptions& options) {
    const double reach = std::max(
        {-bounds.low.x - origin.x, -bounds.low.y - origin.y, bounds.high.x + origin.x, bounds.high.y + origin.y});
    if (!(reach <= kMostMetres))
        return bad_shape(message_of("the ", to_string(kind), " reaches ", float(reach),
                                    " m from its origin, past the range of ", kMostMetres, " m (scale is (",
                                    options.scale.x, ", ", options.scale.y, "), rounding is ", options.rounding, ")"));
    const double size = 0.5 * maths::max(bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y);
    if (size > 0 && size < kLeastMetres)
        return bad_shape(message_of("the ", to_string(kind), "'s size, ", float(size), " m, is below the range of ",
                                    kLeastMetres, " m"));
    return float(size);
}

Core cook_core(const ShapeSource& source, const InstanceOptions& options) {
    Core core = swept_core(source, options);
    round_corners(core, options.pose);
    return core;
}

Expected<NewInstance> cook_convex(std::shared_ptr<const ShapeSource> source, const InstanceOptions& options) {
    NewInstance made;
    made.source = std::move(source), made.options = options;
    if (made.source->kind == ShapeKind::halfplane) {
        if (auto error = cook_halfplane(made)) return *error;
        return made;
    }
    Core core = swept_core(*made.source, options);
    const auto size = size_of(bounds_of(core.corners, core.radius), core.origin, core.kind, options);
    if (!size) return size.error();
    round_corners(core, options.pose);
    made.kind = core.kind;
    set_record(made, {core.centre.x, core.centre.y, float(core.radius), *size}, core);
    return made;
}

}  // namespace abut::d2
