// Bullet 3.24, the packaged single-precision library: its collision dispatcher (contacts, and closest points), its GJK
// pair detector and its GJK-EPA solver. Collision margins are 0 where they would change the shape; a sphere's and a
// capsule's are it.
#include <limits>
#include <memory>
#include <vector>

#include <BulletCollision/CollisionShapes/btConvexPolyhedron.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include "rivals/plain_frame.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

Vec3 to_vec3(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
constexpr float kFar = std::numeric_limits<float>::infinity();

// Null for what Bullet has no convex shape for.
std::unique_ptr<btConvexShape> make_shape(const PlainShape& shape, bool clips) {
    const ShapeView& view = shape.view;
    const float radius = view.radius + view.rounding;
    if (view.kind == ShapeKind::sphere) return std::make_unique<btSphereShape>(radius);
    if (view.kind == ShapeKind::capsule) return std::make_unique<btCapsuleShape>(radius, 2 * view.half_height);
    if (view.kind == ShapeKind::cylinder || view.kind == ShapeKind::cone) {
        std::unique_ptr<btConvexShape> round;
        if (view.kind == ShapeKind::cylinder)
            round = std::make_unique<btCylinderShape>(btVector3(view.radius, view.half_height, view.radius));
        else
            round = std::make_unique<btConeShape>(view.radius, 2 * view.half_height);
        round->setMargin(0);
        return round;
    }
    if (view.kind == ShapeKind::ellipsoid || view.kind == ShapeKind::halfspace) return nullptr;
    std::unique_ptr<btPolyhedralConvexShape> polytope;
    if (view.kind == ShapeKind::box) {
        polytope =
            std::make_unique<btBoxShape>(btVector3(view.half_extents.x, view.half_extents.y, view.half_extents.z));
    } else {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Vec3 v : shape.vertices) hull->addPoint(btVector3(v.x, v.y, v.z), false);
        hull->recalcLocalAabb();
        polytope = std::move(hull);
    }
    polytope->setMargin(0);
    if (clips) polytope->initializePolyhedralFeatures();
    return polytope;
}

// --- shapes and transforms alone: what the solvers below need ---

struct World {
    std::vector<std::unique_ptr<btConvexShape>> shapes;
    btAlignedObjectArray<btTransform> transforms;
    std::vector<const btConvexShape*> shape_of;
    std::vector<Pair> pairs;
    Query query = Query::overlap;
};

bool fill(World& world, const Frame& frame, Query query, bool clips) {
    PlainFrame plain;
    if (!read_frame(frame, plain)) return false;
    for (const PlainShape& shape : plain.shapes) {
        world.shapes.push_back(make_shape(shape, clips));
        if (world.shapes.back() == nullptr) return false;
    }
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        const Vec3 p = plain.bodies[i].position;
        const Quat q = plain.bodies[i].orientation;
        world.transforms.push_back(btTransform(btQuaternion(q.x, q.y, q.z, q.w), btVector3(p.x, p.y, p.z)));
        world.shape_of.push_back(world.shapes[plain.shape_of[i]].get());
    }
    world.pairs = std::move(plain.pairs);
    world.query = query;
    return true;
}

void* prepare_shapes(const Frame& frame, Query query) {
    auto world = std::make_unique<World>();
    return fill(*world, frame, query, false) ? world.release() : nullptr;
}
void release_shapes(void* world) { delete static_cast<World*>(world); }

struct ClosestPoint : btDiscreteCollisionDetectorInterface::Result {
    btVector3 normal_on_b = {0, 0, 0}, point_on_b = {0, 0, 0};
    btScalar distance = BT_LARGE_FLOAT;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3& normal, const btVector3& point, btScalar depth) override {
        normal_on_b = normal, point_on_b = point, distance = depth;
    }
};

void write_closest(Answers& out, std::size_t i, float distance, const btVector3& normal_on_b,
                   const btVector3& point_on_b) {
    out.signed_distance[i] = distance;
    out.normal[i] = to_vec3(-normal_on_b);
    out.point_a[i] = to_vec3(point_on_b + normal_on_b * distance);
    out.point_b[i] = to_vec3(point_on_b);
}

