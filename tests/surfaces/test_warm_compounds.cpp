// Caches of compounds on meshes and height fields: their contacts follow child by child.
#include <cmath>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/surface_pairs.hpp"
#include "support/warm_manifolds.hpp"

using namespace abut;
using namespace test::warm;

TEST_CASE(
    "surfaces, warm: a compound that hardly moves keeps its triangles, and loses them where it or its children change",
    "[surfaces][warm]") {
    ShapeStore store;
    const test::TestMesh hills =
        test::grid_mesh(40, 40, 0.2f, [](float x, float z) { return 0.1f * std::sin(2 * x) * std::cos(3 * z); });
    const ShapeId ground = *store.add_mesh(hills.vertices, hills.triangles), wheel = *store.add_sphere(0.3f);
    std::vector<CompoundChild> children = {{*store.add_box({0.9f, 0.2f, 0.45f}), {0, 0.1f, 0}, {}}};
    for (const float x : {-0.6f, 0.6f})
        for (const float z : {-0.45f, 0.45f}) children.push_back({wheel, {x, -0.2f, z}, {}});
    const ShapeId car = *store.add_compound(children);
    std::vector<Body> bodies = {{{}, ground, {}}, {{4, 0.45f, 4}, car, {}}};
    const Pair pair[1] = {{0, 1}};
    const Frame frame = {&store, bodies, pair};
    Caches caches(1);
    std::size_t manifolds = 0;
    const auto check = [&] {
        const Calls warm = collide(frame, caches), cold = collide(frame);
        CHECK(differing(warm.manifolds, cold.manifolds) == 0);
        manifolds += cold.manifolds.manifolds.size();
    };
    for (int i = 0; i < 30; ++i) {
        bodies[1].position.x += i % 10 == 9 ? 0.05f : 0.0003f;
        check();
    }
    CHECK(manifolds > 60);
    REQUIRE(store.set_instance(car, {.scale = {1.2f, 1.2f, 1.2f}}));
    check();
    bodies[1].position.y += 0.0001f;
    for (int i = 0; i < 2; ++i) check();
    CHECK(agree(collide(frame, caches).manifolds, collide(frame).manifolds));
}

namespace {

std::vector<std::uint32_t> children_of(const Manifolds& m) {
    std::vector<std::uint32_t> out;
    for (const Manifold& manifold : m.manifolds) out.push_back(manifold.child_a);
    return out;
}

// A compound at rest, moved a little from frame to frame.
struct Resting {
    ShapeStore store;
    std::vector<Body> bodies;
    Pair pair[1] = {{0, 1}};
    Caches caches = Caches(1);
    Settings settings;
    std::size_t contacts = 0;

    Resting(const Expected<ShapeId>& compound, ShapeStore&& of, const Expected<ShapeId>& ground, const Vec3& at)
        : store(std::move(of)) {
        REQUIRE((compound && ground));
        bodies = {{at, *compound, {}}, {{}, *ground, {}}};
    }
    // Checks the answer against one without a cache, and returns the number of triangles that it took.
    std::size_t triangles() {
        Frame frame = {&store, bodies, pair};
        const Calls cold = collide(frame, settings);
        frame.caches = caches;
        const Calls warm = collide(frame, settings);
        contacts = cold.manifolds.contacts.size();
        REQUIRE(contacts != 0);
        CHECK(agree(warm.manifolds, cold.manifolds));
        CHECK(children_of(warm.manifolds) == children_of(cold.manifolds));
        return warm.triangles;
    }
};

// Feet of one shape along the ridge of a roof.
Resting on_ridge(ShapeId (*add_foot)(ShapeStore&), int count, float height, float slope) {
    ShapeStore store;
    const test::TestMesh roof =
        test::grid_mesh(12, 12, 0.5f, [&](float x, float) { return -slope * std::fabs(x - 3.0f); });
    const Expected<ShapeId> ground = store.add_mesh(roof.vertices, roof.triangles);
    const ShapeId foot = add_foot(store);
    std::vector<CompoundChild> feet;
    for (int i = 0; i < count; ++i) feet.push_back({foot, {0, 0, 0.45f * float(i)}, {}});
    const Expected<ShapeId> compound = store.add_compound(feet);
    return {compound, std::move(store), ground, {3, height, 2.3f}};
}
ShapeId add_ball(ShapeStore& store) { return *store.add_sphere(0.2f); }
ShapeId add_block(ShapeStore& store) { return *store.add_box({0.15f, 0.1f, 0.2f}); }

}  // namespace

