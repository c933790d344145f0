// See plane_core.hpp. The axes of all edges by rotating calipers [Toussaint 1983]: the deepest corner along an edge's
// normal moves forward as the edge does, so that all edges together cost as many steps as there are corners.
#include "d2/convex/plane_core.hpp"

#include <algorithm>

#include "base/tolerances.hpp"

namespace abut::d2 {
namespace {

template <int N>
std::int32_t put_corners(const PolygonRecord<N>& record, Vec2D* out) {
    std::int32_t count = 0;
    for (; count < N && record.offset[count] != kNoEdge; ++count) out[count] = {record.x[count], record.y[count]};
    return count;
}

// The largest separation along the normals of `of`'s edges. A box of no width has edges of length 0: no axes.
AxisD axis_of_edges(const CoreD& of, const CoreD& other, Vec2D offset, bool is_of_b) {
    AxisD best = {-HUGE_VAL, {1, 0}, is_of_b};
    if (!of.has_edges()) return best;
    std::int32_t deepest = -1;
    for (std::int32_t i = 0; i < of.count; ++i) {
        const EdgeD edge = of.edge(i);
        const Vec2D n = edge.normal;
        if (n.x == 0 && n.y == 0) continue;
        if (deepest < 0) {
            deepest = 0;
            for (std::int32_t k = 1; k < other.count; ++k)
                if (other.along(n, k) < other.along(n, deepest)) deepest = k;
        }
        for (std::int32_t k = 0; k < other.count; ++k) {
            if (other.along(n, other.next(deepest)) > other.along(n, deepest)) break;
            deepest = other.next(deepest);
        }
        const double separation = dot(n, other.corners[deepest] - edge.corner0) + dot(n, offset);
        best.offer(separation, is_of_b ? -n : n);
    }
    return best;
}

}  // namespace

void CoreD::load(const ShapeTables& tables, ShapeId id) {
    const auto& head = tables.record<CoreRecord>(id);
    centre = {head.centre_x, head.centre_y}, radius = head.radius, size = head.size;
    corners[0] = {0, 0}, count = 1;
    if (id.kind() == ShapeKind::capsule) {
        const auto& record = tables.record<CapsuleRecord>(id);
        corners[0] = {-record.half_x, -record.half_y}, corners[1] = {record.half_x, record.half_y};
        count = record.half_x == 0 && record.half_y == 0 ? 1 : 2;
    } else if (id.kind() == ShapeKind::box) {
        const auto& record = tables.record<BoxRecord>(id);
        const double x = record.half_x, y = record.half_y;
        corners[0] = {-x, -y}, corners[1] = {x, x > 0 ? -y : y}, corners[2] = {x, y}, corners[3] = {-x, y};
        // A box of no width is a segment, one of no size a point: edges without a length have no normal.
        count = x > 0 && y > 0 ? 4 : x > 0 || y > 0 ? 2 : 1;
    } else if (id.kind() == ShapeKind::polygon4) {
        count = put_corners(tables.record<PolygonRecord<4>>(id), corners);
    } else if (id.kind() == ShapeKind::polygon8) {
        count = put_corners(tables.record<PolygonRecord<8>>(id), corners);
    } else if (id.kind() == ShapeKind::polygon) {
        const auto& record = tables.record<LargePolygonRecord>(id);
        count = std::int32_t(record.count);
        for (std::int32_t i = 0; i < count; ++i) {
            const Vec2 corner = tables.corners[record.first + std::uint32_t(i)];
            corners[i] = {corner.x, corner.y};
        }
    }
}

AxisD best_axis(const CoreD& a, const CoreD& b, Vec2D offset, double slack) {
    const AxisD of_a = axis_of_edges(a, b, offset, false), of_b = axis_of_edges(b, a, -offset, true);
    const double handicap = dot(of_a.normal, of_b.normal) > 0.999 ? slack : 0.0;
    if (of_b.separation > of_a.separation + handicap) return of_b;
    return {of_a.separation, of_a.normal, false, max(of_b.separation - of_a.separation, 0.0)};
}

CoreAnswerD answer_cores(const CoreD& a, const CoreD& b, Vec2D offset, const AxisD& axis, double tolerance,
                         bool deepest_first) {
    CoreAnswerD out;
    out.edge_a = a.edge_along(axis.normal), out.edge_b = b.edge_along(-axis.normal);
    out.edge_b.corner0 = out.edge_b.corner0 + offset, out.edge_b.corner1 = out.edge_b.corner1 + offset;
    out.normal = axis.normal, out.point_a = out.edge_a.corner0, out.point_b = out.edge_b.corner0;
    out.distance = 0;
    const bool has_edges = a.has_edges() || b.has_edges(), overlapping = has_edges && axis.separation < -tolerance;
    if (overlapping || (has_edges && deepest_first)) {
        if (find_deepest<double>(axis, core_facing(out, axis.normal), tolerance, out)) return out;
        // The edges do not face each other.
        if (axis.slack > 0) return answer_cores(a, b, offset, best_axis(a, b, offset, 0), tolerance, deepest_first);
    }
    if (!overlapping) find_nearest<double>(a.has_edges(), b.has_edges(), axis, tolerance, out);
    return out;
}

ContactsD contacts_of(const CoreAnswerD& answer, double radius_a, double radius_b, double separation, double tolerance,
                      int edges) {
    return make_contacts(answer, swept_facing(answer, radius_a, radius_b), radius_a, radius_b, separation, tolerance,
                         edges);
}

double tolerance_of(double size_a, double size_b, Vec2D offset) {
    const double extent = std::max({size_a, size_b, std::fabs(offset.x), std::fabs(offset.y)});
    return 0.5 * kToleranceSmaller * std::min(size_a, size_b) + 0.5 * kToleranceLarger * extent;
}

}  // namespace abut::d2
