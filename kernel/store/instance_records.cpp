// See instance_records.hpp. The caller's -0 becomes 0.
#include "store/instance_records.hpp"

#include <algorithm>
#include <cmath>

#include <abut/math.hpp>

#include "base/double_math.hpp"
#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "cooking/shape_checks.hpp"
#include "shapes/custom_support.hpp"
#include "shapes/kinds.hpp"

namespace abut {
namespace {

Vec3 without_minus_zero(Vec3 v) { return {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }
float most_of(Vec3 v) { return std::max({v.x, v.y, v.z}); }

Vec3 core_extents(ShapeKind kind, const InstanceSource& s) {
    switch (kind) {
        case ShapeKind::capsule: return {0.0f, s.half_height * s.scale.y, 0.0f};
        case ShapeKind::cylinder:
        case ShapeKind::cone: return {s.radius * s.scale.x, s.half_height * s.scale.y, s.radius * s.scale.z};
        case ShapeKind::box:
        case ShapeKind::ellipsoid:
        case ShapeKind::custom: return maths::times(s.extents, s.scale);
        case ShapeKind::hull: return s.scale;
        case ShapeKind::sphere:
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::mesh:
        case ShapeKind::heightfield:
        case ShapeKind::none: break;
    }
    return {};
}

// The least radius of curvature of an ellipsoid: eroded by a sphere of this radius, it is still convex. 0 if the
// rounding is so much larger that it would cost precision.
float erosion_for(Vec3 radii, float rounding) {
    const double most = most_of(radii), least = std::min({radii.x, radii.y, radii.z});
    const auto erosion = static_cast<float>(0.999 * least * (least / most));
    return rounding > 16.0f * erosion ? 0.0f : erosion;
}

float core_radius(ShapeKind kind, const InstanceSource& s, Vec3 extents, float rounding) {
    if (kind == ShapeKind::sphere || kind == ShapeKind::capsule) return s.radius * s.scale.x;
    return kind == ShapeKind::ellipsoid ? erosion_for(extents, rounding) : 0.0f;
}

struct BoundsD {
    double low[3], high[3];
};

BoundsD custom_bounds(const CustomShape& shape, const InstanceRecord& r) {
    const maths::Vec3d lengths = {r.extent_x, r.extent_y, r.extent_z};
    BoundsD bounds;
    for (int i = 0; i < 3; ++i) {
        const double x = i == 0, y = i == 1, z = i == 2;
        bounds.high[i] = custom_reach(shape, lengths, {x, y, z});
        bounds.low[i] = -custom_reach(shape, lengths, {-x, -y, -z});
    }
    return bounds;
}

float custom_size(const CustomShape& shape, const InstanceRecord& r) {
    const BoundsD b = custom_bounds(shape, r);
    return static_cast<float>(0.5 * std::max({b.high[0] - b.low[0], b.high[1] - b.low[1], b.high[2] - b.low[2]}));
}

// The radius of a sphere about the core's centre that contains the shape.
double extent_of(ShapeKind kind, const InstanceRecord& r, const HullGeometry* hull, const CustomShape* custom) {
    const double most = most_of({r.extent_x, r.extent_y, r.extent_z});
    if (kind == ShapeKind::hull) return double(hull->bound_radius) * most + r.radius;
    if (kind == ShapeKind::ellipsoid) return most + r.rounding;
    if (custom != nullptr) {
        const BoundsD b = custom_bounds(*custom, r);
        const auto extent = [&](int i) { return std::max(-b.low[i], b.high[i]); };
        return length_above(extent(0), extent(1), extent(2)) + r.radius;
    }
    const bool is_round = kind == ShapeKind::cylinder || kind == ShapeKind::cone;
    return length_above(r.extent_x, r.extent_y, is_round ? 0.0f : r.extent_z) + r.radius;
}

float hull_size(const HullGeometry& hull, Vec3 scale) {
    if (scale == Vec3{1.0f, 1.0f, 1.0f}) return hull.half_extent;
    const Vec3 low = hull.bounds_min, high = hull.bounds_max;
    return static_cast<float>(0.5 * std::max({(double(high.x) - low.x) * scale.x, (double(high.y) - low.y) * scale.y,
                                              (double(high.z) - low.z) * scale.z}));
}

bool is_in_range(ShapeKind kind, const InstanceRecord& r, const HullGeometry* hull) {
    if (!(r.bound_radius <= kMostMetres)) return false;
    if (kind != ShapeKind::hull) return true;
    const Vec3 low = maths::times(hull->bounds_min, {r.extent_x, r.extent_y, r.extent_z}),
               high = maths::times(hull->bounds_max, {r.extent_x, r.extent_y, r.extent_z});
    const float extent = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z});
    return double(extent) + r.rounding <= kMostMetres;
}

// True if the plane, rounding included, is within range. A plane with a short normal is far away.
bool is_in_range(const InstanceRecord& halfspace) {
    const double x = halfspace.extent_x, y = halfspace.extent_y, z = halfspace.extent_z;
    return std::fabs(offset_of(halfspace)) / std::sqrt(x * x + y * y + z * z) + halfspace.radius <= kMostMetres;
}

InstanceRecord halfspace_record(const InstanceSource& s, float rounding) {
    InstanceRecord r;
    r.extent_x = s.extents.x, r.extent_y = s.extents.y, r.extent_z = s.extents.z;
    r.radius = r.rounding = rounding + 0.0f;
    const double offset = double(s.offset) * s.scale.x;
    const auto rounded = static_cast<float>(offset);
    r.geometry = std::bit_cast<std::uint32_t>(rounded);
    r.bound_radius = static_cast<float>(offset - rounded);
    return r;
}

}  // namespace

