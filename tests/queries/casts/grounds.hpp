// Motions of bodies over grounds of many parts: meshes, height fields and compounds, from 1 m to 5 km. To the judge the
// ground is a half-space.
#pragma once

#include <vector>

#include "queries/casts/motions.hpp"

namespace abut::casts {

struct GroundMotions {
    MotionScene motions;       // with a half-space for each ground
    std::vector<Body> bodies;  // with the grounds themselves
    CastOptions options;
    std::vector<double> half;  // extents of the grounds
    oracle::Vec3d normal;      // of every hit

    Bodies ends() const { return motions.ends; }
    Frame frame() const { return {&motions.scene.shapes, bodies, motions.scene.pairs}; }
};

// Bodies that come down on flat ground at 0.001 to 10 degrees, near its seams.
GroundMotions make_descents(std::size_t pairs, std::uint64_t seed);
// Bodies that are sunk in flat ground and slide into a wall (CastStart::closing_only).
GroundMotions make_slides(std::size_t pairs, std::uint64_t seed);

// The judge's tally; a hit with another normal is wrong, too.
Tally judge(const GroundMotions& ground, const Casts& casts);

}  // namespace abut::casts
