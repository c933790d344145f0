// Bullet's shapes as abut's.
#include <cmath>

#include <btBulletCollisionCommon.h>

#include "catch.hpp"
#include "shapes.hpp"

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
    box.setMargin(btScalar(0.125));
    hull.setMargin(btScalar(0.0625));
    hull.setLocalScaling(btVector3(2, 1, 1));
    sphere.setLocalScaling(btVector3(3, 3, 3));
    const btConvexShape* const all[] = {&box, &hull, &sphere, &capsule};
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

TEST_CASE("a capsule along any axis is turned onto it") {
    Shapes shapes;
    btCapsuleShapeX x(1, 2);
    btCapsuleShape y(1, 2);
    btCapsuleShapeZ z(1, 2);
    const btCapsuleShape* const capsules[] = {&x, &y, &z};
    for (int axis = 0; axis < 3; ++axis) {
        const CookedShape& cooked = shapes.find(*capsules[axis]);
        REQUIRE(cooked.known);
        const btVector3 turned = quatRotate(cooked.turn, btVector3(0, 1, 0));
        CHECK(std::fabs(std::fabs(turned[axis]) - 1) < 1e-6f);
        CHECK(cooked.turned == (axis != 1));
    }
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

TEST_CASE("what abut has no shape for is not known") {
    Shapes shapes;
    CHECK_FALSE(Shapes::supports(btCylinderShape(btVector3(1, 1, 1))));
    CHECK_FALSE(Shapes::supports(btStaticPlaneShape(btVector3(0, 1, 0), 0)));
    btConvexHullShape empty;
    CHECK_FALSE(shapes.find(empty).known);
}
