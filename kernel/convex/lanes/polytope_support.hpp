// Supports of one polytope, computed by all lanes.
#pragma once

#include "convex/lanes/polytope.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The maximum of direction . vertex over one polytope.
ABUT_INLINE float support_value_of(const Polytope& p, Float3 direction) {
    const Float3 d = {direction.x * p.x, direction.y * p.y, direction.z * p.z};
    return reduce_max(fold_dots(vertices_along(*p.hull, d.x, d.y, d.z), d.x, d.y, d.z, float_of(IntW(kMostNegative)),
                                [](FloatW so_far, FloatW along, std::uint32_t) { return max(so_far, along); }));
}

// The lowest-numbered vertex with the maximum of direction . vertex.
ABUT_INLINE std::uint32_t support_vertex_of(const Polytope& p, Float3 direction) {
    const Float3 d = {direction.x * p.x, direction.y * p.y, direction.z * p.z};
    const FloatW most = support_value_of(p, direction);
    std::uint32_t index = 0;
    bool found = false;
    const VertexColumns columns = vertices_along(*p.hull, d.x, d.y, d.z);
    fold_dots(columns, d.x, d.y, d.z, most, [&](FloatW same, FloatW along, std::uint32_t i) {
        const std::uint32_t at = (along == same).bits();
        if (!found && at != 0) index = i + static_cast<std::uint32_t>(lowest_bit(at)), found = true;
        return same;
    });
    return columns.vertex_at(index);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
