// Bullet's shapes agree with ours: spheres, capsules and planes are exact, all other margins are so small that bodies
// rest on their true surfaces.
#include "simulation.hpp"

#include <algorithm>
#include <cmath>

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>

namespace abut::tools {
namespace {

constexpr double kPi = 3.14159265358979;
constexpr double kMargin =
    0.00001;  // metres, of boxes and cylinders (rounds their edges), hulls and cones (lies outside them)
constexpr int kSolverIterations = 10;
constexpr double kDensity = 1000.0;  // kg / m3

btVector3 to_bullet(Vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
btQuaternion to_bullet(Quat q) { return {btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)}; }

std::unique_ptr<btCollisionShape> hull_shape(const ShapeSpec& spec) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& vertex : spec.vertices) hull->addPoint(to_bullet(vertex), false);
    hull->recalcLocalAabb();
    hull->setMargin(btScalar(kMargin));
    hull->initializePolyhedralFeatures();  // whole faces clipped: hulls rest on up to four points instead of one
    return hull;
}

// Bullet's meshes do not own their triangles: they come first, as a base.
struct MeshData {
    explicit MeshData(const ShapeSpec& spec) {
        for (const Vec3& v : spec.vertices)
            vertices.insert(vertices.end(), {btScalar(v.x), btScalar(v.y), btScalar(v.z)});
        for (const MeshTriangle& triangle : spec.triangles)
            for (const std::uint32_t corner : triangle.corners) indices.push_back(int(corner));
        array = std::make_unique<btTriangleIndexVertexArray>(int(spec.triangles.size()), indices.data(),
                                                             int(3 * sizeof(int)), int(spec.vertices.size()),
                                                             vertices.data(), int(3 * sizeof(btScalar)));
    }
    std::vector<btScalar> vertices;
    std::vector<int> indices;
    std::unique_ptr<btTriangleIndexVertexArray> array;
};

class Mesh final : private MeshData, public btBvhTriangleMeshShape {
public:
    explicit Mesh(const ShapeSpec& spec) : MeshData(spec), btBvhTriangleMeshShape(array.get(), true) {
        setMargin(btScalar(kMargin));
    }
};

struct HeightData {
    explicit HeightData(const ShapeSpec& spec) : heights(spec.heights) {}
    std::vector<float> heights;
};

// Bullet's origin is the centre of the field's bounds, ours its first corner: `offset_of` is from ours to Bullet's.
class Heightfield final : private HeightData, public btHeightfieldTerrainShape {
public:
    explicit Heightfield(const ShapeSpec& spec)
        : HeightData(spec),
          btHeightfieldTerrainShape(int(spec.columns), int(spec.rows), heights.data(), 1, low(spec), high(spec), 1,
                                    PHY_FLOAT, false) {
        setLocalScaling(btVector3(btScalar(spec.spacing_x), 1, btScalar(spec.spacing_z)));
        setMargin(btScalar(kMargin));
    }

private:
    static btScalar low(const ShapeSpec& spec) { return *std::min_element(spec.heights.begin(), spec.heights.end()); }
    static btScalar high(const ShapeSpec& spec) { return *std::max_element(spec.heights.begin(), spec.heights.end()); }
};

btVector3 offset_of(const ShapeSpec& spec) {
    if (spec.kind != ShapeKind::heightfield) return {0, 0, 0};
    const auto [low, high] = std::minmax_element(spec.heights.begin(), spec.heights.end());
    return btVector3(btScalar(spec.spacing_x * float(spec.columns - 1)), btScalar(*low + *high),
                     btScalar(spec.spacing_z * float(spec.rows - 1))) /
           2;
}

using OwnedShapes = std::vector<std::unique_ptr<btCollisionShape>>;

std::unique_ptr<btCollisionShape> make_shape(const ShapeSpec& spec, OwnedShapes& children);

// Its children go into `children`, as Bullet's compounds do not own theirs.
std::unique_ptr<btCollisionShape> compound_shape(const ShapeSpec& spec, OwnedShapes& children) {
    auto compound = std::make_unique<btCompoundShape>();
    for (const ChildSpec& child : spec.children) {
        children.push_back(make_shape(child.shape, children));
        compound->addChildShape(btTransform(to_bullet(child.orientation), to_bullet(child.position)),
                                children.back().get());
    }
    return compound;
}

std::unique_ptr<btCollisionShape> make_shape(const ShapeSpec& spec, OwnedShapes& children) {
    const btScalar radius = btScalar(spec.radius), height = btScalar(2 * spec.half_height);
    switch (spec.kind) {
        case ShapeKind::sphere: return std::make_unique<btSphereShape>(radius);
        case ShapeKind::capsule: return std::make_unique<btCapsuleShape>(radius, height);
        case ShapeKind::box: {
            auto box = std::make_unique<btBoxShape>(to_bullet(spec.extents));
            box->setMargin(btScalar(kMargin));
            return box;
        }
        case ShapeKind::cylinder: {
            auto cylinder = std::make_unique<btCylinderShape>(btVector3(radius, height / 2, radius));
            cylinder->setMargin(btScalar(kMargin));
            return cylinder;
        }
        case ShapeKind::cone: {
            auto cone = std::make_unique<btConeShape>(radius, height);
            cone->setMargin(btScalar(kMargin));
            return cone;
        }
        case ShapeKind::halfspace:
            return std::make_unique<btStaticPlaneShape>(to_bullet(spec.extents), btScalar(spec.offset));
        case ShapeKind::compound: return compound_shape(spec, children);
        case ShapeKind::mesh: return std::make_unique<Mesh>(spec);
        case ShapeKind::heightfield: return std::make_unique<Heightfield>(spec);
        default: return hull_shape(spec);
    }
}

