// The oracle's way of one pair: cores apart or not, then features or planes (or what curved cores have instead), then
// the radii.
#include "support/oracle/oracle.hpp"

#include <algorithm>

#include "support/oracle/curved_pairs.hpp"
#include "support/oracle/solvers.hpp"

namespace abut::oracle {
namespace {

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
double gap(const Core& a, const Core& b, const Vec3d& n) {
    return dot(n, b.support(-n)) - dot(n, a.support(n));
}

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
    // A flat Minkowski difference has depth 0 without containing the origin, and rounding may hide that: ask the
    // features. They cannot be farther apart than the depth where the cores do overlap.
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
    Exact exact =
        polytopes ? solve_polytopes(a.polytope, b.polytope, start, larger) : solve_curved(a, b, start, larger);
    exact.signed_distance -= off, exact.lower -= off, exact.upper -= off;
    return exact;
}

}  // namespace

Exact signed_distance(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d* hint) {
    if (a.form == Form::halfspace || b.form == Form::halfspace) return solve_halfspace(a, pose_a, b, pose_b);
    t_a.move(a, pose_a.rotation, {});
    t_b.move(b, pose_b.rotation, pose_b.position - pose_a.position);
    return solve(t_a, t_b, hint);
}

double gap_along(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal) {
    if (a.form == Form::halfspace || b.form == Form::halfspace)
        return gap_along_halfspace(a, pose_a, b, pose_b, normal);
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
