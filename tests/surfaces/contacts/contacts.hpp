// A body and its ground in a store, and what `collide` finds there.
#pragma once

#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "support/oracle/planar.hpp"
#include "surfaces/contacts/families.hpp"
#include "surfaces/contacts/mover.hpp"
#include "surfaces/contacts/terrain.hpp"

namespace abut::ground {

struct Found {
    Vec3d at;      // in the world, between both surfaces
    Vec3d normal;  // out of the ground
    double separation = 0;
    std::size_t manifold = 0;
    std::uint32_t feature = 0;  // the body's in the high half
};

// The contacts of all manifolds. The body is A in half of the cases: `is_a`.
std::vector<Found> collide(NarrowPhase& narrow, const ShapeStore& store, const Body& mover, const Body& ground,
                           bool is_a, float margin);

// As much as contacts may be off for a solver's noise: the library's own rule.
inline double contact_slack(double size) { return std::min(0.005, 0.004 * size); }

// How far a point is from the convex hull of others; 0 inside, infinite where there are none.
double distance_to_hull(const oracle::Loop& points, const oracle::Vec2d& point);
// How far the farthest of the points is from the hull of the best four of them.
double left_by_best_four(const oracle::Loop& points);
// How deep within it: 0 outside.
double depth_in_hull(const oracle::Loop& points, const oracle::Vec2d& point);

// The pair as a line of `abut query`.
std::string query_line(const Mover& mover, const Body& body, const Terrain& terrain);
std::string describe(const Mover& mover, const Body& body);
// A line for each.
std::string list_of(const char* title, const std::vector<Found>& found);

}  // namespace abut::ground