// Of the bounding box's volume, the share that the kind fills: near enough for a pile.
double share_of(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::box: return 1.0;
        case ShapeKind::cylinder: return kPi / 4;
        case ShapeKind::cone: return kPi / 12;
        default: return 0.52;
    }
}

double mass_of(const ShapeSpec& spec, const btCollisionShape& shape) {
    if (spec.kind == ShapeKind::compound) {
        const auto& compound = static_cast<const btCompoundShape&>(shape);
        double sum = 0;
        for (std::size_t i = 0; i < spec.children.size(); ++i)
            sum += mass_of(spec.children[i].shape, *compound.getChildShape(int(i)));
        return sum;
    }
    btVector3 low, high;
    shape.getAabb(btTransform::getIdentity(), low, high);
    const btVector3 side = high - low;
    return kDensity * share_of(spec.kind) * double(side.x()) * double(side.y()) * double(side.z());
}

}  // namespace

struct Simulation::Impl {
    btDefaultCollisionConfiguration configuration;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{dispatcher.get(), &broad_phase, &solver, &configuration};
    int substeps;
    OwnedShapes shapes, children;  // of the scene; of its compounds
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::uint32_t> body_shapes;
    std::vector<btVector3> offsets;  // of the shapes: from our origin to Bullet's

    Impl(const MakeDispatcher& make_dispatcher, int substeps_)
        : dispatcher(make_dispatcher ? make_dispatcher(&configuration)
                                     : std::make_unique<btCollisionDispatcher>(&configuration)),
          substeps(substeps_) {}
    ~Impl() {
        for (const auto& body : bodies) world.removeRigidBody(body.get());
    }

    void add(const CaptureBody& body, const ShapeSpec& spec, bool fixed, const Scene& scene) {
        btCollisionShape& shape = *shapes[body.shape];
        const btScalar mass = fixed ? btScalar(0) : btScalar(mass_of(spec, shape));
        btVector3 inertia(0, 0, 0);
        if (!fixed) shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        const btTransform pose(to_bullet(body.orientation), to_bullet(body.position));
        info.m_startWorldTransform = btTransform(pose.getBasis(), pose(offsets[body.shape]));
        info.m_friction = btScalar(scene.friction);
        if (!fixed) info.m_rollingFriction = btScalar(scene.rolling_friction);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        // Sleeping bodies would make two successive frames equal.
        if (!fixed) bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        body_shapes.push_back(body.shape);
    }
};

Simulation::Simulation(const Scene& scene, const MakeDispatcher& make_dispatcher)
    : impl_(std::make_unique<Impl>(make_dispatcher, scene.substeps)) {
    impl_->world.getSolverInfo().m_numIterations = kSolverIterations;
    if (scene.two_friction_directions) impl_->world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    impl_->world.setGravity(btVector3(0, btScalar(-9.81), 0));
    for (const ShapeSpec& spec : scene.shapes) {
        impl_->shapes.push_back(make_shape(spec, impl_->children));
        impl_->offsets.push_back(offset_of(spec));
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        impl_->add(scene.bodies[i], scene.shapes[scene.bodies[i].shape], i < scene.fixed_bodies, scene);
    }
    for (const Motion& motion : scene.motions) {
        body(motion.body).setLinearVelocity(to_bullet(motion.velocity));
        body(motion.body).setAngularVelocity(to_bullet(motion.spin));
    }
}

Simulation::~Simulation() = default;

void Simulation::step(double seconds) {
    impl_->world.stepSimulation(btScalar(seconds), impl_->substeps, btScalar(seconds / impl_->substeps));
}

std::vector<CaptureBody> Simulation::bodies() const {
    std::vector<CaptureBody> result;
    result.reserve(impl_->bodies.size());
    for (std::size_t i = 0; i < impl_->bodies.size(); ++i) {
        const btTransform& pose = impl_->bodies[i]->getWorldTransform();
        const btVector3 p = pose(-impl_->offsets[impl_->body_shapes[i]]);
        const btQuaternion q = pose.getRotation();
        result.push_back({{float(p.x()), float(p.y()), float(p.z())},
                          impl_->body_shapes[i],
                          {float(q.x()), float(q.y()), float(q.z()), float(q.w())}});
    }
    return result;
}

std::vector<double> Simulation::overlaps() const {
    std::vector<double> result;
    for (int i = 0; i < impl_->dispatcher->getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *impl_->dispatcher->getManifoldByIndexInternal(i);
        double nearest = 1.0;
        for (int k = 0; k < manifold.getNumContacts(); ++k)
            nearest = std::min(nearest, double(manifold.getContactPoint(k).getDistance()));
        if (nearest <= 0.0) result.push_back(-nearest);
    }
    std::sort(result.begin(), result.end());
    return result;
}

btDiscreteDynamicsWorld& Simulation::world() { return impl_->world; }

btRigidBody& Simulation::body(std::size_t i) { return *impl_->bodies[i]; }

}  // namespace abut::tools
