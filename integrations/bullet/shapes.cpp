// A shape is read through Bullet's non-virtual getters; its key holds whatever they read. A compound's children are
// found like any shape, so that those shared by several are cooked once.
#include "shapes.hpp"

#include <cmath>
#include <cstring>
#include <vector>

#include <BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletCollisionCommon.h>

namespace abut::bullet {
namespace {

Vec3 to_abut(const btVector3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }
Quat to_abut(const btQuaternion& q) { return {float(q.x()), float(q.y()), float(q.z()), float(q.w())}; }
std::array<btScalar, 3> three(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

bool is_round_about_axis(int type) {
    return type == CAPSULE_SHAPE_PROXYTYPE || type == CYLINDER_SHAPE_PROXYTYPE || type == CONE_SHAPE_PROXYTYPE;
}

// A rotation that takes Y to `axis`: half a turn about the line between the two.
btQuaternion from_y(int axis) {
    const btScalar half = std::sqrt(btScalar(0.5));
    return axis == 0 ? btQuaternion(half, half, 0, 0) : btQuaternion(0, half, half, 0);
}

// Bullet's cylinders are circular whatever their half extents: it reads the first that does not lie along the axis.
Expected<ShapeId> add_cylinder(ShapeStore& store, const btCylinderShape& cylinder) {
    const btVector3 half = cylinder.getHalfExtentsWithMargin();
    const int axis = cylinder.getUpAxis();
    return store.add_cylinder(float(half[axis == 0 ? 1 : 0]), float(half[axis]));
}

Expected<ShapeId> add_hull(ShapeStore& store, const btConvexHullShape& hull) {
    std::vector<Vec3> points;
    points.reserve(std::size_t(hull.getNumPoints()));
    for (int i = 0; i < hull.getNumPoints(); ++i) points.push_back(to_abut(hull.getScaledPoint(i)));
    return store.add_hull(points, {.rounding = float(hull.getMarginNV())});
}

// All triangles, as Bullet makes them for a body anywhere: scaled, a terrain's along its own axis and with its own
// diagonals.
class Gather final : public btTriangleCallback {
public:
    void processTriangle(btVector3* corners, int, int) override {
        const auto first = std::uint32_t(vertices.size());
        for (int i = 0; i < 3; ++i) vertices.push_back(to_abut(corners[i]));
        triangles.push_back({{first, first + 1, first + 2}});
    }
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
};

void bounds_of(const btConcaveShape& shape, btVector3& low, btVector3& high) {
    shape.getAabb(btTransform::getIdentity(), low, high);
}

// Bullet's triangles have two sides and are thicker by the margin all round.
Expected<ShapeId> add_surface(ShapeStore& store, const btConcaveShape& shape) {
    btVector3 low, high;
    bounds_of(shape, low, high);
    Gather all;
    shape.processAllTriangles(&all, low, high);
    return store.add_mesh(all.vertices, all.triangles, {.rounding = float(shape.getMargin())},
                          {.sides = MeshSides::both});
}

bool is_surface(int type) {
    return type == TRIANGLE_MESH_SHAPE_PROXYTYPE || type == SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE ||
           type == TERRAIN_SHAPE_PROXYTYPE;
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
        case CYLINDER_SHAPE_PROXYTYPE: return add_cylinder(store, static_cast<const btCylinderShape&>(shape));
        case CONE_SHAPE_PROXYTYPE: {
            const auto& cone = static_cast<const btConeShape&>(shape);
            return store.add_cone(float(cone.getRadius()), float(cone.getHeight()) / 2,
                                  {.rounding = float(cone.getMarginNV())});
        }
        case STATIC_PLANE_PROXYTYPE: {
            const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
            return store.add_halfspace(to_abut(plane.getPlaneNormal()), float(plane.getPlaneConstant()));
        }
        case TRIANGLE_MESH_SHAPE_PROXYTYPE:
        case SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE:
        case TERRAIN_SHAPE_PROXYTYPE: return add_surface(store, static_cast<const btConcaveShape&>(shape));
        default: return add_hull(store, static_cast<const btConvexHullShape&>(shape));
    }
}

// What Bullet's convex shapes share.
void read_convex(const btConvexInternalShape& shape, ShapeKey& key) {
    key.dimensions = three(shape.getImplicitShapeDimensions());
    key.scaling = three(shape.getLocalScalingNV());
    key.margin = shape.getMarginNV();
    switch (key.type) {
        case CAPSULE_SHAPE_PROXYTYPE: key.detail = static_cast<const btCapsuleShape&>(shape).getUpAxis(); break;
        case CYLINDER_SHAPE_PROXYTYPE: key.detail = static_cast<const btCylinderShape&>(shape).getUpAxis(); break;
        case CONE_SHAPE_PROXYTYPE: {
            const auto& cone = static_cast<const btConeShape&>(shape);
            key.detail = cone.getConeUpIndex();
            key.dimensions = {cone.getRadius(), cone.getHeight(), 0};  // cones leave them unset, and so do hulls
            break;
        }
        case CONVEX_HULL_SHAPE_PROXYTYPE: {
            const auto& hull = static_cast<const btConvexHullShape&>(shape);
            key.detail = hull.getNumPoints();
            key.points = key.detail > 0 ? hull.getUnscaledPoints() : nullptr;
            key.dimensions = {};
            break;
        }
        default: break;
    }
}

// 64 bits of all that is added, a multiplication a value.
class Fold {
public:
    template <class T>
    void add(const T& value) {
        static_assert(sizeof(T) <= sizeof(std::uint64_t));
        std::uint64_t word = 0;
        std::memcpy(&word, &value, sizeof value);
        bits_ = (bits_ ^ word) * 0x9e3779b97f4a7c15u;
        bits_ ^= bits_ >> 32;
    }
    void add(const std::array<btScalar, 3>& values) {
        for (const btScalar value : values) add(value);
    }
    std::uint64_t bits() const { return bits_; }

private:
    std::uint64_t bits_ = 0xcbf29ce484222325u;
};

std::uint64_t fold_children(const btCompoundShape& compound) {
    Fold fold;
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        const ShapeKey child = Shapes::key(*compound.getChildShape(i));
        fold.add(child.shape);
        fold.add(child.points);
        fold.add(child.type);
        fold.add(child.detail);
        fold.add(child.dimensions);
        fold.add(child.scaling);
        fold.add(child.margin);
        fold.add(child.parts);
        const btTransform& place = compound.getChildTransform(i);
        fold.add(three(place.getOrigin()));
        for (int row = 0; row < 3; ++row) fold.add(three(place.getBasis()[row]));
    }
    return fold.bits();
}

bool supports_children(const btCompoundShape& compound) {
    if (gCompoundChildShapePairCallback || gCompoundCompoundChildShapePairCallback) return false;
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        const btCollisionShape& child = *compound.getChildShape(i);
        if (child.getShapeType() == STATIC_PLANE_PROXYTYPE || is_surface(child.getShapeType()) ||
            !Shapes::supports(child))
            return false;
    }
    return true;
}

}  // namespace

