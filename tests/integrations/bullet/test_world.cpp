// What an engine does with its world, when abut is the narrow phase.
#include <cmath>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "adapter_world.hpp"
#include "support/catch.hpp"

namespace {

btBoxShape kFloor(btVector3(5, 1, 5)), kBox(btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5)));

struct MultiSphere {
    btVector3 centre{0, 0, 0};
    btScalar radius = btScalar(0.5);
    btMultiSphereShape shape{&centre, &radius, 1};
};

bool refuse_all = false;

void picky_near_callback(btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
    if (!refuse_all) btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
}

}  // namespace

TEST_CASE("a stack of boxes rests on abut's contacts, with and without caches") {
    for (const bool warm : {false, true}) {
        abut::bullet::Options options;
        options.warm_caches = warm;
        World world(options);
        world.add(kFloor, btVector3(0, -1, 0), 0);
        for (int i = 0; i < 5; ++i)
            world.add(kBox, btVector3(0, btScalar(0.5 + i), 0), 1).setActivationState(DISABLE_DEACTIVATION);
        world.run(4);
        CHECK(world.dispatcher.work().pairs >= 5);
        CHECK(world.dispatcher.work().failed == 0);
        for (int i = 0; i < 5; ++i) {
            const btVector3 p = world.bodies[std::size_t(i) + 1]->getWorldTransform().getOrigin();
            CHECK((p - btVector3(0, btScalar(0.5 + i), 0)).length() < 0.05f);
        }
    }
}

TEST_CASE("impulses are carried from step to step and bear the weight") {
    World world;
    world.add(kFloor, btVector3(0, -1, 0), 0);
    world.add(kBox, btVector3(0, btScalar(0.5), 0), 2).setActivationState(DISABLE_DEACTIVATION);
    world.run(2);
    REQUIRE(world.dispatcher.getNumManifolds() == 1);
    const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
    REQUIRE(manifold.getNumContacts() == 4);
    double impulse = 0;
    for (int i = 0; i < 4; ++i) {
        impulse += double(manifold.getContactPoint(i).getAppliedImpulse());
        CHECK(manifold.getContactPoint(i).getLifeTime() > 200);
    }
    CHECK(std::fabs(impulse / (2 * 9.81 / 240) - 1) < 0.02);
}

TEST_CASE("planes, cylinders, cones and compounds collide through abut") {
    World world;
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btCylinderShapeX cylinder(btVector3(btScalar(0.5), btScalar(0.25), btScalar(0.25)));
    btConeShapeZ cone(btScalar(0.5), 1);
    btCompoundShape compound;
    compound.addChildShape(btTransform::getIdentity(), &kBox);
    world.add(plane, btVector3(0, 0, 0), 0);
    world.add(kBox, btVector3(0, btScalar(0.6), 0), 1);
    world.add(cylinder, btVector3(3, btScalar(0.3), 0), 1);
    btRigidBody& up = world.add(cone, btVector3(6, btScalar(0.6), 0), 1);
    up.setWorldTransform(btTransform(btQuaternion(btVector3(1, 0, 0), -SIMD_HALF_PI), btVector3(6, btScalar(0.6), 0)));
    world.add(compound, btVector3(-3, btScalar(0.6), 0), 1);
    world.add(kBox, btVector3(-3, btScalar(1.7), 0), 1);  // on the compound
    for (const auto& body : world.bodies) body->setActivationState(DISABLE_DEACTIVATION);
    world.run(2);
    CHECK(world.dispatcher.work().pairs == 6);  // the plane with all
    CHECK(world.dispatcher.work().failed == 0);
    const double heights[] = {0.5, 0.25, 0.54, 0.5, 1.5};  // a cone's margin lies outside it
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(std::fabs(double(world.bodies[i + 1]->getWorldTransform().getOrigin().y()) - heights[i]) < 0.01);
    }
}

TEST_CASE("pairs that abut has no shapes for collide through Bullet") {
    World world;
    MultiSphere spheres;
    btCompoundShape compound;
    compound.addChildShape(btTransform::getIdentity(), &spheres.shape);
    world.add(kFloor, btVector3(0, -1, 0), 0);
    world.add(spheres.shape, btVector3(2, btScalar(0.6), 0), 1);
    world.add(compound, btVector3(-2, btScalar(0.6), 0), 1);
    world.add(kBox, btVector3(0, btScalar(0.6), 0), 1);  // abut's
    for (const auto& body : world.bodies) body->setActivationState(DISABLE_DEACTIVATION);
    world.run(2);
    CHECK(world.dispatcher.work().pairs == 1);
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(std::fabs(double(world.bodies[i]->getWorldTransform().getOrigin().y()) - 0.5) < 0.05);
    }
}

