// Bullet 3.24: btCollisionWorld::rayTestSingle. Margins are 0 but for spheres and capsules.
#include <btBulletCollisionCommon.h>

#include "queries/rays/rivals.hpp"
#include "rivals/plain_frame.hpp"

namespace abut::rays {
namespace {

btTransform transform_of(const Body& body) {
    const Quat& q = body.orientation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w).normalized(),
                       btVector3(body.position.x, body.position.y, body.position.z));
}

btVector3 of(const Vec3& v) { return btVector3(v.x, v.y, v.z); }

class Bullet final : public RayRival {
public:
    Bullet(const bench::PlainFrame& plain, const RayScene& scene) : scene_(scene) {
        for (const bench::PlainShape& shape : plain.shapes) shapes_.push_back(make_shape(shape));
        for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
            objects_.push_back(std::make_unique<btCollisionObject>());
            objects_.back()->setCollisionShape(shapes_[plain.shape_of[i]].get());
            objects_.back()->setWorldTransform(transform_of(plain.bodies[i]));
        }
    }
    bool is_complete() const {
        for (const auto& shape : shapes_)
            if (!shape) return false;
        return true;
    }
    const char* name() const override { return "Bullet"; }
    void run(std::vector<double>& fractions) override {
        for (std::size_t i = 0; i < scene_.pairs.size(); ++i) {
            btCollisionObject& object = *objects_[scene_.pairs[i].b];
            const btVector3 from = of(scene_.origins[i]), to = from + of(scene_.directions[i]);
            btCollisionWorld::ClosestRayResultCallback result(from, to);
            btTransform start, end;
            start.setIdentity(), end.setIdentity();
            start.setOrigin(from), end.setOrigin(to);
            btCollisionWorld::rayTestSingle(start, end, &object, object.getCollisionShape(), object.getWorldTransform(),
                                            result);
            fractions[i] = result.hasHit() ? double(result.m_closestHitFraction) : 2.0;
        }
    }

private:
    std::unique_ptr<btCollisionShape> make_shape(const bench::PlainShape& shape) {
        const ShapeView& view = shape.view;
        std::unique_ptr<btConvexShape> made;
        switch (view.kind) {
            case ShapeKind::sphere: return std::make_unique<btSphereShape>(view.radius);
            case ShapeKind::capsule: return std::make_unique<btCapsuleShape>(view.radius, 2 * view.half_height);
            case ShapeKind::cylinder:
                made = std::make_unique<btCylinderShape>(btVector3(view.radius, view.half_height, view.radius));
                break;
            case ShapeKind::cone: made = std::make_unique<btConeShape>(view.radius, 2 * view.half_height); break;
            case ShapeKind::box: made = std::make_unique<btBoxShape>(of(view.half_extents)); break;
            case ShapeKind::hull: {
                auto hull = std::make_unique<btConvexHullShape>();
                for (const Vec3 v : shape.vertices) hull->addPoint(of(v), false);
                hull->recalcLocalAabb();
                made = std::move(hull);
                break;
            }
            case ShapeKind::mesh: {
                triangles_.push_back(std::make_unique<btTriangleMesh>());
                for (const MeshTriangle& t : shape.triangles)
                    triangles_.back()->addTriangle(of(shape.vertices[t.corners[0]]), of(shape.vertices[t.corners[1]]),
                                                   of(shape.vertices[t.corners[2]]));
                return std::make_unique<btBvhTriangleMeshShape>(triangles_.back().get(), true);
            }
            default: return nullptr;
        }
        made->setMargin(0);
        return made;
    }

    const RayScene& scene_;
    std::vector<std::unique_ptr<btTriangleMesh>> triangles_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

}  // namespace

std::unique_ptr<RayRival> make_bullet(const RayScene& scene) {
    bench::PlainFrame plain;
    const Pair any[] = {{0, 0}};
    if (!bench::read_frame({.shapes = &scene.shapes, .bodies = scene.bodies, .pairs = any}, plain,
                           bench::Meshes::taken))
        return nullptr;
    auto made = std::make_unique<Bullet>(plain, scene);
    if (!made->is_complete()) return nullptr;
    return made;
}

}  // namespace abut::rays
