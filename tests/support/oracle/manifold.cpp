// Judging a contact manifold, see manifold.hpp.
#include "support/oracle/manifold.hpp"

#include <algorithm>

#include "support/oracle/patch.hpp"
#include "support/oracle/worsen.hpp"

namespace abut::oracle {
namespace {

// Below this many times the bound, lengths and widths of a patch are rounding.
constexpr double kRounding = 100;
constexpr double kUnitTolerance = 1e-6;  // of |normal| - 1: a few roundings of float32

thread_local Posed t_a, t_b;  // of curved cores what is inscribed in them
thread_local Placed t_placed_a, t_placed_b;

// A shape in the pair's frame (world axes, A's position the origin) and the side of it that faces the other.
struct Facing {
    const Solid& solid;
    Pose pose;
    const Posed& core;
    Vec3d out;

    // Negative inside.
    double distance_to_core(const Vec3d& point) const {
        return signed_distance_to_point(solid, pose, point) + solid.radius;
    }

    double off_surface(const Vec3d& point, double allowed) const {
        const double swept = std::fabs(distance_to_core(point) - solid.radius);
        if (swept <= allowed || solid.radius == 0) return swept;
        return std::min(swept, std::fabs(distance_to_core(point - out * solid.radius)));
    }

    // How deep below the side that faces the other a point on the surface lies. The depth inside a convex core is
    // concave, so that halfway up a chord there is at least half of the most along it; that forgives steep faces and
    // finds the back side.
    double behind(const Vec3d& point) const {
        if (core.core->dimension < 3) return 0;
        const Vec3d p = point - out * solid.radius;
        double up = kInfinity;
        for_each_plane([&](const Vec3d& n, double height) {
            if (const double slope = dot(n, out); slope > 0) up = std::min(up, (height - dot(n, p)) / slope);
        });
        const Vec3d halfway = p + out * (up / 2);
        double depth = kInfinity;
        if (up > 0)
            for_each_plane([&](const Vec3d& n, double height) { depth = std::min(depth, height - dot(n, halfway)); });
        return up > 0 ? std::max(depth, 0.0) : 0;
    }

private:
    template <class Plane>
    void for_each_plane(Plane plane) const {
        for (const Polytope::Triangle& t : core.core->triangles) {
            const Vec3d p = core.vertices[t.v[0]], twice = cross(core.vertices[t.v[1]] - p, core.vertices[t.v[2]] - p);
            const double area = length(twice);
            if (area > 0) plane(twice / area, dot(twice, p) / area);
        }
    }
};

std::size_t count_distinct(const Loop& points, double within) {
    Loop kept;
    for (const Vec2d& p : points)
        if (std::none_of(kept.begin(), kept.end(), [&](const Vec2d& q) { return length(p - q) <= within; }))
            kept.push_back(p);
    return kept.size();
}

void check_deepest(ManifoldVerdict& verdict, const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                   const Vec3d& normal, double separation, double exact, double slack) {
    const double allowed = verdict.tolerance + contact_slack(a, b, slack);
    worsen(verdict, "the deepest contact", std::fabs(separation - exact), allowed);
    worsen(verdict, "unit normal", std::fabs(length(normal) - 1), kUnitTolerance);
    if (length(normal) > 0.5)
        worsen(verdict, "depth along the normal",
               std::fabs(gap_along(a, pose_a, b, pose_b, normalised(normal)) - exact), allowed);
    if (exact > verdict.tolerance && separation <= 0) worsen(verdict, "an overlap of what is apart", kInfinity, 1);
}

void check_exact(ManifoldVerdict& verdict, std::span<const Contact> contacts, float margin) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (contacts[i].separation > margin) worsen(verdict, "beyond the margin", kInfinity, 1);
        if (contacts[i].separation < contacts[0].separation)
            worsen(verdict, "the first is not the deepest", kInfinity, 1);
        for (std::size_t k = 0; k < i; ++k)
            if (contacts[i].feature == contacts[k].feature) worsen(verdict, "a feature id twice", kInfinity, 1);
    }
}

// rounding(farthest): what float32 takes from a point.
template <class Rounding>
void check_surfaces(ManifoldVerdict& verdict, const Facing& a, const Facing& b, std::span<const Contact> contacts,
                    Rounding rounding) {
    for (const Contact& contact : contacts) {
        const Vec3d middle(contact.position), half = a.out * (double(contact.separation) / 2);
        // Each coordinate is rounded by itself.
        const double finer = verdict.tolerance + sum_of_coordinates(a.out) * rounding(largest(contact.position)) +
                             1.2e-7 * std::fabs(contact.separation);
        worsen(verdict, "contact on A", a.off_surface(middle - half, finer), finer);
        worsen(verdict, "contact on B", b.off_surface(middle + half, finer), finer);
        worsen(verdict, "contact on A's side towards B", a.behind(middle - half), 2 * finer);
        worsen(verdict, "contact on B's side towards A", b.behind(middle + half), 2 * finer);
    }
}

