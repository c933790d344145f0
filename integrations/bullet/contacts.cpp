// A point stays where it is in the manifold while its contact lasts, so that it is seldom copied and the solver meets
// the same order from step to step; gaps are closed as Bullet closes them, from the end. Once in a while the order is
// reversed.
#include "contacts.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

#include <btBulletCollisionCommon.h>

#include <abut/carry_over.hpp>

namespace abut::bullet {
namespace {

constexpr int kPoints = MANIFOLD_CACHE_SIZE;
constexpr int kNowhere = -1;

std::uint32_t feature_of(const btManifoldPoint& point) {
    return std::uint32_t(point.m_index0) << 16 | (std::uint32_t(point.m_index1) & 0xffffu);
}

btVector3 to_bullet(Vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

// What a point carries from step to step.
struct Impulse {
    float normal, lateral1, lateral2;
};

// A new point's two places on the bodies' surfaces, in the world and in the bodies' own frames.
struct Placed {
    btVector3 on_a, on_b, local_a, local_b;
};

Vec3 to_abut(const btVector3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

Placed place_of(const Contact& contact, Vec3 normal, const btTransform& a, const btTransform& b) {
    const btVector3 middle = a.getOrigin() + to_bullet(contact.position);
    const btVector3 half = to_bullet(normal) * (btScalar(0.5) * contact.separation);
    const btVector3 on_a = middle - half, on_b = middle + half;
    return {on_a, on_b, a.invXform(on_a), b.invXform(on_b)};
}

void share(btPersistentManifold& manifold, std::span<const std::uint32_t> matched, Impulse* impulses) {
    const auto before = std::size_t(manifold.getNumContacts());
    Impulse had[kPoints];
    for (std::size_t k = 0; k < before; ++k) {
        const btManifoldPoint& point = manifold.getContactPoint(int(k));
        had[k] = {float(point.m_appliedImpulse), float(point.m_appliedImpulseLateral1),
                  float(point.m_appliedImpulseLateral2)};
    }
    const std::span<const Impulse> from(had, before);
    const std::span<Impulse> to(impulses, matched.size());
    if (!carry_impulses(matched, floats_of(from), floats_of(to), 3)) std::fill(to.begin(), to.end(), Impulse{});
}

// By abut's own rules: from which of the manifold's points each contact takes over, and what a new one begins with.
// True in `kept` for each point that is taken over. A contact that comes to another's place begins a life of its own.
void carry(btPersistentManifold& manifold, std::span<const Contact> contacts, const Placed* placed, float motion,
           int* place, bool* kept, Impulse* impulses) {
    const auto before = std::size_t(manifold.getNumContacts());
    ContactAnchor from[kPoints], to[kPoints];
    for (std::size_t k = 0; k < before; ++k) {
        const btManifoldPoint& point = manifold.getContactPoint(int(k));
        from[k] = {to_abut(point.m_localPointA), to_abut(point.m_localPointB), feature_of(point)};
    }
    for (std::size_t i = 0; i < contacts.size(); ++i)
        to[i] = {to_abut(placed[i].local_a), to_abut(placed[i].local_b), contacts[i].feature};

    std::uint32_t previous[kPoints];
    CarriedBy by[kPoints];
    const std::span<std::uint32_t> matched(previous, contacts.size());
    const CarryOverOptions options = {.match_distance = float(manifold.getContactBreakingThreshold()) + motion};
    const bool carried =
        bool(carry_over({from, before}, {to, contacts.size()}, matched, {by, contacts.size()}, options));
    bool any_new = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        place[i] = carried && previous[i] != kNewContact ? int(previous[i]) : kNowhere;
        any_new |= place[i] == kNowhere;
        if (place[i] == kNowhere) continue;
        kept[place[i]] = true;
        if (by[i] == CarriedBy::place) manifold.getContactPoint(place[i]).m_lifeTime = 0;
    }
    if (any_new && carried) share(manifold, matched, impulses);
}

// Takes the last point into each gap before it.
void close_gaps(btPersistentManifold& manifold, int count, bool* kept, int* place, int contacts) {
    for (int gap = 0, last = kPoints - 1; gap < count; ++gap) {
        if (kept[gap]) continue;
        while (!kept[last]) --last;
        manifold.getContactPoint(gap) = manifold.getContactPoint(last);
        manifold.getContactPoint(last).m_userPersistentData = nullptr;
        kept[gap] = true;
        kept[last] = false;
        for (int i = 0; i < contacts; ++i) {
            if (place[i] == last) place[i] = gap;
        }
    }
}

// The order in which new contacts take the free places. Bullet's solver goes through them one after the other, and the
// last have their way: with one order everywhere all bodies are pushed the same way, so that neighbours have different
// ones.
std::array<int, kPoints> order_of(const btPersistentManifold& manifold) {
    const auto index_of = [](const btCollisionObject* object) { return std::uint32_t(object->getWorldArrayIndex()); };
    std::uint32_t permutation = 7 * index_of(manifold.getBody0()) + 11 * index_of(manifold.getBody1());
    std::array<int, kPoints> order = {0, 1, 2, 3};
    for (std::uint32_t left = kPoints; left > 1; --left) {
        std::swap(order[left - 1], order[permutation % left]);
        permutation /= left;
    }
    return order;
}

// Bullet's solver leaves an error in the friction of a resting manifold, which pushes towards what the last point
// wants. Contacts that never change push the same way in every step, and stacks creep: so the points are turned round
// each kTurn steps, in each manifold at another time. More turns cost energy, fewer let stacks drift
// (docs/decisions.md).
constexpr int kTurn = 512;

void take_turns(btPersistentManifold& manifold) {
    const int phase = 37 * manifold.getBody0()->getWorldArrayIndex() + 61 * manifold.getBody1()->getWorldArrayIndex();
    if ((manifold.getContactPoint(0).m_lifeTime + phase) % kTurn != 0) return;
    for (int i = 0, k = manifold.getNumContacts() - 1; i < k; ++i, --k)
        std::swap(manifold.getContactPoint(i), manifold.getContactPoint(k));
}

// What the points of one manifold share.
struct Shared {
    btVector3 normal_on_b, lateral1, lateral2;
    btScalar friction, rolling, spinning, restitution;
    btScalar stiffness = 0, damping = 0;
    int flags = 0;
    Parts parts;
    bool callback;

    Shared(const btCollisionObject& a, const btCollisionObject& b, Vec3 normal, Parts parts_)
        : normal_on_b(-to_bullet(normal)),
          friction(gCalculateCombinedFrictionCallback(&a, &b)),
          rolling(gCalculateCombinedRollingFrictionCallback(&a, &b)),
          spinning(gCalculateCombinedSpinningFrictionCallback(&a, &b)),
          restitution(gCalculateCombinedRestitutionCallback(&a, &b)),
          parts(parts_) {
        const int either = a.getCollisionFlags() | b.getCollisionFlags();
        if (either & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) {
            stiffness = gCalculateCombinedContactStiffnessCallback(&a, &b);
            damping = gCalculateCombinedContactDampingCallback(&a, &b);
            flags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
        }
        btPlaneSpace1(normal_on_b, lateral1, lateral2);
        callback = gContactAddedCallback && (either & btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    }
};

void write(btManifoldPoint& point, const Contact& contact, const Shared& shared, const Placed& placed) {
    point.m_positionWorldOnA = placed.on_a;
    point.m_positionWorldOnB = placed.on_b;
    point.m_localPointA = placed.local_a;
    point.m_localPointB = placed.local_b;
    point.m_normalWorldOnB = shared.normal_on_b;
    point.m_distance1 = contact.separation;
    point.m_combinedFriction = shared.friction;
    point.m_combinedRollingFriction = shared.rolling;
    point.m_combinedSpinningFriction = shared.spinning;
    point.m_combinedRestitution = shared.restitution;
    point.m_combinedContactStiffness1 = shared.stiffness;
    point.m_combinedContactDamping1 = shared.damping;
    point.m_contactPointFlags = shared.flags;
    point.m_lateralFrictionDir1 = shared.lateral1;
    point.m_lateralFrictionDir2 = shared.lateral2;
    point.m_partId0 = shared.parts.a;
    point.m_partId1 = shared.parts.b;
    point.m_index0 = int(contact.feature >> 16);
    point.m_index1 = int(contact.feature & 0xffffu);
    ++point.m_lifeTime;
}

void call_added(btManifoldPoint& point, const btCollisionObject& a, const btCollisionObject& b) {
    const btCollisionObjectWrapper wrap_a(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper wrap_b(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
    gContactAddedCallback(point, &wrap_a, point.m_partId0, point.m_index0, &wrap_b, point.m_partId1, point.m_index1);
}

}  // namespace

void write_contacts(btPersistentManifold& manifold, Vec3 normal, std::span<const Contact> contacts, Parts parts,
                    float motion) {
    assert(contacts.size() <= std::size_t(kPoints));
    const int before = manifold.getNumContacts(), count = int(contacts.size());
    if (count == 0) {
        manifold.clearManifold();  // calls back for what ended
        return;
    }
    const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
    Placed placed[kPoints];
    for (std::size_t i = 0; i < contacts.size(); ++i)
        placed[i] = place_of(contacts[i], normal, a.getWorldTransform(), b.getWorldTransform());
    int place[kPoints];
    bool kept[kPoints] = {};
    Impulse impulses[kPoints] = {};
    carry(manifold, contacts, placed, motion, place, kept, impulses);
    manifold.setNumContacts(kPoints);  // all places can be reached while points come and go
    for (int k = 0; k < before; ++k) {
        if (!kept[k]) manifold.clearUserCache(manifold.getContactPoint(k));
    }
    int free = 0;
    for (const int i : order_of(manifold)) {
        if (i >= count || place[i] != kNowhere) continue;
        while (kept[free]) ++free;
        place[i] = free;
        kept[free] = true;
        btManifoldPoint& point = manifold.getContactPoint(free) = btManifoldPoint();
        point.m_appliedImpulse = impulses[i].normal;
        point.m_appliedImpulseLateral1 = impulses[i].lateral1;
        point.m_appliedImpulseLateral2 = impulses[i].lateral2;
    }
    close_gaps(manifold, count, kept, place, count);
    manifold.setNumContacts(count);

    const Shared shared(a, b, normal, parts);
    for (int i = 0; i < count; ++i) {
        btManifoldPoint& point = manifold.getContactPoint(place[i]);
        write(point, contacts[std::size_t(i)], shared, placed[i]);
        if (shared.callback) call_added(point, a, b);
        if (gContactProcessedCallback && point.m_lifeTime > 1) {
            gContactProcessedCallback(point, const_cast<btCollisionObject*>(&a), const_cast<btCollisionObject*>(&b));
        }
    }
    take_turns(manifold);
    if (gContactStartedCallback && before == 0) gContactStartedCallback(&manifold);
}

}  // namespace abut::bullet
