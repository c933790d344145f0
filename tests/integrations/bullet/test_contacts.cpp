// Bullet's persistent manifold, written by abut's contacts.
#include <algorithm>
#include <cmath>
#include <vector>

#include <btBulletCollisionCommon.h>

#include "contacts.hpp"
#include "support/catch.hpp"

namespace {

using abut::Contact;
using abut::Vec3;

struct TwoObjects {
    btSphereShape shape{btScalar(1)};
    btCollisionObject a, b;
    btPersistentManifold manifold{&a, &b, 0, btScalar(0.02), btScalar(0.02)};

    TwoObjects() {
        a.setCollisionShape(&shape);
        b.setCollisionShape(&shape);
        a.setWorldTransform(btTransform(btQuaternion(btVector3(0, 0, 1), btScalar(0.3)), btVector3(10, 20, 30)));
        b.setWorldTransform(btTransform(btQuaternion(btVector3(0, 1, 0), btScalar(0.2)), btVector3(10, 22, 30)));
    }
    void write(const std::vector<std::uint32_t>& features) {
        std::vector<Contact> contacts;
        for (const std::uint32_t feature : features)
            contacts.push_back({{0.5f, 1.0f, 0.25f * float(feature % 7)}, -0.125f, feature});
        abut::bullet::write_contacts(manifold, {0, 1, 0}, contacts);
    }
    // The point of feature `id`, or null.
    btManifoldPoint* point(std::uint32_t id) {
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            btManifoldPoint& p = manifold.getContactPoint(i);
            if (p.m_index0 == int(id >> 16) && p.m_index1 == int(id & 0xffffu)) return &p;
        }
        return nullptr;
    }
};

std::vector<void*> destroyed;
int started = 0, ended = 0;

bool on_destroyed(void* data) {
    destroyed.push_back(data);
    return true;
}

struct CountCallbacks {
    CountCallbacks() {
        destroyed.clear();
        started = ended = 0;
        gContactDestroyedCallback = on_destroyed;
        gContactStartedCallback = [](btPersistentManifold* const&) { ++started; };
        gContactEndedCallback = [](btPersistentManifold* const&) { ++ended; };
    }
    ~CountCallbacks() {
        gContactDestroyedCallback = nullptr;
        gContactStartedCallback = nullptr;
        gContactEndedCallback = nullptr;
    }
};

}  // namespace

TEST_CASE("a contact becomes a point in Bullet's conventions") {
    TwoObjects two;
    two.write({0x00030007});
    REQUIRE(two.manifold.getNumContacts() == 1);
    const btManifoldPoint& p = two.manifold.getContactPoint(0);
    CHECK((p.m_normalWorldOnB - btVector3(0, -1, 0)).length() < 1e-6f);  // from B to A
    CHECK(p.getDistance() == -0.125f);
    CHECK((p.getPositionWorldOnA() - btVector3(10.5f, 21.0625f, 31.5f)).length() < 1e-5f);
    CHECK((p.getPositionWorldOnB() - btVector3(10.5f, 20.9375f, 31.5f)).length() < 1e-5f);
    CHECK((two.a.getWorldTransform() * p.m_localPointA - p.getPositionWorldOnA()).length() < 1e-5f);
    CHECK((two.b.getWorldTransform() * p.m_localPointB - p.getPositionWorldOnB()).length() < 1e-5f);
    CHECK(p.m_combinedFriction == two.a.getFriction() * two.b.getFriction());
}

TEST_CASE("impulses follow their feature ids, and new contacts share what is left") {
    // Every way from one set of at most four ids, all at different places, to another, in order and reversed.
    const std::uint32_t ids[] = {0x00010001, 0x00010002, 0x00020001, 0xffff0000, 0x0000ffff};
    std::size_t shared_out = 0;
    for (unsigned from = 0; from < 32; ++from) {
        for (unsigned to = 0; to < 32; ++to) {
            std::vector<std::uint32_t> before, now;
            float left = 0, places = 0;
            for (unsigned i = 0; i < 5; ++i) {
                if (from >> i & 1) before.push_back(ids[i]);
                if (to >> i & 1) now.insert(to % 2 ? now.begin() : now.end(), ids[i]);
                if (from >> i & ~(to >> i) & 1) left += float(ids[i] % 1000 + 1);
                places += float(to >> i & ~(from >> i) & 1);
            }
            if (before.size() > 4 || now.size() > 4) continue;
            TwoObjects two;
            two.write(before);
            for (const std::uint32_t id : before) two.point(id)->m_appliedImpulse = btScalar(id % 1000 + 1);
            two.write(now);
            REQUIRE(two.manifold.getNumContacts() == int(now.size()));
            for (const std::uint32_t id : now) {
                const bool was_there = std::find(before.begin(), before.end(), id) != before.end();
                REQUIRE(two.point(id));
                const float expected = was_there ? float(id % 1000 + 1) : left / places;
                CHECK(std::fabs(float(two.point(id)->m_appliedImpulse) - expected) <= 1e-6f * expected);
                CHECK(two.point(id)->getLifeTime() == (was_there ? 2 : 1));
                shared_out += !was_there && left > 0;
            }
        }
    }
    CHECK(shared_out > 100);
}

TEST_CASE("a new id at an old place takes over the impulses and begins a life of its own") {
    TwoObjects two;
    two.write({1, 2});
    two.point(1)->m_appliedImpulse = 3;
    two.point(2)->m_appliedImpulse = 4;
    two.write({8, 2});  // 8 lies where 1 lay
    REQUIRE(two.point(8));
    CHECK(two.point(8)->m_appliedImpulse == 3);
    CHECK(two.point(8)->getLifeTime() == 1);
    CHECK(two.point(2)->m_appliedImpulse == 4);
    CHECK(two.point(2)->getLifeTime() == 2);
}

TEST_CASE("the user's data is handed back exactly once, when its contact ends") {
    const CountCallbacks count;
    TwoObjects two;
    int data[4];
    two.write({1, 2, 3, 4});
    for (std::uint32_t id = 1; id <= 4; ++id) two.point(id)->m_userPersistentData = &data[id - 1];
    two.write({4, 5, 2});
    std::sort(destroyed.begin(), destroyed.end());
    CHECK(destroyed == std::vector<void*>{&data[0], &data[2]});
    CHECK(two.point(4)->m_userPersistentData == &data[3]);
    CHECK(two.point(5)->m_userPersistentData == nullptr);
    CHECK(started == 1);
    CHECK(ended == 0);
    two.write({});
    CHECK(destroyed.size() == 4);
    CHECK(ended == 1);
    two.write({});
    CHECK(ended == 1);
}
