// The caller's data of a shape, without options. All instances of the shape share it.
#pragma once

#include <memory>

#include <abut/d2/shapes_2d.hpp>

#include "base/memory.hpp"
#include "d2/shapes/poses_2d.hpp"

namespace abut::d2 {

struct ShapeSource;

// A convex child of a compound, in the compound's frame, before the compound's own options.
struct SourcePart {
    std::shared_ptr<const ShapeSource> source;
    Vec2 scale;
    float rounding = 0;
    DPose pose;
};

struct ShapeSource {
    ShapeKind kind = ShapeKind::none;  // `polygon` for all three polygon kinds
    // The corners of the core, counter-clockwise: 1 for a circle, 2 for a capsule, 4 for a box. For a chain its points,
    // for a half-plane its normal.
    Vector<Vec2> points;
    float radius = 0;  // circle, capsule
    float offset = 0;  // half-plane
    bool is_loop = false;
    Vector<SourcePart> parts;  // compound
};

}  // namespace abut::d2
