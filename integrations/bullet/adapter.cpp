// What is remembered of a pair lies all over memory and has left the caches since the last step: loops fetch a few
// pairs ahead.
#include "adapter.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <typeinfo>
#include <utility>

#include <btBulletDynamicsCommon.h>

#include "contacts.hpp"

namespace abut::bullet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kAhead = 16, kManifoldsAhead = 4;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

void fetch([[maybe_unused]] const void* first, [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__)
    for (std::size_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(static_cast<const char*>(first) + i, 1);
#endif
}

// The lines that writing `points` points touches; whose they are and how many stands at the end.
void fetch_points(const btPersistentManifold* manifold, std::size_t points) {
    if (!manifold) return;
    fetch(manifold, points * sizeof(btManifoldPoint));
    const char* const end = reinterpret_cast<const char*>(manifold + 1);
    fetch(end - kCacheLine, kCacheLine);
    fetch(end - 1, 1);
}

const btCollisionObject& object_of(const btBroadphaseProxy* proxy) {
    return *static_cast<const btCollisionObject*>(proxy->m_clientObject);
}

Body make_body(const btTransform& pose, const CookedShape& cooked) {
    btQuaternion q;
    pose.getBasis().getRotation(q);
    if (cooked.turned) q *= cooked.turn;
    const btVector3& p = pose.getOrigin();
    return {{float(p.x()), float(p.y()), float(p.z())},
            cooked.id,
            {float(q.x()), float(q.y()), float(q.z()), float(q.w())}};
}

bool is_compound(const Body& body) { return body.shape.kind() == ShapeKind::compound; }
bool is_surface(const Body& body) {
    return body.shape.kind() == ShapeKind::mesh || body.shape.kind() == ShapeKind::heightfield;
}
bool has_children(const Body& body) { return is_compound(body) || is_surface(body); }

btVector3 velocity_of(const btCollisionObject& object) {
    const btRigidBody* const body = btRigidBody::upcast(&object);
    return body ? body->getLinearVelocity() : btVector3(0, 0, 0);
}

float spin_of(const btCollisionObject& object) {
    const btRigidBody* const body = btRigidBody::upcast(&object);
    return body ? float(body->getAngularVelocity().length()) : 0.0f;
}

// On a surface the triangle changes as a body slides, and the normal does not: within ten degrees.
bool same_normal(const btPersistentManifold& old, Vec3 normal) {
    const btVector3& on_b = old.getContactPoint(0).m_normalWorldOnB;
    return old.getNumContacts() != 0 &&
           -(on_b.x() * normal.x + on_b.y() * normal.y + on_b.z() * normal.z) > btScalar(0.985);
}

}  // namespace

// Two children of a pair with a compound that touch.
struct ChildManifold {
    std::uint32_t child_a, child_b;
    btPersistentManifold* manifold;
};

// What is remembered of a pair, in one cache line. Bullet destroys it with the pair, and its manifolds go with it.
class PairRecord final : public btCollisionAlgorithm {
public:
    explicit PairRecord(Dispatcher& dispatcher) : cache(dispatcher.caches_.take()) { m_dispatcher = &dispatcher; }
    ~PairRecord() override {
        static_cast<Dispatcher*>(m_dispatcher)->caches_.give_back(cache);
        if (manifold) m_dispatcher->releaseManifold(manifold);
        if (!children) return;
        for (const ChildManifold& child : *children) {
            if (child.manifold) m_dispatcher->releaseManifold(child.manifold);
        }
    }
    PairRecord(const PairRecord&) = delete;
    PairRecord& operator=(const PairRecord&) = delete;

    // Where a near callback ends up, Bullet's own or the user's: the pair waits for the call.
    void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, const btDispatcherInfo&,
                          btManifoldResult*) override {
        static_cast<Dispatcher*>(m_dispatcher)->add_pair(*this, *a->getCollisionObject(), *b->getCollisionObject());
    }
    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                   btManifoldResult*) override {
        return btScalar(1);
    }
    void getAllContactManifolds(btManifoldArray& manifolds) override {
        if (manifold) manifolds.push_back(manifold);
        if (!children) return;
        for (const ChildManifold& child : *children) {
            if (child.manifold) manifolds.push_back(child.manifold);
        }
    }
    // From now on the pair has a list of manifolds; what it has is the first of it.
    void list_children() {
        children = std::make_unique<std::vector<ChildManifold>>();
        if (manifold) children->push_back({0, 0, std::exchange(manifold, nullptr)});
    }

    btPersistentManifold* manifold = nullptr;  // while there are contacts
    std::unique_ptr<std::vector<ChildManifold>>
        children;         // while there are contacts; null until one of the two is a compound or a surface
    std::uint32_t cache;  // its index in the dispatcher's pool
};

// For an order of the pairs that Bullet keeps to itself.
class Dispatcher::TakeEach final : public btOverlapCallback {
public:
    TakeEach(Dispatcher& dispatcher, btOverlappingPairCache& cache, const btDispatcherInfo& info)
        : dispatcher_(dispatcher), cache_(cache), info_(info) {}
    bool processOverlap(btBroadphasePair& pair) override {
        dispatcher_.take(pair, cache_, info_);
        return false;  // the pair stays
    }

private:
    Dispatcher& dispatcher_;
    btOverlappingPairCache& cache_;
    const btDispatcherInfo& info_;
};

