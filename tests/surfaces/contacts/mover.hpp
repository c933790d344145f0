// Bodies for ground: in the store, for the oracle, and as vertices, edges and planes.
#pragma once

#include <utility>
#include <vector>

#include <abut/shape_store.hpp>

#include "scenes/random.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::ground {

using oracle::Vec3d;
using scenes::Random;

enum class Kind : std::uint8_t {
    box,
    cylinder,
    prism,
    hull,
    plank,
    sphere,
    capsule,
    cone,
    ellipsoid,
    rod,
    tetrahedron
};
inline constexpr int kKindCount = 11;
const char* name_of(Kind kind);

// A convex polytope, or one inscribed in a cylinder.
struct Wire {
    struct Plane {
        Vec3d normal;  // unit, outward
        double offset;
    };
    std::vector<Vec3d> vertices;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<Plane> planes;
};

struct Mover {
    Kind kind = Kind::box;
    oracle::Shape shape;
    ShapeId id;
    Wire wire;                 // of boxes, cylinders, prisms, hulls and planks
    std::vector<Vec3d> faces;  // outward normals of those faces on which it can lie
    Vec3d centre;              // of mass
    double size = 0;           // half the longest extent
    double reach = 0;          // the farthest point from the origin

    oracle::Solid solid() const { return oracle::prepare(shape); }
};

// `longest`: metres, the longest extent.
Mover make_mover(ShapeStore& store, Random& random, Kind kind, double longest);

}  // namespace abut::ground
