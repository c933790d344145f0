// See moving_pair.hpp.
#include "cast/moving_pair.hpp"

#include <cmath>

#include "pairs/child_poses.hpp"

namespace abut {
namespace {

using exact::Vec3d;

// Chords along one axis: each costs two support points.
constexpr int kMostChords = 2;
// Gaps in double err by up to this part of the coordinates.
constexpr double kGapRounding = 1e-14;

// The first s in [0, end] at which c + b s + a s^2 is no more than 0; `end` if there is none. a >= 0, c > 0.
double first_root(double a, double b, double c, double end) {
    if (b >= 0) return end;
    const double below = b * b - 4 * a * c;
    if (below < 0) return end;
    return exact::least(2 * c / (-b + std::sqrt(below)), end);
}

// The time until which chords, or the greatest speed if it proves more, keep a gap above 0. `above`: the gap at `time`. Below `near` it stops, because
// another axis proves more there than another chord.
template <class Gap>
double advance_by(const MovingPair::Rates& rates, double above, double time, double latest, double near, const Gap& gap) {
    double proved = time, crossing = INFINITY;
    for (int i = 0; above > (i == 0 ? 0 : near) && i < kMostChords; ++i) {
        const double left = latest - proved, straight = rates.closing > 0 ? above / rates.closing : left;
        if (straight >= left) return latest;
        if (!(rates.curvature > 0)) return proved + straight;
        // A level chord of this length is proved, and a chord down to 0 of half of it.
        const double level = std::sqrt(8 * above / rates.curvature), wanted = crossing < INFINITY ? exact::least(crossing, 0.5 * level) : level;
        const double length = exact::least(exact::most(wanted, 1.5 * straight), left), above_end = gap(proved + length);
        const double slope = (above_end - above) / length;
        const double step = first_root(0.5 * rates.curvature, slope - 0.5 * rates.curvature * length, above, length);
        if (step >= length && length == left) return latest;
        proved += exact::most(step, straight);
        above = step >= length ? above_end : gap(proved);
        crossing = slope < 0 ? above / -slope : INFINITY;
    }
    return proved;
}

}  // namespace

MovingShape::MovingShape(const ShapeTables& tables, ShapeId body, std::uint32_t child, const RigidMotion& motion, double radius)
    : tables_(&tables), motion_(&motion), shape_(body), axis_radius_(radius) {
    if (is_surface(body.kind())) {
        is_triangle_ = true;
        const Surface surface = surface_of(tables, body);
        const SurfaceCorners corners = corners_at(surface, child);
        radius_ = surface.rounding;
        for (int k = 0; k < 3; ++k) corners_[k] = exact::to_double(corners.at[k]);
        return;
    }
    if (body.kind() == ShapeKind::compound) {
        const CompoundPart& part = tables.compound(body).parts[child];
        shape_ = part.instance;
        is_part_ = true;
        part_position_ = part.position;
        part_axes_ = exact::rotation(part.orientation);
    }
    const InstanceRecord& record = tables.record(shape_);
    if (shape_.kind() == ShapeKind::halfspace) {
        is_halfspace_ = true;
        const Vec3d normal = {record.extent_x, record.extent_y, record.extent_z};
        const double length = exact::norm(normal);
        plane_normal_ = normal * (1 / length);
        plane_offset_ = offset_of(record) / length + record.radius;
        if (is_part_) plane_normal_ = part_axes_ * plane_normal_, plane_offset_ += dot(plane_normal_, part_position_);
        return;
    }
    radius_ = radius_of(tables, shape_);
}

// The largest distance of a point from the axis of rotation: by corners for a triangle or local bounds, else at most the radius of a ball about the
// origin.
double MovingShape::find_axis_radius() const {
    if (is_halfspace_ || !motion_->rotates()) return 0;
    const Vec3d axis = transposed_times(motion_->axes_at(0), motion_->axis);
    const auto from_axis = [&](const Vec3d& in_body) { return exact::norm(cross(axis, in_body + motion_->arm)); };
    double radius = 0;
    if (is_triangle_) {
        for (const Vec3d& corner : corners_) radius = exact::most(radius, from_axis(corner));
        return radius;
    }
    const LocalBox box = local_box(*tables_, shape_);
    for (int i = 0; i < 8; ++i) {
        const Vec3d sides = {i & 1 ? box.half.x : -box.half.x, i & 2 ? box.half.y : -box.half.y, i & 4 ? box.half.z : -box.half.z};
        const Vec3d corner = box.centre + sides;
        radius = exact::most(radius, from_axis(is_part_ ? part_position_ + part_axes_ * corner : corner));
    }
    return exact::least(radius, from_axis(part_position_) + origin_radius());
}

double MovingShape::reach() const {
    if (!is_triangle_) return exact::norm(part_position_ + motion_->arm) + origin_radius();
    double reach = 0;
    for (const Vec3d& corner : corners_) reach = exact::most(reach, exact::norm(corner + motion_->arm));
    return reach;
}

double MovingShape::origin_radius() const {
    return tables_->kinds[static_cast<std::uint32_t>(shape_.kind())].identities[shape_.slot()].origin_radius;
}

double MovingShape::least_along(const PoseD& body, const Vec3d& n) const {
    const Vec3d in_body = transposed_times(body.axes, n);
    if (is_triangle_) return exact::least(dot(in_body, corners_[0]), exact::least(dot(in_body, corners_[1]), dot(in_body, corners_[2]))) - radius_;
    if (is_halfspace_) return -plane_offset_;
    if (!is_part_) return abut::least_along(*tables_, shape_, in_body) - radius_;
    return dot(in_body, part_position_) + abut::least_along(*tables_, shape_, transposed_times(part_axes_, in_body)) - radius_;
}

double MovingPair::gap(double time, const Vec3d& axis) const { return gap(a_.motion().pose_at(time), b_.motion().pose_at(time), axis); }

double MovingPair::gap(const PoseD& a, const PoseD& b, const Vec3d& axis) const {
    const double between = dot(axis, b.position - a.position), least_b = b_.least_along(b, axis), least_a = a_.least_along(a, -axis);
    return between + least_b + least_a - kGapRounding * (std::fabs(between) + std::fabs(least_b) + std::fabs(least_a));
}

// The distance of the other body's points from a half-space's centre of rotation: as its rotation moves them, seen from it.
double MovingPair::plane_radius(const MovingShape& plane, const MovingShape& body, double time, double latest) const {
    const RigidMotion &m = body.motion(), &p = plane.motion();
    const auto apart = [&](double at) { return exact::norm(m.centre + m.displacement * at - p.centre - p.displacement * at); };
    return exact::most(apart(time), apart(latest)) + body.reach();
}

double MovingPair::fastest_approach(double time, double latest) const {
    const RigidMotion &ma = a_.motion(), &mb = b_.motion();
    const double axis_radius_a = a_.is_halfspace() ? plane_radius(a_, b_, time, latest) : a_.axis_radius();
    const double axis_radius_b = b_.is_halfspace() ? plane_radius(b_, a_, time, latest) : b_.axis_radius();
    return exact::norm(ma.displacement - mb.displacement) + 2 * ma.half_angle * axis_radius_a + 2 * mb.half_angle * axis_radius_b;
}

double MovingPair::advance(const Start& start, double latest, const Vec3d& given, double level, double near) const {
    const RigidMotion &ma = a_.motion(), &mb = b_.motion();
    if (!a_.is_halfspace() && !b_.is_halfspace()) {
        const double swing_a = exact::norm(cross(given, ma.angular_velocity())) * a_.axis_radius();
        const double swing_b = exact::norm(cross(given, mb.angular_velocity())) * b_.axis_radius();
        const double closing = dot(given, ma.displacement - mb.displacement) + swing_a + swing_b;
        const double curvature = 2 * (ma.half_angle * swing_a + mb.half_angle * swing_b);
        return advance_by({closing, curvature}, gap(start.a, start.b, given) - level, start.time, latest, near,
                          [&](double at) { return gap(at, given) - level; });
    }
    const MovingShape &plane = a_.is_halfspace() ? a_ : b_, &body = a_.is_halfspace() ? b_ : a_;
    const auto axis_at = [&](double at) {
        const Vec3d normal = plane.plane_normal(plane.motion().pose_at(at));
        return a_.is_halfspace() ? normal : -normal;
    };
    const Vec3d axis = axis_at(start.time);
    return advance_by(plane_rates(plane, body, start.time, latest, axis), gap(start.a, start.b, axis) - level, start.time, latest, near,
                      [&](double at) { return gap(at, axis_at(at)) - level; });
}

// Derivatives of the height h = n . (x - p) of a point x of the body over a half-space through p, whose normal n rotates at w: h'' = n'' . (x - p) +
// 2 n' . (x' - p') + n . (x'' - p'').
MovingPair::Rates MovingPair::plane_rates(const MovingShape& plane, const MovingShape& body, double time, double latest, const Vec3d& axis) const {
    const RigidMotion &m = body.motion(), &p = plane.motion();
    const double spin = 2 * p.half_angle, swing = 2 * m.half_angle * body.axis_radius();
    if (spin == 0) {
        const double along = exact::norm(cross(axis, m.angular_velocity())) * body.axis_radius();
        return {dot(axis, a_.motion().displacement - b_.motion().displacement) + along, 2 * m.half_angle * along};
    }
    const double speed = exact::norm(m.displacement - p.displacement) + swing, radius = plane_radius(plane, body, time, latest);
    return {speed + spin * radius, spin * spin * radius + 2 * spin * speed + 2 * m.half_angle * swing};
}

}  // namespace abut
