// The signed distance of a point from a body's shape of any kind.
#pragma once

#include <abut/shape_id.hpp>
#include <abut/status.hpp>

#include "base/double_math.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct PointDistance {
    double distance =
        INFINITY;             // metres, negative inside; infinite beyond the limit and behind all one-sided triangles
    maths::Vec3d normal{};    // unit, outward
    std::uint32_t child = 0;  // compound: the child; surface: the triangle by the caller's index
    Status status = Status::ok;
};

class ShapePoints {
public:
    // Distances above `most` (metres) are returned as infinity. `solid_meshes`: closed meshes are solids.
    ShapePoints(const ShapeTables& tables, const RayKernels& kernels, double most, bool solid_meshes)
        : tables_(tables), kernels_(kernels), most_(most), solid_meshes_(solid_meshes) {}

    // The point and the normal are in the shape's own frame.
    PointDistance distance(ShapeId shape, const maths::Vec3d& point);

private:
    PointDistance distance_to_surface(ShapeId shape, const maths::Vec3d& point);
    template <class Visit>
    void walk_mesh(ShapeId shape, const Volume& volume, bool is_one_sided, const maths::Vec3d& point,
                   const double& reach, const Visit& visit);

    const ShapeTables& tables_;
    const RayKernels& kernels_;
    double most_;
    bool solid_meshes_;
    MeshFrame mesh_;  // the mesh with the id `described_`
    ShapeId described_;
};

}  // namespace abut
