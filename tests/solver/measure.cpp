#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace abut::solver {
namespace {

void measure_motion(const World& world, const std::vector<RigidBody>& start, double size, Measured& out) {
    const auto lower = [](const RigidBody& a, const RigidBody& b) { return a.position.y < b.position.y; };
    const auto is_static = [](const RigidBody& body) { return body.inverse_mass == 0; };
    const std::size_t top = std::size_t(
        std::max_element(start.begin(), start.end(),
                         [&](const RigidBody& a, const RigidBody& b) { return is_static(a) != is_static(b) ? is_static(a) : lower(a, b); }) -
        start.begin());
    out.height_loss = start[top].position.y - world.bodies[top].position.y;
    out.stands = true;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (is_static(start[i])) continue;
        ++out.bodies;
        const Vec3d way = world.bodies[i].position - start[i].position;
        const double aside = std::hypot(way.x, way.z);
        out.drift = std::max(out.drift, aside);
        out.stands = out.stands && std::abs(way.y) < 0.25 * size && aside < 0.25 * size;
    }
}

}  // namespace

Measured measure(const Stack& stack, const WorldSettings& wanted, double seconds) {
    const WorldSettings settings = stack.adjusted(wanted);
    World world(settings);
    stack.build(world);
    const std::vector<RigidBody> start = world.bodies;
    const int steps = std::max(1, int(std::lround(seconds / settings.step))), last_second = std::min(steps, int(std::lround(1 / settings.step)));
    Measured out;
    std::chrono::duration<double, std::milli> spent{0};
    for (int i = 0; i < steps; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        world.step();
        spent += std::chrono::steady_clock::now() - begin;
        if (i < steps - last_second) continue;
        out.mean_energy += world.kinetic_energy() / last_second;
        out.ids_kept += world.ids_kept() / last_second;
    }
    measure_motion(world, start, stack.size, out);
    out.last_energy = world.kinetic_energy();
    out.contacts = world.manifolds().contacts.size();
    out.ms_per_step = spent.count() / steps;
    return out;
}

}  // namespace abut::solver
