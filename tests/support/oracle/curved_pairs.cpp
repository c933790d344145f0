// Pairs with a curved core: closed forms where there is one, else the two iterations with a proof.
#include "support/oracle/curved_pairs.hpp"

#include <algorithm>

#include "support/oracle/ellipsoid.hpp"
#include "support/oracle/inner.hpp"
#include "support/oracle/nearest.hpp"
#include "support/oracle/profile.hpp"

namespace abut::oracle {
namespace {

constexpr double kApart = 1e-9, kDepth = 5e-9;  // of the larger size: how near the bounds have to come

Exact mirrored(Exact exact) {
    exact.normal = -exact.normal;
    return exact;
}

Exact point_and_ellipsoid(const Placed& ellipsoid, const Vec3d& point) {
    Exact exact = ellipsoid_to_point(ellipsoid.solid->curved.radii, ellipsoid.rotation.back(point - ellipsoid.offset));
    exact.normal = ellipsoid.rotation * exact.normal;
    // The caller takes the rolling ball off again.
    const double ball = ellipsoid.ball();
    exact.signed_distance += ball, exact.lower += ball, exact.upper += ball;
    return exact;
}

Exact iterated(const Difference& difference, const Vec3d& start, double larger) {
    const NearestPoint apart = nearest_to_origin(difference, start, kApart * larger);
    Exact exact{std::max(apart.lower, apart.upper - kDepth * larger), apart.lower, apart.upper, apart.normal};
    if (!apart.encloses && apart.upper - apart.lower <= kDepth * larger) return exact;
    // Overlapping, or so near to touching that the way between the witnesses has no direction.
    const InnerDepth depth = depth_by_inner_polytope(difference, apart.normal, kDepth * larger);
    if (-depth.at_most > exact.lower || apart.encloses) exact.lower = -depth.at_most, exact.normal = depth.normal;
    if (apart.encloses) exact.upper = 0;
    if (depth.at_least >= 0) exact.upper = std::min(exact.upper, -depth.at_least);
    exact.upper = std::max(exact.upper, exact.lower);
    exact.signed_distance = exact.lower;
    return exact;
}

// The half-space's outward normal and plane in world axes from A's position.
struct Plane3 {
    Vec3d normal;
    double offset;
};

Plane3 plane_of(const Solid& halfspace, const Pose& pose, const Vec3d& origin) {
    const Vec3d normal = pose.rotation * halfspace.curved.normal;
    return {normal, halfspace.curved.offset + dot(normal, pose.position - origin)};
}

thread_local Placed t_other;

}  // namespace

Exact solve_curved(const Placed& a, const Placed& b, const Vec3d& start, double larger) {
    if (const auto exact = solve_revolved(a, b)) return *exact;
    if (a.solid->form == Form::ellipsoid && b.is_point()) return point_and_ellipsoid(a, b.centre());
    if (b.solid->form == Form::ellipsoid && a.is_point()) return mirrored(point_and_ellipsoid(b, a.centre()));
    return iterated({a, b}, start, larger);
}

Exact solve_halfspace(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
    const bool a_is_plane = a.form == Form::halfspace;
    const Solid &solid = a_is_plane ? a : b, &other = a_is_plane ? b : a;
    const Plane3 plane = plane_of(solid, a_is_plane ? pose_a : pose_b, pose_a.position);
    if (a_is_plane)
        t_other.move(b, pose_b.rotation, pose_b.position - pose_a.position);
    else
        t_other.move(a, pose_a.rotation, {});
    const double lowest = dot(plane.normal, t_other.support(-plane.normal)) - t_other.ball() - other.radius;
    const double distance = lowest - plane.offset - solid.radius;
    return {distance, distance, distance, a_is_plane ? plane.normal : -plane.normal};
}

double gap_along_halfspace(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                           const Vec3d& normal) {
    const Exact exact = solve_halfspace(a, pose_a, b, pose_b);
    return exact.signed_distance - length(normal - exact.normal) * std::max(a.size, b.size);
}

}  // namespace abut::oracle
