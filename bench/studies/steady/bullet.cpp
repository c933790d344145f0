// See bullet.hpp. Shapes as integrations/bullet makes them: hulls with polyhedral features, so that whole faces are
// clipped, and collision margins of 1e-5 m, which lie inside boxes and cylinders and outside hulls and cones. The
// breaking threshold is Bullet's default, 2% of the smaller shape's reach.
#include "studies/steady/bullet.hpp"

#include <algorithm>

#include <btBulletCollisionCommon.h>

namespace abut::steady {
namespace {

constexpr double kCollisionMargin = 1e-5;  // metres

btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
btTransform to_bullet(const Body& body) {
    const Quat& q = body.orientation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(body.position));
}

std::unique_ptr<btCollisionShape> make_hull(const oracle::Shape& shape, double margin) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& point : shape.points) hull->addPoint(to_bullet(point), false);
    hull->recalcLocalAabb();
    hull->setMargin(btScalar(margin));
    hull->initializePolyhedralFeatures();
    return hull;
}

std::unique_ptr<btCollisionShape> make_part(const oracle::Shape& shape, double margin) {
    std::unique_ptr<btCollisionShape> out;
    switch (shape.kind) {
        case ShapeKind::box: out = std::make_unique<btBoxShape>(to_bullet(shape.half_extents)); break;
        case ShapeKind::capsule:
            return std::make_unique<btCapsuleShape>(shape.radius, 2 * shape.half_height);  // its margin is its radius
        case ShapeKind::cylinder:
            out = std::make_unique<btCylinderShape>(btVector3(shape.radius, shape.half_height, shape.radius));
            break;
        case ShapeKind::cone: out = std::make_unique<btConeShape>(shape.radius, 2 * shape.half_height); break;
        case ShapeKind::halfspace:
            out = std::make_unique<btStaticPlaneShape>(to_bullet(shape.normal), shape.offset);
            break;
        default: return make_hull(shape, margin);
    }
    out->setMargin(btScalar(margin));
    return out;
}

struct Pairing {
    std::unique_ptr<btCollisionObject> lower, upper;
    btCollisionAlgorithm* algorithm = nullptr;
    int before = 0, now = 0, lasting = 0;  // contacts of this frame and the last, and those in both
    double kept = 0;
    bool touched = true;  // in every frame
};

}  // namespace

struct BulletPairs::World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDispatcherInfo info;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<Pairing> pairs;
    int frames = 0;

    ~World() {
        for (Pairing& pair : pairs) {
            pair.algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(pair.algorithm);
        }
    }

    btCollisionShape* make_shape(const Form& form, double margin) {
        if (form.parts.size() == 1) {
            shapes.push_back(make_part(form.parts[0].shape, margin));
            return shapes.back().get();
        }
        auto compound = std::make_unique<btCompoundShape>();
        for (const Part& part : form.parts) {
            shapes.push_back(make_part(part.shape, margin));
            compound->addChildShape(btTransform(btQuaternion::getIdentity(), to_bullet(part.position)),
                                    shapes.back().get());
        }
        shapes.push_back(std::move(compound));
        return shapes.back().get();
    }

    std::unique_ptr<btCollisionObject> make_object(const Form& form, const Body& body, double margin) {
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(make_shape(form, margin));
        object->setWorldTransform(to_bullet(body));
        object->setUserIndex(int(pairs.size()));
        return object;
    }

    // Contacts that Bullet takes for the ones of the frame before keep their impulse: one of 1 marks them.
    void count() {
        for (Pairing& pair : pairs) pair.before = pair.now, pair.now = pair.lasting = 0;
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
            btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
            Pairing& pair = pairs[std::size_t(manifold.getBody0()->getUserIndex())];
            pair.now += manifold.getNumContacts();
            for (int k = 0; k < manifold.getNumContacts(); ++k) {
                btManifoldPoint& point = manifold.getContactPoint(k);
                pair.lasting += point.m_appliedImpulse > 0;
                point.m_appliedImpulse = 1;
            }
        }
        for (Pairing& pair : pairs) pair.touched = pair.touched && pair.now > 0;
        if (frames++ == 0) return;
        for (Pairing& pair : pairs) pair.kept += double(pair.lasting) / std::max({pair.before, pair.now, 1});
    }
};

bool has_bullet() { return true; }

BulletPairs::BulletPairs() : world_(std::make_unique<World>()) {}
BulletPairs::~BulletPairs() = default;
BulletPairs::BulletPairs(BulletPairs&&) noexcept = default;
BulletPairs& BulletPairs::operator=(BulletPairs&&) noexcept = default;

void BulletPairs::add(const Configuration& c) {
    Pairing pair;
    pair.lower = world_->make_object(c.lower, c.lower_body, kCollisionMargin);
    pair.upper = world_->make_object(c.upper, c.upper_body, kCollisionMargin);
    world_->pairs.push_back(std::move(pair));
}

void BulletPairs::step(std::span<const Body> upper) {
    World& world = *world_;
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        Pairing& pair = world.pairs[i];
        pair.upper->setWorldTransform(to_bullet(upper[i]));
        const auto wrap = [](const btCollisionObject& object) {
            return btCollisionObjectWrapper(nullptr, object.getCollisionShape(), &object, object.getWorldTransform(),
                                            -1, -1);
        };
        const btCollisionObjectWrapper a = wrap(*pair.lower), b = wrap(*pair.upper);
        if (!pair.algorithm)
            pair.algorithm = world.dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        btManifoldResult result(&a, &b);
        pair.algorithm->processCollision(&a, &b, world.info, &result);
    }
    world.count();
}

std::vector<double> BulletPairs::kept() const {
    std::vector<double> out;
    for (const Pairing& pair : world_->pairs)
        out.push_back(pair.touched ? pair.kept / std::max(world_->frames - 1, 1) : -1);
    return out;
}

}  // namespace abut::steady
