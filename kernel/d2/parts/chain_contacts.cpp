// See chain_contacts.hpp. The rule for joints has the aim of Box2D's smooth chains [Catto, "Smooth chain shapes"]: the
// normal of a contact lies between those of the two segments that meet, and that of a level or hollow joint is the
// segment's own.
#include "d2/parts/chain_contacts.hpp"

namespace abut::d2 {
namespace {

// Two normals within half a degree are one: a face that turns with its joint would flicker between both.
constexpr double kSameNormal = 0.99996;

double cross(Vec2D a, Vec2D b) { return a.x * b.y - a.y * b.x; }

struct Ends {
    Vec2D from, to, normal;
};
Ends ends_of(const ShapeTables& tables, const PlacedD& chain, std::uint32_t i) {
    CoreD core;
    place(tables, chain.part(i), core);
    return {core.corners[0], core.corners[1], core.edge(0).normal};
}

// The contacts of the core's edge that lies on the segment's own line.
ChainContacts on_face(const CoreD& core, const SegmentD& segment, double radius_chain, double reach, double tolerance) {
    ChainContacts out;
    out.is_face = true;
    out.normal = -segment.normal;
    const EdgeD edge = core.edge_along(-segment.normal);
    const Vec2D up = core.radius * edge.normal, ground = radius_chain * segment.normal;
    const FacingOf<double> facing(out.normal, edge.corner0 + up, edge.corner1 + up, segment.from + ground,
                                  segment.to + ground);
    const auto add = [&](double at, double height, std::uint32_t corner) {
        const double separation = facing.height_b(at) - height;
        if (separation > reach) return;
        const bool is_at_to = at <= facing.b0 + tolerance, is_at_from = at >= facing.b1 - tolerance;
        out.separation[out.count] = separation;
        out.position[out.count] = at * facing.along + (height + 0.5 * separation) * out.normal;
        out.feature[out.count++] = corner << 16 | (is_at_to ? 1u : is_at_from ? 0u : 0xffffu);
    };
    if (facing.are_wide) {
        const double low = facing.low, high = facing.high;
        if (low > high + tolerance) return out;
        add(low, facing.height_a(low), std::uint32_t(edge.id0));
        if (high - low > tolerance) add(high, facing.height_a(high), std::uint32_t(edge.id1));
    }
    // The lowest point of a round core, and of a corner that is not an end of what faces.
    const double height0 = facing.height_a0 - core.radius * dot(out.normal, edge.normal) + core.radius,
                 height1 = height0 + dot(out.normal, edge.corner1 - edge.corner0);
    const bool is_first = height0 >= height1;
    const double at = dot(facing.along, is_first ? edge.corner0 : edge.corner1), height = std::max(height0, height1);
    if (at < facing.b0 - tolerance || at > facing.b1 + tolerance) return out;
    const double separation = facing.height_b(at) - height;
    const double deepest = out.count == 0   ? HUGE_VAL
                           : out.count == 1 ? out.separation[0]
                                            : std::min(out.separation[0], out.separation[1]);
    if (separation >= deepest - 2 * tolerance) return out;
    // It replaces the nearer end.
    if (out.count == 2) {
        const double to0 = std::fabs(dot(facing.along, out.position[0]) - at),
                     to1 = std::fabs(dot(facing.along, out.position[1]) - at);
        if (to0 < to1)
            out.position[0] = out.position[1], out.separation[0] = out.separation[1], out.feature[0] = out.feature[1];
        out.count = 1;
    } else if (out.count == 1 && core.has_edges() && facing.are_wide) {
        out.count = 0;
    }
    add(at, height, std::uint32_t(is_first ? edge.id0 : edge.id1));
    return out;
}

}  // namespace

SegmentD segment_at(const ShapeTables& tables, const PlacedD& chain, std::uint32_t i) {
    const Ends own = ends_of(tables, chain, i);
    SegmentD out = {};
    out.from = own.from, out.to = own.to, out.normal = own.normal;
    const Joints joints = chain.parts->joints[i];
    const Vec2D along = turned(own.normal);
    out.has_before = joints.before != kNoSegment, out.has_after = joints.after != kNoSegment;
    out.normal_before = out.has_before ? ends_of(tables, chain, joints.before).normal : -along;
    out.normal_after = out.has_after ? ends_of(tables, chain, joints.after).normal : along;
    out.stands_out_at_from = cross(out.normal_before, out.normal) > 0;
    out.stands_out_at_to = cross(out.normal, out.normal_after) > 0;
    return out;
}

ChainContacts contacts_on_segment(const CoreD& core, const CoreD& segment_core, const SegmentD& segment, Vec2D centre,
                                  double reach, double tolerance) {
    const AxisD axis = best_axis(core, segment_core, {0, 0}, 0);
    const CoreAnswerD answer = answer_cores(core, segment_core, {0, 0}, axis, tolerance);
    const double separation = answer.distance - core.radius - segment_core.radius;
    const Vec2D normal = -answer.normal;
    const double tilt = cross(segment.normal, normal);       // positive: towards the end
    const bool is_up = dot(normal, segment.normal) > -1e-9;  // level with an open end
    const bool is_face = is_up && dot(normal, segment.normal) > kSameNormal;
    const bool at_end = tilt > 0;
    const bool is_shown = !is_face && is_up &&
                          (at_end ? segment.stands_out_at_to && cross(normal, segment.normal_after) >= 0
                                  : segment.stands_out_at_from && cross(segment.normal_before, normal) >= 0);
    if (!is_shown) return on_face(core, segment, segment_core.radius, reach, tolerance);
    ChainContacts out;
    // The segment before a joint has its corner, unless the next one is the face that touches there.
    const bool has_before = segment.has_before && dot(segment.normal_before, centre - segment.from) >= 0;
    if (at_end ? segment.has_after && dot(normal, segment.normal_after) > kSameNormal : has_before) return out;
    if (separation > reach) return out;
    const ContactsD contacts =
        make_contacts<double>(answer, core.radius, segment_core.radius, separation, tolerance, false);
    out.normal = answer.normal, out.count = 1;
    out.position[0] = contacts.position[0], out.separation[0] = separation;
    out.feature[0] = (static_cast<std::uint32_t>(contacts.feature[0]) & 0xffff0000u) | (at_end ? 1u : 0u);
    return out;
}

}  // namespace abut::d2
