// The oracle's way of one pair: cores apart or not, then features or planes, then the radii.
#include "oracle/oracle.hpp"

#include <algorithm>
#include <cassert>

#include "oracle/solvers.hpp"

namespace abut::oracle {
namespace {

std::vector<Vec3> core_points(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::sphere: return {{0, 0, 0}};
        case ShapeKind::capsule: return {{0, -shape.half_height, 0}, {0, shape.half_height, 0}};
        case ShapeKind::box: {
            std::vector<Vec3> corners;
            const Vec3 h = shape.half_extents;
            for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
            return corners;
        }
        default: assert(shape.kind == ShapeKind::hull); return shape.points;
    }
}

thread_local Posed t_a, t_b;

Vec3d starting_direction(const Posed& a, const Posed& b, const Vec3d* hint) {
    if (hint) {
        const double len = length(*hint);
        if (len > 0 && std::isfinite(len)) return *hint / len;
    }
    const Vec3d between = b.centre - a.centre;
    return length(between) > 0 ? normalised(between) : Vec3d{0, 1, 0};
}

double gap(const Posed& a, const Posed& b, const Vec3d& n) { return dot(n, b.support(-n)) - dot(n, a.support(n)); }

Exact apart(const Posed& a, const Posed& b, const Vec3d& start, double larger) {
    const Separation s = separate(a, b, start);
    Exact out{s.distance, s.lower, s.distance, s.normal};
    // Witnesses this close have no trustworthy direction between them.
    if (s.distance - s.lower > 1e-9 * larger) {
        out.normal = best_normal_of_flat(a, b, s);
        out.lower = std::max(s.lower, gap(a, b, out.normal));
    }
    return out;
}

// `larger` scales what is too small to matter.
Exact solve_cores(const Posed& a, const Posed& b, const Vec3d* hint, double larger) {
    const Vec3d start = starting_direction(a, b, hint);
    if (a.core->dimension + b.core->dimension < 3 || gap(a, b, start) > 0) return apart(a, b, start, larger);
    const Depth d = shallowest_plane(a, b, start);
    if (d.depth < 0) return apart(a, b, d.normal, larger);
    // A flat Minkowski difference has depth 0 without containing the origin, and rounding may hide that: ask the features. They
    // cannot be farther apart than the depth where the cores do overlap.
    const double doubtful = 1e-8 * larger;
    if (d.depth <= doubtful) {
        const Exact e = apart(a, b, d.normal, larger);
        if (e.signed_distance > 2 * doubtful) return e;
    }
    return {-d.depth, -d.depth, std::min(0.0, -d.depth + doubtful), d.normal};
}

Exact add_radii(Exact core, double radii) {
    core.signed_distance -= radii, core.lower -= radii, core.upper -= radii;
    return core;
}

double half_longest_side(const std::vector<Vec3>& points) {
    Vec3d low(points[0]), high = low;
    for (const Vec3& p : points) {
        low = {std::min(low.x, double(p.x)), std::min(low.y, double(p.y)), std::min(low.z, double(p.z))};
        high = {std::max(high.x, double(p.x)), std::max(high.y, double(p.y)), std::max(high.z, double(p.z))};
    }
    return std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / 2;
}

}  // namespace

Solid prepare(const Shape& shape) {
    Solid solid;
    solid.shape = shape;
    const std::vector<Vec3> points = core_points(shape);
    solid.core = convex_hull(points);
    solid.radius = double(shape.radius) + shape.rounding;
    solid.size = half_longest_side(points) + solid.radius;
    for (const Vec3& p : points) solid.reach = std::max(solid.reach, length(Vec3d(p)) + solid.radius);
    return solid;
}

Solid sphere(float radius, float rounding) {
    return prepare({.kind = ShapeKind::sphere, .radius = radius, .half_extents = {}, .points = {}, .rounding = rounding});
}
Solid capsule(float radius, float half_height, float rounding) {
    return prepare({.kind = ShapeKind::capsule, .radius = radius, .half_height = half_height, .half_extents = {}, .points = {}, .rounding = rounding});
}
Solid box(Vec3 half_extents, float rounding) {
    return prepare({.kind = ShapeKind::box, .half_extents = half_extents, .points = {}, .rounding = rounding});
}
Solid hull(std::vector<Vec3> points, float rounding) {
    return prepare({.kind = ShapeKind::hull, .half_extents = {}, .points = std::move(points), .rounding = rounding});
}

Exact signed_distance(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d* hint) {
    t_a.move(a.core, pose_a.rotation, {});
    t_b.move(b.core, pose_b.rotation, pose_b.position - pose_a.position);
    return add_radii(solve_cores(t_a, t_b, hint, std::max(a.size, b.size)), a.radius + b.radius);
}

double gap_along(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal) {
    t_a.move(a.core, pose_a.rotation, {});
    t_b.move(b.core, pose_b.rotation, pose_b.position - pose_a.position);
    return gap(t_a, t_b, normal) - a.radius - b.radius;
}

double signed_distance_to_point(const Solid& solid, const Pose& pose, const Vec3d& point) {
    static const Polytope kPoint = convex_hull(std::vector<Vec3>{{0, 0, 0}});
    t_a.move(solid.core, pose.rotation, {});
    t_b.move(kPoint, {}, point - pose.position);
    return solve_cores(t_a, t_b, nullptr, solid.size).signed_distance - solid.radius;
}

}  // namespace abut::oracle
