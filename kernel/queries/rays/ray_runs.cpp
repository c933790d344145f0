// See ray_runs.hpp. With a reduction, convex bodies are computed first: their hits shorten or remove rays for compounds
// and surfaces.
#include "queries/rays/ray_runs.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "queries/rays/body_blocks.hpp"
#include "queries/rays/body_ray.hpp"
#include "queries/rays/mesh_ray.hpp"
#include "queries/rays/seen_bodies.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// Pairs per chunk where SIMD code cannot read the columns.
constexpr std::size_t kPosedRays = 64;

// Writes the fraction, and zeros to the other columns.
void write_miss(const RayColumns& out, std::size_t pair, double fraction) {
    out.fraction[pair] = fraction;
    if (!out.point.empty()) out.point[pair] = {};
    if (!out.normal.empty()) out.normal[pair] = {};
    if (!out.child.empty()) out.child[pair] = 0;
    if (!out.inside.empty()) out.inside[pair] = 0;
}

template <class T>
InMemory in_memory(const Strided<T>& column) {
    return {column.empty() ? nullptr : column.address(0), column.stride()};
}

// True if SIMD code can read the column: it multiplies strides in 32 bits.
template <class T>
bool is_plain(const Strided<T>& column) {
    return column.empty() || column.stride() <= std::numeric_limits<std::uint32_t>::max();
}
bool are_plain(const Frame& frame, const Rays& rays, const ShapeTables& tables) {
    const Strided<Body>& records = frame.bodies.records();
    return !records.empty() && is_plain(records) && !tables.has_poses && rays.double_origins.empty() &&
           is_plain(rays.origins) && is_plain(rays.directions) && is_plain(rays.lengths);
}

}  // namespace

struct RayRuns::Call {
    const Frame& frame;
    const Rays& rays;
    const MeetOptions options;
    const RayReduction reduction;
    const RayColumns& out;
    const ShapeTables& tables;
    Status* status;
    std::uint8_t* hit;
    bool reads_columns;  // SIMD code reads the caller's bodies and rays

    bool reduces() const { return reduction != RayReduction::every_pair; }
    bool any() const { return options.any; }

    RayChunk chunk(ShapeKind kind) const;
    void pose(std::uint32_t pair, PosedRay& to) const;
};

namespace {

LocalRay to_local(const LaneRay& ray) {
    const auto vector = [](const double(&v)[3]) { return Vec3d{v[0], v[1], v[2]}; };
    return {vector(ray.origin), vector(ray.direction), ray.length};
}

LaneHit to_lane(const LocalHit& hit) {
    return {hit.distance, {hit.normal.x, hit.normal.y, hit.normal.z}, hit.child, hit.starts_inside, hit.status};
}

}  // namespace

RayChunk RayRuns::Call::chunk(ShapeKind kind) const {
    const auto meet = [](const void* call, std::uint32_t shape, const LaneRay& ray, LaneHit& met) {
        const Call& of = *static_cast<const Call*>(call);
        met = to_lane(meet_shape(of.tables, ShapeId::from_bits(shape), to_local(ray), of.options));
    };
    const auto describe = [](const void* call, std::uint32_t shape, MeshFrame& of_shape) {
        const Call& of = *static_cast<const Call*>(call);
        describe_mesh(of.tables, ShapeId::from_bits(shape), of.options.solid_meshes, of_shape);
    };
    RayChunk chunk = {};
    chunk.kind = kind;
    chunk.pairs = in_memory(frame.pairs), chunk.bodies = in_memory(frame.bodies.records());
    chunk.origins = in_memory(rays.origins), chunk.directions = in_memory(rays.directions),
    chunk.lengths = in_memory(rays.lengths);
    chunk.last_ray = static_cast<std::uint32_t>(rays.size() - 1);
    chunk.records = tables.kinds[std::uint32_t(kind)].records.data(), chunk.hulls = tables.hulls.data();
    chunk.any = any(), chunk.meet_one = meet, chunk.call = this;
    chunk.walk_calls = {describe, starts_inside, cross_triangle};
    chunk.hit = hit, chunk.status = status, chunk.fraction = out.fraction.data();
    chunk.point = data_or_null(out.point), chunk.normal = data_or_null(out.normal);
    chunk.child = data_or_null(out.child), chunk.inside = data_or_null(out.inside);
    return chunk;
}

