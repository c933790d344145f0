// abut's contacts into Bullet's persistent manifold, impulses carried over by abut's rules.
#pragma once

#include <span>

#include <abut/results.hpp>

class btPersistentManifold;

namespace abut::bullet {

// Which child of a compound each body touches with; -1, as in Bullet, where it is none.
struct Parts {
    int a = -1, b = -1;
};

// Replaces the points of `manifold` with `contacts` (at most 4) along `normal`, which points from its body 0 to its
// body 1; their positions are relative to body 0's. abut::carry_over says which contact was which, with the manifold's
// contact breaking threshold and `motion`, metres that one body's position moves relative to the other's in a step, as
// its distance: a contact whose feature id was there before keeps its place, its impulses, its life time and its user
// data; one at the place of a point that went takes over all of it but the life time; the others begin with a share of
// the impulses that are left. The id is in the point: A's half in m_index0, B's in m_index1, and the parts in m_partId0
// and m_partId1. Bullet's global contact callbacks are called as Bullet itself would. None of it where there were no
// contacts and are none.
void write_contacts(btPersistentManifold& manifold, Vec3 normal, std::span<const Contact> contacts, Parts parts = {},
                    float motion = 0.0f);

}  // namespace abut::bullet
