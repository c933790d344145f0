// abut_jolt: runs scenes under Jolt with its own collision functions and with abut's, and compares.
// Arguments: the name of one scene, then `own` or `abut` for one of the two; none: all.
#include <chrono>
#include <cstdio>
#include <cstring>

#include <Jolt/Jolt.h>
// Jolt's other headers come after it.

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include "adapter.hpp"
#include "scene.hpp"

namespace {

using namespace abut;
using Clock = std::chrono::steady_clock;

constexpr JPH::ObjectLayer kFixed = 0, kMoving = 1;

class Layers final : public JPH::BroadPhaseLayerInterface {
public:
    JPH::uint GetNumBroadPhaseLayers() const override { return 2; }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer layer) const override {
        return JPH::BroadPhaseLayer(JPH::BroadPhaseLayer::Type(layer));
    }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
    const char* GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override { return "layer"; }
#endif
};

JPH::Vec3 to_jolt(Vec3 v) { return {v.x, v.y, v.z}; }

class Engine final : public scenes::World {
public:
    explicit Engine(const scenes::Scene& scene) : scene_(scene) {
        system_.Init(1024, 0, 65536, 16384, layers_, between_broad_, between_);
        // Jolt's own function for two bodies, with a clock about it.
        system_.SetSimCollideBodyVsBody([this](const JPH::Body& a, const JPH::Body& b, JPH::Mat44Arg pose_a,
                                               JPH::Mat44Arg pose_b, JPH::CollideShapeSettings& settings,
                                               JPH::CollideShapeCollector& collector, const JPH::ShapeFilter& filter) {
            const auto start = Clock::now();
            JPH::PhysicsSystem::sDefaultSimCollideBodyVsBody(a, b, pose_a, pose_b, settings, collector, filter);
            seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
            ++pairs_;
        });
        for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) add(i);
        system_.OptimizeBroadPhase();
    }
    void step() override { system_.Update(scenes::kStep, 1, &memory_, &jobs_); }
    bool is_asleep(std::uint32_t body) const override { return !system_.GetBodyInterface().IsActive(ids_[body]); }
    void read_poses(std::vector<Body>& to) const override {
        for (std::size_t i = 0; i < to.size(); ++i) {
            JPH::RVec3 at;
            JPH::Quat q;
            system_.GetBodyInterface().GetPositionAndRotation(ids_[i], at, q);
            to[i].position = {float(at.GetX()), float(at.GetY()), float(at.GetZ())};
            to[i].orientation = {q.GetX(), q.GetY(), q.GetZ(), q.GetW()};
        }
    }
    double narrow_seconds() const override { return seconds_; }
    std::size_t narrow_pairs() const override { return pairs_; }

private:
    void add(std::uint32_t index) {
        const Body& body = scene_.bodies[index];
        const Quat& q = body.orientation;
        const bool moves = scene_.moves(index);
        JPH::BodyCreationSettings settings(
            make(body.shape), JPH::RVec3(to_jolt(body.position)), JPH::Quat(q.x, q.y, q.z, q.w),
            moves ? JPH::EMotionType::Dynamic : JPH::EMotionType::Static, moves ? kMoving : kFixed);
        settings.mFriction = scenes::kFriction, settings.mRestitution = 0;
        settings.mAngularDamping = scenes::kAngularDamping;
        ids_.push_back(system_.GetBodyInterface().CreateAndAddBody(
            settings, moves ? JPH::EActivation::Activate : JPH::EActivation::DontActivate));
    }
    JPH::RefConst<JPH::Shape> make(ShapeId shape) const {
        const ShapeView view = scene_.shapes.view(shape);
        switch (view.kind) {
            case ShapeKind::sphere: return new JPH::SphereShape(view.radius);
            case ShapeKind::capsule: return new JPH::CapsuleShape(view.half_height, view.radius);
            case ShapeKind::box: return new JPH::BoxShape(to_jolt(view.half_extents));
            case ShapeKind::hull: {
                JPH::Array<JPH::Vec3> points;
                for (const Vec3& point : scene_.hull_points(shape)) points.push_back(to_jolt(point));
                JPH::ConvexHullShapeSettings hull(points);
                hull.SetEmbedded();
                return hull.Create().Get();
            }
            default: {
                JPH::VertexList vertices;
                for (const Vec3& v : scene_.vertices) vertices.push_back({v.x, v.y, v.z});
                JPH::IndexedTriangleList triangles;
                for (const MeshTriangle& t : scene_.triangles)
                    triangles.emplace_back(t.corners[0], t.corners[1], t.corners[2], 0u);
                JPH::MeshShapeSettings mesh(vertices, triangles);
                mesh.SetEmbedded();
                return mesh.Create().Get();
            }
        }
    }

    const scenes::Scene& scene_;
    Layers layers_;
    JPH::ObjectVsBroadPhaseLayerFilter between_broad_;
    JPH::ObjectLayerPairFilter between_;
    JPH::TempAllocatorImpl memory_{64u << 20};
    JPH::JobSystemSingleThreaded jobs_{JPH::cMaxPhysicsJobs};
    JPH::PhysicsSystem system_;
    std::vector<JPH::BodyID> ids_;
    double seconds_ = 0;
    std::size_t pairs_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory;
    JPH::RegisterTypes();
    scenes::print_head();
    for (const scenes::Scene& scene : scenes::make_scenes()) {
        if (argc > 1 && std::strcmp(argv[1], scene.name.c_str()) != 0) continue;
        for (const bool uses_abut : {false, true}) {
            const char* const functions = uses_abut ? "abut" : "own";
            if (argc > 2 && std::strcmp(argv[2], functions) != 0) continue;
            uses_abut ? jolt::switch_on() : jolt::switch_off();
            Engine world(scene);
            scenes::print_row(scene, functions, scenes::run(scene, world, scenes::kSteps));
        }
    }
    const jolt::Work& work = jolt::work();
    std::printf("abut: %zu pairs, %zu failed\n", work.pairs, work.failed);
    jolt::forget_deleted();
    JPH::UnregisterTypes();
    delete JPH::Factory::sInstance;
    return work.failed == 0 ? 0 : 1;
}
