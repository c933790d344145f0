// Bodies on ground of triangles, for benchmarks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <abut/frame.hpp>
#include <abut/shape_store.hpp>

namespace abut::bench {

struct Ground {
    ShapeStore shapes;
    std::vector<Body> bodies;  // body 0 is the ground
    std::vector<Pair> pairs;

    // Valid while this lives and is neither moved nor changed.
    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
};

enum class Terrain { hills, flat };

// 1,024 bodies that touch ground of side x side x 2 triangles: a centimetre deep, to a centimetre above it. `body`:
// "box", "capsule", "hull", or "car", a compound of a box and four wheels.
Ground make_ground(std::string_view body, std::uint32_t side, Terrain terrain = Terrain::hills);

// A box that holds a soup of so many triangles, and touches most of them.
Ground make_soup(std::uint32_t triangles);

}  // namespace abut::bench