TEST_CASE("surfaces, warm: a compound at rest looks at no triangle, and its contacts follow it child by child",
          "[surfaces][warm]") {
    // Few contacts, which are copied; and as many as fit, which are found again.
    Resting balls = on_ridge(add_ball, 3, 0.2f, 0.3f), blocks = on_ridge(add_block, 4, 0.099f, 1e-3f);
    for (Resting* body : {&balls, &blocks})
        for (const std::uint32_t most : {4u, 8u}) {
            INFO((body == &balls ? "balls" : "blocks") << ", at most " << most << " contacts of a manifold");
            body->settings.ground_contacts = most;
            body->caches.assign(1, {});
            CHECK(body->triangles() != 0);
            CHECK(body->contacts == (body == &balls ? 3 : 16));
            body->triangles();
            CHECK(body->triangles() == 0);
            for (int i = 0; i < 8; ++i) {
                body->bodies[0].position.z += 1e-6f, body->bodies[0].position.y -= 1e-6f;
                CHECK(body->triangles() == 0);
            }
            // A longer motion needs new contacts, which are kept at once.
            body->bodies[0].position.z += 0.01f;
            CHECK(body->triangles() != 0);
            CHECK(body->triangles() == 0);
        }
}

TEST_CASE("surfaces, warm: the contacts of a compound follow it no farther than its smallest child allows",
          "[surfaces][warm]") {
    ShapeStore store;
    const test::TestMesh flat = test::flat_mesh(12, 12, 0.5f);
    const Expected<ShapeId> ground = store.add_mesh(flat.vertices, flat.triangles);
    const std::vector<CompoundChild> children = {{*store.add_box({1, 0.1f, 1}), {0, 0.2f, 0}, {}},
                                                 {*store.add_box({0.01f, 0.01f, 0.01f}), {0.4f, 0, 0.4f}, {}}};
    const Expected<ShapeId> compound = store.add_compound(children);
    Resting body(compound, std::move(store), ground, {3, 0.01f, 3});
    for (int i = 0; i < 2; ++i) body.triangles();
    CHECK(body.triangles() == 0);
    body.bodies[0].position.y += 6e-5f;  // 1/32 of the slack of the large child is twice as much
    CHECK(body.triangles() != 0);
}

TEST_CASE("surfaces, warm: a compound whose children need more bits than there are keeps no contacts",
          "[surfaces][warm]") {
    constexpr std::uint32_t kSide = 725, kChildren = 4097;  // 20 bits for a triangle, 13 for a child
    ShapeStore store;
    const std::vector<float> heights(kSide * kSide, 0.0f);
    const Expected<ShapeId> ground = store.add_heightfield(heights, kSide, kSide);
    const ShapeId ball = *store.add_sphere(0.2f);
    // Only the last child touches the ground.
    std::vector<CompoundChild> children;
    for (std::uint32_t i = 0; i < kChildren; ++i)
        children.push_back({ball, {float(i % 64), i + 1 == kChildren ? 0.0f : 3.0f, float(i / 64)}, {}});
    const Expected<ShapeId> compound = store.add_compound(children);
    Resting body(compound, std::move(store), ground, {9.3f, 0.2f, 9.4f});
    for (int i = 0; i < 4; ++i) body.triangles();
}
