// Two robot arms of seven joints and fifteen shapes each, in many configurations: our own model, in the proportions of
// common ones.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/abut.hpp>

namespace abut::robots {

struct Arms {
    ShapeStore shapes;
    std::vector<ShapeId> bodies;  // 30
    std::vector<Pair> pairs;      // of shapes that no joint connects
    std::vector<Vec3> positions;  // [configuration][body]
    std::vector<Quat> orientations;

    std::size_t size() const { return positions.size() / bodies.size(); }
    Configurations all() const { return {&shapes, bodies, pairs, positions, {}, orientations, {}}; }
    // One configuration, as records, for a call of its own.
    std::vector<Body> records(std::size_t configuration) const;
};

enum class Samples : std::uint8_t { random, path };
Arms make_arms(std::size_t configurations, Samples samples, std::uint64_t seed);

}  // namespace abut::robots