std::uint32_t CachePool::take() {
    if (free_.empty()) {
        caches_.emplace_back();
        return std::uint32_t(caches_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    caches_[index] = {};
    return index;
}

Dispatcher::Dispatcher(btCollisionConfiguration* configuration, const Options& options)
    : btCollisionDispatcher(configuration), options_(options), narrow_(options.settings) {
    if (const CallResult result = narrow_.collide(Frame{&shapes_.store(), {}, {}}, manifolds_); !result)
        error_ = result.error();
}

Dispatcher::~Dispatcher() = default;

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* cache, const btDispatcherInfo& info,
                                           btDispatcher* dispatcher) {
    work_ = {};
    if (error_.code != ErrorCode::none || info.m_dispatchFunc != btDispatcherInfo::DISPATCH_DISCRETE) {
        btCollisionDispatcher::dispatchAllCollisionPairs(cache, info, dispatcher);
        return;
    }
    const auto start = Clock::now();
    take_all(*cache, info);

    const auto taken = Clock::now();
    Frame frame{&shapes_.store(), bodies_, pairs_};
    if (options_.warm_caches) frame.caches = caches_.all(), frame.cache_indices = cache_indices_;
    frame.margins = margins_;
    if (const CallResult result = narrow_.collide(frame, manifolds_); !result) error_ = result.error();

    const auto answered = Clock::now();
    if (error_.code == ErrorCode::none) write();
    work_.collect_seconds = seconds(taken - start);
    work_.call_seconds = seconds(answered - taken);
    work_.write_seconds = seconds(Clock::now() - answered);
}

void Dispatcher::forget(const btCollisionShape* shape) {
    shapes_.forget(shape);
    for (BodyRecord& record : body_records_) {
        if (record.cooked.key.shape == shape) record.cooked = {};
    }
}

void Dispatcher::take_all(btOverlappingPairCache& cache, const btDispatcherInfo& info) {
    ++step_;
    step_seconds_ = float(info.m_timeStep);
    pairs_.clear();
    taken_.clear();
    cache_indices_.clear();
    margins_.clear();
    motions_.clear();
    if (info.m_deterministicOverlappingPairs) {
        TakeEach take_each(*this, cache, info);
        cache.processAllOverlappingPairs(&take_each, this, info);
        return;
    }
    btBroadphasePairArray& pairs = cache.getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
        if (i + int(kAhead) < pairs.size()) fetch(pairs[i + int(kAhead)].m_algorithm, 1);
        take(pairs[i], cache, info);
    }
}

void Dispatcher::take(btBroadphasePair& pair, btOverlappingPairCache& cache, const btDispatcherInfo& info) {
    const btNearCallback near = getNearCallback();
    const bool ours = pair.m_algorithm && typeid(*pair.m_algorithm) == typeid(PairRecord);
    if (pair.m_algorithm && !ours) return near(pair, *this, info);

    const btCollisionObject &a = object_of(pair.m_pProxy0), &b = object_of(pair.m_pProxy1);
    const bool filtered_here = near == &btCollisionDispatcher::defaultNearCallback;
    if (filtered_here && !needsCollision(&a, &b)) return;
    if (!add_body(a) || !add_body(b)) {
        if (ours) cache.cleanOverlappingPair(pair, this);  // a shape has been exchanged for one that abut has not
        return near(pair, *this, info);
    }
    PairRecord& record = record_of(pair);
    if (filtered_here) return add_pair(record, a, b);
    near(pair, *this, info);  // calls processCollision, or does not
}

PairRecord& Dispatcher::record_of(btBroadphasePair& pair) {
    if (!pair.m_algorithm) {
        // Bullet's freeCollisionAlgorithm gives back what is not from its pool by btAlignedFree.
        pair.m_algorithm = new (btAlignedAlloc(sizeof(PairRecord), int(kCacheLine))) PairRecord(*this);
    }
    return static_cast<PairRecord&>(*pair.m_algorithm);
}

void Dispatcher::add_pair(PairRecord& record, const btCollisionObject& a, const btCollisionObject& b) {
    const Pair pair = {std::uint32_t(a.getWorldArrayIndex()), std::uint32_t(b.getWorldArrayIndex())};
    pairs_.push_back(pair);
    const bool is_relative = m_dispatcherFlags & CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD;
    const float size = is_relative ? std::min(reaches_[pair.a], reaches_[pair.b]) : 1.0f;
    // How far a point may get in the step, so that what is fast has its contacts before it is inside.
    motions_.push_back(step_seconds_ * float((velocity_of(a) - velocity_of(b)).length()));
    const float turning = step_seconds_ * (spin_of(a) * reaches_[pair.a] + spin_of(b) * reaches_[pair.b]);
    margins_.push_back(options_.settings.speculative_margin * size + motions_.back() + turning);
    if (!record.children && (has_children(bodies_[pair.a]) || has_children(bodies_[pair.b]))) record.list_children();
    taken_.push_back({&record, record.manifold, record.children.get()});
    cache_indices_.push_back(record.cache);
}

