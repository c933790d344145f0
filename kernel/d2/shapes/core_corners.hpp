// The corners of the core of an instance, from its record.
#pragma once

#include <cstdint>

#include "base/double_math.hpp"
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

// Calls visit(DVec2) for each corner, in the body's frame, in the record's order. `id`: a living convex instance, but
// not a half-plane.
template <class Visit>
void for_each_corner(const ShapeTables& tables, ShapeId id, Visit&& visit) {
    const auto& common = tables.record<CoreRecord>(id);
    const auto at = [&](double x, double y) { visit(DVec2{common.centre_x + x, common.centre_y + y}); };
    const auto corners_of = [&](const auto& r, std::uint32_t most) {
        for (std::uint32_t i = 0; i < most && r.offset[i] != kNoEdge; ++i) at(r.x[i], r.y[i]);
    };
    switch (id.kind()) {
        case ShapeKind::capsule: {
            const auto& r = tables.record<CapsuleRecord>(id);
            at(-r.half_x, -r.half_y), at(r.half_x, r.half_y);
            break;
        }
        case ShapeKind::box: {
            const auto& r = tables.record<BoxRecord>(id);
            at(-r.half_x, -r.half_y), at(r.half_x, -r.half_y), at(r.half_x, r.half_y), at(-r.half_x, r.half_y);
            break;
        }
        case ShapeKind::polygon4: corners_of(tables.record<PolygonRecord<4>>(id), 4); break;
        case ShapeKind::polygon8: corners_of(tables.record<PolygonRecord<8>>(id), 8); break;
        case ShapeKind::polygon: {
            const auto& r = tables.record<LargePolygonRecord>(id);
            for (std::uint32_t i = 0; i < r.count; ++i)
                at(tables.corners[r.first + i].x, tables.corners[r.first + i].y);
            break;
        }
        default: at(0, 0);
    }
}

// The bounds of a convex instance (not a half-plane) in a frame in which its body has the pose; z is 0.
inline maths::BoxD bounds_in_frame(const ShapeTables& tables, ShapeId id, const DPose& pose = {}) {
    const double radius = tables.record<CoreRecord>(id).radius;
    maths::BoxD box = maths::kNoBounds;
    for_each_corner(tables, id, [&](DVec2 corner) {
        const DVec2 p = transformed(pose, corner);
        box = joined(box, {{p.x - radius, p.y - radius, 0}, {p.x + radius, p.y + radius, 0}});
    });
    return box;
}

}  // namespace abut::d2