std::optional<Error> check_orientation(const char* field, const Quat& orientation) {
    const double length = maths::length(maths::to_double(orientation));
    if (length * length >= kUnitSquaredLow && length * length <= kUnitSquaredHigh) return std::nullopt;
    return bad_shape(
        message_of(field, " must be of unit length to within 1%, but its length is ", static_cast<float>(length)));
}

std::optional<Error> check_pose(const RelativePose& pose) {
    const Vec3 p = pose.position;
    if (auto error = check_each("pose.position", p, check_finite)) return error;
    if (const float out = std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z); !(out <= kMostMetres))
        return bad_shape(
            message_of("pose.position is ", out, " m from the body's, past the range of ", kMostMetres, " m"));
    return check_orientation("pose.orientation", pose.orientation);
}

std::optional<Error> check_scale(ShapeKind kind, Vec3 scale) {
    const Message text = message_of("(", scale.x, ", ", scale.y, ", ", scale.z, ")");
    if (is_surface(kind)) {
        const auto is_good = [](float s) { return std::isfinite(s) && s != 0.0f; };
        if (is_good(scale.x) && is_good(scale.y) && is_good(scale.z)) return std::nullopt;
        return bad_shape(message_of("scale must be finite and not 0, but is ", text));
    }
    // The shapes whose mirror images are shapes of their kind, a cone's along x and z.
    const bool may_mirror = kind != ShapeKind::halfspace && kind != ShapeKind::custom,
               may_mirror_y = may_mirror && kind != ShapeKind::cone;
    const auto is_good = [](float s, bool may_be_negative) {
        return std::isfinite(s) && (s > 0.0f || (may_be_negative && s < 0.0f));
    };
    if (!is_good(scale.x, may_mirror) || !is_good(scale.y, may_mirror_y) || !is_good(scale.z, may_mirror))
        return bad_shape(message_of("scale of a ", to_string(kind), " must be finite and ",
                                    may_mirror_y ? "not 0"
                                    : may_mirror ? "not 0, along y above 0"
                                                 : "above 0",
                                    ", but is ", text));
    scale = magnitude(scale);
    if (kind == ShapeKind::hull &&
        double(most_of(scale)) > double(kMostStretch) * std::min({scale.x, scale.y, scale.z}))
        return bad_shape(message_of("scale of a hull must be the same along all axes to within a factor of ",
                                    kMostStretch, ", but is ", text));
    // A compound takes any scale here: each child is checked by itself.
    const bool any_axes = kind == ShapeKind::box || kind == ShapeKind::hull || kind == ShapeKind::ellipsoid ||
                          kind == ShapeKind::compound;
    if (any_axes || (scale.x == scale.y && scale.y == scale.z)) return std::nullopt;
    return bad_shape(message_of("scale of a ", to_string(kind), " must be the same along all axes, but is ", text));
}

