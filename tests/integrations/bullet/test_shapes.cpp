// Bullet's shapes as abut's.
#include <cmath>

#include <btBulletCollisionCommon.h>

#include "shapes.hpp"
#include "support/catch.hpp"

using abut::ShapeView;
using abut::Vec3;
using abut::bullet::CookedShape;
using abut::bullet::Shapes;

TEST_CASE("a shape is as large in abut as in Bullet, margin and scale included") {
    Shapes shapes;
    btBoxShape box(btVector3(1, 2, 3));
    btConvexHullShape hull;
    for (int i = 0; i < 8; ++i) hull.addPoint(btVector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    btSphereShape sphere(btScalar(0.5));
    btCapsuleShape capsule(btScalar(0.25), btScalar(1));
    btCylinderShape cylinder(btVector3(btScalar(0.5), 1, btScalar(0.5)));
    btConeShape cone(btScalar(0.5), 2);
    box.setMargin(btScalar(0.125));
    hull.setMargin(btScalar(0.0625));
    cylinder.setMargin(btScalar(0.125));
    cylinder.setLocalScaling(btVector3(2, 3, 2));
    cone.setMargin(btScalar(0.125));
    cone.setLocalScaling(btVector3(2, 3, 2));
    hull.setLocalScaling(btVector3(2, 1, 1));
    sphere.setLocalScaling(btVector3(3, 3, 3));
    const btConvexShape* const all[] = {&box, &hull, &sphere, &capsule, &cylinder, &cone};
    for (const btConvexShape* shape : all) {
        const CookedShape& cooked = shapes.find(*shape);
        REQUIRE(cooked.known);
        const ShapeView view = shapes.store().view(cooked.id);
        const Vec3 max = view.bounds_max, min = view.bounds_min;
        const float high[] = {max.x, max.y, max.z}, low[] = {min.x, min.y, min.z};
        for (int axis = 0; axis < 3; ++axis) {
            btVector3 along(0, 0, 0);
            along[axis] = 1;
            CHECK(std::fabs(shape->localGetSupportingVertex(along)[axis] - high[axis]) < 1e-5f);
            CHECK(std::fabs(shape->localGetSupportingVertex(-along)[axis] - low[axis]) < 1e-5f);
        }
    }
}

TEST_CASE("what is round about an axis is turned onto it") {
    Shapes shapes;
    btCapsuleShapeX capsule_x(1, 2);
    btCapsuleShape capsule_y(1, 2);
    btCapsuleShapeZ capsule_z(1, 2);
    btCylinderShapeX cylinder_x(btVector3(3, 1, 1));
    btCylinderShape cylinder_y(btVector3(1, 3, 1));
    btCylinderShapeZ cylinder_z(btVector3(1, 1, 3));
    btConeShapeX cone_x(1, 2);
    btConeShape cone_y(1, 2);
    btConeShapeZ cone_z(1, 2);
    const btConvexShape* const all[][3] = {
        {&capsule_x, &capsule_y, &capsule_z}, {&cylinder_x, &cylinder_y, &cylinder_z}, {&cone_x, &cone_y, &cone_z}};
    for (const auto& kind : all) {
        for (int axis = 0; axis < 3; ++axis) {
            const CookedShape& cooked = shapes.find(*kind[axis]);
            REQUIRE(cooked.known);
            const btVector3 turned = quatRotate(cooked.turn, btVector3(0, 1, 0));
            CHECK(std::fabs(turned[axis] - 1) < 1e-6f);  // a cone's apex is at the positive end with both
            CHECK(cooked.turned == (axis != 1));
            const btScalar reach = kind[axis]->localGetSupportingVertex(turned)[axis];
            CHECK(std::fabs(reach - btScalar(shapes.store().view(cooked.id).bounds_max.y)) < 1e-5f);
        }
    }
}

TEST_CASE("a compound is its children where Bullet has them") {
    Shapes shapes;
    btBoxShape box(btVector3(btScalar(0.5), 1, 2));
    btCapsuleShapeX capsule(btScalar(0.25), 2);
    btCompoundShape inner, outer;
    inner.addChildShape(btTransform(btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI), btVector3(3, 0, 0)), &box);
    outer.addChildShape(btTransform(btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI), btVector3(0, 2, 0)), &inner);
    outer.addChildShape(btTransform(btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI), btVector3(-4, 0, 1)), &capsule);
    const CookedShape& cooked = shapes.find(outer);
    REQUIRE(cooked.known);
    const ShapeView view = shapes.store().view(cooked.id);
    CHECK(view.children == 2);
    btVector3 low, high;
    outer.getAabb(btTransform::getIdentity(), low, high);
    CHECK((low - btVector3(view.bounds_min.x, view.bounds_min.y, view.bounds_min.z)).length() < 1e-4f);
    CHECK((high - btVector3(view.bounds_max.x, view.bounds_max.y, view.bounds_max.z)).length() < 1e-4f);
}

