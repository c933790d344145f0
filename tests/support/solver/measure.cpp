#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "scenes/asleep.hpp"

namespace abut::solver {
namespace {

constexpr double kOut = -20;  // metres: below this a body has fallen off the ground

void measure_motion(const World& world, const std::vector<RigidBody>& start, const Stack& stack, Measured& out) {
    const auto lower = [](const RigidBody& a, const RigidBody& b) { return a.position.y < b.position.y; };
    const auto is_static = [](const RigidBody& body) { return body.inverse_mass == 0; };
    const std::size_t top = std::size_t(std::max_element(
                                            start.begin(), start.end(),
                                            [&](const RigidBody& a, const RigidBody& b) {
        return is_static(a) != is_static(b) ? is_static(a) : lower(a, b);
                                            }) -
                                        start.begin());
    out.height_loss = start[top].position.y - world.bodies[top].position.y;
    out.stands = true;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (is_static(start[i])) continue;
        ++out.bodies;
        if (stack.falls && world.bodies[i].position.y < kOut) {
            out.stands = false;
            continue;
        }
        const Vec3d way = world.bodies[i].position - start[i].position;
        const double aside = std::hypot(way.x, way.z);
        out.drift = std::max(out.drift, aside);
        out.stands = out.stands && (stack.falls || (std::abs(way.y) < 0.25 * stack.size && aside < 0.25 * stack.size));
    }
}

void measure_lean(const World& world, const std::vector<RigidBody>& start, const Stack& stack, Measured& out) {
    const auto first =
        std::size_t(std::find_if(start.begin(), start.end(), [](const RigidBody& b) { return b.inverse_mass > 0; }) -
                    start.begin());
    for (std::size_t i = first; stack.stack_height > 0 && i + stack.stack_height <= start.size();
         i += stack.stack_height) {
        const std::size_t top = i + stack.stack_height - 1;
        const Vec3d moved =
            (world.bodies[top].position - world.bodies[i].position) - (start[top].position - start[i].position);
        out.lean = std::max(out.lean, std::hypot(moved.x, moved.z));
    }
}

// Of the bodies that have not fallen off the ground.
double energy_of_rest(const World& world) {
    double energy = 0;
    for (const RigidBody& body : world.bodies)
        if (body.position.y >= kOut) energy += World::kinetic_energy(body);
    return energy;
}

// Sleep, and velocities off the ground.
void look_at_bodies(const World& world, const Stack& stack, bool has_landed, scenes::Asleep& asleep, Measured& out) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const RigidBody& body = world.bodies[i];
        const bool is_static = body.inverse_mass == 0;
        asleep.look(i, length(body.velocity), length(body.spin), is_static || body.position.y < kOut);
        if (!is_static && has_landed && stack.ground_normal)
            out.fastest_rise = std::max(out.fastest_rise, dot(body.velocity, *stack.ground_normal));
    }
    asleep.next_step();
}

}  // namespace

Measured measure(const Stack& stack, const WorldSettings& wanted, double seconds) {
    const WorldSettings settings = stack.adjusted(wanted);
    World world(settings);
    stack.build(world);
    std::vector<RigidBody> start = world.bodies;
    constexpr double kLanded = 0.25;  // seconds
    scenes::Asleep asleep(world.bodies.size(), settings.step);
    const int steps = std::max(1, int(std::lround(seconds / settings.step))),
              last_second = std::min(steps, int(std::lround(1 / settings.step)));
    Measured out;
    std::chrono::duration<double, std::milli> spent{0};
    for (int i = 0; i < steps; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        world.step();
        spent += std::chrono::steady_clock::now() - begin;
        look_at_bodies(world, stack, i * settings.step >= kLanded, asleep, out);
        if (stack.falls && i == steps / 2) start = world.bodies;
        if (i < steps - last_second) continue;
        out.mean_energy += energy_of_rest(world) / last_second;
        out.ids_kept += world.ids_kept() / last_second;
        out.lost_load += world.lost_load(0.05 * stack.size);
    }
    measure_motion(world, start, stack, out);
    measure_lean(world, start, stack, out);
    out.awake = asleep.awake();
    out.all_asleep = asleep.all_asleep();
    out.last_energy = energy_of_rest(world);
    out.contacts = world.manifolds().contacts.size();
    out.ms_per_step = spent.count() / steps;
    return out;
}

}  // namespace abut::solver
