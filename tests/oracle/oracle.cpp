// The oracle's way of one pair: cores apart or not, then features or planes (or what curved cores have instead), then the radii.
#include "oracle/oracle.hpp"

#include <algorithm>
#include <cassert>

#include "oracle/curved_pairs.hpp"
#include "oracle/solvers.hpp"

namespace abut::oracle {
namespace {

// Of a core that is a polytope, or a curved one's degenerate form.
std::vector<Vec3> core_points(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::sphere:
        case ShapeKind::ellipsoid: return {{0, 0, 0}};
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone: return {{0, -shape.half_height, 0}, {0, shape.half_height, 0}};
        case ShapeKind::box: {
            std::vector<Vec3> corners;
            const Vec3 h = shape.half_extents;
            for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
            return corners;
        }
        default: assert(shape.kind == ShapeKind::hull); return shape.points;
    }
}

Form form_of(const Shape& shape) {
    const Vec3& r = shape.half_extents;
    switch (shape.kind) {
        case ShapeKind::cylinder: return shape.radius > 0 ? Form::cylinder : Form::polytope;
        case ShapeKind::cone: return shape.radius == 0 ? Form::polytope : shape.half_height == 0 ? Form::cylinder : Form::cone;
        case ShapeKind::ellipsoid: return r.x == r.y && r.y == r.z ? Form::polytope : Form::ellipsoid;
        case ShapeKind::halfspace: return Form::halfspace;
        default: return Form::polytope;
    }
}

// Swept around the core.
double radius_of(const Shape& shape) {
    const bool round = shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule;
    const bool equal_radii = shape.kind == ShapeKind::ellipsoid && form_of(shape) == Form::polytope;
    return (round ? double(shape.radius) : equal_radii ? double(shape.half_extents.x) : 0.0) + shape.rounding;
}

void prepare_curved(Solid& solid) {
    const Shape& s = solid.shape;
    if (solid.form == Form::halfspace) {
        const double len = length(Vec3d(s.normal));
        solid.curved.normal = Vec3d(s.normal) / len;
        solid.curved.offset = s.offset / len;
        return;
    }
    if (solid.form == Form::ellipsoid) {
        const Vec3d radii(s.half_extents);
        solid.curved.radii = radii;
        solid.curved.ball = rolling_ball(radii);
        solid.size = solid.reach = std::max({radii.x, radii.y, radii.z}) + solid.radius;
    } else {
        solid.curved.radius = s.radius, solid.curved.half_height = s.half_height;
        solid.size = std::max(double(s.radius), double(s.half_height)) + solid.radius;
        solid.reach = std::hypot(double(s.radius), double(s.half_height)) + solid.radius;
    }
    solid.core = convex_hull(inscribed_points(solid.form, solid.curved));
}

thread_local Placed t_a, t_b;

Vec3d starting_direction(const Placed& a, const Placed& b, const Vec3d* hint) {
    if (hint) {
        const double len = length(*hint);
        if (len > 0 && std::isfinite(len)) return *hint / len;
    }
    const Vec3d between = b.centre() - a.centre();
    return length(between) > 0 ? normalised(between) : Vec3d{0, 1, 0};
}

template <class Core>
double gap(const Core& a, const Core& b, const Vec3d& n) { return dot(n, b.support(-n)) - dot(n, a.support(n)); }

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
Exact solve_polytopes(const Posed& a, const Posed& b, const Vec3d& start, double larger) {
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

// What the solvers leave out: the swept radii, and an ellipsoid's rolling ball.
double radii(const Placed& a, const Placed& b) { return a.solid->radius + a.ball() + b.solid->radius + b.ball(); }

Exact solve(const Placed& a, const Placed& b, const Vec3d* hint) {
    const double larger = std::max(a.solid->size, b.solid->size), off = radii(a, b);
    const Vec3d start = starting_direction(a, b, hint);
    const bool polytopes = a.is_polytope() && b.is_polytope();
    Exact exact = polytopes ? solve_polytopes(a.polytope, b.polytope, start, larger) : solve_curved(a, b, start, larger);
    exact.signed_distance -= off, exact.lower -= off, exact.upper -= off;
    return exact;
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
    solid.form = form_of(shape);
    solid.radius = radius_of(shape);
    if (solid.form != Form::polytope) {
        prepare_curved(solid);
        return solid;
    }
    const std::vector<Vec3> points = core_points(shape);
    solid.core = convex_hull(points);
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
Solid cylinder(float radius, float half_height, float rounding) {
    return prepare({.kind = ShapeKind::cylinder, .radius = radius, .half_height = half_height, .half_extents = {}, .points = {}, .rounding = rounding});
}
Solid cone(float radius, float half_height, float rounding) {
    return prepare({.kind = ShapeKind::cone, .radius = radius, .half_height = half_height, .half_extents = {}, .points = {}, .rounding = rounding});
}
Solid ellipsoid(Vec3 radii, float rounding) {
    return prepare({.kind = ShapeKind::ellipsoid, .half_extents = radii, .points = {}, .rounding = rounding});
}
Solid halfspace(Vec3 normal, float offset, float rounding) {
    return prepare({.kind = ShapeKind::halfspace, .half_extents = {}, .points = {}, .rounding = rounding, .normal = normal, .offset = offset});
}

Exact signed_distance(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d* hint) {
    if (a.form == Form::halfspace || b.form == Form::halfspace) return solve_halfspace(a, pose_a, b, pose_b);
    t_a.move(a, pose_a.rotation, {});
    t_b.move(b, pose_b.rotation, pose_b.position - pose_a.position);
    return solve(t_a, t_b, hint);
}

double gap_along(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal) {
    if (a.form == Form::halfspace || b.form == Form::halfspace) return gap_along_halfspace(a, pose_a, b, pose_b, normal);
    t_a.move(a, pose_a.rotation, {});
    t_b.move(b, pose_b.rotation, pose_b.position - pose_a.position);
    return gap(t_a, t_b, normal) - radii(t_a, t_b);
}

double extent(const Solid& solid, const Rotation& rotation, const Vec3d& direction) {
    if (solid.form == Form::halfspace) return solid.curved.offset + solid.radius;
    t_a.move(solid, rotation, {});
    return dot(direction, t_a.support(direction)) + t_a.ball() + solid.radius;
}

double signed_distance_to_point(const Solid& solid, const Pose& pose, const Vec3d& point) {
    static const Solid kPoint = sphere(0);
    return signed_distance(solid, pose, kPoint, {point, {}}).signed_distance;
}

}  // namespace abut::oracle
