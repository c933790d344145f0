// Bullet 3.24's header-only solvers, compiled here for this machine around our own support functions: GJK with EPA
// (btGjkEpa3.h) and MPR (btMprPenetration.h, which gives no gap between shapes that are apart).
#include <limits>
#include <memory>
#include <vector>

#include <BulletCollision/NarrowPhaseCollision/btComputeGjkEpaPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa3.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>
#include <LinearMath/btAlignedObjectArray.h>
#include <LinearMath/btTransform.h>

#include "rivals/rival.hpp"
#include "rivals/support.hpp"

namespace abut::bench {
namespace {

struct World {
    std::vector<SupportShape<float>> shapes;
    std::vector<const SupportShape<float>*> shape_of;
    btAlignedObjectArray<btTransform> transforms;
    std::vector<Pair> pairs;
    Query query = Query::overlap;
};

// What the templates ask of a convex object. GJK runs on cores and EPA and MPR on whole shapes, like Bullet's own.
template <bool kFull>
struct Convex {
    const SupportShape<float>& shape;
    const btTransform& transform;

    Convex(const World& world, std::uint32_t body)
        : shape(*world.shape_of[body]), transform(world.transforms[int(body)]) {}
    const btTransform& getWorldTransform() const { return transform; }
    btVector3 getObjectCenterInWorld() const {
        return transform * btVector3(shape.centre[0], shape.centre[1], shape.centre[2]);
    }
    btVector3 getLocalSupportWithMargin(const btVector3& d) const {
        float out[3];
        kFull ? shape.full(d.x(), d.y(), d.z(), out) : shape.core(d.x(), d.y(), d.z(), out);
        return {out[0], out[1], out[2]};
    }
};

void* prepare(const Frame& frame, Query query) {
    PlainFrame plain;
    if (!read_frame(frame, plain)) return nullptr;
    auto world = std::make_unique<World>();
    for (const PlainShape& shape : plain.shapes) {
        if (shape.view.kind == ShapeKind::halfspace) return nullptr;  // it has no support function
        world->shapes.emplace_back(shape);
    }
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        const Vec3 p = plain.bodies[i].position;
        const Quat q = plain.bodies[i].orientation;
        world->transforms.push_back(btTransform(btQuaternion(q.x, q.y, q.z, q.w), btVector3(p.x, p.y, p.z)));
        world->shape_of.push_back(&world->shapes[plain.shape_of[i]]);
    }
    world->pairs = std::move(plain.pairs);
    world->query = query;
    return world.release();
}
void release(void* world) { delete static_cast<World*>(world); }

Vec3 to_vec3(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

void write(Answers& out, std::size_t i, float distance, const btVector3& normal, const btVector3& a,
           const btVector3& b) {
    out.signed_distance[i] = distance;
    out.normal[i] = to_vec3(normal);
    out.point_a[i] = to_vec3(a);
    out.point_b[i] = to_vec3(b);
}

void run_gjk_epa(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    const btVector3 zero(0, 0, 0);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Pair pair = world.pairs[i];
        const Convex<false> a(world, pair.a), b(world, pair.b);
        const btVector3 guess = a.transform.getOrigin() - b.transform.getOrigin();
        btGjkEpaSolver3::sResults results;
        if (btGjkEpaSolver3_Distance(a, b, guess, results)) {
            const float gap = results.distance - a.shape.radius - b.shape.radius;
            const bool apart = gap > 0 || world.query == Query::distance;
            const btVector3 normal = a.transform.getBasis() * -results.normal;
            out.hit[i] = gap <= 0;
            write(out, i, apart ? gap : 0, normal, results.witnesses[0] + normal * a.shape.radius,
                  results.witnesses[1] - normal * b.shape.radius);
        } else {
            out.hit[i] = true;
            write(out, i, 0, zero, zero, zero);
            if (world.query != Query::distance) continue;
            const Convex<true> full_a(world, pair.a), full_b(world, pair.b);
            if (btGjkEpaSolver3_Penetration(full_a, full_b, guess, results)) {
                write(out, i, results.distance, a.transform.getBasis() * results.normal, results.witnesses[0],
                      results.witnesses[1]);
            }
        }
    }
}

void run_mpr(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    const btMprCollisionDescription description;
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Pair pair = world.pairs[i];
        const Convex<true> a(world, pair.a), b(world, pair.b);
        if (world.query == Query::overlap) {
            btMprSimplex_t portal;
            const int found = btDiscoverPortal(a, b, description, &portal);
            out.hit[i] = found > 0 || (found == 0 && btRefinePortal(a, b, description, &portal) == 0);
        } else {
            btMprDistanceInfo contact;
            const bool hit = btComputeMprPenetration(a, b, description, &contact) == 0;
            out.hit[i] = hit;
            out.contacts[i] = hit;
            out.signed_distance[i] = std::numeric_limits<float>::infinity();
            if (hit) write(out, i, contact.m_distance, -contact.m_normalBtoA, contact.m_pointOnA, contact.m_pointOnB);
        }
    }
}

constexpr Rival kRivals[] = {
    {"bullet", "gjk-epa3", bit(Query::overlap) | bit(Query::separation) | bit(Query::distance), prepare, run_gjk_epa,
     release},
    {"bullet", "mpr", bit(Query::overlap) | bit(Query::collide), prepare, run_mpr, release},
};

}  // namespace

std::span<const Rival> bullet_header_rivals() { return kRivals; }

}  // namespace abut::bench
