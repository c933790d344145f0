// A compound: its children, flattened, and the tree of their bounds that a query descends.
#pragma once

#include <cstdint>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>

#include "base/double_math.hpp"
#include "base/memory.hpp"

namespace abut {

// A child as the caller gave it, and the instance made of it for the compound's own scale and rounding.
struct CompoundPart {
    // The child with the compound's scale and rounding added. It is the compound's own instance, so that the caller
    // cannot remove it.
    ShapeId instance;
    float inner_radius = 0;       // of a ball about `centre` within the child
    maths::Vec3d position{};      // of the child's origin, in the compound's frame, scaled
    maths::Vec3d centre{};        // of that ball, in the compound's frame, scaled
    maths::Quatd orientation{};   // unit
    bool is_rotated = false;      // orientation is not the identity
    bool is_far = false;          // a hull whose core's centre lies far from its origin
    bool is_joined = false;       // a box or a hull that touches another child (seam.hpp)
    maths::Vec3d core_centre{};   // of a child that is_far, in the child's own frame
    std::uint64_t user_data = 0;  // the caller's value
    // The child's pose before the compound's scale and rounding, from which other instances of the compound are made.
    maths::Vec3d source_position{};
    Vec3 source_scale;
    float source_rounding = 0;
};

// Sixteen boxes in columns, so that a few vector instructions test all of them; rounded outwards.
struct SixteenBoxes {
    static constexpr std::uint32_t kWidth = 16;

    float low[3][kWidth], high[3][kWidth];
};

struct CompoundNode : SixteenBoxes {
    static constexpr std::uint32_t kInner = 1u << 31;  // set in an item that is a node; other items are children

    std::uint32_t item[kWidth];
    std::uint32_t count;
};

struct CompoundGeometry {
    Vector<CompoundPart> parts;   // in the order given
    Vector<ShapeId> instances;    // the instances of the parts, each once
    Vector<CompoundNode> nodes;   // the root last
    Vec3 bounds_min, bounds_max;  // in the compound's frame; rounded outwards
    float least_size = 0;         // of all parts

    bool empty() const { return parts.empty(); }
};

}  // namespace abut
