// Finds triangles of a mesh near a point, the nearest boxes first, one box or triangle per lane. Computes only lower
// bounds on distances, in floats: baseline code measures the few triangles that the bounds do not exclude.
#include <cfloat>

#include "queries/rays/node_stack.hpp"
#include "queries/rays/start_walks.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

std::uint32_t find_near_triangles(PointWalk& walk);

namespace {

// The rounding error of squared distances, as a fraction of the squared distance of the farthest corner. It is largest
// for needles, up to 2.4e-5: their planes are inaccurate, and the distance of their edges is only an upper bound.
constexpr float kSquareError = 1e-4f;
// The rounding error of the squared triple product, as a fraction of the product of three squares: two edge lengths,
// distance of the farthest corner.
constexpr float kPlaneError = 1e-10f;
// A triangle gets the bound 0 if the square of its doubled area is below kLeastSquare (inaccurate), or a corner is
// farther than 1e9 m (products may overflow).
constexpr float kLeastSquare = 1e-30f, kFarthestSquare = 1e18f;

ABUT_INLINE std::uint32_t find_near_boxes(const MeshNode& node, const PointWalk& walk, float* bounds) {
    struct Axis {
        const std::byte *low, *high;
        float step, above, below;
    } axes[3];
    const auto* const bytes = reinterpret_cast<const std::byte*>(&node);
    for (int i = 0; i < 3; ++i) {
        const float scale = walk.frame->scale[i], low = node.low[i] * scale;
        const std::byte *const lower = bytes + lower_ends(i), *const upper = bytes + upper_ends(i);
        axes[i] = {scale < 0 ? upper : lower, scale < 0 ? lower : upper, node.step[i] * scale, low - walk.high[i],
                   walk.low[i] - low};
    }
    std::uint32_t near = 0;
    for (int lane = 0; lane < int(MeshNode::kWidth); lane += kLanes) {
        FloatW squared = 0.0f;
        for (const Axis& axis : axes) {
            const FloatW step = axis.step, above = FloatW(axis.above) + numbers(axis.low + lane) * step;
            const FloatW below = FloatW(axis.below) - numbers(axis.high + lane) * step,
                         gap = max(max(above, below), FloatW(0.0f));
            squared += gap * gap;
        }
        squared.store_unaligned(bounds + lane);
        near |= (squared <= FloatW(walk.limit)).bits() << lane;
    }
    return near & ((1u << node.count) - 1);
}

// Returns the squared distance of the origin from a segment.
ABUT_INLINE FloatW to_segment(const Vec3W& from, const Vec3W& along) {
    const FloatW share = -dot(from, along) / max(dot(along, along), FloatW(FLT_MIN));
    return length_squared(from + along * max(min(share, FloatW(1.0f)), FloatW(0.0f)));
}

// Returns lower bounds on the squared distances; infinity where the point is behind a one-sided triangle.
ABUT_INLINE FloatW bound_triangles(const PointWalk& walk, const float* const (&rows)[3][kLanes]) {
    const auto corner = [&](int k) -> Vec3W {
        FloatW v[4];
        transpose_records4(rows[k], v);
        const float* const scale = walk.frame->scale;
        return {v[0] * FloatW(scale[0]), v[1] * FloatW(scale[1]), v[2] * FloatW(scale[2])};
    };
    const Vec3W v[3] = {corner(0), corner(1), corner(2)}, ab = v[1] - v[0], bc = v[2] - v[1], ca = v[0] - v[2];
    const auto from_point = [&](const Vec3W& x) -> Vec3W {
        return {x.x - FloatW(walk.point[0]) - FloatW(walk.rest[0]), x.y - FloatW(walk.point[1]) - FloatW(walk.rest[1]),
                x.z - FloatW(walk.point[2]) - FloatW(walk.rest[2])};
    };
    const Vec3W a = from_point(v[0]), b = from_point(v[1]), c = from_point(v[2]), area = cross(ca, ab);
    const FloatW zero = 0.0f, farthest = max(length_squared(a), max(length_squared(b), length_squared(c)));
    const FloatW square = length_squared(area), height = dot(area, a),
                 edges = min(to_segment(a, ab), min(to_segment(b, bc), to_segment(c, ca)));
    const MaskW is_over =
        (zero <= dot(area, cross(a, ab))) & (zero <= dot(area, cross(b, bc))) & (zero <= dot(area, cross(c, ca)));
    const FloatW squared = select(is_over, min(height / square * height, edges), edges);
    const FloatW behind = walk.is_one_sided ? HUGE_VALF : 0.0f;
    const MaskW is_behind =
        (zero < height) &
        (FloatW(kPlaneError) * farthest * (length_squared(ab) * length_squared(ca)) < height * height);
    const FloatW bound = select(is_behind, behind, zero) + max(squared - FloatW(kSquareError) * farthest, zero);
    return select((FloatW(kLeastSquare) < square) & (farthest < FloatW(kFarthestSquare)), bound, zero);
}

// Lists the triangles of a leaf that may be within the limit; returns their number.
ABUT_INLINE std::uint32_t list_triangles(const NodeVisit& visit, PointWalk& walk) {
    const MeshFrame& frame = *walk.frame;
    const std::uint32_t anchor = frame.nodes[visit.node].first_vertex,
                        k[3] = {0, frame.second_corner, 3 - frame.second_corner};
    std::int32_t near[MeshNode::kWidth + 2 * kLanes];
    std::uint32_t all = 0, count = 0;
    for (std::uint32_t lane = 0; lane < MeshNode::kWidth; lane += kLanes) {
        const std::uint32_t some = visit.met >> lane & kAllLanes;
        store_lanes(lane_numbers() + IntW(static_cast<std::int32_t>(visit.node * MeshNode::kWidth + lane)), some,
                    near + all);
        all += static_cast<std::uint32_t>(bit_count(some));
    }
    IntW(near[all - 1]).store_unaligned(near + all);
    for (std::uint32_t at = 0; at < all; at += kLanes) {
        const float* rows[3][kLanes];
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < 3; ++i)
                rows[i][lane] = corner_of(frame, static_cast<std::uint32_t>(near[at + lane]), anchor, k[i]);
        const FloatW bounds = bound_triangles(walk, rows);
        const std::uint32_t listed =
            lane_bits(all - at) & ((bounds <= FloatW(walk.limit)) & (bounds < FloatW(HUGE_VALF))).bits();
        store_lanes(bounds, listed, walk.bounds + count);
        store_lanes(IntW::load_unaligned(near + at), listed, reinterpret_cast<std::int32_t*>(walk.triangles + count));
        count += static_cast<std::uint32_t>(bit_count(listed));
    }
    std::uint32_t first = 0;
    for (std::uint32_t i = 1; i < count; ++i) first = walk.bounds[i] < walk.bounds[first] ? i : first;
    const std::uint32_t triangle = walk.triangles[first];
    const float bound = walk.bounds[first];
    walk.triangles[first] = walk.triangles[0], walk.bounds[first] = walk.bounds[0];
    walk.triangles[0] = triangle, walk.bounds[0] = bound;
    return count;
}

}  // namespace

std::uint32_t find_near_triangles(PointWalk& walk) {
    NodeVisit visit;
    while (next_node(walk.stack, walk.limit, visit)) {
        const MeshFrame& frame = *walk.frame;
        visit.met = find_near_boxes(frame.nodes[visit.node], walk, visit.bounds);
        if (visit.level != 0) {
            add_nodes(walk.stack, *frame.mesh, visit);
            continue;
        }
        if (const std::uint32_t count = visit.met == 0 ? 0 : list_triangles(visit, walk); count != 0) return count;
    }
    return 0;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
