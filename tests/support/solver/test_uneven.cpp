// Promise 7, "Steady", on ground as engines have it: bodies come to rest, slide without a bump, and stand upright.
#include <cmath>
#include <limits>
#include <string>

#include "measure.hpp"
#include "support/catch.hpp"
#include "uneven.hpp"

namespace {

using namespace abut;
using namespace abut::solver;

constexpr double kRestEnergy = 1e-3;  // joules, of all bodies

Stack falling(void (*build)(World&)) {
    Stack stack;
    stack.uneven = stack.falls = true;
    stack.size = 0.4;
    stack.build = build;
    return stack;
}

template <class Check>
void check_cold_and_warm(const Stack& stack, double seconds, Check&& check) {
    for (const bool warm : {false, true}) {
        INFO(stack.name << (warm ? ", warm" : ", cold"));
        WorldSettings settings;
        settings.warm = warm;
        const Measured m = measure(stack, settings, seconds);
        CHECK(m.stands);
        check(m);
    }
}

// The goal is that all sleep with less than kRestEnergy, and that no contact that bears load is lost. What is allowed
// is more than today's figures, and less than those of the choice of contacts by area: 1.4 J, 0.26 J, 3.9 J and 5.2 J.
struct Allowed {
    std::size_t awake = 0;
    double energy = kRestEnergy;  // joules
    double drift = 1e-3;          // metres
    std::size_t lost_load = 0;
};

void check_comes_to_rest(const Stack& stack, double seconds, std::size_t bodies, const Allowed& allowed) {
    check_cold_and_warm(stack, seconds, [&](const Measured& m) {
        CHECK(m.bodies == bodies);
        CHECK(m.awake <= allowed.awake);
        CHECK(m.mean_energy < allowed.energy);
        CHECK(m.drift < allowed.drift);
        CHECK(m.lost_load <= allowed.lost_load);
        CHECK(m.ids_kept >= 0.97);
    });
}

void check_ramp(void (*build)(World&), double most_rise) {
    Stack stack = falling(build);
    stack.friction = kRampFriction;
    stack.ground_normal = ramp_normal();
    check_cold_and_warm(stack, 12, [&](const Measured& m) {
        CHECK(m.awake == 0);
        CHECK(m.mean_energy < kRestEnergy);
        CHECK(m.fastest_rise < most_rise);
        CHECK(m.lost_load == 0);
    });
}

void check_prisms(std::initializer_list<int> all_lateral_faces) {
    for (const int lateral_faces : all_lateral_faces) {
        Stack stack;
        stack.name = std::to_string(lateral_faces) + " lateral faces";
        stack.stack_height = kPrismsInStack;
        stack.build = [lateral_faces](World& world) {
            world.add_static(*world.shapes.add_box({20, 1, 20}), {0, -1, 0});
            prism_stack(world, lateral_faces);
        };
        check_cold_and_warm(stack, 12, [&](const Measured& m) {
            CHECK(m.lean <= 0.01);
            CHECK(m.mean_energy < kRestEnergy);
            CHECK(m.ids_kept >= 0.99);
        });
    }
}

}  // namespace

TEST_CASE("planks come to rest on a mesh of waves", "[uneven]") {
    check_comes_to_rest(falling([](World& world) { planks_on_waves(world, 6); }), 10, 36, {1, 0.05, 0.01, 60});
}

TEST_CASE("bodies come to rest on a height field with a relief of 5 cm", "[uneven]") {
    check_comes_to_rest(falling([](World& world) { bodies_on_field(world, 5); }), 10, 25, {1, 0.05, 0.03, 40});
}

TEST_CASE("bodies come to rest on ridges", "[uneven]") {
    check_comes_to_rest(falling([](World& world) { bodies_on_ridges(world, 5); }), 10, 25, {1, 0.1, 0.08, 20});
}

TEST_CASE("bodies come to rest on pebbles", "[uneven]") {
    check_comes_to_rest(falling([](World& world) { bodies_on_pebbles(world, 6); }), 10, 36, {3, 0.6, 0.01, 80});
}

// Neighbouring triangles differ by an angle of some 2 units of the last decimal over 0.25 m, and bodies slide at 3 m/s.
TEST_CASE("bodies rest and slide on ramps saved with few decimals", "[uneven]") {
    check_ramp([](World& world) { ramp_of_decimals(world, 2, 3); }, 0.03);
    check_ramp([](World& world) { ramp_of_decimals(world, 2, 4); }, 0.003);
    check_ramp([](World& world) { ramp_of_decimals(world, 2, 6); }, 0.0003);
}

TEST_CASE("stacks of ten prisms of 5 to 12 lateral faces stay upright", "[uneven]") {
    check_prisms({5, 6, 7, 8, 9, 10, 11, 12});
}
