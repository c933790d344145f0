// See plane_exact.hpp.
#include "d2/convex/plane_exact.hpp"

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "d2/convex/plane_core.hpp"

namespace abut::d2 {
namespace {

// Writes one answer in world axes, mirrored where the caller's A is B.
struct PlaneWriter {
    const RotD& turn_a;
    Vec2D centre_a, b_from_a;  // of A's core in the body's frame; in world axes
    bool is_swapped;

    // Relative to the position of the caller's A.
    Vec2D point(Vec2D in_a) const {
        const Vec2D from_a = turn_a * (in_a + centre_a);
        return is_swapped ? from_a - b_from_a : from_a;
    }
    Vec2D normal(Vec2D in_a) const { return turn_a * (is_swapped ? -in_a : in_a); }

    void put_contacts(const PlaneContactD& answer, float reach, std::uint32_t pair, const OutputView& out) const {
        const ContactsD& all = answer.contacts;
        ManifoldRecord& record = out.manifolds[pair];
        record = {};
        std::uint8_t count = 0;
        const int first = all.has_second && all.separation[1] < all.separation[0] ? 1 : 0;
        for (const int k : {first, 1 - first}) {
            const auto separation = static_cast<float>(all.separation[k]);
            if (separation > reach || (k == 1 && !all.has_second)) continue;
            const auto id = static_cast<std::uint32_t>(all.feature[k]);
            record.contacts[count++] = {narrowed(point(all.position[k])), separation,
                                        is_swapped ? id << 16 | id >> 16 : id};
        }
        record.normal = narrowed(normal(answer.cores.normal));
        out.contact_count[pair] = count;
    }
};

}  // namespace

bool is_valid_pose(const Body& body) {
    const float squared = body.rotation.c * body.rotation.c + body.rotation.s * body.rotation.s;
    return std::fabs(body.position.x) <= kMostMetres && std::fabs(body.position.y) <= kMostMetres &&
           squared >= kUnitSquaredLow && squared <= kUnitSquaredHigh;
}

PlaneContactD answer_convex(const CoreD& a, const CoreD& b, Vec2D offset, const QueryParameters& asked, double reach) {
    const double tolerance = tolerance_of(a.size, b.size, offset + (b.corners[0] - a.corners[0])),
                 radius = a.radius + b.radius;
    const bool is_collide = asked.query == Query::collide;
    const double slack = is_collide ? std::min<double>(asked.contact_slack, 0.004 * std::min(a.size, b.size)) : 0.0;
    const AxisD axis = best_axis(a, b, offset, slack);
    PlaneContactD out;
    out.separation = axis.separation - radius;
    if (out.separation > reach) return out;
    out.cores = answer_cores(a, b, offset, axis, tolerance, is_collide);
    out.separation = out.cores.distance - radius;
    if (is_collide && out.separation <= reach)
        out.contacts =
            contacts_of(out.cores, a.radius, b.radius, out.separation, tolerance, a.has_edges() + b.has_edges());
    return out;
}

// For contacts the plane is an edge that is longer than the core.
PlaneContactD answer_over_plane(const CoreD& a, Vec2D normal, double offset, double radius, bool is_collide) {
    const double tolerance = tolerance_of(a.size, a.size, {0, 0});
    PlaneContactD out;
    CoreAnswerD& cores = out.cores;
    const EdgeD edge = a.edge_along(-normal);
    const double height0 = dot(normal, edge.corner0) - offset, height1 = dot(normal, edge.corner1) - offset;
    const bool is_level = std::fabs(height0 - height1) <= tolerance;
    const Vec2D lower = height1 < height0 ? edge.corner1 : edge.corner0;
    cores.edge_a = edge;
    cores.normal = -normal, cores.distance = std::min(height0, height1);
    cores.point_a = is_level ? 0.5 * (edge.corner0 + edge.corner1) : lower;
    cores.point_b = cores.point_a - cores.distance * normal;
    out.separation = cores.distance - a.radius - radius;
    const Vec2D reach = 4 * a.size * turned(normal);
    cores.edge_b = {cores.point_b - reach, cores.point_b + reach, normal, 0xffff, 0xffff};
    if (is_collide) out.contacts = contacts_of(cores, a.radius, radius, out.separation, tolerance, a.has_edges() + 1);
    return out;
}

void put_distance(bool is_near, double separation, Vec2D normal, Vec2D point_a, Vec2D point_b, bool separation_only,
                  std::uint32_t pair, const OutputView& out) {
    const bool has_points = is_near && !(separation_only && separation <= 0);
    out.signed_distance[pair] = !is_near ? HUGE_VALF : has_points ? static_cast<float>(separation) : 0.0f;
    const Vec2D none = {0, 0};
    if (out.normal != nullptr) out.normal[pair] = narrowed(has_points ? normal : none);
    if (out.point_a != nullptr) out.point_a[pair] = narrowed(has_points ? point_a : none);
    if (out.point_b != nullptr) out.point_b[pair] = narrowed(has_points ? point_b : none);
}

void answer_exactly(const ShapeTables& tables, const Body& a, const Body& b, std::uint32_t pair_and_swap,
                    const QueryParameters& asked, const OutputView& out) {
    const std::uint32_t index = pair_and_swap & ~Entry::kSwapped;
    if (!is_valid_pose(a) || !is_valid_pose(b)) {
        out.status[index] = Status::bad_pose;
        return;
    }
    const RotD turn_a(a.rotation), turn_b(b.rotation);
    CoreD core_a, core_b;
    core_a.load(tables, a.shape), core_b.load(tables, b.shape);
    const Vec2D b_from_a = {double(b.position.x) - a.position.x, double(b.position.y) - a.position.y};
    const float reach = asked.reach_of(index);
    PlaneContactD answer;
    if (b.shape.kind() == ShapeKind::halfplane) {
        const auto& plane = tables.record<HalfplaneRecord>(b.shape);
        const Vec2D normal = turn_a.unrotated(turn_b * Vec2D{plane.normal_x, plane.normal_y});
        const Vec2D origin = turn_a.unrotated(b_from_a) - core_a.centre;
        answer = answer_over_plane(core_a, normal, plane.offset + dot(normal, origin), plane.radius,
                                   asked.query == Query::collide);
    } else {
        const RotD turn = inverse(turn_a) * turn_b;
        for (std::int32_t i = 0; i < core_b.count; ++i) core_b.corners[i] = turn * core_b.corners[i];
        const Vec2D offset = turn_a.unrotated(b_from_a + turn_b * core_b.centre) - core_a.centre;
        answer = answer_convex(core_a, core_b, offset, asked, HUGE_VAL);
    }
    const PlaneWriter writer = {turn_a, core_a.centre, b_from_a, (pair_and_swap & Entry::kSwapped) != 0};
    if (asked.query == Query::overlap)
        out.hit[index] = answer.separation <= 0 ? 1 : 0;
    else if (asked.query == Query::distance) {
        const Vec2D n = answer.cores.normal, on_a = writer.point(answer.cores.point_a + core_a.radius * n),
                    on_b = writer.point(answer.cores.point_b - core_b.radius * n);
        put_distance(static_cast<float>(answer.separation) <= reach, answer.separation, writer.normal(n),
                     writer.is_swapped ? on_b : on_a, writer.is_swapped ? on_a : on_b, asked.separation_only, index,
                     out);
    } else
        writer.put_contacts(answer, reach, index, out);
}

}  // namespace abut::d2
