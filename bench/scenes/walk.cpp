// Walks, see resting.hpp.
#include <algorithm>

#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "scenes/turning.hpp"

namespace abut::scenes {
namespace {

using oracle::Vec3d;

constexpr double kLeash = 10;  // steps

// Where a slot's walk has got to.
struct Walker {
    std::size_t source;  // pair of the start
    Quat orientation_b;  // at its start
    Vec3d moved, turned;
};

Vec3d stepped(const Vec3d& from, double step, Random& random) {
    const double way = step * random.uniform();
    const Vec3d to = from + random.direction() * way;
    return length(to) > kLeash * step ? from * 0.9 : to;
}

void teleport(Walker& walker, const Scene& start, Random& random) {
    walker = {random.below(std::uint32_t(start.pairs.size())), {}, {}, {}};
    walker.orientation_b = random.chance(0.5) ? start.body_b(walker.source).orientation : random.orientation();
}

void place_frame(Scene& scene, const Scene& start, const std::vector<Walker>& walkers, std::size_t first) {
    for (std::size_t i = 0; i < walkers.size(); ++i) {
        const Walker& walker = walkers[i];
        const std::size_t pair = first + i;
        const Pair bodies = start.pairs[walker.source];
        const auto copy = [&](std::size_t to, std::uint32_t from) {
            scene.bodies[to] = start.bodies[from], scene.solid_of[to] = start.solid_of[from];
            scene.bodies[to].shape = scene.ids[start.solid_of[from]];
        };
        copy(2 * pair, bodies.a), copy(2 * pair + 1, bodies.b);
        Body& b = scene.bodies[2 * pair + 1];
        const Vec3d position = Vec3d(b.position) + walker.moved;
        b.position = {float(position.x), float(position.y), float(position.z)};
        b.orientation = slightly_turned(walker.orientation_b, walker.turned);
        scene.pairs[pair] = {std::uint32_t(2 * pair), std::uint32_t(2 * pair + 1)};
        scene.family[pair] = start.family[walker.source];
        if (!start.margins.empty()) scene.margins[pair] = start.margins[walker.source];
    }
}

}  // namespace

Scene make_walk(const Scene& start, const Walk& walk) {
    Scene scene;
    scene.name = "walk of " + start.name;
    for (const oracle::Solid& solid : start.solids) scene.add_solid(solid.shape);
    const std::size_t slots = start.pairs.size();
    scene.resize(walk.frames * slots);
    if (!start.margins.empty()) scene.margins.resize(scene.pairs.size());
    Random random(walk.seed);
    std::vector<Walker> walkers;
    for (std::size_t i = 0; i < slots; ++i) walkers.push_back({i, start.body_b(i).orientation, {}, {}});
    for (std::size_t frame = 0; frame < walk.frames; ++frame) {
        const bool is_time = walk.teleport_every > 0 && frame > 0 && frame % walk.teleport_every == 0;
        for (Walker& walker : walkers) {
            if (is_time && random.chance(1.0 / 3)) teleport(walker, start, random);
            const double smaller = smaller_size(start.solid_a(walker.source), start.solid_b(walker.source));
            if (frame == 0) continue;
            walker.moved = stepped(walker.moved, walk.step * smaller, random);
            walker.turned = stepped(walker.turned, walk.step, random);
        }
        place_frame(scene, start, walkers, frame * slots);
    }
    scene.compute_reference();
    return scene;
}

}  // namespace abut::scenes
