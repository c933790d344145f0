// A ray and the boxes of a tree, sixteen at a time [Kay, Kajiya 1986]: lower bounds on where the ray enters each.
//
// In floats, relative to where the ray enters the bounds of the whole tree. Boxes grow by the rounding of these floats, so that no box that the ray
// meets is missed.
#pragma once

#include <limits>

#include "rays/local_ray.hpp"
#include "rays/mesh_walk.hpp"
#include "shapes/compound_geometry.hpp"

namespace abut {

class BoxRay {
public:
    // `bounds`: of all boxes. `slack`: by which the boxes may be too small.
    BoxRay(const LocalRay& ray, const exact::BoxD& bounds, double slack);

    // True if the ray meets no box.
    bool misses() const { return !(begin_ <= end_); }
    // Bounds of boxes that the ray does not meet are infinity.
    void bounds_of(const SixteenBoxes& boxes, float* bounds) const;
    // The limit on bounds for a distance: at least the bound of any point of the ray up to it.
    float limit(double distance) const { return static_cast<float>((distance - begin_) * kBoxExcess); }

private:
    double begin_, end_;  // metres along the ray
    float origin_[3], inverse_[3];
    float pad_;
    float length_;
};

}  // namespace abut
