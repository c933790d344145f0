// The slices of both cores next to their support planes, clipped against each other; see deep_patch.hpp.
#include "support/oracle/deep_patch.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "support/oracle/patch.hpp"
#include "support/oracle/worsen.hpp"

namespace abut::oracle {
namespace {

thread_local Posed t_core;
thread_local Placed t_whole;

Loop ends_of(const Loop& loop) {
    double most = -1;
    Loop ends;
    for (const Vec2d& p : loop)
        for (const Vec2d& q : loop)
            if (const double apart = length(q - p); apart > most) most = apart, ends = {p, q};
    return ends;
}

// What of the core lies within `depth` of its support plane along `out`, as seen along it. None where the inscribed
// polytope does not reach as far as the core.
std::optional<Loop> slice(const Solid& solid, const Pose& pose, const Vec3d& out, const Plane& plane, double depth) {
    t_core.move(solid.core, pose.rotation, pose.position);
    const double top = dot(out, t_core.support(out)), floor = top - depth;
    if (solid.form != Form::polytope) {
        t_whole.move(solid, pose.rotation, pose.position);
        if (solid.form == Form::ellipsoid || dot(out, t_whole.support(out)) > top + depth / 8) return std::nullopt;
    }
    Loop points;
    for (const Vec3d& v : t_core.vertices)
        if (dot(out, v) >= floor) points.push_back(plane.seen(v));
    for (const Polytope::Edge& edge : solid.core.edges) {
        const Vec3d &p = t_core.vertices[edge.v0], &q = t_core.vertices[edge.v1];
        const double up = dot(out, p) - floor, down = dot(out, q) - floor;
        if ((up < 0) != (down < 0)) points.push_back(plane.seen(p + (q - p) * (up / (up - down))));
    }
    // A disc seen edge on is a line: its outline's sides are rounding.
    const Loop loop = convex_loop(points);
    constexpr double kLine = 1e-9;  // width over length
    const double longest = diameter(loop);
    return loop.size() >= 3 && area(loop) <= kLine * longest * longest ? ends_of(loop) : loop;
}

double best_four(const Loop& loop) {
    std::vector<std::size_t> any(loop.size());
    std::iota(any.begin(), any.end(), std::size_t(0));
    return loop.size() < 3 ? 0 : largest_quadrilateral(loop, any);
}

}  // namespace

DeepPatch deep_patch(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3& normal,
                     std::span<const Contact> contacts, double depth, std::optional<Vec3d> origin) {
    DeepPatch patch;
    const Plane plane(normalised(Vec3d(normal)));
    const Vec3d from = origin.value_or(pose_a.position);
    const Pose at_a{pose_a.position - from, pose_a.rotation}, at_b{pose_b.position - from, pose_b.rotation};
    const bool a_is_plane = a.form == Form::halfspace, b_is_plane = b.form == Form::halfspace;
    const auto of_a = a_is_plane ? std::optional(Loop{}) : slice(a, at_a, plane.normal, plane, depth);
    const auto of_b = b_is_plane ? std::optional(Loop{}) : slice(b, at_b, -plane.normal, plane, depth);
    if (!of_a || !of_b) return patch;
    Loop shared;
    if (a_is_plane || b_is_plane)
        shared = a_is_plane ? *of_b : *of_a;
    else if (of_a->size() >= 3)
        shared = convex_loop(clipped(*of_b, *of_a));
    else if (of_b->size() >= 3)
        shared = convex_loop(clipped(*of_a, *of_b));
    if (shared.size() < 2) return patch;
    Loop reported;
    for (const Contact& contact : contacts) reported.push_back(plane.seen(Vec3d(contact.position)));
    patch.length = diameter(shared);
    // Contacts far from A are rounded to so much.
    constexpr double kRounding = 100;
    if (patch.length <= kRounding * point_rounding(a, pose_a, b, pose_b, largest(contacts[0].position), origin))
        return DeepPatch{};
    const double wanted = best_four(shared);
    patch.width = wanted / patch.length;
    patch.reported_length = diameter(reported);
    if (wanted > 0) patch.share = area(convex_loop(reported)) / wanted;
    return patch;
}

}  // namespace abut::oracle
