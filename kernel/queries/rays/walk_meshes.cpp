// See walk_meshes.hpp.
#include "queries/rays/walk_meshes.hpp"

#include "queries/rays/node_stack.hpp"
#include "queries/rays/start_walks.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

// Rays in progress at the same time.
constexpr std::uint32_t kRays = 16;
constexpr std::uint32_t kWidth = MeshNode::kWidth;
// Trees with more levels (more than 4,096 triangles) exceed the second-level cache; their nodes are prefetched.
constexpr std::uint32_t kCachedLevels = 3;

struct Slot : NodeStack {
    MeshWalk* walk;
    std::uint32_t listed;  // the number of the ray's triangles in the list
};

struct RayVisit : NodeVisit {
    Slot* slot;
};

struct TriangleList {
    static constexpr std::uint32_t kRoom = kRays * kWidth + 2 * static_cast<std::uint32_t>(kLanes);

    std::uint32_t size = 0;
    std::int32_t slot[kRoom], triangle[kRoom];
    const MeshWalk* walk[kRoom];
    const float* corner[3][kRoom];
};

// The new MeshWalk::box_length for a hit at `distance`, metres from the ray's origin.
ABUT_INLINE float box_length(const MeshWalk& walk, double distance) {
    const float limit = static_cast<float>((distance - walk.begin) * kBoxExcess);
    return (limit < walk.line_length ? limit : walk.line_length) * kBoxExcess;
}

struct Walker {
    bool any;
    MeshWalkCalls calls;
    TriangleList list;
    Slot slots[kRays];

    ABUT_INLINE void start(Slot& slot, MeshWalk* walk) {
        slot.walk = walk, slot.listed = 0;
        slot.start(*walk->frame->mesh);
    }

    // Adds the triangles of a leaf whose boxes the ray meets to the list, in the order of the tree.
    ABUT_INLINE void add_triangles(const RayVisit& visit) {
        const auto slot = static_cast<std::int32_t>(visit.slot - slots);
        const std::uint32_t before = list.size;
        for (std::uint32_t lane = 0; lane < kWidth; lane += kLanes) {
            const std::uint32_t some = visit.met >> lane & kAllLanes;
            store_lanes(lane_numbers() + IntW(static_cast<std::int32_t>(visit.node * kWidth + lane)), some,
                        list.triangle + list.size);
            IntW(slot).store_unaligned(list.slot + list.size);
            list.size += static_cast<std::uint32_t>(bit_count(some));
        }
        visit.slot->listed = list.size - before;
    }

    // Finds and prefetches the corners of the list's triangles from `first` on.
    ABUT_INLINE void find_corners(std::uint32_t first) {
        for (std::uint32_t at = first; at < list.size; ++at) {
            const auto triangle = static_cast<std::uint32_t>(list.triangle[at]);
            const MeshWalk& walk = *slots[list.slot[at]].walk;
            const MeshFrame& frame = *walk.frame;
            const std::uint32_t anchor = frame.nodes[triangle / kWidth].first_vertex,
                                k[3] = {0, frame.second_corner, 3 - frame.second_corner};
            for (int i = 0; i < 3; ++i) {
                list.corner[i][at] = corner_of(frame, triangle, anchor, k[i]);
                prefetch(list.corner[i][at]);
            }
            list.walk[at] = &walk;
        }
    }

    ABUT_INLINE void prefetch_next(const Slot& slot) const {
        if (slot.size == 0 || slot.walk->frame->mesh->levels <= kCachedLevels) return;
        const auto entry = static_cast<std::uint32_t>(slot.nodes[slot.size - 1]);
        const MeshFrame& frame = *slot.walk->frame;
        const std::uint32_t level = entry & 15, at = entry >> 4;
        const auto* const node = reinterpret_cast<const std::byte*>(frame.nodes + at);
        // An inner node has no corners. To avoid a branch, it prefetches the mesh's first corners.
        const auto* const corners = reinterpret_cast<const std::byte*>(
            frame.corners + (std::size_t(3) * kWidth * at & (std::size_t(level != 0) - 1)));
        prefetch(node), prefetch(node + 64), prefetch(corners), prefetch(corners + 64);
    }

