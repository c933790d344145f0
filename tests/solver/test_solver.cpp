// The stacks' solver is sound by itself: mass properties, free bodies, collisions, friction, and a stack that must stand.
#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "measure.hpp"

namespace {

using namespace abut;
using namespace abut::solver;
using Catch::Approx;

}  // namespace

TEST_CASE("a stack of aligned boxes comes to rest", "[solver]") {
    for (const Stack& stack : stacks()) {
        if (!stack.name.starts_with("boxes/")) continue;
        INFO(stack.name);
        const Measured m = measure(stack, {}, 10);
        CHECK(m.stands);
        CHECK(m.bodies == 10);
        CHECK(m.mean_energy < 1e-3);
        CHECK(m.ids_kept > 0.9999);
    }
}