// False where abut cannot have the body.
bool Dispatcher::add_body(const btCollisionObject& object) {
    const auto index = std::size_t(object.getWorldArrayIndex());  // -1, in no world: past any end
    if (index < seen_.size() && seen_[index] / 2 == step_) return seen_[index] % 2;
    return object.getWorldArrayIndex() >= 0 && bring_up_to_date(object, index);
}

bool Dispatcher::bring_up_to_date(const btCollisionObject& object, std::size_t index) {
    if (index >= seen_.size()) {
        seen_.resize(index + 1);
        bodies_.resize(index + 1);
        reaches_.resize(index + 1);
        body_records_.resize(index + 1);
    }
    BodyRecord& record = body_records_[index];
    record.object = &object;
    const btCollisionShape& shape = *object.getCollisionShape();
    if (!Shapes::supports(shape) || (object.getCollisionFlags() & btCollisionObject::CF_HAS_FRICTION_ANCHOR)) {
        record.cooked = {};
    } else if (record.cooked.key != Shapes::key(shape)) {
        record.cooked = shapes_.find(shape);
    }
    if (record.cooked.known) {
        bodies_[index] = make_body(object.getWorldTransform(), record.cooked);
        reaches_[index] = record.cooked.reach;
    }
    seen_[index] = 2 * step_ + record.cooked.known;
    return record.cooked.known;
}

// Puts the list of a pair with a compound into the order of what was found. The order stays from step to step while the
// bodies keep their places in the world, so that each is looked for where the one before it was.
void Dispatcher::match_children(std::size_t pair) {
    std::vector<ChildManifold>& before = *taken_[pair].children;
    matched_.clear();
    const bool a_is_surface = is_surface(bodies_[pairs_[pair].a]), b_is_surface = is_surface(bodies_[pairs_[pair].b]);
    const auto goes_on = [&](const ChildManifold& old, const Manifold& found) {
        if (!a_is_surface && !b_is_surface) return old.child_a == found.child_a && old.child_b == found.child_b;
        if (!old.manifold || !same_normal(*old.manifold, found.normal)) return false;
        return (a_is_surface || old.child_a == found.child_a) && (b_is_surface || old.child_b == found.child_b);
    };
    std::size_t next = 0;
    for (std::size_t i = manifolds_.first_manifold[pair]; i < manifolds_.first_manifold[pair + 1]; ++i) {
        const Manifold& found = manifolds_.manifolds[i];
        matched_.push_back({found.child_a, found.child_b, nullptr});
        for (std::size_t tried = 0; tried < before.size() && !matched_.back().manifold; ++tried) {
            ChildManifold& old = before[next];
            if (++next == before.size()) next = 0;
            if (goes_on(old, found)) matched_.back().manifold = std::exchange(old.manifold, nullptr);
        }
    }
    for (const ChildManifold& old : before) {
        if (old.manifold) releaseManifold(old.manifold);
    }
    before.swap(matched_);
}

// Pairs first, for what has ended; then what touches, where enough time passes from one to the next to fetch another.
void Dispatcher::write() {
    work_.pairs = pairs_.size();
    work_.contacts = manifolds_.contacts.size();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const Status status = manifolds_.status[i];
        work_.failed += status != Status::ok && status != Status::not_converged;
        if (taken_[i].children) {
            match_children(i);
            continue;
        }
        const bool touching = manifolds_.first_manifold[i + 1] > manifolds_.first_manifold[i];
        if (taken_[i].manifold && !touching) {
            releaseManifold(taken_[i].manifold);
            taken_[i].record->manifold = nullptr;
        }
    }
    const std::vector<Manifold>& found = manifolds_.manifolds;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i + kManifoldsAhead < found.size()) {
            const Manifold& ahead = found[i + kManifoldsAhead];
            fetch_points(taken_[ahead.pair].manifold, ahead.contact_count);
        }
        write(i);
    }
}

void Dispatcher::write(std::size_t i) {
    const Manifold& found = manifolds_.manifolds[i];
    const Taken& taken = taken_[found.pair];
    const Pair pair = pairs_[found.pair];
    ChildManifold* const child =
        taken.children ? &(*taken.children)[i - manifolds_.first_manifold[found.pair]] : nullptr;
    btPersistentManifold* manifold = child ? child->manifold : taken.manifold;
    if (!manifold) {
        manifold = getNewManifold(body_records_[pair.a].object, body_records_[pair.b].object);
        if (!manifold) return;  // Bullet's pool of manifolds is full, and must not grow
        (child ? child->manifold : taken.record->manifold) = manifold;
    }
    Parts parts;
    if (has_children(bodies_[pair.a])) parts.a = int(found.child_a);
    if (has_children(bodies_[pair.b])) parts.b = int(found.child_b);
    write_contacts(*manifold, found.normal, {&manifolds_.contacts[found.first_contact], found.contact_count}, parts,
                   motions_[found.pair]);
}

}  // namespace abut::bullet
