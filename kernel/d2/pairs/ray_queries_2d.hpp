// Rays, points and casts in the plane, pair by pair.
#pragma once

#include <abut/d2/cast_2d.hpp>
#include <abut/d2/rays_2d.hpp>

#include "batch/query_context.hpp"

namespace abut::d2 {

struct RayQueries {
    QueryContext& context;

    void answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options);
    void answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options);
};

struct CastQueries {
    QueryContext& context;

    void answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options);
};

}  // namespace abut::d2
