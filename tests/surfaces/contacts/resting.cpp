// See resting.hpp.
#include "surfaces/contacts/resting.hpp"

#include <cmath>

#include <fmt/format.h>

namespace abut::ground {
namespace {

constexpr double kOverlap = 0.0002;  // metres, at most

// Half of the sites are at the origin.
Vec3d random_site(Random& random) {
    if (random.chance(0.5)) return {};
    const double x = random.uniform(-20, 20), y = random.uniform(-2, 2), z = random.uniform(-20, 20);
    return {x, y, z};
}

std::vector<UnevenGround> make_uneven_grounds() {
    const auto relief = [](Relief::Form form, double height, double longest_wave, bool is_field) {
        return [=](Random& random, const Extent& extent) {
            Relief r;
            r.form = form, r.height = height * random.uniform(0.2, 1), r.length = random.uniform(0.5, longest_wave),
            r.is_field = is_field;
            r.cell =
                std::pow(10.0, form == Relief::Form::pebbles ? random.uniform(-1.6, -1) : random.uniform(-1.3, -0.3));
            return make_relief(random, extent, r);
        };
    };
    return {{"waves", "meshes of waves of up to 5 cm", relief(Relief::Form::waves, 0.05, 2.5, false)},
            {"fields", "height fields whose samples are up to 5 cm off a plane",
             relief(Relief::Form::rough, 0.05, 1, true)},
            {"pebbles", "pebbles of up to 3 cm on flat ground", relief(Relief::Form::pebbles, 0.03, 1, false)},
            {"ridges", "ridges of two and four triangles", make_ridge},
            {"pits", "pits with walls of triangles", make_pit}};
}

}  // namespace

bool pose_body(Random& random, Kind kind, const MakeTerrain& make, RestingScene& out) {
    const double longest = std::pow(10.0, random.uniform(-1, 0));
    out.mover = make_mover(out.store, random, kind, longest);
    const Extent extent = {1.3 * out.mover.reach, random_site(random)};
    out.terrain = make(random, extent);
    out.terrain.body.shape = out.terrain.add(out.store);
    const Level level(out.terrain);
    const std::optional<Rest> rest = settle(out.terrain, level, out.mover, random, random.uniform(0, kOverlap));
    if (!rest) return false;
    out.rest = *rest;
    return true;
}

std::span<const UnevenGround> uneven_grounds() {
    static const std::vector<UnevenGround> grounds = make_uneven_grounds();
    return grounds;
}

oracle::Loop near_touches(const Rest& rest, double within) {
    oracle::Loop out;
    for (const Touch& t : rest.touches)
        if (t.gap <= within) out.push_back({t.x, t.z});
    return out;
}

oracle::Loop in_level(const Level& level, const std::vector<Found>& found, double within) {
    oracle::Loop out;
    for (const Found& f : found) {
        const Vec3d p = level.to_level(f.at);
        if (f.separation <= within) out.push_back({p.x, p.z});
    }
    return out;
}

oracle::Loop held_within(const Level& level, const std::vector<Found>& found, double within) {
    oracle::Loop out = in_level(level, found, within);
    for (const Found& near : found) {
        for (const Found& far : found) {
            if (near.separation > within || far.separation <= within) continue;
            const Vec3d p = level.to_level(
                near.at + (far.at - near.at) * ((within - near.separation) / (far.separation - near.separation)));
            out.push_back({p.x, p.z});
        }
    }
    return out;
}

std::string list_of_touches(const Level& level, const Rest& rest) {
    constexpr const char* kNames[] = {"vertex on triangle", "vertex of the ground", "crossing of edges"};
    std::string out = "contacts that there are (gaps of up to 1 mm along the direction of rest)\n";
    for (const Touch& t : rest.touches) {
        const Vec3d at = level.to_world({t.x, t.y, t.z});
        if (t.gap > 0.001) continue;
        out += fmt::format("  {:<20}  at ({:>10.5f}, {:>10.5f}, {:>10.5f})  gap {:>9.4f} mm\n", kNames[int(t.what)],
                           at.x, at.y, at.z, 1e3 * t.gap);
    }
    return out;
}

}  // namespace abut::ground
