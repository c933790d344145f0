// Patches of ground for one body each: meshes and height fields, seeded. The corners that the exact contacts need are
// those of the library's floats.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <abut/shape_store.hpp>

#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

namespace abut::ground {

using oracle::Vec3d;
using scenes::Random;

struct Terrain {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    // Of a height field: its samples. `vertices` and `triangles` are then the ones that it consists of.
    std::uint32_t rows = 0, columns = 0;
    float spacing = 0;
    std::vector<float> heights;

    Body body;             // of the ground: its pose; the shape is set by `add`
    Vec3d up = {0, 1, 0};  // in the ground's frame: bodies settle against it
    Vec3d site;            // ... a point near which they do

    ShapeId add(ShapeStore& store) const;
    std::array<Vec3d, 3> world_corners(std::size_t triangle) const;
    // The shape as `abut query` reads it.
    std::string json() const;
};

// How far the patch reaches from its site, and where that is.
struct Extent {
    double reach = 1;
    Vec3d site;  // y is 0
};

// --- height functions over a grid ---

// Height above y = 0 of a point at (x, z) from the site.
struct Relief {
    enum class Form : std::uint8_t { flat, hill, ramp, waves, pebbles, rough };
    Form form = Form::flat;
    double cell = 0.1;     // metres
    double noise = 0;      // metres: each vertex is off by as much in each direction along y
    double radius = 0;     // of a hill or, negative, of a bowl
    double slope = 0;      // of a ramp
    double height = 0;     // of waves, pebbles, roughness
    double length = 1;     // of a wave
    int decimals = -1;     // coordinates are saved with so many; -1: as floats
    double jitter = 0.25;  // of a cell: how far vertices of a mesh are off the grid's points
    bool is_field = false;
};
Terrain make_relief(Random& random, const Extent& extent, const Relief& relief);

// --- ground of few triangles, uneven by little ---

// Two or four triangles that meet along a ridge, which the site is near.
Terrain make_ridge(Random& random, const Extent& extent);
// Walls about a floor's centre, each higher than the last, so that all edges are concave.
Terrain make_pit(Random& random, const Extent& extent);

// --- flat ground of triangles, in y = 0 ---

enum class Floor : std::uint8_t { grid, random_diagonals, random_vertices, junctions, large_triangles };
inline constexpr int kFloorCount = 5;
const char* name_of(Floor floor);
Terrain make_floor(Random& random, const Extent& extent, Floor floor, double cell);

// --- ground that is no graph of a height, or is hard ---

enum class Hard : std::uint8_t { rough, soup, steps, slivers, pebbles, spikes };
Terrain make_hard(Random& random, const Extent& extent, Hard hard, double cell);

}  // namespace abut::ground
