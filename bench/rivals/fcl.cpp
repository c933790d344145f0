// FCL 0.7: its public distance() and collide(), in float and double, with both of its solvers. The double code is the
// packaged library's; the float templates are compiled here, on request (ABUT_BENCH_FCL_FLOAT).
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "rivals/plain_frame.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

template <class S>
struct Object {
    const fcl::CollisionGeometry<S>* geometry;
    fcl::Transform3<S> transform;
};

template <class S>
struct World {
    std::vector<std::unique_ptr<fcl::CollisionGeometry<S>>> shapes;
    std::vector<Object<S>, Eigen::aligned_allocator<Object<S>>> objects;
    std::vector<Pair> pairs;
    Query query;
};

template <class S>
std::unique_ptr<fcl::CollisionGeometry<S>> make_convex(const PlainShape& shape) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3<S>>>();
    for (const Vec3 v : shape.vertices) vertices->emplace_back(S(v.x), S(v.y), S(v.z));
    auto faces = std::make_shared<std::vector<int>>();
    const std::size_t face_count = shape.face_first.empty() ? 0 : shape.face_first.size() - 1;
    for (std::size_t f = 0; f < face_count; ++f) {
        faces->push_back(int(shape.face_first[f + 1] - shape.face_first[f]));
        for (std::size_t i = shape.face_first[f]; i < shape.face_first[f + 1]; ++i) faces->push_back(shape.loop[i]);
    }
    return std::make_unique<fcl::Convex<S>>(vertices, int(face_count), faces);
}

template <class S>
std::unique_ptr<fcl::CollisionGeometry<S>> make_shape(const PlainShape& shape) {
    const ShapeView& view = shape.view;
    const S radius = S(view.radius) + S(view.rounding);
    switch (view.kind) {
        case ShapeKind::sphere: return std::make_unique<fcl::Sphere<S>>(radius);
        case ShapeKind::capsule: return std::make_unique<fcl::Capsule<S>>(radius, 2 * S(view.half_height));
        case ShapeKind::box: {
            const Vec3 h = view.half_extents;
            return std::make_unique<fcl::Box<S>>(2 * S(h.x), 2 * S(h.y), 2 * S(h.z));
        }
        case ShapeKind::cylinder: return std::make_unique<fcl::Cylinder<S>>(S(view.radius), 2 * S(view.half_height));
        case ShapeKind::cone: return std::make_unique<fcl::Cone<S>>(S(view.radius), 2 * S(view.half_height));
        case ShapeKind::ellipsoid:
            return std::make_unique<fcl::Ellipsoid<S>>(S(view.half_extents.x), S(view.half_extents.y),
                                                       S(view.half_extents.z));
        case ShapeKind::halfspace:
            return std::make_unique<fcl::Halfspace<S>>(S(view.normal.x), S(view.normal.y), S(view.normal.z),
                                                       S(view.offset));
        default: return make_convex<S>(shape);
    }
}

template <class S>
fcl::Transform3<S> pose(const PlainShape& shape, const Body& body) {
    fcl::Transform3<S> transform = fcl::Transform3<S>::Identity();
    const Quat q = body.orientation;
    transform.linear() = Eigen::Quaternion<S>(S(q.w), S(q.x), S(q.y), S(q.z)).normalized().toRotationMatrix();
    transform.translation() = fcl::Vector3<S>(S(body.position.x), S(body.position.y), S(body.position.z));
    const ShapeKind kind = shape.view.kind;
    if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone) {  // FCL's lie along Z
        fcl::Matrix3<S> z_to_y;
        z_to_y << 1, 0, 0, 0, 0, 1, 0, -1, 0;
        transform.linear() = (transform.linear() * z_to_y).eval();
    }
    return transform;
}

template <class S>
void* prepare(const Frame& frame, Query query) {
    PlainFrame plain;
    if (!read_frame(frame, plain)) return nullptr;
    auto world = std::make_unique<World<S>>();
    const bool asks_distance = query == Query::separation || query == Query::distance;
    for (const PlainShape& shape : plain.shapes) {
        // There its solvers call a half-space's support function, which it leaves unset: whatever lies there, mostly a
        // crash.
        if (asks_distance && shape.view.kind == ShapeKind::halfspace) return nullptr;
        world->shapes.push_back(make_shape<S>(shape));
        world->shapes.back()->computeLocalAABB();
    }
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        const std::uint32_t shape = plain.shape_of[i];
        world->objects.push_back({world->shapes[shape].get(), pose<S>(plain.shapes[shape], plain.bodies[i])});
    }
    world->pairs = std::move(plain.pairs);
    world->query = query;
    return world.release();
}

