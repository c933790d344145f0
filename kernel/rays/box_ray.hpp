// A ray and the boxes of a tree, sixteen at a time [Kay, Kajiya 1986]: a lower bound on where the ray enters each.
//
// In floats, from where the ray enters the bounds of the whole tree. Boxes are made larger by what these floats round off, so that no box that the ray
// meets is left out.
#pragma once

#include <limits>

#include "geometry/node_ray.hpp"
#include "rays/local_ray.hpp"
#include "shapes/compound_geometry.hpp"

namespace abut {

class BoxRay {
public:
    // `bounds`: of all boxes. `slack`: what the boxes may be too small by.
    BoxRay(const LocalRay& ray, const exact::BoxD& bounds, double slack);

    // No box can be met.
    bool misses() const { return !(begin_ <= end_); }
    // As a mesh's nodes are tested: up to `distance`.
    NodeRay node_ray(const Vec3& scale, double distance) const;
    // Of each box that the ray does not meet, infinity.
    void bounds_of(const SixteenBoxes& boxes, float* bounds) const;
    // In the measure of the bounds: no smaller than that of any point of the ray up to `distance`.
    float limit(double distance) const { return static_cast<float>((distance - begin_) * kExcess); }

private:
    static constexpr float kExcess = 1.000001f;

    double begin_, end_;  // metres along the ray
    float origin_[3], inverse_[3];
    float pad_;
    float length_;
};

}  // namespace abut
