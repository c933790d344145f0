// A box that moves straight, without rotation, in the frame of a compound or a surface: when it may meet other boxes
// and triangles there.
#pragma once

#include "base/double_math.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/surface.hpp"

namespace abut {

// `box`: at time 0; `way`: its motion until time 1, metres. Times are lower bounds; infinite for what the box does not
// meet in [0, 1].
class SweptBox {
public:
    SweptBox(const maths::BoxD& box, const maths::Vec3d& way);

    void entry_times(const SixteenBoxes& boxes, float* times) const;
    // `room`: metres around the triangle.
    double entry_time(const SurfaceCorners& corners, double room) const;

private:
    maths::Vec3d centre_, half_, way_;
    float low_[3], high_[3], inverse_[3];  // inverse: of the components of `way`
};

}  // namespace abut
