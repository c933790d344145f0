// Bullet's bodies, limited by abut's casts: each step, once the solver has found the velocities, a body moves no
// farther than to its first contact. The narrow phase is Bullet's own: the adapter's margin includes the motion of a
// step, and would stop most of these bodies by itself.
#include <cmath>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include <abut/abut.hpp>

#include "support/catch.hpp"

namespace {

constexpr float kStep = 1.0f / 60, kTarget = 0.001f;  // seconds, metres
constexpr int kSteps = 12;

abut::Vec3 of(const btVector3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

class FastWorld : public btDiscreteDynamicsWorld {
public:
    FastWorld(btCollisionConfiguration& configuration, btDispatcher& dispatcher, btBroadphaseInterface& broad_phase,
              btConstraintSolver& solver, bool limits)
        : btDiscreteDynamicsWorld(&dispatcher, &broad_phase, &solver, &configuration), limits_(limits) {
        setGravity(btVector3(0, 0, 0));
    }
    ~FastWorld() override {
        for (const auto& body : bodies_) removeRigidBody(body.get());
    }

    btRigidBody& add(btCollisionShape& shape, abut::ShapeId id, const btVector3& position, btScalar mass) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(position);
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        ids_.push_back(id);
        btRigidBody& body = *bodies_.back();
        body.setActivationState(DISABLE_DEACTIVATION);
        addRigidBody(&body);
        return body;
    }

    // The least signed distance of a body that moves and one that does not.
    float least_distance() {
        const std::vector<abut::Body> now = list(0);
        const std::vector<abut::Pair> pairs = list_pairs();
        abut::Distances distances;
        REQUIRE(narrow_.distance({&shapes, now, pairs}, distances));
        float least = INFINITY;
        for (const float distance : distances.signed_distance) least = std::fmin(least, distance);
        return least;
    }

    abut::ShapeStore shapes;

protected:
    // Bodies move by their velocities until their first contact. A contact at the start counts if the solver left it
    // closing.
    void integrateTransforms(btScalar seconds) override {
        if (!limits_) return btDiscreteDynamicsWorld::integrateTransforms(seconds);
        const std::vector<abut::Body> starts = list(0), ends = list(float(seconds));
        const std::vector<abut::Pair> pairs = list_pairs();
        const abut::Bodies all[] = {ends};
        abut::Casts casts;
        abut::CastOptions options;
        options.target = kTarget;
        options.start = abut::CastStart::closing_only;
        options.reduction = abut::CastReduction::first_of_body;
        REQUIRE(narrow_.cast({&shapes, starts, pairs}, {all}, casts, options));
        struct Velocities {
            btRigidBody* body;
            btVector3 linear, angular;
        };
        std::vector<Velocities> limited;
        for (const std::uint32_t hit : casts.hits) {
            btRigidBody& body = *bodies_[pairs[hit].a];
            limited.push_back({&body, body.getLinearVelocity(), body.getAngularVelocity()});
            body.setLinearVelocity(body.getLinearVelocity() * btScalar(casts.time[hit]));
            body.setAngularVelocity(body.getAngularVelocity() * btScalar(casts.time[hit]));
        }
        btDiscreteDynamicsWorld::integrateTransforms(seconds);
        for (const Velocities& old : limited)
            old.body->setLinearVelocity(old.linear), old.body->setAngularVelocity(old.angular);
    }

private:
    // Where the bodies are after some time.
    std::vector<abut::Body> list(float seconds) const {
        std::vector<abut::Body> out;
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const btRigidBody& body = *bodies_[i];
            btTransform pose;
            btTransformUtil::integrateTransform(body.getWorldTransform(), body.getLinearVelocity(),
                                                body.getAngularVelocity(), seconds, pose);
            const btQuaternion q = pose.getRotation();
            out.push_back({of(pose.getOrigin()), ids_[i], {float(q.x()), float(q.y()), float(q.z()), float(q.w())}});
        }
        return out;
    }
    std::vector<abut::Pair> list_pairs() const {
        std::vector<abut::Pair> pairs;
        for (std::uint32_t i = 0; i < ids_.size(); ++i)
            for (std::uint32_t j = 0; j < ids_.size(); ++j)
                if (!bodies_[i]->isStaticObject() && bodies_[j]->isStaticObject()) pairs.push_back({i, j});
        return pairs;
    }

    bool limits_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<abut::ShapeId> ids_;
    abut::NarrowPhase narrow_;
};

// A world and what it needs.
struct Setting {
    explicit Setting(bool limits) : world(configuration, dispatcher, broad_phase, solver, limits) {}

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    FastWorld world;
};

