// The comparison's scenes: what stands stays, what rolls comes to rest, and the contacts last.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "adapter.hpp"
#include "measure.hpp"
#include "simulation.hpp"
#include "support/catch.hpp"

using abut::tools::Measured;
using abut::tools::NamedScene;
using abut::tools::NarrowPhaseKind;
using abut::tools::Run;

namespace {

const NamedScene& scene_named(std::string_view name) {
    for (const NamedScene& scene : abut::tools::named_scenes()) {
        if (scene.name == name) return scene;
    }
    throw std::invalid_argument("no such scene");
}

Measured measure(const NamedScene& named, NarrowPhaseKind kind, double seconds) {
    Run run(named, named.make(), kind, {.threads = 1}, seconds);
    for (std::size_t i = 0; i < run.steps(); ++i) run.step();
    return run.finish();
}

// At rest for the seconds that the scene's settled share leaves.
void check_rest(const char* name, double seconds, double most_drift) {
    const NamedScene& named = scene_named(name);
    for (const NarrowPhaseKind kind : {NarrowPhaseKind::abut_cold, NarrowPhaseKind::abut_warm}) {
        INFO(name << ", " << abut::tools::to_string(kind));
        const Measured measured = measure(named, kind, seconds);
        CHECK(measured.as_expected == measured.bodies);
        CHECK(measured.contacts > 0);
        CHECK(measured.drift < most_drift);
        CHECK(measured.highest_energy < 1e-3);
        CHECK(measured.deepest < 1e-3);
        CHECK(measured.contacts_kept >= 0.99);
        CHECK(measured.alternating == 0);
    }
}

// Joules per kilogram: nobody sees less.
constexpr double kStillEnergy = 1e-6;
// Which of two still scenes has the lesser energy is chance: from run to run it differs by as much.
constexpr double kByChance = 2;

// What stands with Bullet's own narrow phase stands with abut's, with no more energy and drift.
// `kept`: the share of contacts that last, at least.
void check_as_good_as_bullet(const char* name, double seconds, double kept = 0.99) {
    const NamedScene& named = scene_named(name);
    const Measured own = measure(named, NarrowPhaseKind::bullet, seconds);
    CHECK(own.as_expected == own.bodies);  // otherwise the scene asks for nothing
    for (const NarrowPhaseKind kind : {NarrowPhaseKind::abut_cold, NarrowPhaseKind::abut_warm}) {
        INFO(name << ", " << abut::tools::to_string(kind));
        const Measured measured = measure(named, kind, seconds);
        CHECK(measured.as_expected == measured.bodies);
        CHECK(measured.mean_energy <= std::max(kByChance * own.mean_energy, kStillEnergy * measured.mass));
        CHECK(measured.drift <= own.drift);
        CHECK(measured.contacts_kept >= kept);
    }
}

constexpr double kMillimetre = 0.001;
// Bullet's solver has one direction of friction, and below 0.345 mm/s that need not be the one of motion: what has
// rolled or slid may creep on at less, with any narrow phase.
constexpr double kCreep = 0.000345;

}  // namespace

TEST_CASE("a cylinder stands still on a half-space") { check_rest("cylinder", 6.7, kMillimetre); }
TEST_CASE("lying capsules stay where they are") { check_rest("capsules", 6.7, kMillimetre); }
TEST_CASE("a chair of twelve boxes stands still") { check_rest("chair", 6.7, kMillimetre); }
TEST_CASE("a cone rolls and comes to rest") {
    const abut::tools::Scene scene = scene_named("cone").make();
    abut::tools::Simulation simulation(scene, [](btCollisionConfiguration* configuration) {
        return std::make_unique<abut::bullet::Dispatcher>(configuration);
    });
    for (int i = 0; i < 15; ++i) simulation.step(1.0 / 60);
    CHECK(std::fabs(simulation.bodies().back().position.z - scene.bodies.back().position.z) > 0.05f);
    check_rest("cone", 12.5, 5 * kCreep);
}
// With the same order of points in all manifolds its solver pushes all boxes the same way: then more than with Bullet's
// own.
TEST_CASE("a pyramid creeps by less than with Bullet's own narrow phase") {
    const NamedScene& named = scene_named("pyramid");
    const double own = measure(named, NarrowPhaseKind::bullet, 8).drift;
    for (const NarrowPhaseKind kind : {NarrowPhaseKind::abut_cold, NarrowPhaseKind::abut_warm}) {
        INFO(abut::tools::to_string(kind));
        const Measured measured = measure(named, kind, 8);
        CHECK(measured.drift < 0.7 * own);
        CHECK(measured.contacts_kept >= 0.99);
    }
}
TEST_CASE("capsules in crates stay as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("crates", 6);
}
TEST_CASE("stacks of compounds stay as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("compounds", 8);
}
TEST_CASE("a card house stands as still as with Bullet's own narrow phase") { check_as_good_as_bullet("cards", 20); }
TEST_CASE("5 stacked cylinders stand as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("cylinders5", 8);
}
TEST_CASE("10 stacked cylinders stand as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("cylinders10", 20);
}
TEST_CASE("boxes yawed in turn stand as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("yawed", 20);
}
TEST_CASE("stacked frusta stand as still as with Bullet's own narrow phase") { check_as_good_as_bullet("frusta", 20); }
TEST_CASE("a tower of 1 cm boxes stands as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("tower", 8);
}
TEST_CASE("a wall of prisms stands as still as with Bullet's own narrow phase") {
    check_as_good_as_bullet("prismwall", 8, 0.9);
}
TEST_CASE("50 stacks of yawed boxes stand as still as with Bullet's own narrow phase", "[slow]") {
    check_as_good_as_bullet("boxes500", 8);
}
TEST_CASE("50 stacks of yawed prisms stand as still as with Bullet's own narrow phase", "[slow]") {
    check_as_good_as_bullet("prisms500", 8);
}
