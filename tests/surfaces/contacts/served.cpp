// Bodies in hard ground: each contact is on the body and on a triangle, and the contacts, solved, part the body from
// each triangle that it overlaps.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "surfaces/contacts/contacts.hpp"

namespace abut::ground {
namespace {

constexpr float kMargin = 0.02f;
constexpr int kSolverSteps = 200;

enum : std::uint32_t { kOffBody = 1, kOffGround = 2, kOverlapped = 4, kTwice = 8 };

double distance_to_triangle(const std::array<Vec3d, 3>& t, const Vec3d& p) {
    const Vec3d area = cross(t[1] - t[0], t[2] - t[0]);
    const double twice = length(area);
    double best = INFINITY;
    bool is_inside = twice > 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d &a = t[k], along = t[(k + 1) % 3] - a;
        const double s = std::clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0);
        best = std::min(best, length(p - a - along * s));
        is_inside = is_inside && dot(cross(along, p - a), area) >= 0;
    }
    return is_inside ? std::min(best, std::fabs(dot(area, p - t[0])) / twice) : best;
}

// How far a point is from the body's surface.
double off_surface(const oracle::Solid& solid, const oracle::Pose& pose, const Vec3d& point) {
    return std::fabs(oracle::signed_distance_to_point(solid, pose, point));
}

// The translation of the body that the contacts ask for, one after the other until none is left; false where they never
// are.
bool solve(const std::vector<Found>& found, double size, Vec3d& moved) {
    moved = {};
    for (int step = 0; step < kSolverSteps; ++step) {
        double most = 0;
        for (const Found& f : found) {
            const double separation = f.separation + dot(f.normal, moved);
            if (separation >= 0) continue;
            moved = moved - f.normal * separation;
            most = std::max(most, -separation);
        }
        if (most < 1e-7 * size) return true;
    }
    return false;
}

// True if two manifolds have the same contact with an edge or a corner of the ground.
bool has_twins(const std::vector<Found>& found, double size) {
    constexpr std::uint32_t kFace = 0x8000;
    constexpr double kOnePlace = 0.01;  // a share of the size
    for (const Found& f : found)
        for (const Found& g : found)
            if (f.manifold < g.manifold && f.feature == g.feature && (f.feature & 0xffffu) != kFace &&
                length(f.at - g.at) <= kOnePlace * size)
                return true;
    return false;
}

