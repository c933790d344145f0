// A world of Bullet's with abut as its narrow phase, for tests.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "adapter.hpp"

class World {
public:
    explicit World(const abut::bullet::Options& options = {}) : dispatcher(&configuration, options) {
        world.setGravity(btVector3(0, btScalar(-9.81), 0));
    }
    ~World() {
        while (!bodies.empty()) remove(0);
    }
    btRigidBody& add(btCollisionShape& shape, const btVector3& position, btScalar mass) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(position);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(bodies.back().get());
        return *bodies.back();
    }
    void remove(std::size_t i) {
        world.removeRigidBody(bodies[i].get());
        bodies.erase(bodies.begin() + std::ptrdiff_t(i));
    }
    void run(double seconds, int steps_a_second = 240) {
        const int steps = int(std::lround(seconds * steps_a_second));
        for (int i = 0; i < steps; ++i) world.stepSimulation(btScalar(1) / btScalar(steps_a_second), 0);
    }
    int contacts() {
        int count = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
            count += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        return count;
    }

    btDefaultCollisionConfiguration configuration;
    abut::bullet::Dispatcher dispatcher;
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};
