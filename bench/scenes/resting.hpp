// Resting pairs: contact patches with extent, as a pile has them; and walks, a scene moved on from frame to frame.
#pragma once

#include "scenes/scene.hpp"

namespace abut::scenes {

// Pairs of two kinds laid flat on one another: a flat feature of B (a face, a cap, the side of a capsule, cylinder or
// cone) against one of A about a random common point, turned about the contact normal by nothing, a right angle or
// anything, tilted by nothing or 1e-7 to 1e-2 radians, with a gap from -5% of the smaller size to the margin, which is
// 2% of it (Scene::margins). Hulls are crates, prisms, frusta and wedges of 6 to 32 vertices; now and then a box is a
// floor. A third of the pairs each is at scale 1e-3, 1 and 1e3. Of spheres, ellipsoids and upright capsules the patch
// is a point. `Scene::family` says how they lie.
Scene make_resting(ShapeKind a, ShapeKind b, std::size_t pairs, std::uint64_t seed = kRowSeed);
// The same of all kinds in one frame, in both orders.
Scene make_resting_medley(std::size_t pairs, std::uint64_t seed = kRowSeed);

// `frames` times the pairs of `start`, the frames one after the other: frame f's pair i is pair f * start.pairs.size()
// + i. From one frame to the next B moves by up to `step` of the smaller size and turns by up to `step` radians, and
// stays within ten steps of where it started. After every `teleport_every` frames (0: never) a third of the pairs are
// exchanged for any of the start's, half of them with B turned anyhow: what a cache knows of them is then another
// pair's.
struct Walk {
    std::size_t frames = 1;
    double step = 1e-2;
    std::size_t teleport_every = 0;
    std::uint64_t seed = kRowSeed;
};
Scene make_walk(const Scene& start, const Walk& walk);

}  // namespace abut::scenes
