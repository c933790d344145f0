// See core_distance.hpp. A shape of revolution is a polygon in the half-plane through its axis and the point [Quilez,
// distance functions].
#include "queries/rays/core_distance.hpp"

#include <cmath>

namespace abut {
namespace {

using maths::Vec3d;

// A point in that half-plane: its distance from the axis, and its height.
struct Profile {
    double radial, height;
    Vec3d outward;  // unit, away from the axis; +X on the axis

    explicit Profile(const Vec3d& p) : radial(std::sqrt(p.x * p.x + p.z * p.z)), height(p.y), outward{1, 0, 0} {
        if (radial > 0) outward = maths::unit({p.x, 0, p.z});
    }
    Vec3d direction(double along_radius, double along_axis) const {
        return outward * along_radius + Vec3d{0, along_axis, 0};
    }
};

}  // namespace

CoreDistance box_distance(const Vec3d& half, const Vec3d& point) {
    const Vec3d beyond = absolute(point) - half;
    const Vec3d signs = {std::copysign(1.0, point.x), std::copysign(1.0, point.y), std::copysign(1.0, point.z)};
    const Vec3d outside = {maths::max(beyond.x, 0), maths::max(beyond.y, 0), maths::max(beyond.z, 0)};
    if (!maths::is_zero(outside)) return {maths::norm(outside), maths::unit(times(outside, signs))};
    const int axis = maths::largest_axis(beyond);
    return {component(beyond, axis), {axis == 0 ? signs.x : 0, axis == 1 ? signs.y : 0, axis == 2 ? signs.z : 0}};
}

CoreDistance cylinder_distance(double radius, double half_height, const Vec3d& point) {
    const Profile at(point);
    const CoreDistance flat = box_distance({radius, half_height, INFINITY}, {at.radial, at.height, 0});
    return {flat.distance, at.direction(flat.normal.x, flat.normal.y)};
}

// In the half-plane the cone is a right triangle with its apex at (0, half_height). The nearest point is on the base,
// or on the slope and its ends.
CoreDistance cone_distance(double radius, double half_height, const Vec3d& point) {
    const Profile at(point);
    const double slope = std::sqrt(radius * radius + 4 * half_height * half_height);
    const double out_radial = slope > 0 ? 2 * half_height / slope : 1, out_axial = slope > 0 ? radius / slope : 0;
    const double above_slope = at.radial * out_radial + (at.height - half_height) * out_axial,
                 below_base = -half_height - at.height;
    if (above_slope <= 0 && below_base <= 0) {
        if (above_slope > below_base) return {above_slope, at.direction(out_radial, out_axial)};
        return {below_base, {0, -1, 0}};
    }
    if (below_base >= 0 && at.radial <= radius) return {below_base, {0, -1, 0}};
    // The position on the slope: 0 at the rim, `slope` at the apex.
    const double along =
        maths::max(0, maths::min((at.radial - radius) * -out_axial + (at.height + half_height) * out_radial, slope));
    const double away_radial = at.radial - (radius - along * out_axial),
                 away_axial = at.height + half_height - along * out_radial;
    const double distance = std::sqrt(away_radial * away_radial + away_axial * away_axial);
    if (distance == 0 || (along > 0 && along < slope))
        return {maths::max(distance, 0), at.direction(out_radial, out_axial)};
    return {distance, maths::unit(at.direction(away_radial, away_axial))};
}

}  // namespace abut
