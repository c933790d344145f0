// Bullet 3.24: btContinuousConvexCollision, btGjkConvexCast, btSubsimplexConvexCast. Margins are 0 but for spheres and
// capsules.
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "queries/casts/rivals.hpp"
#include "rivals/plain_frame.hpp"

namespace abut::casts {
namespace {

std::unique_ptr<btConvexShape> make_shape(const bench::PlainShape& shape) {
    const ShapeView& view = shape.view;
    std::unique_ptr<btConvexShape> made;
    switch (view.kind) {
        case ShapeKind::sphere: return std::make_unique<btSphereShape>(view.radius);
        case ShapeKind::capsule: return std::make_unique<btCapsuleShape>(view.radius, 2 * view.half_height);
        case ShapeKind::cylinder:
            made = std::make_unique<btCylinderShape>(btVector3(view.radius, view.half_height, view.radius));
            break;
        case ShapeKind::cone: made = std::make_unique<btConeShape>(view.radius, 2 * view.half_height); break;
        case ShapeKind::box:
            made =
                std::make_unique<btBoxShape>(btVector3(view.half_extents.x, view.half_extents.y, view.half_extents.z));
            break;
        case ShapeKind::hull: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (const Vec3 v : shape.vertices) hull->addPoint(btVector3(v.x, v.y, v.z), false);
            hull->recalcLocalAabb();
            made = std::move(hull);
            break;
        }
        default: return nullptr;
    }
    made->setMargin(0);
    return made;
}

btTransform transform_of(const Body& body) {
    const Quat& q = body.orientation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w).normalized(),
                       btVector3(body.position.x, body.position.y, body.position.z));
}

class Bullet final : public CastRival {
public:
    Bullet(const bench::PlainFrame& plain, const MotionScene& motions, BulletCast cast) : cast_(cast) {
        for (const bench::PlainShape& shape : plain.shapes) shapes_.push_back(make_shape(shape));
        for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
            starts_.push_back(transform_of(plain.bodies[i]));
            ends_.push_back(transform_of(motions.ends[i]));
            shape_of_.push_back(shapes_[plain.shape_of[i]].get());
        }
        pairs_ = plain.pairs;
    }
    bool is_complete() const {
        for (const auto& shape : shapes_)
            if (!shape) return false;
        return true;
    }
    const char* name() const override {
        return cast_ == BulletCast::continuous ? "Bullet, continuous"
               : cast_ == BulletCast::gjk      ? "Bullet, GJK"
                                               : "Bullet, subsimplex";
    }
    void run(std::vector<double>& times) override {
        btVoronoiSimplexSolver simplex;
        btGjkEpaPenetrationDepthSolver depth;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const int a = int(pairs_[i].a), b = int(pairs_[i].b);
            btConvexCast::CastResult result;
            result.m_fraction = btScalar(1);
            const auto ask = [&](btConvexCast&& cast) {
                return cast.calcTimeOfImpact(starts_[a], ends_[a], starts_[b], ends_[b], result);
            };
            bool hits = false;
            switch (cast_) {
                case BulletCast::continuous:
                    hits = ask(btContinuousConvexCollision(shape_of_[a], shape_of_[b], &simplex, &depth));
                    break;
                case BulletCast::gjk: hits = ask(btGjkConvexCast(shape_of_[a], shape_of_[b], &simplex)); break;
                case BulletCast::subsimplex:
                    hits = ask(btSubsimplexConvexCast(shape_of_[a], shape_of_[b], &simplex));
                    break;
            }
            times[i] = hits ? double(result.m_fraction) : 2.0;
        }
    }

private:
    BulletCast cast_;
    std::vector<std::unique_ptr<btConvexShape>> shapes_;
    btAlignedObjectArray<btTransform> starts_, ends_;
    std::vector<const btConvexShape*> shape_of_;
    std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<CastRival> make_bullet(const MotionScene& motions, BulletCast cast) {
    bench::PlainFrame plain;
    if (!bench::read_frame(motions.scene.frame(), plain)) return nullptr;
    auto made = std::make_unique<Bullet>(plain, motions, cast);
    if (!made->is_complete()) return nullptr;
    return made;
}

}  // namespace abut::casts
