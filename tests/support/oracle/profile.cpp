// Shapes of revolution as polygons in the plane, see profile.hpp. Profiles are whole: u is the distance from the axis
// to either side.
#include "support/oracle/profile.hpp"

#include <algorithm>
#include <limits>

#include "support/oracle/planar.hpp"

namespace abut::oracle {
namespace {

struct Revolved {
    Vec3d centre, axis;  // a point has no axis: zero
    Loop corners;        // (u, v): across and along the axis, from the centre
};

std::optional<Revolved> revolved(const Placed& p) {
    const Curved& c = p.solid->curved;
    const double r = c.radius, h = c.half_height;
    switch (p.solid->form) {
        case Form::cylinder: return Revolved{p.offset, p.rotation.column_y(), {{-r, -h}, {r, -h}, {r, h}, {-r, h}}};
        case Form::cone: return Revolved{p.offset, p.rotation.column_y(), {{-r, -h}, {r, -h}, {0, h}}};
        case Form::polytope: break;
        default: return std::nullopt;
    }
    const auto& v = p.polytope.vertices;
    if (p.is_point()) return Revolved{v[0], {}, {{0, 0}}};
    if (p.polytope.core->dimension != 1) return std::nullopt;
    const double half = length(v[1] - v[0]) / 2;
    return Revolved{p.polytope.centre, p.polytope.directions[0], {{0, -half}, {0, half}}};
}

struct Nearest {
    double signed_distance = 0;
    Vec2d normal;  // from the loop to the point
};

constexpr double kTouching = 1e-8;

Vec2d perpendicular(const Vec2d& p) { return {p.v, -p.u}; }

// Of a flat loop the distance. `scale`: the lengths that the loop and the point were made from.
Nearest nearest(const Loop& loop, const Vec2d& point, double scale) {
    Nearest outside{std::numeric_limits<double>::infinity(), {}},
        inside{-std::numeric_limits<double>::infinity(), {1, 0}};
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec2d p = loop[i], edge = loop[(i + 1) % loop.size()] - p;
        const double len = length(edge), along = len > 0 ? dot(point - p, edge) / len : 0;
        const Vec2d out = len > 0 ? perpendicular(edge) * (1 / len) : Vec2d{};
        const double beyond = dot(out, point - p);
        if (len > 0 && beyond > inside.signed_distance) inside = {beyond, out};
        if (along > 0 && along < len) {
            if (std::fabs(beyond) < outside.signed_distance) outside = {std::fabs(beyond), beyond < 0 ? out * -1 : out};
        } else if (const double d = length(point - p); along <= 0 && d < outside.signed_distance) {
            outside = {d, d > 0 ? (point - p) * (1 / d) : Vec2d{}};
        }
    }
    if (loop.size() >= 3 && inside.signed_distance <= 0) return inside;
    // So near to a corner the way to it is rounding; an edge's normal is not.
    if (outside.signed_distance <= kTouching * scale) outside.normal = inside.normal;
    return outside;
}

}  // namespace

std::optional<Exact> solve_revolved(const Placed& a, const Placed& b) {
    const std::optional<Revolved> on_a = revolved(a), on_b = revolved(b);
    if (!on_a || !on_b) return std::nullopt;
    const bool axis_of_b = on_a->axis == Vec3d{};
    const Vec3d axis = axis_of_b ? on_b->axis : on_a->axis;
    if (length(cross(axis, on_b->axis)) > kParallelAxes) return std::nullopt;
    const double same = dot(axis, on_b->axis) < 0 ? -1 : 1;
    Loop corners;
    for (const Vec2d& p : on_a->corners)
        for (const Vec2d& q : on_b->corners) corners.push_back({p.u - q.u, p.v - same * q.v});
    const Vec3d to = on_b->centre - on_a->centre;
    const double along = dot(to, axis);
    const Vec3d across = to - axis * along;
    const double off = length(across);
    const double larger = std::max(a.solid->size, b.solid->size);
    const Nearest found = nearest(convex_loop(corners), {off, along}, larger);

    const Vec3d any = std::fabs(axis.x) < 0.6 ? cross(axis, {1, 0, 0}) : cross(axis, {0, 1, 0});
    const Vec3d side = off > 0 ? across / off : normalised(any);
    Exact exact;
    exact.normal = normalised(side * found.normal.u + axis * found.normal.v);
    exact.lower = -Difference{a, b}.reach(exact.normal);
    exact.signed_distance = found.signed_distance;
    exact.upper = found.signed_distance + kParallelAxes * larger;
    return exact;
}

}  // namespace abut::oracle
