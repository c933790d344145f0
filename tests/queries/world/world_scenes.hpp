// Worlds of bodies of all kinds, some of them bad, and rays and shapes in them.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"

namespace abut::worlds {

struct Scene {
    ShapeStore shapes;
    std::vector<ShapeId> convex, all;  // living shapes
    std::vector<Body> bodies;
    std::vector<Bounds> bounds;
    WorldTree tree;

    // After a change of bodies.
    void build(const Boxes& filters = {});
    WorldBodies world() const { return {&shapes, bodies, &tree}; }
};

// Bodies of all kinds in a cube of 2 * `half` metres, every 40th one bad. `surfaces`: also meshes, height fields,
// compounds, half-spaces and a custom shape. `has_poses`: shapes have poses of their own.
void make_crowd(Scene& scene, std::size_t bodies, double half, std::uint64_t seed, bool surfaces = true,
                bool has_poses = false);
// Boxes, spheres, rounded boxes and flat meshes of one metre on a grid of whole metres, so that faces, rays along them
// and shapes beside them touch exactly.
void make_grid(Scene& scene, int edge);

struct RaySet {
    std::vector<Vec3> origins, directions;

    Rays rays() const { return {.origins = origins, .directions = directions}; }
};
// In and around the cube; of any length.
RaySet make_rays(std::size_t count, double half, std::uint64_t seed);
// Along the planes and lines of the grid, some an ulp beside them.
RaySet make_grid_rays(std::size_t count, int edge, std::uint64_t seed);

// All pairs of an item and a body, in canonical order.
std::vector<Pair> all_pairs(std::size_t items, std::size_t bodies);

}  // namespace abut::worlds