void RayRuns::Call::pose(std::uint32_t pair, PosedRay& to) const {
    const auto [ray, at] = frame.pairs[pair];
    const Vec3 direction = rays.directions[ray];
    to.direction[0] = direction.x, to.direction[1] = direction.y, to.direction[2] = direction.z;
    to.direction[3] = rays.lengths.empty() ? 0 : rays.lengths[ray];
    to.body = frame.bodies[at];
    const Vec3d from_body = seen_from_body(frame.bodies, at, rays.origins, rays.double_origins, ray);
    const Vec3d from_shape = from_body - pose_shape(tables, to.body);
    to.from_body[0] = from_body.x, to.from_body[1] = from_body.y, to.from_body[2] = from_body.z;
    to.from_shape[0] = from_shape.x, to.from_shape[1] = from_shape.y, to.from_shape[2] = from_shape.z;
}

void RayRuns::answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    if (context_.scratch.flag.size() < pairs) context_.scratch.flag.resize(pairs);
    const ShapeTables& tables = tables_of(*frame.shapes);
    find_hits(
        {frame,
         rays,
         {kernels_for<RayKernels>(context_.isa), options.reduction == RayReduction::any_of_ray, options.solid_meshes},
         options.reduction,
         out,
         tables,
         context_.begin_statuses(pairs, out.status),
         context_.scratch.flag.data(),
         are_plain(frame, rays, tables)});
    context_.counters = {pairs, 0, pairs};
    context_.give_hits(pairs, out);
}

void RayRuns::find_hits(const Call& call) {
    const BodyBlocks blocks(call.frame, call.rays.size());
    const auto missing = [&](std::uint32_t pair) {
        call.status[pair] = Status::bad_index, call.hit[pair] = 0;
        write_miss(call.out, pair, 0);
    };
    const auto run_kinds = [&](const auto& wanted) {
        blocks.run(context_.executor, wanted, missing,
                   [&](ShapeKind kind, std::span<const std::uint32_t> pairs) { meet_kind(call, kind, pairs); });
    };
    if (!call.reduces()) return run_kinds([](ShapeKind) { return true; });
    best_.assign(call.rays.size(), {std::numeric_limits<double>::infinity(), kNoRayPair});
    std::fill_n(call.hit, call.frame.pairs.size(), std::uint8_t{0});
    std::atomic<bool> has_others = false;
    run_kinds([&](ShapeKind kind) {
        if (!is_convex(kind)) has_others.store(true, std::memory_order_relaxed);
        return is_convex(kind);
    });
    keep_best(call);
    if (has_others.load()) {
        run_kinds([](ShapeKind kind) { return !is_convex(kind); });
        keep_best(call);
    }
    clear_all_but_best(call);
}

void RayRuns::meet_kind(const Call& call, ShapeKind kind, std::span<const std::uint32_t> pairs) const {
    RayChunk chunk = call.chunk(kind);
    chunk.best = call.reduces() && !is_convex(kind) ? best_.data() : nullptr;
    if (call.reads_columns) {
        chunk.listed = pairs.data(), chunk.count = static_cast<std::uint32_t>(pairs.size());
        return call.options.kernels->meet_bodies(chunk);
    }
    PosedRay posed[kPosedRays];
    chunk.posed = posed;
    for (; !pairs.empty(); pairs = pairs.subspan(chunk.count)) {
        chunk.listed = pairs.data(), chunk.count = static_cast<std::uint32_t>(std::min(pairs.size(), kPosedRays));
        for (std::uint32_t i = 0; i < chunk.count; ++i) call.pose(pairs[i], posed[i]);
        call.options.kernels->meet_bodies(chunk);
    }
}

void RayRuns::keep_best(const Call& call) {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.hit[pair] == 0) continue;
        RayBest& best = best_[call.frame.pairs[pair].a];
        const double fraction = call.out.fraction[pair];
        const bool is_first =
            best.pair == kNoRayPair || fraction < best.fraction || (fraction == best.fraction && pair < best.pair);
        if (call.any() ? best.pair == kNoRayPair || pair < best.pair : is_first) best = {fraction, pair};
    }
}

void RayRuns::clear_all_but_best(const Call& call) const {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.hit[pair] == 0 || best_[call.frame.pairs[pair].a].pair == pair) continue;
        call.hit[pair] = 0;
        write_miss(call.out, pair, 1);
    }
}

}  // namespace abut
