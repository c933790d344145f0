// The margin of docs/integrate.md for fast bodies on ground of triangles: a plank that spins and falls does not pass
// through, and what reaches the ground within a step has a contact before.
#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/turning.hpp"
#include "support/catch.hpp"
#include "support/surface_scenes.hpp"
#include "world.hpp"

namespace {

using namespace abut;
using namespace abut::solver;
using scenes::Random;

constexpr double kStep = 1.0 / 60, kSpin = 36, kFall = 5;  // s, rad/s, m/s
constexpr float kSlack = 0.02f;
constexpr Vec3 kPlank = {0.5f, 0.05f, 0.1f};  // half extents
constexpr std::uint32_t kCells = 120;
constexpr float kCell = 0.25f;

float height_at(float x, float z) { return 0.05f * std::sin(3 * x) * std::cos(2.5f * z); }

// The same ground, about the origin: as a mesh or as a height field.
ShapeId add_ground(ShapeStore& store, bool is_field) {
    if (!is_field) {
        const test::TestMesh mesh = test::grid_mesh(kCells, kCells, kCell, height_at);
        return *store.add_mesh(mesh.vertices, mesh.triangles);
    }
    std::vector<float> heights;
    for (std::uint32_t r = 0; r <= kCells; ++r)
        for (std::uint32_t c = 0; c <= kCells; ++c) heights.push_back(height_at(float(c) * kCell, float(r) * kCell));
    return *store.add_heightfield(heights, kCells + 1, kCells + 1, {}, {.spacing_x = kCell, .spacing_z = kCell});
}

double reach() { return length(Vec3d(kPlank)); }

Body pose_of(ShapeId shape, const Vec3d& position, const Quat& orientation) {
    return {{float(position.x), float(position.y), float(position.z)}, shape, orientation};
}

}  // namespace

TEST_CASE("a plank that reaches the ground within a step has a contact before, if the margin includes its spin",
          "[margin]") {
    for (const bool is_field : {false, true}) {
        ShapeStore store;
        const ShapeId ground = add_ground(store, is_field), plank = *store.add_box(kPlank);
        Random random(51);
        std::vector<Body> before = {{{}, ground, {}}}, after = before;
        std::vector<Pair> pairs;
        std::vector<float> with_spin, without;
        for (std::uint32_t i = 1; i <= 4000; ++i) {
            const Vec3d position{random.uniform(3, 9), random.uniform(0.15, 0.5), random.uniform(3, 9)};
            const Vec3d velocity = random.direction() * random.uniform(0, kFall),
                        spin = random.direction() * random.uniform(0, kSpin);
            const Quat orientation = random.orientation();
            before.push_back(pose_of(plank, position, orientation));
            const double angle = length(spin) * kStep, s = std::sin(angle / 2);
            const Vec3d axis = normalised(spin);
            const Quat rotation = scenes::to_float(axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2));
            after.push_back(pose_of(plank, position + velocity * kStep, scenes::product(rotation, orientation)));
            pairs.push_back({0, i});
            without.push_back(kSlack + float(length(velocity) * kStep));
            with_spin.push_back(without.back() + float(length(spin) * reach() * kStep));
        }
        NarrowPhase narrow;
        Distances distances_before, distances_after;
        REQUIRE(narrow.distance({&store, before, pairs}, distances_before));
        REQUIRE(narrow.distance({&store, after, pairs}, distances_after));
        std::size_t arrive = 0, missed = 0, missed_without = 0;
        for (const bool spins : {false, true}) {
            Manifolds manifolds;
            REQUIRE(narrow.collide({&store, before, pairs, spins ? with_spin : without}, manifolds));
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                if (distances_before.signed_distance[i] <= 0 || distances_after.signed_distance[i] > 0) continue;
                arrive += spins;
                (spins ? missed : missed_without) += manifolds.first_manifold[i] == manifolds.first_manifold[i + 1];
            }
        }
        CAPTURE(is_field, arrive);
        CHECK(arrive > 200);
        CHECK(missed == 0);
        CHECK(missed_without > 20);  // otherwise the spin would not matter
    }
}

TEST_CASE("a plank that spins at 36 rad/s and falls does not pass through the ground", "[margin]") {
    double deepest[2] = {};  // of any contact, with fixed margins and with those of motion
    for (const bool is_field : {false, true}) {
        for (const bool of_motion : {false, true}) {
            WorldSettings settings;
            settings.margin = kSlack;
            settings.margin_of_motion = of_motion;
            settings.substeps = 16;  // with 4 the solver adds energy at 36 rad/s
            World world(settings);
            world.add_static(add_ground(world.shapes, is_field), {});
            const Solid plank = add_box(world.shapes, kPlank);
            Random random(52);
            for (int i = 0; i < 16; ++i) {
                const Quat q = random.orientation();
                world.add(plank, 1000 * plank.moments.volume, {10.0 + 3 * (i % 4), 0.8, 10.0 + 3 * (i / 4)},
                          {q.x, q.y, q.z, q.w});
                world.bodies.back().velocity = {0, -kFall, 0};
                world.bodies.back().spin = random.direction() * kSpin;
            }
            for (int f = 0; f < 120; ++f) {
                world.step();
                for (const Contact& contact : world.manifolds().contacts)
                    deepest[of_motion] = std::max(deepest[of_motion], -double(contact.separation));
            }
            std::size_t through = 0;
            for (std::size_t i = 1; i < world.bodies.size(); ++i) {
                const Vec3d& p = world.bodies[i].position;
                through += p.y < double(height_at(float(p.x), float(p.z)));
            }
            CAPTURE(is_field, of_motion);
            if (of_motion) CHECK(through == 0);
        }
    }
    CAPTURE(deepest[0], deepest[1]);
    CHECK(deepest[1] < 0.08);
    CHECK(deepest[0] > 0.16);  // otherwise the spin would not matter
}
