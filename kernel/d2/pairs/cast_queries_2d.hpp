// Casts in the plane.
#pragma once

#include <abut/d2/cast_2d.hpp>

#include "batch/query_context.hpp"
#include "batch/sort.hpp"
#include "d2/casts/plane_cast_chunk.hpp"

namespace abut::d2 {

struct CastQueries {
    QueryContext& context;
    const PlaneCastKernels* kernels;
    SortedPairs sorted;
    Vector<std::uint32_t> first_of;  // by body: its first hit

    explicit CastQueries(QueryContext& shared) : context(shared), kernels(kernels_for<PlaneCastKernels>(shared.isa)) {}

    void answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options);
};

}  // namespace abut::d2
