// See shapes.hpp. The convex radius of Jolt's boxes, cylinders and hulls is inside their outlines: abut's have sharp
// edges.
#include "shapes.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>

namespace abut::jolt {
namespace {

using JPH::EShapeSubType;
using Triangles = std::shared_ptr<const CookedTriangles>;

// The shapes of all threads.
struct Held {
    JPH::RefConst<JPH::Shape> shape;
    Triangles triangles;
};
struct {
    std::mutex mutex;
    std::unordered_map<const JPH::Shape*, Held> shapes;
    std::atomic<std::uint64_t> epoch = 0;  // the copies of an earlier epoch may be of shapes that are gone
} held;

Vec3 to_abut(JPH::Vec3Arg v) { return {v.GetX(), v.GetY(), v.GetZ()}; }

// Jolt tells no ids of triangles, but its rays do: one through the middle of each triangle. A triangle at the same
// place may be hit in its stead.
std::uint32_t sub_shape_bits(const JPH::Shape& mesh, const JPH::Float3* corners) {
    const JPH::Vec3 a(corners[0]), b(corners[1]), c(corners[2]);
    const JPH::Vec3 across = (b - a).Cross(c - a).NormalizedOr(JPH::Vec3::sAxisY());
    const float reach = 1e-2f * ((b - a).Length() + (c - a).Length());
    JPH::RayCastResult hit;
    const JPH::RayCast ray{(a + b + c) / 3.0f + reach * across, -2 * reach * across};
    if (!mesh.CastRay(ray, JPH::SubShapeIDCreator(), hit)) return 0;
    JPH::SubShapeID rest;
    return hit.mSubShapeID2.PopID(mesh.GetSubShapeIDBitsRecursive(), rest);
}

Triangles cook(const JPH::Shape& mesh) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    const auto made = std::make_shared<CookedTriangles>();
    made->id_bits = mesh.GetSubShapeIDBitsRecursive();
    JPH::Shape::GetTrianglesContext context;
    mesh.GetTrianglesStart(context, JPH::AABox::sBiggest(), JPH::Vec3::sZero(), JPH::Quat::sIdentity(),
                           JPH::Vec3::sOne());
    constexpr int kAtOnce = 256;
    JPH::Float3 corners[3 * kAtOnce];
    while (const int count = mesh.GetTrianglesNext(context, kAtOnce, corners)) {
        for (int i = 0; i < 3 * count; i += 3) {
            const auto first = std::uint32_t(vertices.size());
            triangles.push_back({{first, first + 1, first + 2}});
            for (int k = 0; k < 3; ++k) vertices.push_back(to_abut(JPH::Vec3(corners[i + k])));
            made->ids.push_back(sub_shape_bits(mesh, corners + i));
        }
    }
    for (const MeshSides sides : {MeshSides::both, MeshSides::front})
        if (auto cooked = cook_mesh(vertices, triangles, {.sides = sides}))
            made->cooked[sides == MeshSides::front] = std::move(*cooked);
    return made;
}

Triangles hold(const JPH::Shape& shape) {
    const std::lock_guard lock(held.mutex);
    Held& entry = held.shapes[&shape];
    if (!entry.shape && shape.GetSubType() == EShapeSubType::Mesh) entry.triangles = cook(shape);
    entry.shape = &shape;
    return entry.triangles;
}

Expected<ShapeId> add(ShapeStore& store, const JPH::Shape& shape, const InstanceOptions& options) {
    switch (shape.GetSubType()) {
        case EShapeSubType::Sphere:
            return store.add_sphere(static_cast<const JPH::SphereShape&>(shape).GetRadius(), options);
        case EShapeSubType::Box:
            return store.add_box(to_abut(static_cast<const JPH::BoxShape&>(shape).GetHalfExtent()), options);
        case EShapeSubType::Capsule: {
            const auto& capsule = static_cast<const JPH::CapsuleShape&>(shape);
            return store.add_capsule(capsule.GetRadius(), capsule.GetHalfHeightOfCylinder(), options);
        }
        case EShapeSubType::Cylinder: {
            const auto& cylinder = static_cast<const JPH::CylinderShape&>(shape);
            return store.add_cylinder(cylinder.GetRadius(), cylinder.GetHalfHeight(), options);
        }
        default: {
            const auto& hull = static_cast<const JPH::ConvexHullShape&>(shape);
            std::vector<Vec3> points;
            for (JPH::uint i = 0; i < hull.GetNumPoints(); ++i) points.push_back(to_abut(hull.GetPoint(i)));
            return store.add_hull(points, options);
        }
    }
}

}  // namespace

const Copy& Shapes::find(const JPH::Shape& shape, JPH::Vec3Arg scale, bool from_front) {
    if (const std::uint64_t epoch = held.epoch.load(); epoch != epoch_)
        copies_.clear(), store_ = ShapeStore(), epoch_ = epoch;
    const bool is_mesh = shape.GetSubType() == EShapeSubType::Mesh;
    const auto [entry, is_new] =
        copies_.try_emplace(Key{&shape, scale.GetX(), scale.GetY(), scale.GetZ(), is_mesh && from_front});
    Copy& copy = entry->second;
    if (!is_new) return copy;
    copy.triangles = hold(shape);
    const InstanceOptions options{.scale = to_abut(scale)};
    const auto id =
        is_mesh ? store_.add_mesh(copy.triangles->cooked[from_front], options) : add(store_, shape, options);
    if (id) copy.id = *id;
    return copy;
}

void forget_deleted() {
    const std::lock_guard lock(held.mutex);
    if (std::erase_if(held.shapes, [](const auto& entry) { return entry.second.shape->GetRefCount() == 1; }) != 0)
        ++held.epoch;
}

}  // namespace abut::jolt
