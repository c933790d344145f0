// A ball within a convex shape: two of them bound the signed distance of their shapes from above.
#pragma once

#include "base/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

// In the shape's own frame. Large for compact shapes, but not always the largest ball; for flat shapes only the
// rounding.
struct InnerBall {
    maths::Vec3d centre;
    double radius;
};
InnerBall inner_ball(const ShapeTables& tables, ShapeId convex);

}  // namespace abut
