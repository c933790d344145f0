// The signed distances of points from bodies.
#pragma once

#include <abut/rays.hpp>

#include "batch/query_context.hpp"

namespace abut {

struct PointRuns {
    QueryContext& context;

    // Fills columns whose sizes have been checked.
    void answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) const;
};

}  // namespace abut
