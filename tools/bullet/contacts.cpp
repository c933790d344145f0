// A point stays where it is in the manifold as long as its contact lasts, so that it is never copied and the solver meets the same
// order from step to step; gaps are closed as Bullet closes them, from the end.
#include "contacts.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

#include <btBulletCollisionCommon.h>

namespace abut::bullet {
namespace {

constexpr int kPoints = MANIFOLD_CACHE_SIZE;
constexpr int kNowhere = -1;

std::uint32_t feature_of(const btManifoldPoint& point) {
    return std::uint32_t(point.m_index0) << 16 | (std::uint32_t(point.m_index1) & 0xffffu);
}

btVector3 to_bullet(Vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

// Where each contact goes: to the place its feature id had, or kNowhere yet. True in `kept` for each place that stays taken.
void match_features(const btPersistentManifold& manifold, std::span<const Contact> contacts, int* place, bool* kept) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        place[i] = kNowhere;
        for (int k = 0; k < manifold.getNumContacts() && place[i] == kNowhere; ++k) {
            if (!kept[k] && feature_of(manifold.getContactPoint(k)) == contacts[i].feature) place[i] = k;
        }
        if (place[i] != kNowhere) kept[place[i]] = true;
    }
}

// Where the corners of two boxes coincide, a contact is one's vertex, then the other's, then where their edges cross, all at one spot:
// what no id has matched takes the nearest point that is left, no farther on A than Bullet itself would look. It is a new
// contact in all but its impulses.
void match_places(btPersistentManifold& manifold, Vec3 normal, std::span<const Contact> contacts, int* place, bool* kept) {
    const btScalar reach = manifold.getContactBreakingThreshold();
    const btMatrix3x3& basis = manifold.getBody0()->getWorldTransform().getBasis();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (place[i] != kNowhere) continue;
        const btVector3 on_a = to_bullet(contacts[i].position) - to_bullet(normal) * (btScalar(0.5) * contacts[i].separation);
        const btVector3 local = on_a * basis;  // by the transposed basis
        btScalar nearest = reach * reach;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const btScalar distance = kept[k] ? nearest : (manifold.getContactPoint(k).m_localPointA - local).length2();
            if (distance >= nearest) continue;
            nearest = distance;
            place[i] = k;
        }
        if (place[i] == kNowhere) continue;
        kept[place[i]] = true;
        manifold.getContactPoint(place[i]).m_lifeTime = 0;
    }
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

// The order in which new contacts take the free places. Bullet's solver goes through them one after the other, and the last have their way:
// with one order everywhere all bodies are pushed the same way, so that neighbours have different ones.
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

void write(btManifoldPoint& point, const Contact& contact, const Shared& shared, const btTransform& a, const btTransform& b) {
    const btVector3 middle = a.getOrigin() + to_bullet(contact.position);
    const btVector3 half = shared.normal_on_b * (btScalar(0.5) * contact.separation);
    point.m_positionWorldOnA = middle + half;
    point.m_positionWorldOnB = middle - half;
    point.m_localPointA = a.invXform(point.m_positionWorldOnA);
    point.m_localPointB = b.invXform(point.m_positionWorldOnB);
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

void write_contacts(btPersistentManifold& manifold, Vec3 normal, std::span<const Contact> contacts, Parts parts) {
    assert(contacts.size() <= std::size_t(kPoints));
    const int before = manifold.getNumContacts(), count = int(contacts.size());
    if (count == 0) {
        manifold.clearManifold();  // calls back for what ended
        return;
    }
    int place[kPoints];
    bool kept[kPoints] = {};
    match_features(manifold, contacts, place, kept);
    match_places(manifold, normal, contacts, place, kept);
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
        manifold.getContactPoint(free) = btManifoldPoint();
    }
    close_gaps(manifold, count, kept, place, count);
    manifold.setNumContacts(count);

    const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
    const Shared shared(a, b, normal, parts);
    for (int i = 0; i < count; ++i) {
        btManifoldPoint& point = manifold.getContactPoint(place[i]);
        write(point, contacts[std::size_t(i)], shared, a.getWorldTransform(), b.getWorldTransform());
        if (shared.callback) call_added(point, a, b);
        if (gContactProcessedCallback && point.m_lifeTime > 1) {
            gContactProcessedCallback(point, const_cast<btCollisionObject*>(&a), const_cast<btCollisionObject*>(&b));
        }
    }
    if (gContactStartedCallback && before == 0) gContactStartedCallback(&manifold);
}

}  // namespace abut::bullet