TEST_CASE("a removed body leaves no manifold behind") {
    World world;
    world.add(kFloor, btVector3(0, -1, 0), 0);
    for (int i = 0; i < 3; ++i)
        world.add(kBox, btVector3(0, btScalar(0.5 + i), 0), 1).setActivationState(DISABLE_DEACTIVATION);
    world.run(0.5);
    REQUIRE(world.dispatcher.getNumManifolds() == 3);
    const btCollisionObject* const gone = world.bodies[2].get();
    world.remove(2);
    for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
        CHECK(world.dispatcher.getManifoldByIndexInternal(i)->getBody0() != gone);
        CHECK(world.dispatcher.getManifoldByIndexInternal(i)->getBody1() != gone);
    }
    CHECK(world.dispatcher.getNumManifolds() == 1);
    world.run(1);  // the top box falls onto the lowest, whose index in the world has changed hands
    CHECK(std::fabs(double(world.bodies[2]->getWorldTransform().getOrigin().y()) - 1.5) < 0.05);
    while (!world.bodies.empty()) world.remove(0);
    CHECK(world.dispatcher.getNumManifolds() == 0);
}

TEST_CASE("filters and near callbacks decide as they do with Bullet") {
    World world;
    world.dispatcher.setNearCallback(picky_near_callback);
    world.add(kFloor, btVector3(0, -1, 0), 0);
    btRigidBody& box = world.add(kBox, btVector3(0, btScalar(0.5), 0), 1);
    refuse_all = false;
    world.run(0.5);
    CHECK(world.contacts() > 0);
    CHECK(std::fabs(double(box.getWorldTransform().getOrigin().y()) - 0.5) < 0.05);
    world.dispatcher.setNearCallback(btCollisionDispatcher::defaultNearCallback);
    world.bodies[0]->setIgnoreCollisionCheck(&box, true);
    box.activate(true);
    world.run(0.1);
    CHECK(world.dispatcher.work().pairs == 0);
}

TEST_CASE("bodies at rest fall asleep and cost nothing") {
    World world;
    world.add(kFloor, btVector3(0, -1, 0), 0);
    btRigidBody& box = world.add(kBox, btVector3(0, btScalar(0.5), 0), 1);
    world.run(4, 60);
    CHECK_FALSE(box.isActive());
    CHECK(world.dispatcher.work().pairs == 0);
    CHECK(world.contacts() > 0);  // they wait for the body to wake
}

TEST_CASE("a body whose shape is exchanged changes hands between abut and Bullet") {
    World world;
    MultiSphere spheres;
    world.add(kFloor, btVector3(0, -1, 0), 0);
    btRigidBody& body = world.add(kBox, btVector3(0, btScalar(0.5), 0), 1);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.run(0.5);
    CHECK(world.dispatcher.work().pairs == 1);
    body.setCollisionShape(&spheres.shape);
    world.run(0.5);
    CHECK(world.dispatcher.work().pairs == 0);
    CHECK(std::fabs(double(body.getWorldTransform().getOrigin().y()) - 0.5) < 0.05);
    world.dispatcher.forget(&kBox);
    CHECK(world.contacts() > 0);
}

TEST_CASE("a pose that is not finite harms no other body") {
    World world;
    world.add(kFloor, btVector3(0, -1, 0), 0);
    btRigidBody& good = world.add(kBox, btVector3(0, btScalar(0.5), 0), 1);
    btRigidBody& bad = world.add(kBox, btVector3(0, btScalar(1.5), 0), 1);
    good.setActivationState(DISABLE_DEACTIVATION);
    bad.setActivationState(DISABLE_DEACTIVATION);
    world.run(0.1);
    btTransform pose = bad.getWorldTransform();
    pose.setOrigin(btVector3(NAN, 0, 0));
    bad.setWorldTransform(pose);
    btOverlappingPairCache* const cache = world.broad_phase.getOverlappingPairCache();
    world.dispatcher.dispatchAllCollisionPairs(cache, world.world.getDispatchInfo(), &world.dispatcher);
    CHECK(world.dispatcher.work().failed == 1);
    CHECK(world.dispatcher.work().contacts > 0);
}
