// See chain_contacts.hpp. The rule for joints has the aim of Box2D's smooth chains [Catto, "Smooth chain shapes"]: the
// normal of a contact lies between the normals of the two segments that meet. At a level or hollow joint the normal is
// the segment's own.
#include "d2/parts/chain_contacts.hpp"

namespace abut::d2 {
namespace {

// Two normals within half a degree are equal: otherwise a face that rotates about its joint would flicker between both.
constexpr double kSameNormal = 0.99996;
// Normals of a round core are equal only up to rounding.
constexpr double kEqualNormal = 1 - 1e-14;

double cross(Vec2D a, Vec2D b) { return a.x * b.y - a.y * b.x; }

// The contacts of the core's edge that faces the segment.
ChainContacts on_face(const CoreD& core, const SegmentD& segment, double radius_chain, double reach, double tolerance) {
    ChainContacts out;
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
    // A rounded edge is swept along its own normal, so it may be beside the segment while its end is over the segment.
    const double low = facing.low, high = facing.high;
    if (facing.are_wide && low <= high + tolerance) {
        add(low, facing.height_a(low), std::uint32_t(edge.id0));
        if (high - low > tolerance) add(high, facing.height_a(high), std::uint32_t(edge.id1));
    }
    // The lowest point of a round core, or of a corner that is not an end of the facing edges.
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
    // The lowest point replaces the nearer end.
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

// The normal with the largest separation between a core and a joint, of the normals that the chain allows there.
struct JointNormal {
    Vec2D normal;       // from the joint to the core
    double separation;  // of the core, without radii
    bool is_of_core;    // an edge's normal or the direction to the nearest point, not a segment's normal
    bool is_of_edge;

    bool is_like(Vec2D face) const { return dot(normal, face) > (is_of_edge ? kSameNormal : kEqualNormal); }
};

// The height of a core over a line, without the core's radius.
double height_of(const CoreD& core, Vec2D on_line, Vec2D normal) {
    double least = HUGE_VAL;
    for (std::int32_t i = 0; i < core.count; ++i) least = std::min(least, dot(normal, core.corners[i] - on_line));
    return least;
}

// The signed distance of a core and a segment, without radii.
double distance_of(const CoreD& core, Vec2D from, Vec2D to, double tolerance) {
    CoreD segment;
    segment.corners[0] = from, segment.corners[1] = to, segment.count = 2;
    return answer_cores(core, segment, {0, 0}, best_axis(core, segment, {0, 0}, 0), tolerance).distance;
}

// The candidates are the segments' normals and the local maxima of the separation: normals of edges that have the joint
// over or under them, and the direction to the nearest corner. `with_other`: also the neighbour's normal.
JointNormal best_at_joint(const CoreD& core, const SegmentD& segment, bool at_end, bool with_other, double tolerance) {
    const Neighbour& other = segment.neighbour(at_end);
    const Vec2D joint = segment.joint(at_end);
    const double sign = at_end ? 1 : -1;
    JointNormal best = {segment.normal, height_of(core, joint, segment.normal), false, false};
    const auto offer = [&](Vec2D normal, double separation, bool is_of_core, bool is_of_edge) {
        if (separation >= best.separation) best = {normal, separation, is_of_core, is_of_edge};
    };
    const auto is_shown = [&](Vec2D normal) {
        return sign * cross(segment.normal, normal) >= 0 && (!other.exists || sign * cross(normal, other.normal) >= 0);
    };
    if (with_other) offer(other.normal, height_of(core, joint, other.normal), false, false);
    Vec2D nearest = core.corners[0] - joint;
    for (std::int32_t i = 0; core.has_edges() && i < core.count; ++i) {
        const EdgeD edge = core.edge(i);
        const Vec2D along = turned(edge.normal), to_corner = edge.corner0 - joint;
        if (dot(to_corner, to_corner) < dot(nearest, nearest)) nearest = to_corner;
        if (is_shown(-edge.normal) && dot(along, to_corner) <= tolerance &&
            dot(along, edge.corner1 - joint) >= -tolerance)
            offer(-edge.normal, -dot(edge.normal, to_corner), true, true);
    }
    if (const double distance = std::sqrt(dot(nearest, nearest)); distance > tolerance) {
        // The nearest corner is the nearest point if no other corner is nearer along the direction to it.
        const Vec2D normal = (1 / distance) * nearest;
        if (is_shown(normal) && height_of(core, joint, normal) >= distance - tolerance)
            offer(normal, distance, true, false);
    }
    return best;
}

ChainContacts at_joint(const CoreD& core, double radius, const JointNormal& best, bool at_end, Vec2D joint,
                       double reach) {
    ChainContacts out;
    const double separation = best.separation - core.radius - radius;
    if (separation > reach) return out;
    const Vec2D along = turned(best.normal);
    const EdgeD edge = core.edge_along(-best.normal);
    const bool is_first = std::fabs(dot(along, edge.corner0 - joint)) <= std::fabs(dot(along, edge.corner1 - joint));
    out.normal = -best.normal, out.count = 1;
    out.position[0] = joint + (radius + 0.5 * separation) * best.normal;
    out.separation[0] = separation;
    out.feature[0] = std::uint32_t(is_first ? edge.id0 : edge.id1) << 16 | (at_end ? 1u : 0u);
    return out;
}

}  // namespace

SegmentD segment_at(const ShapeTables& tables, const PlacedD& chain, std::uint32_t i) {
    SegmentD out;
    CoreD core;
    place(tables, chain.part(i), core);
    out.from = core.corners[0], out.to = core.corners[1], out.normal = core.edge(0).normal;
    const Joints joints = chain.parts->joints[i];
    for (const bool at_end : {false, true}) {
        const std::uint32_t k = at_end ? joints.after : joints.before;
        Neighbour& other = out.neighbours[at_end];
        other.exists = k != kNoSegment;
        if (other.exists) {
            place(tables, chain.part(k), core);
            other.far = core.corners[at_end ? 1 : 0], other.normal = core.edge(0).normal;
        }
        other.stands_out = !other.exists || (at_end ? 1 : -1) * cross(out.normal, other.normal) > 0;
    }
    return out;
}

ChainContacts lowest_on_segment(const CoreD& core, double radius, const SegmentD& segment, Vec2D centre,
                                double tolerance) {
    ChainContacts out;
    for (const bool at_end : {false, true}) {
        const Neighbour& other = segment.neighbour(at_end);
        const Vec2D off = centre - segment.joint(at_end), way = segment.joint(at_end) - segment.joint(!at_end);
        if (other.exists && !other.stands_out && dot(off, way) > 0 && dot(off, other.normal) < 0) return out;
    }
    if (distance_of(core, segment.from, segment.to, tolerance) >= core.radius + radius) return out;
    const Vec2D along = turned(segment.normal);
    const double low = std::min(dot(along, segment.from), dot(along, segment.to)),
                 high = std::max(dot(along, segment.from), dot(along, segment.to));
    double height = HUGE_VAL;
    Vec2D lowest = {0, 0};
    std::int32_t corner = 0;
    const auto offer = [&](Vec2D point, std::int32_t i) {
        if (const double above = dot(segment.normal, point - segment.from); above < height)
            height = above, lowest = point, corner = i;
    };
    // On a rounded core only the lowest corner has a surface point straight below it.
    const double least = core.radius > 0 ? height_of(core, segment.from, segment.normal) : HUGE_VAL;
    for (std::int32_t i = 0; i < core.count; ++i) {
        const Vec2D from = core.corners[i], to = core.corners[core.next(i)];
        const double at = dot(along, from), end = dot(along, to);
        if (at >= low && at <= high && dot(segment.normal, from - segment.from) <= least) offer(from, i);
        for (const double border : {low, high})
            if (core.radius == 0 && (at < border) != (end < border))
                offer(from + ((border - at) / (end - at)) * (to - from), i);
    }
    if (!(height < HUGE_VAL)) return out;
    out.normal = -segment.normal, out.count = 1;
    out.separation[0] = height - core.radius - radius;
    out.position[0] = lowest - (core.radius + 0.5 * out.separation[0]) * segment.normal;
    out.feature[0] = std::uint32_t(corner) << 16 | 0xffffu;
    return out;
}

SegmentContacts contacts_on_segment(const CoreD& core, double radius, const SegmentD& segment, Vec2D centre,
                                    double reach, double tolerance) {
    SegmentContacts out;
    const auto add = [&](const ChainContacts& of) {
        if (of.count > 0) out.of[out.count++] = of;
    };
    if (height_of(core, segment.from, segment.normal) - core.radius - radius > reach) return out;
    const auto takes_part = [&](const Neighbour& other, Vec2D joint) {
        if (!other.exists || dot(other.normal, centre - joint) < 0) return false;
        return distance_of(core, joint, other.far, tolerance) - core.radius - radius <= reach;
    };
    bool has_face = true;
    for (const bool at_end : {false, true}) {
        const Neighbour& other = segment.neighbour(at_end);
        if (!other.stands_out) continue;
        JointNormal best = best_at_joint(core, segment, at_end, other.exists, tolerance);
        if (best.is_like(segment.normal)) continue;
        const Vec2D joint = segment.joint(at_end);
        const bool other_takes_part = takes_part(other, joint);
        if (!other_takes_part) best = best_at_joint(core, segment, at_end, false, tolerance);
        has_face = has_face && best.is_like(segment.normal);
        // The segment before a joint has the joint's corner, unless the face of the other segment touches there.
        if (best.is_of_core && !best.is_like(segment.normal) &&
            !(other_takes_part && (!at_end || best.is_like(other.normal))))
            add(at_joint(core, radius, best, at_end, joint, reach));
    }
    if (has_face) add(on_face(core, segment, radius, reach, tolerance));
    return out;
}

}  // namespace abut::d2