// Stands in for a depth solver where none is wanted: being asked means that GJK found the cores overlapping.
struct Overlapping : btConvexPenetrationDepthSolver {
    bool asked = false;
    bool calcPenDepth(btSimplexSolverInterface&, const btConvexShape*, const btConvexShape*, const btTransform&,
                      const btTransform&, btVector3&, btVector3&, btVector3&, btIDebugDraw*) override {
        asked = true;
        return false;
    }
};

void run_pair_detector(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
    Overlapping overlapping;
    btConvexPenetrationDepthSolver* depth =
        world.query == Query::distance ? static_cast<btConvexPenetrationDepthSolver*>(&epa) : &overlapping;
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Pair pair = world.pairs[i];
        const btConvexShape *a = world.shape_of[pair.a], *b = world.shape_of[pair.b];
        btGjkPairDetector detector(a, b, &simplex, depth);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = world.transforms[int(pair.a)];
        input.m_transformB = world.transforms[int(pair.b)];
        if (world.query == Query::overlap) {  // it stops as soon as the gap is known to exceed the margins
            const btScalar margins = a->getMargin() + b->getMargin();
            input.m_maximumDistanceSquared = margins * margins;
        }
        ClosestPoint closest;
        overlapping.asked = false;
        detector.getClosestPoints(input, closest, nullptr);
        const bool hit = overlapping.asked || closest.distance <= 0;
        if (world.query == Query::overlap) {
            out.hit[i] = hit;
        } else if (world.query == Query::separation && hit) {
            write_closest(out, i, 0, btVector3(0, 0, 0), btVector3(0, 0, 0));
        } else {
            write_closest(out, i, closest.distance, closest.normal_on_b, closest.point_on_b);
        }
    }
}

// btGjkEpaSolver2's distance works on cores, without margins; its depth on whole shapes.
void run_gjk_epa(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Pair pair = world.pairs[i];
        const btConvexShape *a = world.shape_of[pair.a], *b = world.shape_of[pair.b];
        const btTransform &pose_a = world.transforms[int(pair.a)], &pose_b = world.transforms[int(pair.b)];
        const btVector3 guess = pose_b.getOrigin() - pose_a.getOrigin();
        btGjkEpaSolver2::sResults results;
        if (btGjkEpaSolver2::Distance(a, pose_a, b, pose_b, guess, results)) {
            const btScalar gap = results.distance - a->getMargin() - b->getMargin();
            out.hit[i] = gap <= 0;
            const bool apart = gap > 0 || world.query == Query::distance;
            write_closest(out, i, apart ? gap : 0, results.normal,
                          results.witnesses[1] + results.normal * b->getMargin());
        } else {
            out.hit[i] = true;
            write_closest(out, i, 0, btVector3(0, 0, 0), btVector3(0, 0, 0));
            if (world.query != Query::distance) continue;
            if (btGjkEpaSolver2::Penetration(a, pose_a, b, pose_b, guess, results)) {
                write_closest(out, i, results.distance, results.normal, results.witnesses[1]);
            }
        }
    }
}

// --- the dispatcher: one algorithm and one manifold per pair, kept between frames as Bullet's own pair cache keeps
// them ---

struct DispatchWorld : World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDispatcherInfo info;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<btCollisionAlgorithm*> algorithms;
    std::vector<btPersistentManifold*> manifolds;

    ~DispatchWorld() {
        for (btCollisionAlgorithm* algorithm : algorithms) {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
    }
};

struct Wrapped {
    btCollisionObjectWrapper a, b;
    Wrapped(const DispatchWorld& world, Pair pair)
        : a(nullptr, world.objects[pair.a]->getCollisionShape(), world.objects[pair.a].get(),
            world.objects[pair.a]->getWorldTransform(), -1, -1),
          b(nullptr, world.objects[pair.b]->getCollisionShape(), world.objects[pair.b].get(),
            world.objects[pair.b]->getWorldTransform(), -1, -1) {}
};