template <class S>
Vec3 to_vec3(const fcl::Vector3<S>& v) {
    return {float(v[0]), float(v[1]), float(v[2])};
}

template <class S>
void collide(const World<S>& world, std::size_t i, const fcl::CollisionRequest<S>& request,
             fcl::CollisionResult<S>& result, Answers& out) {
    const Object<S>&a = world.objects[world.pairs[i].a], &b = world.objects[world.pairs[i].b];
    result.clear();
    const std::size_t count = fcl::collide(a.geometry, a.transform, b.geometry, b.transform, request, result);
    out.hit[i] = count != 0;
    if (!request.enable_contact) return;
    out.contacts[i] = std::uint16_t(count);
    out.signed_distance[i] = std::numeric_limits<float>::infinity();
    if (count == 0) return;
    const fcl::Contact<S>& contact = result.getContact(0);
    out.signed_distance[i] = -std::abs(float(contact.penetration_depth));  // the indep solver's comes out negative
    out.normal[i] = to_vec3<S>(contact.normal);
    out.point_a[i] = to_vec3<S>(contact.pos);
}

template <class S>
void distance(const World<S>& world, std::size_t i, const fcl::DistanceRequest<S>& request,
              fcl::DistanceResult<S>& result, Answers& out) {
    const Object<S>&a = world.objects[world.pairs[i].a], &b = world.objects[world.pairs[i].b];
    result.clear();
    const float value = float(fcl::distance(a.geometry, a.transform, b.geometry, b.transform, request, result));
    out.signed_distance[i] = world.query == Query::distance || !(value < 0) ? value : 0.0f;
    out.point_a[i] = to_vec3<S>(result.nearest_points[0]);
    out.point_b[i] = to_vec3<S>(result.nearest_points[1]);
}

// FCL's EPA throws on pairs that it cannot finish: such a pair has no answer.
template <class Answer>
void answer_all(std::size_t pairs, Answers& out, Answer answer) {
    for (std::size_t i = 0; i < pairs; ++i) {
        try {
            answer(i);
        } catch (const std::exception&) {
            out.hit[i] = kNoAnswer;
            out.signed_distance[i] = std::numeric_limits<float>::quiet_NaN();
        }
    }
}

template <class S, fcl::GJKSolverType kSolver>
void run(void* opaque, Answers& out) {
    const World<S>& world = *static_cast<const World<S>*>(opaque);
    if (world.query == Query::overlap || world.query == Query::collide) {
        fcl::CollisionRequest<S> request(1, world.query == Query::collide);
        request.gjk_solver_type = kSolver;
        fcl::CollisionResult<S> result;
        answer_all(world.pairs.size(), out, [&](std::size_t i) { collide(world, i, request, result, out); });
    } else {
        // The indep solver's signed distance is its distance and then collide(), as here; but its own way to that reads
        // past an empty list where collide() finds no contact after all.
        const bool in_two_steps = world.query == Query::distance && kSolver == fcl::GST_INDEP;
        fcl::DistanceRequest<S> request(true, world.query == Query::distance && !in_two_steps);
        request.gjk_solver_type = kSolver;
        fcl::DistanceResult<S> result;
        fcl::CollisionRequest<S> depth_request(1, true);
        depth_request.gjk_solver_type = kSolver;
        fcl::CollisionResult<S> depth;
        answer_all(world.pairs.size(), out, [&](std::size_t i) {
            distance(world, i, request, result, out);
            if (in_two_steps && out.signed_distance[i] <= 0) collide(world, i, depth_request, depth, out);
        });
    }
}

template <class S>
void release(void* world) {
    delete static_cast<World<S>*>(world);
}

constexpr std::uint32_t kAll =
    bit(Query::overlap) | bit(Query::separation) | bit(Query::distance) | bit(Query::collide);
constexpr Rival kRivals[] = {
    {"fcl", "libccd-double", kAll, prepare<double>, run<double, fcl::GST_LIBCCD>, release<double>},
    {"fcl", "indep-double", kAll, prepare<double>, run<double, fcl::GST_INDEP>, release<double>},
#if defined(ABUT_BENCH_FCL_FLOAT)
    {"fcl", "libccd-float", kAll, prepare<float>, run<float, fcl::GST_LIBCCD>, release<float>},
    {"fcl", "indep-float", kAll, prepare<float>, run<float, fcl::GST_INDEP>, release<float>},
#endif
};

}  // namespace

std::span<const Rival> fcl_rivals() { return kRivals; }

}  // namespace abut::bench
