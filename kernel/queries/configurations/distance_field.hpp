// Bounds on the distance of every point of a grid from a compound's children, without a walk down the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Compounds with more children than this have a field. Others have so few children that each is tested.
inline constexpr std::uint32_t kMostWithoutField = 64;

// A grid of cubes over a compound's bounds, in its frame. An empty grid stands for no field.
struct DistanceField {
    float low[3] = {};     // the grid's lowest corner
    float middle[3] = {};  // of the bounds
    float edge = 0;        // of a cube
    std::uint32_t count[3] = {};
    bool are_balls = false;  // all children are balls
    // At the centres of the cubes, x first: the signed distance to the nearest child if all children are balls,
    // otherwise a lower bound on it.
    Vector<float> values;
};

// Walks down the tree for each cube: 17 ms for 5,000 children, 145 ms for 100,000 (Zen 4, AVX2).
void build_field(const ShapeTables& tables, const CompoundGeometry& compound, DistanceField& field);

// The fields of the requested compounds, by the contents of their children.
class DistanceFields {
public:
    // Null if the compound has no field. Valid until the next call of trim.
    const DistanceField* of(const ShapeTables& tables, ShapeId compound);
    // If there are many fields, forgets those that were not requested since the last call.
    void trim();
    std::size_t bytes() const;

private:
    struct Known : HostAllocated<Known> {
        std::uint64_t content = 0;
        std::size_t children = 0;
        bool is_asked = true;
        DistanceField field;
    };
    Vector<std::unique_ptr<Known>> known_;
};

}  // namespace abut