    // Visits the ray's next node; returns false if there is none.
    ABUT_INLINE bool visit(Slot& slot, RayVisit& out) const {
        const MeshWalk& walk = *slot.walk;
        if (!next_node(slot, walk.box_length, out)) return false;
        out.slot = &slot, out.met = find_entries(walk.frame->nodes[out.node], walk, out.bounds);
        return true;
    }

    ABUT_NOINLINE void keep(MeshWalk& walk, std::uint32_t triangle, double distance, bool from_front) const {
        if (walk.triangle != kNoTriangle) {
            if (any || distance > walk.length) return;
            const std::uint32_t* const input = walk.frame->input;
            if (distance == walk.length && input[triangle] > input[walk.triangle]) return;
        }
        walk.triangle = triangle, walk.from_front = from_front, walk.length = distance;
        walk.box_length = box_length(walk, distance);
    }

    // Intersects the list's triangles from `first` on, at most kLanes, with their rays.
    ABUT_NOINLINE void cross_triangles(std::uint32_t first) {
        const std::uint32_t lanes = lane_bits(list.size - first);
        for (std::uint32_t i = list.size; i < first + kLanes; ++i) {
            list.walk[i] = list.walk[list.size - 1];
            for (int k = 0; k < 3; ++k) list.corner[k][i] = list.corner[k][list.size - 1];
        }
        const MeshWalk* const* const walks = list.walk + first;
        FloatW scale[4], axes[4];
        transpose_records4(walks, scale, kScaleRow);
        transpose_records4(walks, axes, kAxesRow);
        DoubleW origin[4] = {0.0, 0.0, 0.0, 0.0}, shear[4] = {0.0, 0.0, 0.0, 0.0};
        transpose_doubles4(walks, origin, kOriginRow);
        transpose_doubles4(walks, shear, kShearRow);
        const ShearedAxes in_order = {axes[0] == FloatW(0.0f), axes[0] == FloatW(1.0f), axes[1] == FloatW(1.0f)};
        const auto sheared = [&](int k) -> DVec3W {
            FloatW p[4];
            transpose_records4(list.corner[k] + first, p);
            const DVec3W at = widen(in_order(p[0] * scale[0], p[1] * scale[1], p[2] * scale[2]));
            const DoubleW across = at.x - origin[0], up = at.y - origin[1], depth = at.z - origin[2];
            return {across - shear[0] * depth, up - shear[1] * depth, depth * shear[2]};
        };
        const DVec3W a = sheared(0), b = sheared(1), c = sheared(2);
        const DoubleW zero = 0.0;
        DoubleMaskW is_open = zero < zero;
        const auto edge = [&](const DVec3W& from, const DVec3W& to) {
            const DoubleW p = from.x * to.y, q = from.y * to.x, value = p - q;
            is_open = is_open | ~(DoubleW(0x1p-50) * (abs(p) + abs(q)) < abs(value));
            return value;
        };
        const DoubleW u = edge(c, b), v = edge(a, c), w = edge(b, a), sum = u + v + w;
        const DoubleW distance = (u * a.z + v * b.z + w * c.z) / sum;
        const DoubleMaskW mixed = ((u < zero) | (v < zero) | (w < zero)) & ((zero < u) | (zero < v) | (zero < w));
        const DoubleMaskW is_front = zero < sum, is_within = (zero <= distance) & (distance <= origin[3]);
        const std::uint32_t fronts = bits_of(is_front), open = lanes & bits_of(is_open);
        const std::uint32_t on_side =
            (fronts | (scale[3] <= FloatW(0.0f)).bits()) & (~fronts | (FloatW(0.0f) <= scale[3]).bits());
        const std::uint32_t hits = lanes & bits_of(is_within & ~mixed) & on_side & ~open;
        const LaneArray<double> distances = lanes_of(distance);
        for (std::uint32_t all = hits | open; all != 0; all &= all - 1) {
            const int lane = lowest_bit(all);
            const std::uint32_t at = first + static_cast<std::uint32_t>(lane),
                                triangle = static_cast<std::uint32_t>(list.triangle[at]);
            MeshWalk& walk = *slots[list.slot[at]].walk;
            if ((hits >> lane & 1) != 0) {
                keep(walk, triangle, distances[lane], (fronts >> lane & 1) != 0);
                continue;
            }
            clear_upper();
            const MeshCrossing crossing = calls.cross(walk, triangle);
            if (crossing.meets && crossing.distance >= 0 && crossing.distance <= walk.length &&
                (crossing.from_front ? 0.0f <= walk.scale[3] : walk.scale[3] <= 0.0f))
                keep(walk, triangle, crossing.distance, crossing.from_front);
        }
        for_each_lane(lanes, [&](int lane) {
            Slot& slot = slots[list.slot[first + static_cast<std::uint32_t>(lane)]];
            --slot.listed;
            if (any && slot.walk->triangle != kNoTriangle) slot.size = 0;
        });
    }