TEST_CASE("a plane is solid below its constant") {
    Shapes shapes;
    const btStaticPlaneShape plane(btVector3(0, 0, 1), btScalar(1.5));
    const CookedShape& cooked = shapes.find(plane);
    REQUIRE(cooked.known);
    const ShapeView view = shapes.store().view(cooked.id);
    CHECK((view.normal.x == 0 && view.normal.y == 0 && view.normal.z == 1));
    CHECK(view.offset == 1.5f);
}

TEST_CASE("a changed shape is cooked again and nothing is left behind") {
    Shapes shapes;
    btBoxShape box(btVector3(1, 1, 1));
    const abut::ShapeId first = shapes.find(box).id;
    CHECK(shapes.find(box).id == first);
    box.setLocalScaling(btVector3(2, 2, 2));
    const abut::ShapeId second = shapes.find(box).id;
    CHECK(std::fabs(shapes.store().view(second).half_extents.x - 2.0f) < 1e-5f);
    CHECK(shapes.store().size() == 1);
    shapes.forget(&box);
    CHECK(shapes.store().size() == 0);
    shapes.forget(&box);
}

TEST_CASE("whatever changes within a compound is found out") {
    Shapes shapes;
    btBoxShape box(btVector3(1, 1, 1));
    btCompoundShape inner, outer;
    inner.addChildShape(btTransform::getIdentity(), &box);
    outer.addChildShape(btTransform::getIdentity(), &inner);
    const abut::ShapeId first = shapes.find(outer).id;
    CHECK(shapes.find(outer).id == first);
    inner.getChildTransform(0).setOrigin(btVector3(5, 0, 0));
    const abut::ShapeId moved = shapes.find(outer).id;
    CHECK(shapes.store().view(moved).bounds_max.x > 5.9f);
    box.setLocalScaling(btVector3(2, 1, 1));
    const abut::ShapeId scaled = shapes.find(outer).id;
    CHECK(shapes.store().view(scaled).bounds_max.x > 6.9f);
    inner.addChildShape(btTransform::getIdentity(), &box);
    CHECK(shapes.store().view(shapes.find(outer).id).children == 2);
    CHECK(shapes.store().size() == 3);
    for (const btCollisionShape* shape : {static_cast<btCollisionShape*>(&box), static_cast<btCollisionShape*>(&inner),
                                          static_cast<btCollisionShape*>(&outer)})
        shapes.forget(shape);
    CHECK(shapes.store().size() == 0);
}

TEST_CASE("what abut has no shape for is not known") {
    Shapes shapes;
    const btVector3 centre(0, 0, 0);
    const btScalar radius = 1;
    btMultiSphereShape spheres(&centre, &radius, 1);
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btCompoundShape no_child, of_spheres, of_plane;
    of_spheres.addChildShape(btTransform::getIdentity(), &spheres);
    of_plane.addChildShape(btTransform::getIdentity(), &plane);
    CHECK_FALSE(Shapes::supports(spheres));
    CHECK_FALSE(Shapes::supports(of_spheres));
    CHECK_FALSE(Shapes::supports(of_plane));
    CHECK_FALSE(shapes.find(no_child).known);
    btConvexHullShape empty;
    CHECK_FALSE(shapes.find(empty).known);
}
