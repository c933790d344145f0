// Does nearly flat ground hold a body at rest: is its centre over the contacts (noisy, decimals, hills, fields)?
#include <cmath>

#include <fmt/format.h>

#include "surfaces/contacts/resting.hpp"

namespace abut::ground {
namespace {

using oracle::Vec2d;

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

// A pose is judged if the centre is by that much of the size within the exact contact region, and within what four
// contacts can span of it: of a disc on a ramp a square.
constexpr double kWellWithin = 0.02;
// ... and it is outside of the contacts if it is by that much of the size: points that are nearer to each other may be
// one contact.
constexpr double kOutside = 0.0075;

constexpr std::uint32_t kOutsideNear = 1, kNotHeld = 2, kOutsideAll = 4;

Finding examine_hold(Pose& pose, const RestingScene& scene) {
    Finding out;
    const Level level(scene.terrain);
    const Vec2d centre = projected_centre(level, scene.rest);
    const double size = scene.mover.size;
    const oracle::Loop region = near_touches(scene.rest, kSurelyNear);
    if (depth_in_hull(region, centre) < kWellWithin * size + left_by_best_four(region)) return out;
    out.is_judged = true;
    const std::vector<Found> found =
        collide(pose.narrow, scene.store, scene.rest.body, scene.terrain.body, pose.random.chance(0.5), kDefaultMargin);
    const double near = distance_to_hull(in_level(level, found, kNear), centre),
                 all = distance_to_hull(in_level(level, found, INFINITY), centre);
    // Where contacts found let the centre come nearer than kNear, although some of them are farther.
    const double held = distance_to_hull(held_within(level, found, kNear), centre);
    if (near > kOutside * size) out.faults |= kOutsideNear;
    if (held > kOutside * size) out.faults |= kNotHeld;
    if (all > kOutside * size) out.faults |= kOutsideAll;
    out.worst = std::min(near / size, 10.0) + 10 * std::min(held / size, 10.0) + 100 * std::min(all / size, 10.0);
    if (out.faults != 0)
        out.details = fmt::format(
            "{}: the centre is {:.3f} m outside of the near contacts, {:.3f} m from where they hold it, {:.3f} m "
            "outside of all {}",
            describe(scene.mover, scene.rest.body), near, held, all, found.size());
    if (pose.is_shown) {
        const Vec3d at = level.to_world(scene.rest.centre);
        out.lists = fmt::format("centre of mass ({:.5f}, {:.5f}, {:.5f})\n", at.x, at.y, at.z) +
                    list_of_touches(level, scene.rest) + list_of("contacts found", found);
        out.query = query_line(scene.mover, scene.rest.body, scene.terrain);
    }
    return out;
}

const std::vector<Fault> kHold = {
    {"outside the near contacts", 0.005}, {"not held within 0.5 mm", 0.005}, {"outside all contacts", 0.005}};
constexpr Kind kLying[] = {Kind::box, Kind::cylinder, Kind::prism, Kind::hull, Kind::plank};

void add_hold(std::vector<Family>& out, std::string name, std::string what, std::function<Relief(Random&)> relief) {
    const auto examine = [relief = std::move(relief)](Pose& pose) -> Finding {
        RestingScene scene;
        const auto make = [&](Random& random, const Extent& extent) {
            Relief r = relief(random);
            r.cell = std::pow(10.0, random.uniform(std::log10(0.05), 0));
            return make_relief(random, extent, r);
        };
        const Kind kind = kLying[pose.random.below(5)];
        if (!pose_body(pose.random, kind, make, scene)) return {};
        return examine_hold(pose, scene);
    };
    out.push_back({std::move(name), std::move(what), kHold, examine});
}

}  // namespace

void add_hold_families(std::vector<Family>& out) {
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
            r.form = Relief::Form::ramp, r.slope = std::tan(random.uniform(0.02, 0.45)), r.decimals = decimals,
            r.is_field = is_field;
            return r;
        };
    };
    for (const double n : noises)
        add_hold(out, fmt::format("noisy/{:.0e}", n), fmt::format("planes whose vertices are {:g} m off", n),
                 noisy(n, false));
    for (int d = 3; d <= 6; ++d)
        add_hold(out, fmt::format("decimals/{}", d), fmt::format("ramps saved with {} decimals", d), ramp(d, false));
    for (const double r : radii)
        add_hold(out, fmt::format("hills/{:.0f}", r), fmt::format("hills and bowls of radius {:g} m", r),
                 hill(r, false));
    for (const double n : noises)
        add_hold(out, fmt::format("fields/noisy-{:.0e}", n), fmt::format("height fields {:g} m off a plane", n),
                 noisy(n, true));
    for (int d = 3; d <= 6; ++d)
        add_hold(out, fmt::format("fields/decimals-{}", d), fmt::format("ramps as height fields of {} decimals", d),
                 ramp(d, true));
    for (const double r : radii)
        add_hold(out, fmt::format("fields/hills-{:.0f}", r), fmt::format("hills of {:g} m as height fields", r),
                 hill(r, true));
}

}  // namespace abut::ground
