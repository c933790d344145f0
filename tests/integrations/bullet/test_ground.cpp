// Triangle meshes and terrains in Bullet: bodies rest, slide and roll on them as on a plane.
#include <cmath>
#include <memory>
#include <vector>

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>

#include "adapter_world.hpp"
#include "support/catch.hpp"

namespace {

constexpr int kCells = 40;
constexpr btScalar kCell = btScalar(0.25);

// A flat square about the origin.
struct FlatMesh {
    FlatMesh() {
        for (int r = 0; r <= kCells; ++r)
            for (int c = 0; c <= kCells; ++c)
                vertices.insert(vertices.end(),
                                {kCell * btScalar(c - kCells / 2), 0, kCell * btScalar(r - kCells / 2)});
        for (int r = 0; r < kCells; ++r) {
            for (int c = 0; c < kCells; ++c) {
                const int a = r * (kCells + 1) + c, b = a + kCells + 1;
                indices.insert(indices.end(), {a, b, b + 1, a, b + 1, a + 1});
            }
        }
        array = std::make_unique<btTriangleIndexVertexArray>(2 * kCells * kCells, indices.data(), int(3 * sizeof(int)),
                                                             (kCells + 1) * (kCells + 1), vertices.data(),
                                                             int(3 * sizeof(btScalar)));
    }
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    std::unique_ptr<btTriangleIndexVertexArray> array;
};

void check_rests_and_slides(btCollisionShape& ground) {
    ground.setMargin(0);
    btBoxShape box(btVector3(btScalar(0.5), btScalar(0.25), btScalar(0.4)));
    World world;
    world.add(ground, btVector3(0, 0, 0), 0).setFriction(0);
    btRigidBody& body = world.add(box, btVector3(-2, btScalar(0.25), btScalar(0.1)), 1);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.run(0.5);
    CHECK(world.dispatcher.work().failed == 0);
    CHECK(world.dispatcher.work().pairs == 1);
    CHECK(world.dispatcher.getNumManifolds() == 1);
    CHECK(world.contacts() == 4);
    const btScalar height = body.getWorldTransform().getOrigin().y();
    CHECK(std::fabs(double(height) - 0.25) < 0.01);
    body.setLinearVelocity(btVector3(2, 0, 0));
    for (int i = 0; i < 20; ++i) {
        world.run(0.1);
        CHECK(std::fabs(double(body.getLinearVelocity().x()) - 2) < 1e-3);
        CHECK(std::fabs(double(body.getLinearVelocity().y())) < 1e-2);
        CHECK(std::fabs(double(body.getWorldTransform().getOrigin().y() - height)) < 1e-3);
        REQUIRE(world.dispatcher.getNumManifolds() == 1);
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
        REQUIRE(manifold.getNumContacts() == 4);
        for (int k = 0; k < 4; ++k) CHECK(manifold.getContactPoint(k).getLifeTime() > 100);
    }
    CHECK(body.getWorldTransform().getOrigin().x() > 1);
}

}  // namespace

TEST_CASE("a box rests and slides on a triangle mesh, and its contacts last") {
    const FlatMesh mesh;
    btBvhTriangleMeshShape shape(mesh.array.get(), true);
    check_rests_and_slides(shape);
}

TEST_CASE("a box rests and slides on a terrain, and its contacts last") {
    std::vector<float> heights((kCells + 1) * (kCells + 1), 0.0f);
    btHeightfieldTerrainShape shape(kCells + 1, kCells + 1, heights.data(), 1, -1, 1, 1, PHY_FLOAT, false);
    shape.setLocalScaling(btVector3(kCell, 1, kCell));
    check_rests_and_slides(shape);
}

TEST_CASE("a mesh is thicker by its margin, and the triangle is a point's part") {
    const FlatMesh mesh;
    btBvhTriangleMeshShape shape(mesh.array.get(), true);
    shape.setMargin(btScalar(0.125));
    btSphereShape ball(btScalar(0.5));
    World world;
    world.add(shape, btVector3(0, 0, 0), 0);
    btRigidBody& body = world.add(ball, btVector3(btScalar(0.1), btScalar(0.63), btScalar(0.1)), 1);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.run(1);
    CHECK(std::fabs(double(body.getWorldTransform().getOrigin().y()) - 0.625) < 0.01);
    REQUIRE(world.dispatcher.getNumManifolds() == 1);
    const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
    REQUIRE(manifold.getNumContacts() == 1);
    const btManifoldPoint& point = manifold.getContactPoint(0);
    const bool mesh_is_a = manifold.getBody0() == world.bodies[0].get();
    CHECK((mesh_is_a ? point.m_partId0 : point.m_partId1) >= 0);
    CHECK((mesh_is_a ? point.m_partId1 : point.m_partId0) == -1);
}
