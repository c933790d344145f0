// Rays and points in the plane.
#pragma once

#include <abut/d2/rays_2d.hpp>

#include "batch/query_context.hpp"
#include "d2/rays/plane_ray_chunk.hpp"

namespace abut::d2 {

struct RayQueries {
    QueryContext& context;
    const PlaneRayKernels* kernels;
    Vector<std::uint32_t> first_of;  // by ray: its first hit

    explicit RayQueries(QueryContext& shared) : context(shared), kernels(kernels_for<PlaneRayKernels>(shared.isa)) {}

    void answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options);
    void answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options);
};

}  // namespace abut::d2