template <bool kClips>
void* prepare_dispatcher(const Frame& frame, Query query) {
    auto world = std::make_unique<DispatchWorld>();
    if (!fill(*world, frame, query, kClips)) return nullptr;
    for (std::size_t i = 0; i < world->shape_of.size(); ++i) {
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(const_cast<btConvexShape*>(world->shape_of[i]));
        object->setWorldTransform(world->transforms[int(i)]);
        world->objects.push_back(std::move(object));
    }
    const bool wants_contacts = query == Query::overlap || query == Query::collide;
    for (const Pair pair : world->pairs) {
        const Wrapped wrapped(*world, pair);
        world->algorithms.push_back(world->dispatcher.findAlgorithm(
            &wrapped.a, &wrapped.b, nullptr,
            wants_contacts ? BT_CONTACT_POINT_ALGORITHMS : BT_CLOSEST_POINT_ALGORITHMS));
    }
    return world.release();
}
void release_dispatcher(void* world) { delete static_cast<DispatchWorld*>(world); }

void run_contacts(void* opaque, Answers& out) {
    DispatchWorld& world = *static_cast<DispatchWorld*>(opaque);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Wrapped wrapped(world, world.pairs[i]);
        btManifoldResult result(&wrapped.a, &wrapped.b);
        world.algorithms[i]->processCollision(&wrapped.a, &wrapped.b, world.info, &result);
        btPersistentManifold* manifold = result.getPersistentManifold();
        float deepest = kFar;
        const int count = manifold ? manifold->getNumContacts() : 0;
        for (int k = 0; k < count; ++k) deepest = std::min(deepest, manifold->getContactPoint(k).getDistance());
        out.hit[i] = deepest <= 0;
        out.contacts[i] = std::uint16_t(count);
        out.signed_distance[i] = deepest;
        if (manifold) manifold->clearManifold();  // the next pass is cold again
    }
}

struct ClosestPair : btManifoldResult {
    using btManifoldResult::btManifoldResult;
    ClosestPoint closest;
    void addContactPoint(const btVector3& normal, const btVector3& point, btScalar depth) override {
        if (depth < closest.distance) closest.addContactPoint(normal, point, depth);
    }
};

void run_closest(void* opaque, Answers& out) {
    DispatchWorld& world = *static_cast<DispatchWorld*>(opaque);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Wrapped wrapped(world, world.pairs[i]);
        ClosestPair result(&wrapped.a, &wrapped.b);
        result.m_closestPointDistanceThreshold = 1e9f;
        world.algorithms[i]->processCollision(&wrapped.a, &wrapped.b, world.info, &result);
        const ClosestPoint& closest = result.closest;
        const bool swapped = result.getBody0Internal() != wrapped.a.getCollisionObject();
        write_closest(out, i, closest.distance, swapped ? -closest.normal_on_b : closest.normal_on_b,
                      closest.point_on_b);
    }
}

constexpr std::uint32_t kGjk = bit(Query::overlap) | bit(Query::separation) | bit(Query::distance);
constexpr Rival kRivals[] = {
    {"bullet", "dispatcher", bit(Query::overlap) | bit(Query::collide), prepare_dispatcher<false>, run_contacts,
     release_dispatcher},
    {"bullet", "dispatcher-clip", bit(Query::collide), prepare_dispatcher<true>, run_contacts, release_dispatcher},
    {"bullet", "closest-points", bit(Query::distance), prepare_dispatcher<false>, run_closest, release_dispatcher},
    {"bullet", "gjk-pair", kGjk, prepare_shapes, run_pair_detector, release_shapes},
    {"bullet", "gjk-epa2", kGjk, prepare_shapes, run_gjk_epa, release_shapes},
};

}  // namespace

std::span<const Rival> bullet_rivals() { return kRivals; }

}  // namespace abut::bench
