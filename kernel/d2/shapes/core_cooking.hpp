// Makes the core that an instance's record holds from the caller's shape and the options of the instance.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <abut/d2/shapes_2d.hpp>
#include <abut/status.hpp>

#include "base/double_math.hpp"
#include "base/memory.hpp"
#include "d2/shapes/shape_source.hpp"
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

struct Core {
    ShapeKind kind = ShapeKind::none;
    Vec2 centre;            // of the bounds, rounded
    double radius = 0;      // swept around the core
    DVec2 origin;           // the pose's position
    Vector<DVec2> corners;  // relative to the origin, in the record's order
    Vector<Vec2> relative;  // the corners relative to the centre, rounded
};

// `source`: a circle, a capsule, a box or a polygon that cook_convex accepted.
Core cook_core(const ShapeSource& source, const InstanceOptions& options);

// An instance before it has an id.
struct NewInstance {
    ShapeKind kind = ShapeKind::none;
    RecordQuad record[kMostQuads] = {};
    Vector<Vec2> corners;                        // for a large polygon
    std::shared_ptr<const PartsGeometry> parts;  // for a chain or a compound
    std::shared_ptr<const ShapeSource> source;
    InstanceOptions options;
    bool is_owned = false;
};

// Cooks a convex shape. An error if the shape leaves the range.
Expected<NewInstance> cook_convex(std::shared_ptr<const ShapeSource> source, const InstanceOptions& options);

// Half the longest side of a shape's bounds about an origin, radius included. An error if the bounds leave the range.
Expected<float> size_of(const maths::BoxD& bounds, DVec2 origin, ShapeKind kind, const InstanceOptions& options);
Vec2 middle_of(const maths::BoxD& bounds, DVec2 origin);
maths::BoxD bounds_of(std::span<const DVec2> corners, double radius);

}  // namespace abut::d2
