// See nearest_direction.hpp. All computations are in the shape's own frame, where supports are cheap.
#include "surfaces/triangles/nearest_direction.hpp"

#include <cmath>

#include "base/double_gjk.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr int kMostSteps = 24;

double squared(const Vec3d& v) { return maths::dot(v, v); }

// `corners` and `direction`: in the shape's frame. support(d): the farthest point of the shape along d.
template <class Support>
NearestDirection search_by_gjk(const Support& support, const Vec3d (&corners)[3], Vec3d direction, double beyond) {
    const auto between = [&](const Vec3d& along) {
        const int lowest = maths::largest_axis(
            {-maths::dot(along, corners[0]), -maths::dot(along, corners[1]), -maths::dot(along, corners[2])});
        return support(along) - corners[lowest];
    };
    switch (maths::gjk(direction, {.share = kSameDistance, .beyond = beyond, .steps = kMostSteps, .on_set = false},
                       between)) {
        case maths::GjkEnd::beyond: return {NearestDirection::Is::beyond, {}};
        case maths::GjkEnd::nearest: return {NearestDirection::Is::found, maths::unit(direction)};
        case maths::GjkEnd::stalled:
        case maths::GjkEnd::overlap: break;
    }
    return {};
}

// The nearest point of a box, of a capsule's axis or of a cylinder.
Vec3d nearest_point(ShapeKind kind, const Vec3d& half, const Vec3d& p) {
    const auto within = [](double x, double most) { return maths::max(-most, maths::min(x, most)); };
    if (kind != ShapeKind::cylinder) return {within(p.x, half.x), within(p.y, half.y), within(p.z, half.z)};
    const double across = std::sqrt(p.x * p.x + p.z * p.z), share = across > half.x ? half.x / across : 1;
    return {p.x * share, within(p.y, half.y), p.z * share};
}

// Finds the direction if a corner of the triangle is its nearest point: the triangle is then beyond the plane through
// this corner that is perpendicular to the corner's offset from the shape.
NearestDirection direction_to_corner(ShapeKind kind, const Vec3d& half, const Vec3d (&corners)[3], double beyond) {
    for (const Vec3d& corner : corners) {
        const Vec3d offset = corner - nearest_point(kind, half, corner);
        const double length = squared(offset), height = maths::dot(offset, corner);
        if (!(length > 0)) return {};
        const bool is_lowest = maths::dot(offset, corners[0]) >= height && maths::dot(offset, corners[1]) >= height &&
                               maths::dot(offset, corners[2]) >= height;
        if (is_lowest)
            return {length > beyond * beyond ? NearestDirection::Is::beyond : NearestDirection::Is::found,
                    maths::unit(-offset)};
    }
    return {};
}

}  // namespace

NearestDirection nearest_direction(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                                   const Vec3d& start, double beyond) {
    const auto own = [&](const Vec3& v) {
        return maths::transposed_times(probe.axes, maths::to_double(v) - probe.position);
    };
    const Vec3d v[3] = {own(corners.at[0]), own(corners.at[1]), own(corners.at[2])},
                direction = maths::transposed_times(probe.axes, start);
    const ShapeKind kind = probe.shape.kind();
    if (!has_known_core(kind)) return {};
    const exact::Core core = core_of(tables, probe.shape);
    const auto corner = [half = core.half](const Vec3d& d) {
        return Vec3d{std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z)};
    };
    const auto farthest = [&](const Vec3d& d) { return farthest_point(core, d); };
    const bool is_box = kind == ShapeKind::box || kind == ShapeKind::capsule;
    NearestDirection out;
    if (is_box || kind == ShapeKind::cylinder) out = direction_to_corner(kind, probe.box.half, v, beyond);
    if (out.is == NearestDirection::Is::unknown)
        out = is_box ? search_by_gjk(corner, v, direction, beyond) : search_by_gjk(farthest, v, direction, beyond);
    out.direction = probe.axes * out.direction;
    return out;
}

}  // namespace abut