Finding examine(Pose& pose, Hard hard) {
    Random& random = pose.random;
    ShapeStore store;
    const double longest = std::pow(10.0, random.uniform(-1, 0));
    const auto kind = Kind(random.below(kKindCount));
    const Mover mover = make_mover(store, random, kind, longest);
    const oracle::Solid solid = mover.solid();
    // Small triangles under large bodies as often as large ones.
    const double cell = mover.reach * std::pow(10.0, random.uniform(-1, 0.3));
    const double reach = (hard == Hard::soup ? 1.0 : 1.5) * std::max(mover.reach, cell);
    const bool is_fine =
        (hard == Hard::rough || hard == Hard::pebbles || hard == Hard::steps) && cell < 0.25 * mover.reach;
    Terrain terrain = make_hard(random, {is_fine ? 1.1 * mover.reach : reach, {}}, hard, cell);
    if (random.chance(0.5)) terrain.body.orientation = random.orientation();
    terrain.body.shape = terrain.add(store);
    const oracle::Pose ground = oracle::pose_of(terrain.body);
    const Vec3d up = ground.rotation * Vec3d{0, 1, 0};
    const double aside = hard == Hard::soup ? 0.5 : 0.3;
    const double away = aside * reach * random.uniform();
    const Vec3d beside = random.direction() * away;
    // From above until it touches, then some depth.
    Body body = {{}, mover.id, random.orientation()};
    std::vector<oracle::Solid> solids;
    std::vector<std::array<Vec3d, 3>> corners;
    for (std::size_t t = 0; t < terrain.triangles.size(); ++t) {
        const std::uint32_t* c = terrain.triangles[t].corners;
        corners.push_back(terrain.world_corners(t));
        solids.push_back(oracle::hull({terrain.vertices[c[0]], terrain.vertices[c[1]], terrain.vertices[c[2]]}));
    }
    Distances distance;
    const Pair pairs[1] = {{0, 1}};
    double height = 4 * reach + mover.reach;
    const auto put = [&] {
        const Vec3d p = ground.position + ground.rotation * Vec3d{beside.x, 0, beside.z} + up * height;
        body.position = {float(p.x), float(p.y), float(p.z)};
    };
    for (int step = 0; step < 60; ++step) {
        put();
        const Body bodies[2] = {body, terrain.body};
        if (!pose.narrow.distance({&store, bodies, pairs}, distance)) return {};
        const double d = double(distance.signed_distance[0]);
        if (d <= 1e-4 * mover.size) break;
        height -= std::min(d, reach);
        if (height < -4 * reach) return {};
    }
    height -= mover.size * (random.chance(0.5) ? random.uniform(-0.01, 0.01) : random.uniform(0, 0.3));
    put();

    Finding out;
    const std::vector<Found> found = collide(pose.narrow, store, body, terrain.body, random.chance(0.5), kMargin);
    const oracle::Pose at = oracle::pose_of(body);
    const double slack = contact_slack(mover.size);
    double off_body = 0, off_ground = 0;
    for (const Found& f : found) {
        const Vec3d of_body = f.at + f.normal * (0.5 * f.separation),
                    of_ground = f.at - f.normal * (0.5 * f.separation);
        off_body = std::max(off_body, off_surface(solid, at, of_body));
        double nearest = INFINITY;
        for (const std::array<Vec3d, 3>& t : corners) nearest = std::min(nearest, distance_to_triangle(t, of_ground));
        off_ground = std::max(off_ground, nearest);
    }
    // Triangles that take part, and are overlapped by more than the slack.
    const ShapeView view = store.view(mover.id);
    const Vec3d middle = at.position + at.rotation * ((Vec3d(view.bounds_min) + Vec3d(view.bounds_max)) * 0.5);
    std::vector<std::size_t> deep;
    for (std::size_t t = 0; t < corners.size(); ++t) {
        const Vec3d area = cross(corners[t][1] - corners[t][0], corners[t][2] - corners[t][0]);
        if (length(area) == 0 || dot(area, middle - corners[t][0]) <= 1e-6 * length(area) * mover.size) continue;
        if (distance_to_triangle(corners[t], at.position) > mover.reach) continue;
        if (oracle::signed_distance(solid, at, solids[t], ground).signed_distance < -slack) deep.push_back(t);
    }
    out.is_judged = !found.empty() || !deep.empty();
    double left = 0;
    std::size_t left_triangle = 0;
    Vec3d moved;
    if (!deep.empty() && solve(found, mover.size, moved)) {
        const oracle::Pose parted = {at.position + moved, at.rotation};
        for (const std::size_t t : deep) {
            const double depth = -oracle::signed_distance(solid, parted, solids[t], ground).signed_distance;
            if (depth > left) left = depth, left_triangle = t;
        }
    }
    if (has_twins(found, mover.size)) out.faults |= kTwice;
    if (off_body > slack) out.faults |= kOffBody;
    if (off_ground > slack) out.faults |= kOffGround;
    if (left > slack) out.faults |= kOverlapped;
    out.worst = std::max({off_body, off_ground, left}) / mover.size;
    if (out.faults != 0)
        out.details = fmt::format(
            "{}: {} contacts, off the body by {:.4g} m, off the ground by {:.4g} m; triangle {} is left {:.4g} m deep, "
            "slack {:.4g}",
            describe(mover, body), found.size(), off_body, off_ground, left_triangle, left, slack);
    if (pose.is_shown) out.lists = list_of("contacts found", found);
    if (pose.is_shown) out.query = query_line(mover, body, terrain);
    return out;
}

}  // namespace

void add_served_families(std::vector<Family>& out) {
    const struct {
        Hard hard;
        const char *name, *what;
    } kCases[] = {{Hard::rough, "rough", "meshes and height fields with noise of up to half a cell"},
                  {Hard::soup, "soup", "triangles that share nothing"},
                  {Hard::steps, "steps", "stairs"},
                  {Hard::slivers, "slivers", "triangles whose height is 1e-3 to 1e-5 of their length"},
                  {Hard::pebbles, "pebbles", "bumps smaller than the body"},
                  {Hard::spikes, "spikes", "balls and cones of triangles: more than 32 normals in touch"}};
    for (const auto& c : kCases)
        out.push_back({fmt::format("served/{}", c.name),
                       c.what,
                       {{"off the body"}, {"off the ground"}, {"triangle left overlapped"}, {"one contact twice"}},
                       [hard = c.hard](Pose& pose) { return examine(pose, hard); }});
}

}  // namespace abut::ground
