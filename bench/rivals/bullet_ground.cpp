// Bullet's dispatcher on convex bodies and btBvhTriangleMeshShape: an algorithm and a manifold a pair, kept between
// frames as its pair cache keeps them.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include <btBulletCollisionCommon.h>

#include "rivals/plain_frame.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

struct MeshData {
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    std::unique_ptr<btTriangleIndexVertexArray> array;
};

struct World {
    std::vector<MeshData> meshes;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDispatcherInfo info;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<Pair> pairs;
    std::vector<btCollisionAlgorithm*> algorithms;
    bool is_warm = false;

    ~World() {
        for (btCollisionAlgorithm* algorithm : algorithms) {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
    }
};

std::unique_ptr<btCollisionShape> make_mesh(World& world, const PlainShape& shape) {
    MeshData& data = world.meshes.emplace_back();
    for (const Vec3 v : shape.vertices) data.vertices.insert(data.vertices.end(), {v.x, v.y, v.z});
    for (const MeshTriangle& t : shape.triangles)
        for (const std::uint32_t corner : t.corners) data.indices.push_back(int(corner));
    data.array = std::make_unique<btTriangleIndexVertexArray>(int(shape.triangles.size()), data.indices.data(),
                                                              int(3 * sizeof(int)), int(shape.vertices.size()),
                                                              data.vertices.data(), int(3 * sizeof(btScalar)));
    return std::make_unique<btBvhTriangleMeshShape>(data.array.get(), true);
}

// Null for what is not timed.
std::unique_ptr<btCollisionShape> make_shape(World& world, const PlainShape& shape) {
    const ShapeView& view = shape.view;
    switch (view.kind) {
        case ShapeKind::mesh: return make_mesh(world, shape);
        case ShapeKind::sphere: return std::make_unique<btSphereShape>(view.radius + view.rounding);
        case ShapeKind::capsule:
            return std::make_unique<btCapsuleShape>(view.radius + view.rounding, 2 * view.half_height);
        case ShapeKind::box:
            return std::make_unique<btBoxShape>(
                btVector3(view.half_extents.x, view.half_extents.y, view.half_extents.z));
        case ShapeKind::hull: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (const Vec3 v : shape.vertices) hull->addPoint(btVector3(v.x, v.y, v.z), false);
            hull->recalcLocalAabb();
            return hull;
        }
        default: return nullptr;
    }
}

struct Wrapped {
    btCollisionObjectWrapper a, b;
    Wrapped(const World& world, Pair pair)
        : a(nullptr, world.objects[pair.a]->getCollisionShape(), world.objects[pair.a].get(),
            world.objects[pair.a]->getWorldTransform(), -1, -1),
          b(nullptr, world.objects[pair.b]->getCollisionShape(), world.objects[pair.b].get(),
            world.objects[pair.b]->getWorldTransform(), -1, -1) {}
};

void* prepare(const Frame& frame, Query query) {
    PlainFrame plain;
    if (!read_frame(frame, plain, Meshes::taken)) return nullptr;
    auto world = std::make_unique<World>();
    world->meshes.reserve(plain.shapes.size());
    world->is_warm = query == Query::collide_warm;
    for (const PlainShape& shape : plain.shapes) {
        world->shapes.push_back(make_shape(*world, shape));
        if (world->shapes.back() == nullptr) return nullptr;
    }
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        auto object = std::make_unique<btCollisionObject>();
        const Body& body = plain.bodies[i];
        object->setCollisionShape(world->shapes[plain.shape_of[i]].get());
        object->setWorldTransform(
            btTransform(btQuaternion(body.orientation.x, body.orientation.y, body.orientation.z, body.orientation.w),
                        btVector3(body.position.x, body.position.y, body.position.z)));
        world->objects.push_back(std::move(object));
    }
    world->pairs = std::move(plain.pairs);
    for (const Pair pair : world->pairs) {
        const Wrapped wrapped(*world, pair);
        world->algorithms.push_back(
            world->dispatcher.findAlgorithm(&wrapped.a, &wrapped.b, nullptr, BT_CONTACT_POINT_ALGORITHMS));
    }
    return world.release();
}

void run(void* opaque, Answers& out) {
    World& world = *static_cast<World*>(opaque);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Wrapped wrapped(world, world.pairs[i]);
        btManifoldResult result(&wrapped.a, &wrapped.b);
        world.algorithms[i]->processCollision(&wrapped.a, &wrapped.b, world.info, &result);
        btPersistentManifold* manifold = result.getPersistentManifold();
        float deepest = std::numeric_limits<float>::infinity();
        const int count = manifold ? manifold->getNumContacts() : 0;
        for (int k = 0; k < count; ++k) deepest = std::min(deepest, manifold->getContactPoint(k).getDistance());
        out.hit[i] = deepest <= 0;
        out.contacts[i] = std::uint16_t(count);
        out.signed_distance[i] = deepest;
        if (manifold && !world.is_warm) manifold->clearManifold();  // the next pass is cold again
    }
}

void release(void* world) { delete static_cast<World*>(world); }

constexpr Rival kRivals[] = {
    {"bullet", "bvh-mesh", bit(Query::collide) | bit(Query::collide_warm), prepare, run, release}};

}  // namespace

std::span<const Rival> bullet_ground_rivals() { return kRivals; }

}  // namespace abut::bench
