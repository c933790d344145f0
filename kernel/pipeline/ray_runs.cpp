// See ray_runs.hpp. With a reduction convex bodies come first: what they stop needs less of a tree, or nothing.
#include "pipeline/ray_runs.hpp"

#include <algorithm>
#include <limits>

#include "frame/valid_pose.hpp"
#include "geometry/kinds.hpp"
#include "pairs/child_poses.hpp"
#include "parallel/fp_environment.hpp"
#include "parallel/parallel_for.hpp"
#include "rays/body_ray.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr std::size_t kBlockPairs = 512;
constexpr std::uint32_t kNoPair = ~0u;

Vec3d of(const DVec3& v) { return {v.x, v.y, v.z}; }
Vec3 to_float(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
// False for NaN.
bool is_near(const Vec3d& v) { return exact::max_abs(v) <= double(kFarthestMetres) && v.x == v.x && v.y == v.y && v.z == v.z; }

// Zeros, except for the fraction of a miss.
void write_miss(const RayColumns& out, std::size_t pair, double fraction) {
    out.fraction[pair] = fraction;
    if (!out.point.empty()) out.point[pair] = {};
    if (!out.normal.empty()) out.normal[pair] = {};
    if (!out.child.empty()) out.child[pair] = 0;
    if (!out.inside.empty()) out.inside[pair] = 0;
}

}  // namespace

struct RayRuns::Call {
    const Frame& frame;
    const Rays& rays;
    const RayOptions& options;
    const Executor& executor;
    const RayColumns& out;
    Status* status;
    std::uint8_t* hit;

    const ShapeTables& tables() const { return tables_of(*frame.shapes); }
    bool reduces() const { return options.reduction != RayReduction::every_pair; }
    bool any() const { return options.reduction == RayReduction::any_of_ray; }
    Vec3d origin(std::uint32_t ray) const { return rays.double_origins.empty() ? exact::to_double(rays.origins[ray]) : of(rays.double_origins[ray]); }
    template <class Each>
    void for_each_block(const Each& each) const {
        const std::size_t pairs = frame.pairs.size();
        parallel_for(executor, (pairs + kBlockPairs - 1) / kBlockPairs, [&](std::size_t block) {
            const FpEnvironment environment;
            each(block * kBlockPairs, std::min(pairs, (block + 1) * kBlockPairs));
        });
    }
};

void RayRuns::run(const Frame& frame, const Rays& rays, const RayOptions& options, const Executor& executor, const RayColumns& out, Status* status,
                  std::uint8_t* hit) {
    const Call call = {frame, rays, options, executor, out, status, hit};
    if (!call.reduces()) {
        call.for_each_block([&](std::size_t first, std::size_t end) { run_block(call, first, end, Kinds::all); });
        return;
    }
    best_.assign(rays.size(), {std::numeric_limits<double>::infinity(), kNoPair});
    for (const Kinds some : {Kinds::convex, Kinds::trees}) {
        call.for_each_block([&](std::size_t first, std::size_t end) { run_block(call, first, end, some); });
        keep_best(call);
    }
    drop_others(call);
}

void RayRuns::run_block(const Call& call, std::size_t first, std::size_t end, Kinds wanted) {
    const ShapeTables& tables = call.tables();
    const std::size_t bodies = call.frame.bodies.size(), rays = call.rays.size();
    ShapeId shapes[kBlockPairs];
    std::uint16_t listed[kBlockPairs], starts[kKindCount + 1] = {};
    std::uint8_t kinds[kBlockPairs];
    for (std::size_t i = first; i < end; ++i) {
        const Pair pair = call.frame.pairs[i];
        const std::size_t at = i - first;
        kinds[at] = kKindCount;
        if (pair.a < rays && pair.b < bodies) shapes[at] = call.frame.bodies[pair.b].shape;
        const bool is_there = pair.a < rays && pair.b < bodies && tables.lives(shapes[at]);
        if (!is_there) {
            call.status[i] = Status::bad_index, call.hit[i] = 0;
            write_miss(call.out, i, 0);
            continue;
        }
        if (wanted != Kinds::all && is_convex(shapes[at].kind()) != (wanted == Kinds::convex)) continue;
        kinds[at] = static_cast<std::uint8_t>(shapes[at].kind());
        ++starts[kinds[at] + 1];
    }
    for (std::uint32_t kind = 0; kind < kKindCount; ++kind) starts[kind + 1] = std::uint16_t(starts[kind + 1] + starts[kind]);
    const std::uint32_t count = starts[kKindCount];
    for (std::size_t at = 0; at < end - first; ++at)
        if (kinds[at] < kKindCount) listed[starts[kinds[at]]++] = std::uint16_t(at);
    for (std::uint32_t i = 0; i < count; ++i) meet(call, std::uint32_t(first + listed[i]), shapes[listed[i]]);
}

void RayRuns::meet(const Call& call, std::uint32_t pair, ShapeId shape) {
    const RayColumns& out = call.out;
    const auto [ray, at] = call.frame.pairs[pair];
    const Body body = call.frame.bodies[at];
    const Vec3d direction = exact::to_double(call.rays.directions[ray]), from_body = call.origin(ray) - of(call.frame.bodies.position(at));
    const double scaled = exact::max_abs(direction);
    double length = 0;
    if (scaled > 0)
        length =
            call.rays.lengths.empty() ? exact::norm(direction * exact::scale_to_one(scaled)) / exact::scale_to_one(scaled) : call.rays.lengths[ray];
    const bool is_valid = is_near(from_body) && is_near(direction) && length > 0 && length <= 2 * double(kFarthestMetres) && is_valid_pose(body);
    call.status[pair] = is_valid ? Status::ok : Status::bad_pose;
    call.hit[pair] = 0;
    write_miss(out, pair, is_valid ? 1 : 0);
    if (!is_valid) return;
    double end = length;
    if (call.reduces() && best_[ray].pair != kNoPair) {
        if (call.any()) return;
        end = exact::least(end, best_[ray].fraction * length * (1 + 0x1p-50));
    }
    const exact::Mat3 axes = exact::rotation(exact::to_double(body.orientation));
    const Vec3d unit = exact::unit(direction);
    const LocalRay local = {transposed_times(axes, from_body), transposed_times(axes, unit), end};
    const LocalHit found = meet_shape(call.tables(), shape, local, call.any());
    if (!found.hits()) return;
    call.hit[pair] = 1, call.status[pair] = found.status;
    out.fraction[pair] = exact::least(found.distance / length, 1);
    if (!out.point.empty()) out.point[pair] = to_float(from_body + unit * found.distance);
    if (!out.normal.empty()) out.normal[pair] = to_float(axes * found.normal);
    if (!out.child.empty()) out.child[pair] = found.child;
    if (!out.inside.empty()) out.inside[pair] = found.starts_inside;
}

void RayRuns::keep_best(const Call& call) {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.hit[pair] == 0) continue;
        Best& best = best_[call.frame.pairs[pair].a];
        const double fraction = call.out.fraction[pair];
        const bool is_first = best.pair == kNoPair || fraction < best.fraction || (fraction == best.fraction && pair < best.pair);
        if (call.any() ? best.pair == kNoPair || pair < best.pair : is_first) best = {fraction, pair};
    }
}

void RayRuns::drop_others(const Call& call) {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.hit[pair] == 0 || best_[call.frame.pairs[pair].a].pair == pair) continue;
        call.hit[pair] = 0;
        write_miss(call.out, pair, 1);
    }
}

}  // namespace abut
