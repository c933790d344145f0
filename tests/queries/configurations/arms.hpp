// Robot arms in many configurations: our own models, in the proportions of common ones. The first is two arms of seven
// joints and fifteen shapes each.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/abut.hpp>

namespace abut::robots {

struct Arms {
    ShapeStore shapes;
    std::vector<ShapeId> bodies;
    std::vector<Pair> pairs;      // of shapes that no joint connects
    std::vector<Vec3> positions;  // [configuration][body]
    std::vector<Quat> orientations;
    std::vector<Body> obstacles;

    std::size_t size() const { return positions.size() / bodies.size(); }
    Configurations all() const { return {&shapes, bodies, pairs, positions, {}, orientations, {}, obstacles}; }
    // One configuration, as records, for a call of its own.
    std::vector<Body> records(std::size_t configuration) const;
};

enum class Samples : std::uint8_t { random, path };
Arms make_arms(std::size_t configurations, Samples samples, std::uint64_t seed);

// An arm of 11 links of 59 spheres among boxes, spheres and capsules, as planners model robots: the spheres as bodies,
// or the links as compounds. `states`: of the straight way from one random configuration to the next. `points`: a cloud
// of as many, on spheres where the obstacles would be, takes their place.
Arms make_planner(std::size_t configurations, std::uint32_t obstacles, bool has_links, std::uint64_t seed,
                  std::size_t states = 1, std::uint32_t points = 0);

}  // namespace abut::robots
