// Supporting features of cylinders (caps and side lines), cones (bases and side lines), ellipsoids (points) and
// half-spaces.
#include <cmath>
#include <numbers>

#include "support/oracle/feature.hpp"

namespace abut::oracle {
namespace {

// A cylinder or cone in the pair's frame.
struct Round {
    const Placed& core;
    Vec3d axis = core.rotation.column_y();
    double radius = core.solid->curved.radius, half_height = core.solid->curved.half_height;
    bool is_cone = core.solid->form == Form::cone;

    Vec3d rim(const Vec3d& around, double y) const { return core.offset + around * radius + axis * y; }
    Vec3d top(const Vec3d& around) const {
        return is_cone ? core.offset + axis * half_height : rim(around, half_height);
    }
};

// One of its corners is the point of the rim that reaches farthest.
Feature cap_feature(const Round& round, const Vec3d& out, const Plane& plane) {
    constexpr int kSides = 32;
    const double cosine = dot(out, round.axis), y = cosine > 0 ? round.half_height : -round.half_height;
    const Vec3d across = out - round.axis * cosine;
    const Vec3d any = std::fabs(round.axis.x) < 0.6 ? cross(round.axis, {1, 0, 0}) : cross(round.axis, {0, 1, 0});
    const Vec3d u = normalised(length(across) > 1e-12 ? across : any);
    const Vec3d v = cross(round.axis, u);
    Loop loop;
    for (int i = 0; i < kSides; ++i) {
        const double angle = 2 * std::numbers::pi * i / kSides;
        loop.push_back(plane.seen(round.rim(u * std::cos(angle) + v * std::sin(angle), y)));
    }
    return face_feature(plane, round.core.offset + round.axis * y, round.axis, loop);
}

Feature round_feature(const Round& round, const Vec3d& out, const Plane& plane, double within) {
    const double cosine = dot(out, round.axis), sine = length(cross(out, round.axis));
    const bool has_cap = !round.is_cone || cosine < 0;
    if (has_cap && sine <= kFlatAngle) return cap_feature(round, out, plane);
    if (has_cap && sine <= kClearAngle) return kUnclear;
    const Vec3d across = out - round.axis * cosine;
    if (length(across) <= kClearAngle && round.half_height <= 2 * kClearAngle * round.radius)
        return kUnclear;  // a cone nearly a disc
    const Vec3d around = length(across) > 0 ? normalised(across) : Vec3d{};
    const Vec3d bottom = round.rim(around, -round.half_height), top = round.top(around), side = top - bottom;
    const double tilt = std::fabs(dot(out, side)) / length(side);
    if (length(side) <= within || tilt > kClearAngle) return point_feature(plane, round.core.support(out));
    return tilt <= kFlatAngle ? segment_feature(plane, bottom, top) : kUnclear;
}

}  // namespace

Feature curved_feature(const Placed& core, const Vec3d& out, const Plane& plane, double within) {
    if (core.solid->form != Form::ellipsoid) return round_feature({core}, out, plane, within);
    return point_feature(plane, core.support(out) + out * core.ball());
}

Feature plane_feature(const Placed& halfspace, const Plane& plane, const Placed& other) {
    const Curved& c = halfspace.solid->curved;
    const Vec3d normal = halfspace.rotation * c.normal, on = halfspace.offset + normal * c.offset;
    const Vec2d middle = plane.seen(other.centre());
    const double side = 2 * other.solid->reach;
    Loop loop;
    for (const Vec2d corner : {Vec2d{1, 1}, Vec2d{-1, 1}, Vec2d{-1, -1}, Vec2d{1, -1}})
        loop.push_back(middle + corner * side);
    return face_feature(plane, on, normal, loop);
}

}  // namespace abut::oracle
