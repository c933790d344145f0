// Two moving bodies in the plane, in double: the first time at which they come within a distance.
#pragma once

#include <abut/d2/cast_2d.hpp>

#include "d2/parts/part_walk.hpp"

namespace abut::d2 {

// A body that moves from a pose by a translation and a rotation about its centre of rotation, both linear in time.
struct MovingD {
    ShapeId shape;
    Vec2D start, motion;  // the centre of rotation, and its motion; relative to A's position at the start
    double angle, turn;   // radians
    Vec2D centre;         // of rotation, in the body's frame
    const PartsGeometry* parts = nullptr;

    PlacedD at(double time) const;
};

struct CastParameters {
    double target, tolerance;  // metres
    double size;               // of the smaller body, metres
    double latest;             // a time
    CastStart start;
    std::uint32_t max_child_pairs;
};

struct CastHitD {
    bool is_hit = false;
    double time = 0;
    bool converged = true;
    bool has_room = true;  // false: the motion meets more than max_child_pairs pairs of parts
    double distance = 0;
    // World axes. The points are on the surfaces, relative to A's position at the start. CastCall makes them relative
    // to A's position at the time of the hit, and sets b_from_a, the offset from there to B's position.
    Vec2D normal = {0, 0}, point_a = {0, 0}, point_b = {0, 0}, b_from_a = {0, 0};
    std::uint32_t child_a = 0, child_b = 0;
};

CastHitD cast_bodies(const ShapeTables& tables, const MovingD& a, const MovingD& b, const CastParameters& asked);

}  // namespace abut::d2
