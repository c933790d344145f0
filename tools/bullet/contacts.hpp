// abut's contacts into Bullet's persistent manifold, impulses carried by feature id.
#pragma once

#include <span>

#include <abut/results.hpp>

class btPersistentManifold;

namespace abut::bullet {

// Replaces the points of `manifold` with `contacts` (at most 4) along `normal`, which points from its body 0 to its body 1; their
// positions are relative to body 0's. A contact whose feature id was there before keeps its place, its impulses, its life time and its
// user data; a new id takes over what the nearest point that went has left, but for the life time. The id is in the point: A's half in
// m_index0, B's in m_index1. Bullet's global contact callbacks are called as Bullet itself would. None of it where there were no
// contacts and are none.
void write_contacts(btPersistentManifold& manifold, Vec3 normal, std::span<const Contact> contacts);

}  // namespace abut::bullet
