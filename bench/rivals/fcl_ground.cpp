// FCL's collide() on convex bodies and triangle meshes, in double, as packaged: a tree of OBBRSS, its default.
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>

#include "rivals/plain_frame.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

struct Object {
    const fcl::CollisionGeometryd* geometry;
    fcl::Transform3d transform;
};

struct World {
    std::vector<std::unique_ptr<fcl::CollisionGeometryd>> shapes;
    std::vector<Object, Eigen::aligned_allocator<Object>> objects;
    std::vector<Pair> pairs;
};

std::unique_ptr<fcl::CollisionGeometryd> make_mesh(const PlainShape& shape) {
    auto model = std::make_unique<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3 v : shape.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const MeshTriangle& t : shape.triangles) triangles.emplace_back(t.corners[0], t.corners[1], t.corners[2]);
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

std::unique_ptr<fcl::CollisionGeometryd> make_hull(const PlainShape& shape) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3 v : shape.vertices) vertices->emplace_back(v.x, v.y, v.z);
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t f = 0; f + 1 < shape.face_first.size(); ++f) {
        faces->push_back(int(shape.face_first[f + 1] - shape.face_first[f]));
        for (std::size_t i = shape.face_first[f]; i < shape.face_first[f + 1]; ++i) faces->push_back(shape.loop[i]);
    }
    return std::make_unique<fcl::Convexd>(vertices, int(shape.face_first.size()) - 1, faces);
}

// Null for what is not timed.
std::unique_ptr<fcl::CollisionGeometryd> make_shape(const PlainShape& shape) {
    const ShapeView& view = shape.view;
    switch (view.kind) {
        case ShapeKind::mesh: return make_mesh(shape);
        case ShapeKind::sphere: return std::make_unique<fcl::Sphered>(view.radius);
        case ShapeKind::capsule: return std::make_unique<fcl::Capsuled>(view.radius, 2 * view.half_height);
        case ShapeKind::box:
            return std::make_unique<fcl::Boxd>(2 * view.half_extents.x, 2 * view.half_extents.y,
                                               2 * view.half_extents.z);
        case ShapeKind::hull: return make_hull(shape);
        default: return nullptr;
    }
}

void* prepare(const Frame& frame, Query) {
    PlainFrame plain;
    if (!read_frame(frame, plain, Meshes::taken)) return nullptr;
    auto world = std::make_unique<World>();
    for (const PlainShape& shape : plain.shapes) {
        world->shapes.push_back(make_shape(shape));
        if (world->shapes.back() == nullptr) return nullptr;
        world->shapes.back()->computeLocalAABB();
    }
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        const Body& body = plain.bodies[i];
        const Quat q = body.orientation;
        fcl::Transform3d transform = fcl::Transform3d::Identity();
        transform.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
        transform.translation() = fcl::Vector3d(body.position.x, body.position.y, body.position.z);
        if (plain.shapes[plain.shape_of[i]].view.kind == ShapeKind::capsule) {  // FCL's lie along Z
            fcl::Matrix3d z_to_y;
            z_to_y << 1, 0, 0, 0, 0, 1, 0, -1, 0;
            transform.linear() = (transform.linear() * z_to_y).eval();
        }
        world->objects.push_back({world->shapes[plain.shape_of[i]].get(), transform});
    }
    world->pairs = std::move(plain.pairs);
    return world.release();
}

void run(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    const fcl::CollisionRequestd request(64, true);
    fcl::CollisionResultd result;
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Object &a = world.objects[world.pairs[i].a], &b = world.objects[world.pairs[i].b];
        result.clear();
        try {
            out.contacts[i] =
                std::uint16_t(fcl::collide(a.geometry, a.transform, b.geometry, b.transform, request, result));
            out.hit[i] = out.contacts[i] != 0;
        } catch (const std::exception&) {  // its EPA throws on pairs that it cannot finish
            out.hit[i] = kNoAnswer;
        }
    }
}

void release(void* world) { delete static_cast<World*>(world); }

constexpr Rival kRivals[] = {{"fcl", "obbrss-mesh", bit(Query::collide), prepare, run, release}};

}  // namespace

std::span<const Rival> fcl_ground_rivals() { return kRivals; }

}  // namespace abut::bench
