// Bodies in flat ground of triangles, from the margin to half their size deep, against the same bodies in a half-space.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "surfaces/contacts/contacts.hpp"

namespace abut::ground {
namespace {

constexpr float kMargin = 0.02f;
constexpr double kSameNormal = 1e-3;  // radians

enum : std::uint32_t { kNone = 1, kNormal = 2, kDepth = 4, kPositions = 8 };

// The farthest that a contact of the one is from the nearest of the other, in position or separation.
double farthest(const std::vector<Found>& from, const std::vector<Found>& to) {
    double worst = 0;
    for (const Found& f : from) {
        double nearest = INFINITY;
        for (const Found& g : to)
            nearest = std::min(nearest, std::max(length(f.at - g.at), std::fabs(f.separation - g.separation)));
        worst = std::max(worst, nearest);
    }
    return worst;
}

double least_separation(const std::vector<Found>& found) {
    double least = INFINITY;
    for (const Found& f : found) least = std::min(least, f.separation);
    return least;
}

Finding compare(const std::vector<Found>& on_floor, const std::vector<Found>& on_plane, double slack,
                std::string& text) {
    Finding out;
    out.is_judged = !on_plane.empty() || !on_floor.empty();
    if (on_floor.empty() != on_plane.empty()) {
        // A body that is as far as the margin may have a contact or none.
        if (std::fabs(least_separation(on_floor.empty() ? on_plane : on_floor) - double(kMargin)) < slack) return {};
        out.faults = kNone, out.worst = 10 - std::min(9.0, least_separation(on_plane));
        text = fmt::format("{} contacts, the half-space gives {} of depth {:.4f}", on_floor.size(), on_plane.size(),
                           -least_separation(on_plane));
        return out;
    }
    if (on_plane.empty()) return out;
    double angle = 0;
    for (const Found& f : on_floor) {
        const Vec3d c = cross(f.normal, on_plane[0].normal);
        angle = std::max(angle, std::atan2(length(c), dot(f.normal, on_plane[0].normal)));
    }
    const double depth = std::fabs(least_separation(on_floor) - least_separation(on_plane));
    const double positions = std::max(farthest(on_floor, on_plane), farthest(on_plane, on_floor));
    if (angle > kSameNormal) out.faults |= kNormal;
    if (depth > slack) out.faults |= kDepth;
    if (positions > slack) out.faults |= kPositions;
    out.worst = angle + depth + std::min(positions, 1.0);
    text = fmt::format("normal off by {:.4g} rad, depth by {:.4g} m, positions by {:.4g} m; depth {:.4f}", angle, depth,
                       positions, -least_separation(on_plane));
    return out;
}

Finding examine(Pose& pose, Kind kind) {
    Random& random = pose.random;
    ShapeStore store;
    const double longest = std::pow(10.0, random.uniform(-1, 0));
    const Mover mover = make_mover(store, random, kind, longest);
    const oracle::Solid solid = mover.solid();
    const double cell = std::pow(10.0, random.uniform(std::log10(0.05), std::log10(2.0)));
    const auto floor = Floor(random.below(kFloorCount));
    Vec3d site;
    if (random.chance(0.5)) site = {random.uniform(-10, 10), 0, random.uniform(-10, 10)};
    Terrain terrain = make_floor(random, {2.5 * mover.reach, site}, floor, cell);
    if (random.chance(0.5)) terrain.body.orientation = random.orientation();
    terrain.body.shape = terrain.add(store);
    const ShapeId plane = *store.add_halfspace({0, 1, 0}, 0);

    const Quat orientation = random.orientation();
    const oracle::Pose ground = oracle::pose_of(terrain.body);
    const Vec3d up = ground.rotation * Vec3d{0, 1, 0};
    const oracle::Rotation rotated = oracle::rotation_of(orientation);
    const double below = oracle::extent(solid, rotated, -up);  // of its origin
    // The centre of the local bounds decides which triangles take part.
    const ShapeView view = store.view(mover.id);
    const Vec3d middle = rotated * ((Vec3d(view.bounds_min) + Vec3d(view.bounds_max)) * 0.5);
    const double deepest = std::min(0.5 * mover.size, below + dot(middle, up) - 0.01 * mover.size);
    const double depth =
        random.chance(0.3) ? random.uniform(-double(kMargin), 0.02 * mover.size) : random.uniform(0, deepest);
    const Vec3d position = ground.position + ground.rotation * site + up * (below - std::min(depth, deepest));
    const Body body = {{float(position.x), float(position.y), float(position.z)}, mover.id, orientation};
    Body half_space = terrain.body;
    half_space.shape = plane;
    const bool is_a = random.chance(0.5);
    const std::vector<Found> on_floor = collide(pose.narrow, store, body, terrain.body, is_a, kMargin);
    const std::vector<Found> on_plane = collide(pose.narrow, store, body, half_space, is_a, kMargin);
    std::string text;
    // Rounding of positions far from the origin is no matter of the contacts.
    Finding out = compare(on_floor, on_plane, contact_slack(mover.size), text);
    if (out.faults != 0)
        out.details = fmt::format("{}, {} of {:.3f} m: {}", describe(mover, body), name_of(floor), cell, text);
    if (pose.is_shown)
        out.lists = list_of("contacts on the half-space", on_plane) + list_of("contacts on the triangles", on_floor);
    if (pose.is_shown) out.query = query_line(mover, body, terrain);
    return out;
}

}  // namespace

void add_deep_families(std::vector<Family>& out) {
    for (int k = 0; k < kKindCount; ++k) {
        const auto kind = Kind(k);
        out.push_back({fmt::format("deep/{}", name_of(kind)),
                       fmt::format("{} rotated at random in flat ground, up to half the size deep", name_of(kind)),
                       {{"no contact"}, {"other normal"}, {"other depth"}, {"other positions"}},
                       [kind](Pose& pose) { return examine(pose, kind); }});
    }
}

}  // namespace abut::ground
