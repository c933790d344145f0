// A ray and triangles, without gaps: whether a ray passes a shared edge or vertex on one side or the other is the same to the bit for all triangles there.
// Sheared coordinates of Woop, Benthin, Wald [2013], in double; where the sign of an edge is in doubt its two products are compared exactly.
#pragma once

#include "geometry/surface.hpp"
#include "rays/local_ray.hpp"

namespace abut {

class TriangleRay {
public:
    explicit TriangleRay(const LocalRay& ray);

    // Where the line of the ray meets the triangle.
    struct Crossing {
        bool meets = false, from_front = false;
        double distance = 0;
    };
    Crossing operator()(const SurfaceCorners& corners) const;
    // What the triangle adds to the winding number of the ray's origin: 1 where the ray leaves through its back, -1 where it enters by its front. As if
    // the ray were a little to one side, so that no edge and no corner is on it.
    int winding(const SurfaceCorners& corners) const;

private:
    exact::Vec3d sheared(const Vec3& corner) const;

    exact::Vec3d origin_, shear_;
    int x_, y_, z_;
};

}  // namespace abut