Expected<InstanceRecord> make_record(ShapeKind kind, const InstanceSource& given, float rounding,
                                     const HullGeometry* hull, const CustomShape* custom) {
    // A mirrored hull has mirrored vertices; all other shapes are their own mirror images.
    InstanceSource source = given;
    source.scale = magnitude(given.scale);
    const auto past_range = [&](const char* what) {
        return bad_shape(message_of("the ", to_string(kind), what, " past the range of ", kMostMetres,
                                    " m (rounding is ", rounding, ")"));
    };
    if (kind == ShapeKind::halfspace) {
        const InstanceRecord r = halfspace_record(source, rounding);
        if (is_in_range(r)) return r;
        return past_range("'s plane, at offset / |normal|, is");
    }
    InstanceRecord r;
    const Vec3 extents = without_minus_zero(core_extents(kind, source));
    r.extent_x = extents.x, r.extent_y = extents.y, r.extent_z = extents.z;
    r.rounding = rounding + 0.0f;
    // The radius is rounded to nearest; everything else is derived from the rounded radius.
    r.radius = core_radius(kind, source, extents, rounding) + 0.0f + r.rounding;
    const float swept = kind == ShapeKind::ellipsoid ? r.rounding : r.radius;
    r.size = (kind == ShapeKind::hull ? hull_size(*hull, source.scale)
              : custom != nullptr     ? custom_size(*custom, r)
                                      : most_of(extents)) +
             swept;
    r.bound_radius = round_up(extent_of(kind, r, hull, custom));
    if (custom != nullptr) r.geometry = source.custom;
    if (!is_in_range(kind, r, hull)) return past_range("'s bounds are");
    if (r.size > 0 && r.size < kLeastMetres)
        return bad_shape(
            message_of("the ", to_string(kind), "'s size, ", r.size, " m, is below the range of ", kLeastMetres, " m"));
    return r;
}

void set_bounds(ShapeView& view, const InstanceRecord& r, const HullGeometry* hull, const CustomShape* custom) {
    const Vec3 core = {r.extent_x, r.extent_y, r.extent_z};
    Vec3 low = {-core.x, -core.y, -core.z}, high = core;
    double by = view.kind == ShapeKind::ellipsoid ? r.rounding : r.radius;
    if (hull != nullptr) {
        // Products of two floats are exact in double; rounding outwards happens once, below.
        low = hull->bounds_min, high = hull->bounds_max;
        view.bounds_min = {round_down(double(low.x) * core.x - by), round_down(double(low.y) * core.y - by),
                           round_down(double(low.z) * core.z - by)};
        view.bounds_max = {round_up(double(high.x) * core.x + by), round_up(double(high.y) * core.y + by),
                           round_up(double(high.z) * core.z + by)};
        return;
    }
    if (custom != nullptr) {
        const BoundsD b = custom_bounds(*custom, r);
        view.bounds_min = {round_down(b.low[0] - by), round_down(b.low[1] - by), round_down(b.low[2] - by)};
        view.bounds_max = {round_up(b.high[0] + by), round_up(b.high[1] + by), round_up(b.high[2] + by)};
        return;
    }
    if (view.kind == ShapeKind::halfspace) by = kInfinity;
    view.bounds_min = {round_down(low.x - by), round_down(low.y - by), round_down(low.z - by)};
    view.bounds_max = {round_up(high.x + by), round_up(high.y + by), round_up(high.z + by)};
}

}  // namespace abut
