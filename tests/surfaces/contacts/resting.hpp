// Bodies at rest on ground: what the families of bodies at rest share.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "surfaces/contacts/contacts.hpp"
#include "surfaces/contacts/settle.hpp"

namespace abut::ground {

inline constexpr double kNear = 0.0005;  // metres: what is as near to touching as this bears load
inline constexpr double kSurelyNear = 0.0004;
inline constexpr float kDefaultMargin = 0.02f;

struct RestingScene {
    ShapeStore store;
    Terrain terrain;
    Mover mover;
    Rest rest;
};

using MakeTerrain = std::function<Terrain(Random&, const Extent&)>;

// A body of that kind, 0.1 to 1 m long, at rest on ground near the origin or up to 20 m from it. False where it finds
// no rest there.
bool pose_body(Random& random, Kind kind, const MakeTerrain& make, RestingScene& out);

// Uneven ground: waves, fields, pebbles, ridges, pits.
struct UnevenGround {
    const char *name, *what;
    MakeTerrain make;
};
std::span<const UnevenGround> uneven_grounds();

// In the level frame: touches with gaps, and contacts with separations, of at most `within`.
oracle::Loop near_touches(const Rest& rest, double within);
oracle::Loop in_level(const Level& level, const std::vector<Found>& found, double within);
// The corners of where contacts keep the body from coming nearer than `within`: a contact, or a point between two,
// where the separation is that of the line between them.
oracle::Loop held_within(const Level& level, const std::vector<Found>& found, double within);

// The touches up to a millimetre apart, a line for each.
std::string list_of_touches(const Level& level, const Rest& rest);

}  // namespace abut::ground
