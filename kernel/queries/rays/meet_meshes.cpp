// Intersects rays with meshes. Walks start with one ray per lane, visit the trees together (walk_meshes.hpp), and end
// with one ray per lane.
#include <new>

#include "queries/rays/ray_answers.hpp"
#include "queries/rays/start_walks.hpp"
#include "queries/rays/walk_meshes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void meet_meshes(const RayChunk& chunk);

namespace {

// Rays that walk_meshes gets at once. Their state is on the stack.
constexpr std::uint32_t kMeshRays = 128, kMeshGroups = kMeshRays / static_cast<std::uint32_t>(kLanes);

struct MeshGroup {
    PairRows rows;
    LoadedRays in;

    ABUT_INLINE MeshGroup(const RayChunk& chunk, std::uint32_t first)
        : rows(chunk, first), in(load_rays(chunk, first, rows)) {}
};

struct MeshRays {
    MeshWalk walk[kMeshRays];
    MeshWalk* walks[kMeshRays];
    MeshFrame frame[kMeshRays];
    LaneHit hit[kMeshRays];
    std::uint32_t answered[kMeshGroups];  // by group: lanes that need no walk
    std::uint32_t count = 0, frames = 0;  // used elements of `walks`, of `frame`

    // Returns the frame of a shape. Describes the shape unless the previous call was for the same shape.
    ABUT_INLINE const MeshFrame& frame_of(const RayChunk& chunk, std::uint32_t shape_bits) {
        if (frames == 0 || frame[frames - 1].shape_bits != shape_bits) {
            clear_upper();
            chunk.walk_calls.describe(chunk.call, shape_bits, frame[frames++]);
        }
        return frame[frames - 1];
    }

    // Finds the hits that need no walk: rays that start in a solid mesh, and all rays at rounded meshes. Returns their
    // lanes.
    ABUT_NOINLINE std::uint32_t answer(const RayChunk& chunk, const MeshGroup& group, const MeshFrame* const* of,
                                       std::uint32_t first, const LaneArray<std::int32_t>& sides) {
        const RayArrays rays(group.in.ray, sides);
        std::uint32_t found = 0;
        clear_upper();
        for_each_lane(group.in.needed, [&](int lane) {
            if (of[lane]->kind == MeshFrame::Kind::plain) return;
            const LaneRay ray = rays[lane];
            LaneHit& met = hit[first + static_cast<std::uint32_t>(lane)];
            if (of[lane]->kind == MeshFrame::Kind::solid) {
                if (ray.sides == QuerySides::back || !chunk.walk_calls.starts_inside(*of[lane], ray.origin)) return;
                met = {0.0, {0.0, 0.0, 0.0}, 0, kNoFace, true, Status::ok};
            } else {
                chunk.meet_one(chunk.call, group.rows.shape_bits(lane), ray, met);
            }
            found |= 1u << lane;
        });
        return found;
    }

    ABUT_INLINE void start(const RayChunk& chunk, const MeshGroup& group, std::uint32_t first) {
        const MeshFrame* of[kLanes];
        MeshWalk* own[kLanes];
        bool all_plain = true;
        for (int lane = 0; lane < kLanes; ++lane) {
            of[lane] = &frame_of(chunk, group.rows.shape_bits(lane));
            own[lane] = walk + first + lane;
            all_plain &= of[lane]->kind == MeshFrame::Kind::plain;
        }
        const LaneArray<std::int32_t> sides = sides_of(chunk, group.rows);
        const std::uint32_t done = all_plain ? 0 : answer(chunk, group, of, first, sides);
        answered[first / static_cast<std::uint32_t>(kLanes)] = done;
        for_each_lane(group.in.needed & ~done & start_walks(group.in.ray, of, own), [&](int lane) {
            own[lane]->scale[3] = sign_of_sides(static_cast<QuerySides>(sides[lane]), of[lane]->scale[3]);
            walks[count++] = own[lane];
        });
    }

    ABUT_INLINE void end(const MeshGroup& group, std::uint32_t first, HitW& met) const {
        const MeshWalk* own[kLanes];
        for (int lane = 0; lane < kLanes; ++lane) own[lane] = walk + first + lane;
        const WalkEndsW ends = end_walks(own, group.in.needed);
        met.met.distance = ends.distance, met.met.normal = ends.normal;
        met.child = lanes_of(ends.child), met.status = lanes_of(IntW(static_cast<std::int32_t>(Status::ok)));
        met.one_by_one = answered[first / static_cast<std::uint32_t>(kLanes)];
        if (met.one_by_one != 0)
            load_hits(met, [&](int lane) -> const LaneHit& { return hit[first + static_cast<std::uint32_t>(lane)]; });
        met.one_by_one = group.in.needed;
    }
};

ABUT_NOINLINE void meet_some(const RayChunk& chunk, std::uint32_t first_ray) {
    const std::uint32_t left = chunk.count - first_ray, lanes = static_cast<std::uint32_t>(kLanes),
                        all = left < kMeshRays ? left : kMeshRays;
    alignas(MeshGroup) std::byte memory[kMeshGroups][sizeof(MeshGroup)];
    MeshRays rays;
    const auto group = [&](std::uint32_t first) { return reinterpret_cast<MeshGroup*>(memory[first / lanes]); };
    for (std::uint32_t first = 0; first < all; first += lanes) {
        new (group(first)) MeshGroup(chunk, first_ray + first);
        rays.start(chunk, *group(first), first);
    }
    walk_meshes(rays.walks, rays.count, chunk.any, chunk.walk_calls);
    for (std::uint32_t first = 0; first < all; first += lanes) {
        HitW hit;
        rays.end(*group(first), first, hit);
        store(chunk, group(first)->rows, answers_of(group(first)->in, hit));
    }
}

}  // namespace

void meet_meshes(const RayChunk& given) {
    const RayChunk chunk = given;  // a copy, because the compiler cannot know that stores do not change `given`
    for (std::uint32_t first = 0; first < chunk.count; first += kMeshRays) meet_some(chunk, first);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
