// How far the points of a grid are from a compound's children: bounds for every point without a walk down the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Compounds of more children have a field; the children of others are few enough to be compared one by one.
inline constexpr std::uint32_t kMostWithoutField = 64;

// A grid of cubes over a compound's bounds, in its frame. Empty: there is none.
struct DistanceField {
    float low[3] = {};     // its lowest corner
    float middle[3] = {};  // of the bounds
    float edge = 0;        // of a cube
    std::uint32_t count[3] = {};
    bool are_balls = false;  // all children
    // At the centres of cubes, x first: the signed distance to the nearest child if all are balls, else a bound below it.
    Vector<float> values;
};

// By a walk down its tree for each cube: 17 ms for 5,000 children, 145 for 100,000 (Zen 4, AVX2).
void build_field(const ShapeTables& tables, const CompoundGeometry& compound, DistanceField& field);

// The fields of compounds that were asked for, by the contents of their children.
class DistanceFields {
public:
    // Null: it has none. Valid until the next call of trim.
    const DistanceField* of(const ShapeTables& tables, ShapeId compound);
    // Forgets fields that were not asked for since the last call, if there are many.
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
