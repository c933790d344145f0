// A shape is read through Bullet's non-virtual getters; its key holds whatever they read.
#include "shapes.hpp"

#include <cmath>
#include <vector>

#include <btBulletCollisionCommon.h>

namespace abut::bullet {
namespace {

Vec3 to_abut(const btVector3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

const btConvexInternalShape& convex(const btCollisionShape& shape) { return static_cast<const btConvexInternalShape&>(shape); }

// A rotation that takes Y to `axis`: half a turn about the line between the two.
btQuaternion from_y(int axis) {
    const btScalar half = std::sqrt(btScalar(0.5));
    return axis == 0 ? btQuaternion(half, half, 0, 0) : btQuaternion(0, half, half, 0);
}

Expected<ShapeId> add_hull(ShapeStore& store, const btConvexHullShape& hull) {
    std::vector<Vec3> points;
    points.reserve(std::size_t(hull.getNumPoints()));
    for (int i = 0; i < hull.getNumPoints(); ++i) points.push_back(to_abut(hull.getScaledPoint(i)));
    return store.add_hull(points, {.rounding = float(hull.getMarginNV())});
}

Expected<ShapeId> add(ShapeStore& store, const btCollisionShape& shape) {
    switch (shape.getShapeType()) {
        case SPHERE_SHAPE_PROXYTYPE:
            return store.add_sphere(float(static_cast<const btSphereShape&>(shape).getRadius()));
        case CAPSULE_SHAPE_PROXYTYPE: {
            const auto& capsule = static_cast<const btCapsuleShape&>(shape);
            return store.add_capsule(float(capsule.getRadius()), float(capsule.getHalfHeight()));
        }
        case BOX_SHAPE_PROXYTYPE:
            return store.add_box(to_abut(static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin()));
        default:
            return add_hull(store, static_cast<const btConvexHullShape&>(shape));
    }
}

}  // namespace

bool Shapes::supports(const btCollisionShape& shape) {
    switch (shape.getShapeType()) {
        case SPHERE_SHAPE_PROXYTYPE:
        case CAPSULE_SHAPE_PROXYTYPE:
        case BOX_SHAPE_PROXYTYPE:
        case CONVEX_HULL_SHAPE_PROXYTYPE:
            return true;
        default:
            return false;
    }
}

ShapeKey Shapes::key(const btCollisionShape& shape) {
    const btConvexInternalShape& base = convex(shape);
    const btVector3 &dimensions = base.getImplicitShapeDimensions(), &scaling = base.getLocalScalingNV();
    ShapeKey key;
    key.shape = &shape;
    key.type = shape.getShapeType();
    key.dimensions = {dimensions.x(), dimensions.y(), dimensions.z()};
    key.scaling = {scaling.x(), scaling.y(), scaling.z()};
    key.margin = base.getMarginNV();
    if (key.type == CAPSULE_SHAPE_PROXYTYPE) key.detail = static_cast<const btCapsuleShape&>(shape).getUpAxis();
    if (key.type == CONVEX_HULL_SHAPE_PROXYTYPE) {
        const auto& hull = static_cast<const btConvexHullShape&>(shape);
        key.detail = hull.getNumPoints();
        key.points = key.detail > 0 ? hull.getUnscaledPoints() : nullptr;
        key.dimensions = {};  // hulls leave them unset
    }
    return key;
}

const CookedShape& Shapes::find(const btCollisionShape& shape) {
    const ShapeKey now = key(shape);
    CookedShape& cooked = cooked_[&shape];
    if (cooked.key == now) return cooked;
    if (cooked.known) store_.remove(cooked.id);
    cooked = {};
    cooked.key = now;
    const Expected<ShapeId> id = add(store_, shape);
    if (id) {
        cooked.id = *id;
        cooked.known = true;
        cooked.reach = float(shape.getAngularMotionDisc());
    }
    if (now.type == CAPSULE_SHAPE_PROXYTYPE) {
        cooked.turned = now.detail != 1;
        if (cooked.turned) cooked.turn = from_y(now.detail);
    }
    return cooked;
}

void Shapes::forget(const btCollisionShape* shape) {
    const auto found = cooked_.find(shape);
    if (found == cooked_.end()) return;
    if (found->second.known) store_.remove(found->second.id);
    cooked_.erase(found);
}

}  // namespace abut::bullet