// 32 balls and boxes that fall at 30 to 1,000 m/s, some of them spinning, onto what lies at y = 0.
std::vector<btRigidBody*> add_fast_bodies(FastWorld& world, btSphereShape& ball, btBoxShape& box) {
    const auto ball_id = world.shapes.add_sphere(0.1f), box_id = world.shapes.add_box({0.1f, 0.05f, 0.2f});
    REQUIRE((ball_id && box_id));
    std::vector<btRigidBody*> bodies;
    for (int i = 0; i < 32; ++i) {
        const btVector3 at(btScalar(i % 8 - 3.5), btScalar(1.5 + 0.21 * i), btScalar(i / 8 - 1.5));
        btRigidBody& body = i % 2 == 0 ? world.add(ball, *ball_id, at, 1) : world.add(box, *box_id, at, 1);
        body.setLinearVelocity(btVector3(0, btScalar(-30 - 31 * i), 0));
        if (i % 4 == 3) body.setAngularVelocity(btVector3(20, 0, btScalar(40 - i)));
        bodies.push_back(&body);
    }
    return bodies;
}

// How many passed what lies at y = 0.
int count_passed(FastWorld& world, const std::vector<btRigidBody*>& bodies) {
    for (int i = 0; i < kSteps; ++i) world.stepSimulation(kStep, 0);
    int passed = 0;
    for (const btRigidBody* body : bodies) passed += body->getWorldTransform().getOrigin().y() < 0;
    return passed;
}

}  // namespace

TEST_CASE("fast bodies, limited by casts, do not pass a wall of a centimetre") {
    for (const bool is_limited : {false, true}) {
        btSphereShape ball(btScalar(0.1));
        btBoxShape box(btVector3(btScalar(0.1), btScalar(0.05), btScalar(0.2))), wall(btVector3(8, btScalar(0.005), 8));
        Setting setting(is_limited);
        FastWorld& world = setting.world;
        const auto id = world.shapes.add_box({8, 0.005f, 8});
        REQUIRE(id);
        world.add(wall, *id, btVector3(0, 0, 0), 0);
        const int passed = count_passed(world, add_fast_bodies(world, ball, box));
        INFO("limited " << is_limited << ", passed " << passed);
        CHECK((is_limited ? passed == 0 : passed > 16));
    }
}

TEST_CASE("fast bodies, limited by casts, do not pass a floor of two triangles") {
    for (const bool is_limited : {false, true}) {
        btTriangleMesh mesh;
        const btVector3 corners[] = {{-8, 0, -8}, {-8, 0, 8}, {8, 0, 8}, {8, 0, -8}};
        mesh.addTriangle(corners[0], corners[1], corners[2]), mesh.addTriangle(corners[0], corners[2], corners[3]);
        btBvhTriangleMeshShape floor(&mesh, true);
        btSphereShape ball(btScalar(0.1));
        btBoxShape box(btVector3(btScalar(0.1), btScalar(0.05), btScalar(0.2)));
        Setting setting(is_limited);
        FastWorld& world = setting.world;
        const std::vector<abut::Vec3> points = {of(corners[0]), of(corners[1]), of(corners[2]), of(corners[3])};
        const std::vector<abut::MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
        const auto id = world.shapes.add_mesh(points, triangles);
        REQUIRE(id);
        world.add(floor, *id, btVector3(0, 0, 0), 0);
        const int passed = count_passed(world, add_fast_bodies(world, ball, box));
        INFO("limited " << is_limited << ", passed " << passed);
        CHECK((is_limited ? passed == 0 : passed > 16));
    }
}

TEST_CASE("a spinning rod, limited by casts, does not cut through the rims of a slot") {
    for (const bool is_limited : {false, true}) {
        btBoxShape half(btVector3(1, btScalar(0.01), 1)), rod(btVector3(btScalar(0.05), 1, btScalar(0.05)));
        Setting setting(is_limited);
        FastWorld& world = setting.world;
        const auto half_id = world.shapes.add_box({1, 0.01f, 1}), rod_id = world.shapes.add_box({0.05f, 1, 0.05f});
        REQUIRE((half_id && rod_id));
        for (const double x : {-1.1, 1.1}) world.add(half, *half_id, btVector3(btScalar(x), 0, 0), 0);
        btRigidBody& body = world.add(rod, *rod_id, btVector3(0, btScalar(-1.5), 0), 1);
        body.setLinearVelocity(btVector3(0, 20, 0));
        body.setAngularVelocity(btVector3(0, 0, 40));  // Bullet turns a body by no more than a quarter of pi in a step
        float deepest = INFINITY;
        for (int i = 0; i < kSteps; ++i)
            world.stepSimulation(kStep, 0), deepest = std::fmin(deepest, world.least_distance());
        INFO("limited " << is_limited << ", deepest " << deepest);
        CHECK((is_limited ? deepest > -0.005f : deepest < -0.02f));
    }
}
