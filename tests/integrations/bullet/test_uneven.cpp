// Ground as engines have it, in Bullet: bodies come to rest, no later than with Bullet's own narrow phase (which on
// meshes most often is never).
#include <algorithm>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "measure.hpp"
#include "simulation.hpp"
#include "support/catch.hpp"
#include "uneven_scenes.hpp"

using abut::tools::Measured;
using abut::tools::NamedScene;
using abut::tools::NarrowPhaseKind;
using abut::tools::Outcome;
using abut::tools::Run;
using abut::tools::Scene;

namespace {

constexpr double kRestEnergy = 1e-3;  // joules, of all bodies
constexpr double kLater = 0.5;        // seconds: which of two falls comes to rest first is chance

Measured measure(const NamedScene& named, NarrowPhaseKind kind, double seconds) {
    Run run(named, named.make(), kind, {.threads = 1}, seconds);
    for (std::size_t i = 0; i < run.steps(); ++i) run.step();
    return run.finish();
}

template <class Check>
void check_cold_and_warm(const NamedScene& named, double seconds, Check&& check) {
    for (const NarrowPhaseKind kind : {NarrowPhaseKind::abut_cold, NarrowPhaseKind::abut_warm}) {
        INFO(named.name << ", " << abut::tools::to_string(kind));
        const Measured measured = measure(named, kind, seconds);
        CHECK(measured.as_expected == measured.bodies);
        check(measured);
    }
}

void check_sleeps_as_with_bullet(const char* name, Scene (*make)(), double seconds) {
    const NamedScene named = {name, "", Outcome::rests, 0.6, make};
    const Measured own = measure(named, NarrowPhaseKind::bullet, seconds);
    CAPTURE(own.awake, own.all_asleep, own.last_energy);
    check_cold_and_warm(named, seconds, [&](const Measured& m) {
        CHECK(m.awake == 0);
        CHECK(m.all_asleep <= own.all_asleep + kLater);
        // Bodies that sleep may have kept some; Bullet's own on the field end with 0.08 J.
        CHECK(m.last_energy <= std::max(own.awake == 0 ? own.last_energy : 0, 10 * kRestEnergy));
    });
}

}  // namespace

TEST_CASE("a height field of a scene lies where its first corner is put") {
    abut::tools::ShapeSpec field;
    field.kind = abut::ShapeKind::heightfield;
    field.rows = 3, field.columns = 5;
    field.spacing_x = 0.5f, field.spacing_z = 0.25f;
    field.heights.assign(15, 0.0f);
    field.heights[2 * 5 + 4] = 0.1f;  // the last corner
    Scene scene;
    abut::tools::add_fixed(scene, field, {1, 2, 3});
    const abut::tools::Simulation simulation(scene);
    const abut::Vec3 position = simulation.bodies()[0].position;
    CHECK(position.x == Approx(1));
    CHECK(position.y == Approx(2));
    CHECK(position.z == Approx(3));
    btVector3 low, high;
    btRigidBody& body = const_cast<abut::tools::Simulation&>(simulation).body(0);
    body.getCollisionShape()->getAabb(body.getWorldTransform(), low, high);
    CHECK(double(low.x()) == Approx(1).margin(1e-3));
    CHECK(double(high.x()) == Approx(3).margin(1e-3));
    CHECK(double(low.y()) == Approx(2).margin(1e-3));
    CHECK(double(high.y()) == Approx(2.1).margin(1e-3));
    CHECK(double(low.z()) == Approx(3).margin(1e-3));
    CHECK(double(high.z()) == Approx(3.5).margin(1e-3));
}

TEST_CASE("planks on waves sleep no later than with Bullet's own narrow phase", "[uneven]") {
    check_sleeps_as_with_bullet(
        "planks", [] { return abut::tools::planks_on_waves(5); }, 8);
}

TEST_CASE("bodies on a height field sleep no later than with Bullet's own narrow phase", "[uneven]") {
    check_sleeps_as_with_bullet(
        "field", [] { return abut::tools::bodies_on_field(4); }, 8);
}

TEST_CASE("bodies on pebbles sleep no later than with Bullet's own narrow phase", "[uneven]") {
    check_sleeps_as_with_bullet(
        "pebbles", [] { return abut::tools::bodies_on_pebbles(6); }, 8);
}

TEST_CASE("bodies slide down a ramp of four decimals without a bump", "[uneven]") {
    const NamedScene named = {"ramp", "", Outcome::rests, 0.6, [] { return abut::tools::ramp_of_decimals(4); }};
    check_cold_and_warm(named, 14, [](const Measured& m) {
        CHECK(m.awake == 0);
        CHECK(m.fastest_rise < 0.01);
    });
}

TEST_CASE("prisms of 5 to 12 lateral faces stack upright", "[uneven]") {
    const NamedScene named = {"prisms", "", Outcome::stands, 0.25, abut::tools::prisms_of_all_sides};
    check_cold_and_warm(named, 10, [](const Measured& m) {
        CHECK(m.lean <= 0.01);
        CHECK(m.contacts_kept >= 0.99);
    });
}

// Poses of a plank that fell: its centre is a few centimetres over a crest, and behind the planes of triangles on the
// far slope that its end reaches. It was pushed through the ground.
TEST_CASE("a two-sided mesh pushes a plank on a crest upwards", "[uneven]") {
    using namespace abut;
    tools::ShapeSpec waves = tools::planks_on_waves(20).shapes.front();
    waves.sides = MeshSides::both;
    ShapeStore store;
    const auto ground = tools::add_shape(store, waves), plank = store.add_box({0.5f, 0.05f, 0.1f});
    REQUIRE(ground);
    REQUIRE(plank);
    const std::vector<Body> bodies = {
        {{}, *ground, {}},
        {{13.299984f, 0.182728797f, -7.69912386f},
         *plank,
         {0.00140840968f, 0.963511169f, 0.0150042651f, -0.267243415f}},
        {{13.2985153f, 0.171733618f, -7.69669008f},
         *plank,
         {-0.00531323068f, 0.962779939f, 0.0170836486f, -0.269693643f}},
    };
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}};
    NarrowPhase narrow;
    Manifolds manifolds;
    REQUIRE(narrow.collide({&store, bodies, pairs}, manifolds));
    CHECK(manifolds.first_manifold[1] > 0);
    CHECK(manifolds.first_manifold[2] > manifolds.first_manifold[1]);
    for (const Manifold& manifold : manifolds.manifolds) {
        CAPTURE(manifold.pair, manifold.child_a);
        CHECK(manifold.normal.y > 0);
        CHECK(manifolds.contacts[manifold.first_contact].separation > -0.05f);
    }
}
