// Intersects a ray with triangles, without gaps: all triangles that share an edge agree, to the bit, whether the ray
// passes left or right of the edge. Uses sheared coordinates [Woop, Benthin, Wald 2013] in double; if the sign of an
// edge is in doubt, its two products are compared exactly.
#pragma once

#include "queries/rays/local_ray.hpp"
#include "queries/rays/mesh_walk.hpp"
#include "shapes/surface.hpp"

namespace abut {

class TriangleRay {
public:
    explicit TriangleRay(const LocalRay& ray);
    explicit TriangleRay(const MeshWalk& walk);

    // Where the line of the ray meets the triangle; the distance is negative behind the origin.
    struct Crossing {
        bool meets = false, from_front = false;
        double distance = 0;
    };
    Crossing operator()(const SurfaceCorners& corners) const;

private:
    maths::Vec3d sheared(const Vec3& corner) const;

    maths::Vec3d origin_, shear_;
    int x_, y_, z_;
};

}  // namespace abut
