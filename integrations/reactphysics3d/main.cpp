// abut_reactphysics3d: runs scenes under ReactPhysics3D with its own narrow phase and with abut's, and compares.
// Arguments: the name of one scene, then `own` or `abut` for one of the two; none: all. Both are
// in this program: the linker sends the calls of the six algorithms here (--wrap, see CMakeLists.txt).
#include <chrono>
#include <cstdio>
#include <cstring>

#include "adapter.hpp"
#include "scene.hpp"

namespace {

using namespace abut;
namespace engine = ::reactphysics3d;

using Clock = std::chrono::steady_clock;

struct {
    bool uses_abut = false;
    double seconds = 0;
    std::size_t pairs = 0;
} narrow;

template <class Own>
bool test(engine::NarrowPhaseInfoBatch& batch, engine::uint32 first, engine::uint32 count, const Own& own) {
    const auto start = Clock::now();
    const bool any = narrow.uses_abut ? react::Adapter::of_thread().test(batch, first, count) : own();
    narrow.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    narrow.pairs += count;
    return any;
}

}  // namespace

// The functions' mangled names, and their parameters after the batch's range.
#define ABUT_WRAP(name, parameters, arguments)                                                                    \
    extern "C" bool __real__ZN14reactphysics3d##name(void*, engine::NarrowPhaseInfoBatch&, engine::uint32,        \
                                                     engine::uint32, parameters);                                 \
    extern "C" bool __wrap__ZN14reactphysics3d##name(void* algorithm, engine::NarrowPhaseInfoBatch& batch,        \
                                                     engine::uint32 first, engine::uint32 count, parameters) {    \
        return test(batch, first, count,                                                                          \
                    [&] { return __real__ZN14reactphysics3d##name(algorithm, batch, first, count, arguments); }); \
    }
#define ABUT_LIST(...) __VA_ARGS__
#define ABUT_WRAP_ROUND(name)                                                                     \
    ABUT_WRAP(name##Algorithm13testCollisionERNS_20NarrowPhaseInfoBatchEjjRNS_15MemoryAllocatorE, \
              engine::MemoryAllocator& memory, memory)
#define ABUT_WRAP_HULL(name)                                                                       \
    ABUT_WRAP(name##Algorithm13testCollisionERNS_20NarrowPhaseInfoBatchEjjbRNS_15MemoryAllocatorE, \
              ABUT_LIST(bool clips, engine::MemoryAllocator& memory), ABUT_LIST(clips, memory))
ABUT_WRAP_ROUND(23SphereVsSphere)
ABUT_WRAP_ROUND(24SphereVsCapsule)
ABUT_WRAP_ROUND(25CapsuleVsCapsule)
ABUT_WRAP_HULL(33SphereVsConvexPolyhedron)
ABUT_WRAP_HULL(34CapsuleVsConvexPolyhedron)
ABUT_WRAP_HULL(43ConvexPolyhedronVsConvexPolyhedron)

namespace {

engine::Vector3 to_engine(Vec3 v) { return {v.x, v.y, v.z}; }

class Engine final : public scenes::World {
public:
    Engine(const scenes::Scene& scene, bool uses_abut) : scene_(scene), world_(*common_.createPhysicsWorld()) {
        narrow = {};
        react::Adapter::of_thread().forget();
        narrow.uses_abut = uses_abut;
        // With 6, its default, the lower boxes of a stack sink for ten seconds.
        world_.setNbIterationsVelocitySolver(20);
        for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) add(i);
    }
    void step() override { world_.update(scenes::kStep); }
    bool is_asleep(std::uint32_t body) const override { return bodies_[body]->isSleeping(); }
    void read_poses(std::vector<Body>& to) const override {
        for (std::size_t i = 0; i < to.size(); ++i) {
            const engine::Transform& pose = bodies_[i]->getTransform();
            const engine::Quaternion& q = pose.getOrientation();
            to[i].position = react::to_abut(pose.getPosition());
            to[i].orientation = {float(q.x), float(q.y), float(q.z), float(q.w)};
        }
    }
    double narrow_seconds() const override { return narrow.seconds; }
    std::size_t narrow_pairs() const override { return narrow.pairs; }

private:
    void add(std::uint32_t index) {
        const Body& body = scene_.bodies[index];
        const Quat& q = body.orientation;
        engine::RigidBody* const made =
            world_.createRigidBody({to_engine(body.position), engine::Quaternion(q.x, q.y, q.z, q.w)});
        engine::Collider* const collider = made->addCollider(make(body.shape), engine::Transform::identity());
        collider->getMaterial().setFrictionCoefficient(scenes::kFriction);
        collider->getMaterial().setBounciness(0);
        made->updateMassPropertiesFromColliders();
        made->setAngularDamping(scenes::kAngularDamping);
        if (!scene_.moves(index)) made->setType(engine::BodyType::STATIC);
        bodies_.push_back(made);
    }
    engine::CollisionShape* make(ShapeId shape) {
        const ShapeView view = scene_.shapes.view(shape);
        switch (view.kind) {
            case ShapeKind::sphere: return common_.createSphereShape(view.radius);
            case ShapeKind::capsule: return common_.createCapsuleShape(view.radius, 2 * view.half_height);
            case ShapeKind::box: return common_.createBoxShape(to_engine(view.half_extents));
            case ShapeKind::hull: {
                const std::vector<Vec3> points = scene_.hull_points(shape);
                const engine::VertexArray array(points.data(), sizeof(Vec3), engine::uint32(points.size()),
                                                engine::VertexArray::DataType::VERTEX_FLOAT_TYPE);
                return common_.createConvexMeshShape(common_.createConvexMesh(array, messages_));
            }
            default: {
                const engine::TriangleVertexArray array(engine::uint32(scene_.vertices.size()), scene_.vertices.data(),
                                                        sizeof(Vec3), engine::uint32(scene_.triangles.size()),
                                                        scene_.triangles.data(), sizeof(MeshTriangle),
                                                        engine::TriangleVertexArray::VertexDataType::VERTEX_FLOAT_TYPE,
                                                        engine::TriangleVertexArray::IndexDataType::INDEX_INTEGER_TYPE);
                return common_.createConcaveMeshShape(common_.createTriangleMesh(array, messages_));
            }
        }
    }

    const scenes::Scene& scene_;
    engine::PhysicsCommon common_;
    engine::PhysicsWorld& world_;
    std::vector<engine::RigidBody*> bodies_;
    std::vector<engine::Message> messages_;
};

}  // namespace

int main(int argc, char** argv) {
    scenes::print_head();
    for (const scenes::Scene& scene : scenes::make_scenes()) {
        if (argc > 1 && std::strcmp(argv[1], scene.name.c_str()) != 0) continue;
        for (const bool uses_abut : {false, true}) {
            const char* const functions = uses_abut ? "abut" : "own";
            if (argc > 2 && std::strcmp(argv[2], functions) != 0) continue;
            Engine world(scene, uses_abut);
            scenes::print_row(scene, functions, scenes::run(scene, world, scenes::kSteps));
        }
    }
    const react::Work& work = react::Adapter::of_thread().work();
    std::printf("abut: %zu tests in %zu pairs, %zu failed\n", work.tests, work.pairs, work.failed);
    return react::Adapter::of_thread().error().code == ErrorCode::none && work.failed == 0 ? 0 : 1;
}
