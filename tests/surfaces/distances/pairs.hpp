// Pairs of meshes and height fields, and an independent judge of their overlaps and distances: the oracle, asked for
// every pair of triangles that spheres about them do not exclude.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "scenes/random.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::surfaces {

// A surface as it was given, and its triangles in the body's frame.
struct Ground {
    ShapeId id;
    std::string name;
    std::vector<oracle::Solid> triangles;
    std::vector<oracle::Vec3d> centres;  // of spheres about them, with the radii
    std::vector<double> radii;
    double size = 0;  // half the longest extent
};

// Where the two are: with a gap, nearly touching, touching, slightly overlapping, anyhow near each other, far away, at
// one pose.
enum class Placing : std::uint8_t { apart, near, touching, shallow, deep, far, same };
inline constexpr int kPlacings = 7;
const char* name_of(Placing placing);

struct SurfacePairs {
    ShapeStore shapes;
    std::vector<Ground> grounds;
    std::vector<std::uint32_t> ground_of;  // by body
    std::vector<Body> bodies;              // 2 i and 2 i + 1 are of pair i
    std::vector<Pair> pairs;
    std::vector<Placing> placings;  // by pair

    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
};

// `scale`: of all lengths.
SurfacePairs make_pairs(std::size_t count, std::uint64_t seed, double scale = 1);

struct NearestPair {
    double distance = INFINITY, tolerance = 0;
    std::size_t a = 0, b = 0;  // triangles
    oracle::Vec3d normal;
};
NearestPair nearest_pair(const SurfacePairs& scene, std::size_t pair);

struct Tally {
    std::size_t pairs = 0, hits = 0, wrong = 0;
    std::vector<std::string> examples;  // a few
};
// Both queries' answers, by placing.
std::vector<Tally> judge(const SurfacePairs& scene, const Overlaps& overlaps, const Distances& distances);

}  // namespace abut::surfaces
