// Compounds in Bullet: a persistent manifold for each two children that touch.
#include <algorithm>
#include <cmath>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "adapter_world.hpp"
#include "support/catch.hpp"

namespace {

btBoxShape kBox(btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5)));

constexpr btScalar kSpacing = btScalar(1.25);
constexpr btScalar kAside = btScalar(0.125);  // corners that coincide may take each other's names

// `count` boxes in a row along x.
struct Row {
    explicit Row(int count) {
        for (int i = 0; i < count; ++i)
            shape.addChildShape(
                btTransform(btQuaternion::getIdentity(), btVector3(kSpacing / 2 * btScalar(2 * i - (count - 1)), 0, 0)),
                &kBox);
    }
    btCompoundShape shape;
};

// Of all points.
std::vector<int> life_times(World& world) {
    std::vector<int> times;
    for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k) times.push_back(manifold.getContactPoint(k).getLifeTime());
    }
    return times;
}

}  // namespace

TEST_CASE("each child that touches has a manifold of its own, which lasts and bears its share") {
    World world;
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    Row row(3);
    world.add(plane, btVector3(0, 0, 0), 0);
    world.add(row.shape, btVector3(0, btScalar(0.5), 0), 3).setActivationState(DISABLE_DEACTIVATION);
    world.run(2);
    REQUIRE(world.dispatcher.getNumManifolds() == 3);
    std::vector<int> parts;
    double impulse = 0;
    for (int i = 0; i < 3; ++i) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
        const bool row_is_a = manifold.getBody0() == world.bodies[1].get();
        REQUIRE(manifold.getNumContacts() == 4);
        const btManifoldPoint& first = manifold.getContactPoint(0);
        parts.push_back(row_is_a ? first.m_partId0 : first.m_partId1);
        CHECK((row_is_a ? first.m_partId1 : first.m_partId0) == -1);
        for (int k = 0; k < 4; ++k) {
            CHECK(manifold.getContactPoint(k).getLifeTime() > 200);
            impulse += double(manifold.getContactPoint(k).getAppliedImpulse());
        }
    }
    std::sort(parts.begin(), parts.end());
    CHECK(parts == std::vector<int>{0, 1, 2});
    CHECK(std::fabs(impulse / (3 * 9.81 / 240) - 1) < 0.02);
}

TEST_CASE("manifolds of children that part end, the others last") {
    World world;
    Row row(3);
    world.add(row.shape, btVector3(0, btScalar(-0.5), 0), 0);
    btRigidBody& top = world.add(row.shape, btVector3(0, btScalar(0.5), kAside), 3);
    top.setActivationState(DISABLE_DEACTIVATION);
    world.run(1);
    REQUIRE(world.dispatcher.getNumManifolds() == 3);
    top.setWorldTransform(btTransform(btQuaternion::getIdentity(),
                                      btVector3(kSpacing, btScalar(0.5), kAside)));  // a place on: other partners
    world.run(1.0 / 240);
    CHECK(world.dispatcher.getNumManifolds() == 2);
    for (const int time : life_times(world)) CHECK(time == 1);
    world.run(0.25);
    CHECK(world.dispatcher.getNumManifolds() == 2);
    for (const int time : life_times(world)) CHECK(time > 50);
    top.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 9, 0)));
    world.run(1.0 / 240);
    CHECK(world.dispatcher.getNumManifolds() == 0);
    world.remove(1);
    CHECK(world.dispatcher.getNumManifolds() == 0);
}

TEST_CASE("children keep their manifolds when the bodies change places in the world") {
    World world;
    Row row(3);
    world.add(kBox, btVector3(0, 20, 0), 0);
    btRigidBody& below = world.add(row.shape, btVector3(0, btScalar(-0.5), 0), 0);
    btRigidBody& above = world.add(row.shape, btVector3(kSpacing / 2, btScalar(0.5), kAside), 3);
    above.setActivationState(DISABLE_DEACTIVATION);
    world.run(1);
    REQUIRE(world.dispatcher.getNumManifolds() == 5);  // a box on two, and so on
    REQUIRE(below.getWorldArrayIndex() < above.getWorldArrayIndex());
    world.remove(0);
    REQUIRE(below.getWorldArrayIndex() > above.getWorldArrayIndex());
    world.run(0.1);
    CHECK(world.dispatcher.getNumManifolds() == 5);
    for (const int time : life_times(world)) CHECK(time > 200);
}

TEST_CASE("a pair's manifolds follow when a compound is exchanged for a box and back") {
    World world;
    Row row(3);
    btBoxShape floor(btVector3(5, 1, 5));
    world.add(floor, btVector3(0, -1, 0), 0);
    btRigidBody& body = world.add(kBox, btVector3(0, btScalar(0.5), 0), 3);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.run(0.5);
    CHECK(world.dispatcher.getNumManifolds() == 1);
    for (const bool to_row : {true, false, true}) {
        body.setCollisionShape(to_row ? static_cast<btCollisionShape*>(&row.shape) : &kBox);
        world.run(0.5);
        CHECK(world.dispatcher.getNumManifolds() == (to_row ? 3 : 1));
        CHECK(std::fabs(double(body.getWorldTransform().getOrigin().y()) - 0.5) < 0.01);
    }
}
