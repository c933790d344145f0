// Bodies at rest: does the ground hold them (noisy, decimals, hills, fields), and are the contacts that bear load found (load)?
#include <cmath>

#include <fmt/format.h>

#include "ground/contacts.hpp"
#include "ground/settle.hpp"

namespace abut::ground {
namespace {

using oracle::Loop;
using oracle::Vec2d;

constexpr double kNear = 0.0005;  // metres: what is as near to touching as this bears load
constexpr double kSurelyNear = 0.0004;
constexpr double kOverlap = 0.0002;  // metres, at most
constexpr float kMargin = 0.02f;     // the library's default

struct Scene {
    ShapeStore store;
    Terrain terrain;
    Mover mover;
    Rest rest;
};

template <std::size_t N>
Kind one_of(Random& random, const Kind (&kinds)[N]) {
    return kinds[random.below(std::uint32_t(N))];
}

// Within 20 m of the origin; half of the sites are at it.
Vec3d random_site(Random& random) {
    if (random.chance(0.5)) return {};
    const double x = random.uniform(-20, 20), y = random.uniform(-2, 2), z = random.uniform(-20, 20);
    return {x, y, z};
}

// False where the body finds no rest there. `make(random, extent)` gives the ground.
template <class Make>
bool pose_body(Random& random, Kind kind, Make&& make, Scene& out) {
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

// --- is the centre over the contacts? ---

// Where gravity takes the centre of mass on its way to the level of the contacts, in the level frame.
Vec2d projected_centre(const Level& level, const Rest& rest) {
    double sum = 0, count = 0;
    for (const Touch& t : rest.touches) {
        if (t.gap > kSurelyNear) continue;
        sum += t.y, ++count;
    }
    const Vec3d down = level.to_level({0, -1, 0});
    const double fall = (rest.centre.y - sum / count) / -down.y;
    return {rest.centre.x + fall * down.x, rest.centre.z + fall * down.z};
}

Loop near_touches(const Rest& rest, double within) {
    Loop out;
    for (const Touch& t : rest.touches)
        if (t.gap <= within) out.push_back({t.x, t.z});
    return out;
}

Loop in_level(const Level& level, const std::vector<Found>& found, double within) {
    Loop out;
    for (const Found& f : found) {
        const Vec3d p = level.to_level(f.at);
        if (f.separation <= within) out.push_back({p.x, p.z});
    }
    return out;
}

// What is there to find, up to a millimetre apart.
std::string list_of_touches(const Level& level, const Rest& rest) {
    constexpr const char* kNames[] = {"vertex on triangle", "vertex of the ground", "crossing of edges"};
    std::string out = "contacts that there are (gaps of up to 1 mm along the direction of rest)\n";
    for (const Touch& t : rest.touches) {
        const Vec3d at = level.to_world({t.x, t.y, t.z});
        if (t.gap > 0.001) continue;
        out += fmt::format("  {:<20}  at ({:>10.5f}, {:>10.5f}, {:>10.5f})  gap {:>9.4f} mm\n", kNames[int(t.what)], at.x, at.y, at.z, 1e3 * t.gap);
    }
    return out;
}

// Where it is by that much of the size within the exact contact region the pose is judged.
constexpr double kWellWithin = 0.02;
// ... and it is outside of the contacts if it is by that much of the size: points that are nearer to each other may be one contact.
constexpr double kOutside = 0.0075;

constexpr std::uint32_t kOutsideNear = 1, kOutsideAll = 2;

Finding examine_hold(Pose& pose, const Scene& scene) {
    Finding out;
    const Level level(scene.terrain);
    const Vec2d centre = projected_centre(level, scene.rest);
    const double size = scene.mover.size;
    if (depth_in_hull(near_touches(scene.rest, kSurelyNear), centre) < kWellWithin * size) return out;
    out.is_judged = true;
    const std::vector<Found> found = collide(pose.narrow, scene.store, scene.rest.body, scene.terrain.body, pose.random.chance(0.5), kMargin);
    const double near = distance_to_hull(in_level(level, found, kNear), centre), all = distance_to_hull(in_level(level, found, INFINITY), centre);
    if (near > kOutside * size) out.faults |= kOutsideNear;
    if (all > kOutside * size) out.faults |= kOutsideAll;
    out.worst = std::min(near / size, 10.0) + std::min(all / size, 10.0);
    if (out.faults != 0)
        out.details = fmt::format("{}: the centre is {:.3f} m outside of the near contacts, {:.3f} m outside of all {}",
                                  describe(scene.mover, scene.rest.body), near, all, found.size());
    if (pose.is_shown) {
        const Vec3d at = level.to_world(scene.rest.centre);
        out.lists = fmt::format("centre of mass ({:.5f}, {:.5f}, {:.5f})\n", at.x, at.y, at.z) + list_of_touches(level, scene.rest) +
                    list_of("contacts found", found);
        out.query = query_line(scene.mover, scene.rest.body, scene.terrain);
    }
    return out;
}

const std::vector<Fault> kHold = {{"outside the near contacts", 0.005}, {"outside all contacts", 0.005}};
constexpr Kind kLying[] = {Kind::box, Kind::cylinder, Kind::prism, Kind::hull, Kind::plank};

void add_hold(std::vector<Family>& out, std::string name, std::string what, std::function<Relief(Random&)> relief) {
    const auto examine = [relief = std::move(relief)](Pose& pose) -> Finding {
        Scene scene;
        const auto make = [&](Random& random, const Extent& extent) {
            Relief r = relief(random);
            r.cell = std::pow(10.0, random.uniform(std::log10(0.05), 0));
            return make_relief(random, extent, r);
        };
        const Kind kind = one_of(pose.random, kLying);
        if (!pose_body(pose.random, kind, make, scene)) return {};
        return examine_hold(pose, scene);
    };
    out.push_back({std::move(name), std::move(what), kHold, examine});
}

}  // namespace

void add_rest_families(std::vector<Family>& out) {
    const double noises[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3}, radii[] = {3, 30, 300, 3000, 30000};
    const auto noisy = [](double noise, bool is_field) {
        return [=](Random&) {
            Relief r;
            r.noise = noise, r.is_field = is_field;
            return r;
        };
    };
    const auto hill = [](double radius, bool is_field) {
        return [=](Random& random) {
            Relief r;
            r.form = Relief::Form::hill, r.radius = random.chance(0.5) ? radius : -radius, r.is_field = is_field;
            return r;
        };
    };
    const auto ramp = [](int decimals, bool is_field) {
        return [=](Random& random) {
            Relief r;
            r.form = Relief::Form::ramp, r.slope = std::tan(random.uniform(0.02, 0.45)), r.decimals = decimals, r.is_field = is_field;
            return r;
        };
    };
    for (const double n : noises)
        add_hold(out, fmt::format("noisy/{:.0e}", n), fmt::format("planes whose vertices are {:g} m off", n), noisy(n, false));
    for (int d = 3; d <= 6; ++d) add_hold(out, fmt::format("decimals/{}", d), fmt::format("ramps saved with {} decimals", d), ramp(d, false));
    for (const double r : radii) add_hold(out, fmt::format("hills/{:.0f}", r), fmt::format("hills and bowls of radius {:g} m", r), hill(r, false));
    for (const double n : noises)
        add_hold(out, fmt::format("fields/noisy-{:.0e}", n), fmt::format("height fields {:g} m off a plane", n), noisy(n, true));
    for (int d = 3; d <= 6; ++d)
        add_hold(out, fmt::format("fields/decimals-{}", d), fmt::format("ramps as height fields of {} decimals", d), ramp(d, true));
    for (const double r : radii)
        add_hold(out, fmt::format("fields/hills-{:.0f}", r), fmt::format("hills of {:g} m as height fields", r), hill(r, true));
}

// --- are the contacts that bear load there? ---

namespace {

constexpr float kMargins[] = {0.005f, 0.0075f, 0.01f, 0.02f, 0.04f};
constexpr int kMarginCount = 5;
// A contact is found if it is this near to the hull of those as deep: metres, and a share of the size. If more than four corners bear load, a manifold
// cannot have all: the best four leave some outside, and others are as good if they leave no more than that times the factor.
constexpr double kFoundWithin = 0.002, kFoundShare = 0.0075, kAsGood = 1.25;

std::vector<Fault> load_faults() {
    return {{"lost at 5 mm"}, {"lost at 7.5 mm"}, {"lost at 10 mm"}, {"lost at 20 mm"}, {"lost at 40 mm"}, {"lost at some margin only"}};
}

Finding examine_load(Pose& pose, const Scene& scene) {
    Finding out;
    out.is_judged = true;
    const Level level(scene.terrain);
    const double allowed = kFoundWithin + kFoundShare * scene.mover.size + kAsGood * left_by_best_four(near_touches(scene.rest, kNear));
    const bool is_a = pose.random.chance(0.5);
    for (int i = 0; i < kMarginCount; ++i) {
        const std::vector<Found> found = collide(pose.narrow, scene.store, scene.rest.body, scene.terrain.body, is_a, kMargins[i]);
        if (pose.is_shown) out.lists += list_of(fmt::format("contacts found at a margin of {:g} mm", 1e3 * double(kMargins[i])).c_str(), found);
        double worst = 0;
        const Touch* lost = nullptr;
        for (const Touch& t : scene.rest.touches) {
            if (t.gap > kNear) continue;
            const double far = distance_to_hull(in_level(level, found, t.gap + kNear), {t.x, t.z});
            if (far > std::max(allowed, worst)) worst = far, lost = &t;
        }
        if (lost == nullptr) continue;
        out.faults |= 1u << i;
        if (worst <= out.worst) continue;
        out.worst = worst;
        const Vec3d at = level.to_world({lost->x, lost->y, lost->z});
        out.details =
            fmt::format("{}: margin {:g} mm, the contact at ({:.4f}, {:.4f}, {:.4f}) of separation {:.3f} mm is {:.4f} m from the hull of others",
                        describe(scene.mover, scene.rest.body), 1e3 * double(kMargins[i]), at.x, at.y, at.z, 1e3 * lost->gap, worst);
    }
    constexpr std::uint32_t kAll = (1u << kMarginCount) - 1;
    if (out.faults != 0 && out.faults != kAll) out.faults |= 1u << kMarginCount;
    if (pose.is_shown) {
        out.lists = list_of_touches(level, scene.rest) + out.lists;
        out.query = query_line(scene.mover, scene.rest.body, scene.terrain);
    }
    return out;
}

void add_load(std::vector<Family>& out, std::string name, std::string what, std::function<Terrain(Random&, const Extent&)> make) {
    const auto examine = [make = std::move(make)](Pose& pose) -> Finding {
        constexpr Kind kKinds[] = {Kind::plank, Kind::plank, Kind::box, Kind::prism, Kind::hull};
        Scene scene;
        const Kind kind = one_of(pose.random, kKinds);
        if (!pose_body(pose.random, kind, make, scene)) return {};
        return examine_load(pose, scene);
    };
    out.push_back({std::move(name), std::move(what), load_faults(), examine});
}

}  // namespace

void add_load_families(std::vector<Family>& out) {
    const auto relief = [](Relief::Form form, double height, double longest_wave, bool is_field) {
        return [=](Random& random, const Extent& extent) {
            Relief r;
            r.form = form, r.height = height * random.uniform(0.2, 1), r.length = random.uniform(0.5, longest_wave), r.is_field = is_field;
            r.cell = std::pow(10.0, form == Relief::Form::pebbles ? random.uniform(-1.6, -1) : random.uniform(-1.3, -0.3));
            return make_relief(random, extent, r);
        };
    };
    add_load(out, "load/waves", "meshes of waves of up to 5 cm", relief(Relief::Form::waves, 0.05, 2.5, false));
    add_load(out, "load/fields", "height fields whose samples are up to 5 cm off a plane", relief(Relief::Form::rough, 0.05, 1, true));
    add_load(out, "load/pebbles", "pebbles of up to 3 cm on flat ground", relief(Relief::Form::pebbles, 0.03, 1, false));
    add_load(out, "load/ridges", "ridges of two and four triangles", make_ridge);
    add_load(out, "load/pits", "pits with walls of triangles", make_pit);
}

}  // namespace abut::ground
