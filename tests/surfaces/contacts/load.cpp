// Bodies at rest on uneven ground: are the contacts that bear load found, whatever the margin?
#include <cmath>

#include <fmt/format.h>

#include "surfaces/contacts/resting.hpp"

namespace abut::ground {
namespace {

constexpr float kMargins[] = {0.005f, 0.0075f, 0.01f, 0.02f, 0.04f};
constexpr int kMarginCount = 5;
// A contact is found if it is this near to where those found keep the body from coming nearer by more than kNear:
// metres, and a share of the size. If more than four corners bear load, a manifold cannot have all: the best four leave
// some outside, and others are as good if they leave no more than that times the factor.
constexpr double kFoundWithin = 0.002, kFoundShare = 0.0075, kAsGood = 2;

std::vector<Fault> load_faults() {
    return {{"lost at 5 mm"},  {"lost at 7.5 mm"}, {"lost at 10 mm"},
            {"lost at 20 mm"}, {"lost at 40 mm"},  {"lost at some margin only"}};
}

Finding examine_load(Pose& pose, const RestingScene& scene) {
    Finding out;
    out.is_judged = true;
    const Level level(scene.terrain);
    const double allowed =
        kFoundWithin + kFoundShare * scene.mover.size + kAsGood * left_by_best_four(near_touches(scene.rest, kNear));
    const bool is_a = pose.random.chance(0.5);
    for (int i = 0; i < kMarginCount; ++i) {
        const std::vector<Found> found =
            collide(pose.narrow, scene.store, scene.rest.body, scene.terrain.body, is_a, kMargins[i]);
        if (pose.is_shown)
            out.lists +=
                list_of(fmt::format("contacts found at a margin of {:g} mm", 1e3 * double(kMargins[i])).c_str(), found);
        double worst = 0;
        const Touch* lost = nullptr;
        for (const Touch& t : scene.rest.touches) {
            if (t.gap > kNear) continue;
            const double far = distance_to_hull(held_within(level, found, t.gap + kNear), {t.x, t.z});
            if (far > std::max(allowed, worst)) worst = far, lost = &t;
        }
        if (lost == nullptr) continue;
        out.faults |= 1u << i;
        if (worst <= out.worst) continue;
        out.worst = worst;
        const Vec3d at = level.to_world({lost->x, lost->y, lost->z});
        out.details = fmt::format(
            "{}: margin {:g} mm, the contact at ({:.4f}, {:.4f}, {:.4f}) of separation {:.3f} mm is {:.4f} m from "
            "where others hold the body",
            describe(scene.mover, scene.rest.body), 1e3 * double(kMargins[i]), at.x, at.y, at.z, 1e3 * lost->gap,
            worst);
    }
    constexpr std::uint32_t kAll = (1u << kMarginCount) - 1;
    if (out.faults != 0 && out.faults != kAll) out.faults |= 1u << kMarginCount;
    if (pose.is_shown) {
        out.lists = list_of_touches(level, scene.rest) + out.lists;
        out.query = query_line(scene.mover, scene.rest.body, scene.terrain);
    }
    return out;
}

}  // namespace

void add_load_families(std::vector<Family>& out) {
    for (const UnevenGround& ground : uneven_grounds()) {
        const auto examine = [make = ground.make](Pose& pose) -> Finding {
            constexpr Kind kKinds[] = {Kind::plank, Kind::plank, Kind::box, Kind::prism, Kind::hull};
            RestingScene scene;
            const Kind kind = kKinds[pose.random.below(5)];
            if (!pose_body(pose.random, kind, make, scene)) return {};
            return examine_load(pose, scene);
        };
        out.push_back({fmt::format("load/{}", ground.name), ground.what, load_faults(), examine});
    }
}

}  // namespace abut::ground
