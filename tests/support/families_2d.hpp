// Families of hard pairs in the plane, as a caller would give them; the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <abut/d2/frame_2d.hpp>

#include "support/oracle_2d.hpp"

namespace abut::plane {

// A shape as the arguments of d2::ShapeStore::add_...
struct ShapeSpec {
    d2::ShapeKind kind = d2::ShapeKind::circle;  // polygon for all three of polygons
    std::vector<d2::Vec2> points;                // polygon, chain; a capsule's ends, or none: half_extents.y along Y
    d2::Vec2 half_extents;                       // box
    float radius = 0;                            // circle, capsule
    d2::Vec2 normal;                             // half-plane
    float offset = 0;                            // half-plane
    bool is_loop = false;                        // chain
    std::vector<ShapeSpec> children;             // compound
    std::vector<d2::Pose> poses;                 // of the children
    d2::InstanceOptions options;
};
Expected<d2::ShapeId> add_to(d2::ShapeStore& store, const ShapeSpec& spec);
Shape shape_of(const ShapeSpec& spec);  // for the oracle, in the body's frame

struct HardPair {
    ShapeSpec a, b;
    d2::Vec2 position_a, position_b;
    d2::Rot rotation_a, rotation_b;
};

enum class Family {
    mixed,            // all convex kinds, near, apart or overlapping
    touching,         // at distance 0, edges on edges, corners on edges, to the floats' resolution
    nearly_parallel,  // edges on edges at angles from 1e-8 to 1e-2
    slivers,          // polygons and boxes as thin as 1e-7 of their length
    ratios,           // sizes up to 1e4 apart
    concentric,       // equal positions, many of them equal shapes
    collinear,        // segments on one line: overlapping, end to end, apart
    zero_lengths,     // points, segments without length, boxes without width
    rounded,          // roundings from a thousandth to ten times the core
    halfplanes,       // every kind on a half-plane
    chains,           // every kind but half-planes on a chain, in front, behind and at joints
    compounds,        // of convex children, some nested
    far,              // both about 1e6 m from the origin
    sizes,            // from 1e-4 to 1e4 m
    large_polygons,   // of 9 to 300 corners
    instances,        // with scale, mirror, rounding and pose
};
inline constexpr int kFamilies = 16;
const char* to_string(Family family);

std::vector<HardPair> hard_pairs(Family family, std::size_t count, std::uint64_t seed);

// The two shapes as the oracle sees them, relative to A's position.
std::pair<Shape, Shape> placed_pair(const HardPair& pair);

}  // namespace abut::plane