    // Intersects the triangles of the list in whole vectors, with `all` also the remaining ones, and removes the
    // intersected ones.
    ABUT_INLINE void cross_list(bool all) {
        std::uint32_t first = 0;
        for (; first + kLanes <= list.size; first += kLanes) cross_triangles(first);
        if (all && first < list.size) cross_triangles(first), first = list.size;
        const std::uint32_t rest = list.size - first;
        for (std::uint32_t i = 0; i < rest && first != 0; ++i) {
            list.slot[i] = list.slot[first + i], list.walk[i] = list.walk[first + i],
            list.triangle[i] = list.triangle[first + i];
            for (int k = 0; k < 3; ++k) list.corner[k][i] = list.corner[k][first + i];
        }
        list.size = rest;
    }
};

}  // namespace

void walk_meshes(MeshWalk* const* walks, std::uint32_t count, bool any, const MeshWalkCalls& calls) {
    Walker walker;
    walker.any = any, walker.calls = calls;
    Slot* walking[kRays];
    RayVisit visits[kRays];
    std::uint32_t started = 0, active = 0;
    for (; active < kRays && started < count; ++active, ++started) {
        walking[active] = &walker.slots[active];
        walker.start(*walking[active], walks[started]);
    }
    while (active != 0) {
        // Every ray visits its node before any branch depends on which boxes were met.
        Slot* ready[kRays + 1];
        std::uint32_t visited = 0, count_ready = 0, leaves = 0, inner = 0;
        for (std::uint32_t i = 0; i < active; ++i)
            ready[count_ready] = walking[i], count_ready += walking[i]->listed == 0;
        for (std::uint32_t i = 0; i < count_ready; ++i) {
            Slot& slot = *ready[i];
            bool goes_on = walker.visit(slot, visits[visited]);
            for (; !goes_on && started < count; goes_on = walker.visit(slot, visits[visited]))
                walker.start(slot, walks[started++]);
            if (goes_on)
                ++visited;
            else
                slot.walk = nullptr;
        }
        if (started == count) {
            std::uint32_t kept = 0;
            for (std::uint32_t i = 0; i < active; ++i) walking[kept] = walking[i], kept += walking[i]->walk != nullptr;
            active = kept;
        }
        const std::uint32_t before = walker.list.size;
        RayVisit *leaf[kRays + 1], *node[kRays + 1];
        for (std::uint32_t i = 0; i < visited; ++i) {
            leaf[leaves] = node[inner] = &visits[i];
            leaves += visits[i].level == 0, inner += visits[i].level != 0;
        }
        for (std::uint32_t i = 0; i < leaves; ++i) walker.add_triangles(*leaf[i]);
        for (std::uint32_t i = 0; i < inner; ++i)
            add_nodes(*node[i]->slot, *node[i]->slot->walk->frame->mesh, *node[i]);
        for (std::uint32_t i = 0; i < visited; ++i) walker.prefetch_next(*visits[i].slot);
        walker.find_corners(before);
        walker.cross_list(visited == 0);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