// The patch's corners that have to be considered: those surely within the margin.
struct Wanted {
    Loop corners, level;               // ... and those within the contact slack of the deepest
    std::vector<std::size_t> deepest;  // to within the bound
};

Wanted wanted_of(const Patch& patch, double margin, double allowed, double slack) {
    Wanted wanted;
    double least = kInfinity;
    for (const double separation : patch.separation) least = std::min(least, separation);
    for (std::size_t i = 0; i < patch.corners.size(); ++i) {
        if (patch.separation[i] > margin - allowed) continue;
        if (patch.separation[i] <= least + allowed) wanted.deepest.push_back(wanted.corners.size());
        if (patch.separation[i] <= least + allowed + slack) wanted.level.push_back(patch.corners[i]);
        wanted.corners.push_back(patch.corners[i]);
    }
    return wanted;
}

// `coarse`: what float32 takes from a contact's place.
void check_patch(ManifoldVerdict& verdict, const Wanted& wanted, const Loop& reported, double coarse) {
    const double rounding = kRounding * std::max(verdict.tolerance, coarse);
    const double area_wanted = largest_quadrilateral(wanted.corners, wanted.deepest),
                 length_wanted = diameter(wanted.corners);
    if (length_wanted <= rounding) return;
    verdict.has_patch = true;
    verdict.patch_length = length_wanted, verdict.patch_width = area_wanted / length_wanted;
    verdict.level_length = diameter(wanted.level);
    verdict.reported_length = diameter(reported);
    verdict.share = area_wanted > rounding * length_wanted ? area(convex_loop(reported)) / area_wanted
                                                           : verdict.reported_length / length_wanted;
    const std::size_t offered = count_distinct(wanted.corners, rounding);
    if (count_distinct(reported, verdict.tolerance) < std::min(reported.size(), offered))
        worsen(verdict, "a contact twice", kInfinity, 1);
}

}  // namespace

double contact_slack(const Solid& a, const Solid& b, double metres) {
    return std::min(metres, kSlackShare * smaller_size(a, b));
}

ManifoldVerdict check_manifold(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, float margin,
                               const Vec3& normal, std::span<const Contact> contacts, std::optional<double> known,
                               double slack, std::optional<Vec3d> origin) {
    ManifoldVerdict verdict;
    const auto sane = [](const Contact& c) { return finite(c.position) && std::isfinite(c.separation); };
    if (contacts.empty() || contacts.size() > kMostContacts || !std::all_of(contacts.begin(), contacts.end(), sane)) {
        worsen(verdict, "not one to four finite contacts", kInfinity, 1);
        return verdict;
    }
    const Vec3d towards_b(normal);
    const double exact = known ? *known : signed_distance(a, pose_a, b, pose_b, &towards_b).signed_distance;
    verdict.tolerance = tolerance(a, b, exact);
    check_deepest(verdict, a, pose_a, b, pose_b, towards_b, double(contacts[0].separation), exact, slack);
    check_exact(verdict, contacts, margin);
    if (!verdict.right()) return verdict;

    const Plane plane(normalised(Vec3d(normal)));
    const Vec3d from = origin.value_or(pose_a.position);
    const Pose from_a{pose_a.position - from, pose_a.rotation}, b_from_a{pose_b.position - from, pose_b.rotation};
    t_a.move(a.core, from_a.rotation, from_a.position);
    t_b.move(b.core, b_from_a.rotation, b_from_a.position);
    check_surfaces(verdict, {a, from_a, t_a, plane.normal}, {b, b_from_a, t_b, -plane.normal}, contacts,
                   [&](double farthest) { return point_rounding(a, pose_a, b, pose_b, farthest, origin); });
    t_placed_a.move(a, from_a.rotation, from_a.position);
    t_placed_b.move(b, b_from_a.rotation, b_from_a.position);
    const Patch patch = contact_patch(t_placed_a, t_placed_b, plane, verdict.tolerance);
    if (!patch.clear) return verdict;
    Loop reported;
    for (const Contact& contact : contacts) reported.push_back(plane.seen(Vec3d(contact.position)));
    const double coarse = point_rounding(a, pose_a, b, pose_b, largest(contacts[0].position), origin);
    check_patch(verdict,
                wanted_of(patch, double(margin) + a.radius + b.radius, verdict.tolerance, contact_slack(a, b, slack)),
                reported, coarse);
    return verdict;
}

}  // namespace abut::oracle