bool Shapes::supports(const btCollisionShape& shape) {
    switch (shape.getShapeType()) {
        case SPHERE_SHAPE_PROXYTYPE:
        case CAPSULE_SHAPE_PROXYTYPE:
        case BOX_SHAPE_PROXYTYPE:
        case CYLINDER_SHAPE_PROXYTYPE:
        case CONE_SHAPE_PROXYTYPE:
        case CONVEX_HULL_SHAPE_PROXYTYPE:
        case STATIC_PLANE_PROXYTYPE:
        case TRIANGLE_MESH_SHAPE_PROXYTYPE:
        case SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE:
        case TERRAIN_SHAPE_PROXYTYPE: return true;
        case COMPOUND_SHAPE_PROXYTYPE: return supports_children(static_cast<const btCompoundShape&>(shape));
        default: return false;
    }
}

ShapeKey Shapes::key(const btCollisionShape& shape) {
    ShapeKey key;
    key.shape = &shape;
    key.type = shape.getShapeType();
    if (key.type == COMPOUND_SHAPE_PROXYTYPE) {
        const auto& compound = static_cast<const btCompoundShape&>(shape);
        key.detail = compound.getNumChildShapes();
        key.parts = fold_children(compound);
    } else if (key.type == STATIC_PLANE_PROXYTYPE) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
        key.dimensions = three(plane.getPlaneNormal());
        key.margin = plane.getPlaneConstant();
    } else if (is_surface(key.type)) {
        btVector3 low, high;
        bounds_of(static_cast<const btConcaveShape&>(shape), low, high);
        key.dimensions = three(low), key.scaling = three(high);
        key.margin = shape.getMargin();
        if (key.type == TRIANGLE_MESH_SHAPE_PROXYTYPE)
            key.points = static_cast<const btTriangleMeshShape&>(shape).getMeshInterface();
    } else {
        read_convex(static_cast<const btConvexInternalShape&>(shape), key);
    }
    return key;
}

Expected<ShapeId> Shapes::add_compound(const btCompoundShape& compound) {
    std::vector<CompoundChild> children;
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        const CookedShape& child = find(*compound.getChildShape(i));
        const btTransform& place = compound.getChildTransform(i);
        children.push_back({child.id, to_abut(place.getOrigin()), to_abut(place.getRotation() * child.turn)});
    }
    return store_.add_compound(children);
}

const CookedShape& Shapes::find(const btCollisionShape& shape) {
    const ShapeKey now = key(shape);
    CookedShape& cooked = cooked_[&shape];
    if (cooked.key == now) return cooked;
    if (cooked.known) store_.remove(cooked.id);
    cooked = {};
    cooked.key = now;
    const Expected<ShapeId> id = now.type == COMPOUND_SHAPE_PROXYTYPE
                                     ? add_compound(static_cast<const btCompoundShape&>(shape))
                                     : add(store_, shape);
    if (id) {
        cooked.id = *id;
        cooked.known = true;
        cooked.reach = float(shape.getAngularMotionDisc());
    }
    if (is_round_about_axis(now.type)) {
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
