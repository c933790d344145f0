// A hit without faces is one contact to Jolt, and it joins those of one normal to a manifold: each of abut's contacts
// is a hit.
#include "adapter.hpp"

#include <Jolt/Jolt.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/Shape/ConvexShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/TriangleShape.h>
#include <Jolt/Physics/Collision/TransformedShape.h>

#include "shapes.hpp"

namespace abut::jolt {
namespace {

using JPH::CollideShapeCollector;
using JPH::CollideShapeResult;
using JPH::CollideShapeSettings;
using JPH::CollisionDispatch;
using JPH::EShapeSubType;
using JPH::Mat44Arg;
using JPH::Shape;
using JPH::ShapeFilter;
using JPH::SubShapeID;
using JPH::SubShapeIDCreator;
using JPH::Vec3Arg;

constexpr EShapeSubType kConvex[] = {EShapeSubType::Sphere, EShapeSubType::Box, EShapeSubType::Capsule,
                                     EShapeSubType::Cylinder, EShapeSubType::ConvexHull};

struct Adapter {
    NarrowPhase narrow{{.executor = serial_executor()}};
    Shapes shapes;
    Manifolds found;
    Work work;
};
Adapter& adapter() {
    thread_local Adapter of_thread;
    return of_thread;
}

Body body_of(Mat44Arg pose, ShapeId shape) {
    const JPH::Vec3 at = pose.GetTranslation();
    const JPH::Quat q = pose.GetQuaternion();
    return {{at.GetX(), at.GetY(), at.GetZ()}, shape, {q.GetX(), q.GetY(), q.GetZ(), q.GetW()}};
}

JPH::Vec3 to_jolt(Vec3 v) { return {v.x, v.y, v.z}; }

void collide(const Shape* shape_1, const Shape* shape_2, Vec3Arg scale_1, Vec3Arg scale_2, Mat44Arg pose_1,
             Mat44Arg pose_2, const SubShapeIDCreator& creator_1, const SubShapeIDCreator& creator_2,
             const CollideShapeSettings& settings, CollideShapeCollector& collector, const ShapeFilter&) {
    Adapter& of = adapter();
    const bool from_front = settings.mBackFaceMode == JPH::EBackFaceMode::IgnoreBackFaces;
    const Copy &first = of.shapes.find(*shape_1, scale_1, from_front),
               &second = of.shapes.find(*shape_2, scale_2, from_front);
    const Body bodies[2] = {body_of(pose_1, first.id), body_of(pose_2, second.id)};
    const Pair pair = {0, 1};
    Frame frame{&of.shapes.store(), bodies, {&pair, 1}};
    frame.margins = {&settings.mMaxSeparationDistance, 1};
    ++of.work.pairs;
    if (!of.narrow.collide(frame, of.found) || of.found.status[0] != Status::ok) {
        ++of.work.failed;
        return;
    }
    for (const Manifold& manifold : of.found.manifolds) {
        const JPH::Vec3 normal = to_jolt(manifold.normal);
        const SubShapeID id_1 = creator_1.GetID(), id_2 = second.sub_shape(creator_2, manifold.child_b);
        for (std::uint32_t i = 0; i < manifold.contact_count; ++i) {
            const Contact& contact = of.found.contacts[manifold.first_contact + i];
            if (contact.separation >= collector.GetEarlyOutFraction()) continue;
            const JPH::Vec3 middle = pose_1.GetTranslation() + to_jolt(contact.position),
                            half = normal * (contact.separation / 2);
            collector.AddHit(CollideShapeResult(middle - half, middle + half, normal, -contact.separation, id_1, id_2,
                                                JPH::TransformedShape::sGetBodyID(collector.GetContext())));
            if (collector.ShouldEarlyOut()) return;
        }
    }
}

}  // namespace

void switch_on() {
    for (const EShapeSubType a : kConvex) {
        for (const EShapeSubType b : kConvex) CollisionDispatch::sRegisterCollideShape(a, b, collide);
        CollisionDispatch::sRegisterCollideShape(a, EShapeSubType::Mesh, collide);
    }
}

void switch_off() {
    // In Jolt's order: triangles replace a part of what convex shapes register.
    JPH::ConvexShape::sRegister();
    JPH::TriangleShape::sRegister();
    JPH::MeshShape::sRegister();
}

const Work& work() { return adapter().work; }

}  // namespace abut::jolt
