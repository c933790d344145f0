// Lower bounds on where a ray enters the boxes of a tree, sixteen at a time [Kay, Kajiya 1986].
//
// Bounds are floats, in metres from the point where the ray enters the bounds of the whole tree. Boxes are padded by
// the rounding error of floats, so that no box that the ray meets is missed.
#pragma once

#include <limits>

#include "queries/rays/local_ray.hpp"
#include "queries/rays/mesh_walk.hpp"
#include "shapes/compound_geometry.hpp"

namespace abut {

class BoxRay {
public:
    // `bounds` contains all boxes. `slack`: the largest error by which boxes are too small, metres.
    BoxRay(const LocalRay& ray, const maths::BoxD& bounds, double slack);

    // True if the ray misses the bounds of the tree.
    bool misses() const { return !(begin_ <= end_); }
    // Writes infinity for boxes that the ray does not meet.
    void bounds_of(const SixteenBoxes& boxes, float* bounds) const;
    // No box that the ray enters within `distance` (metres from its origin) has a bound above this limit.
    float limit(double distance) const { return static_cast<float>((distance - begin_) * kBoxExcess); }

private:
    double begin_, end_;  // where the ray enters and leaves the bounds of the tree, metres
    float origin_[3], inverse_[3];
    float pad_;
    float length_;
};

}  // namespace abut
