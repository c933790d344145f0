// See ray_runs.hpp. With a reduction, convex bodies come first: rays that they stop need less of a tree, or nothing.
#include "rays/ray_runs.hpp"

#include <algorithm>
#include <limits>

#include "frame/valid_pose.hpp"
#include "geometry/kinds.hpp"
#include "rays/body_blocks.hpp"
#include "rays/body_ray.hpp"
#include "rays/seen_bodies.hpp"
#include "shapes/instance_pose.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr std::uint32_t kNoPair = ~0u;

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
    const MeetOptions options;
    const RayReduction reduction;
    const RayColumns& out;
    const ShapeTables& tables;
    Status* status;
    std::uint8_t* hit;

    bool reduces() const { return reduction != RayReduction::every_pair; }
    bool any() const { return options.any; }
};

void RayRuns::run(const Frame& frame, const Rays& rays, const RayOptions& options, const Executor& executor, FindEntries find_entries,
                  const RayColumns& out, Status* status, std::uint8_t* hit) {
    const BodyBlocks blocks(frame, rays.size());
    const Call call = {
        frame,  rays, {find_entries, options.reduction == RayReduction::any_of_ray, options.solid_meshes}, options.reduction, out, blocks.tables(),
        status, hit};
    const auto missing = [&](std::uint32_t pair) {
        status[pair] = Status::bad_index, hit[pair] = 0;
        write_miss(out, pair, 0);
    };
    const auto run_kinds = [&](const auto& wanted) {
        blocks.run(executor, wanted, missing, [&](std::uint32_t pair, ShapeId shape) { meet(call, pair, shape); });
    };
    if (!call.reduces()) return run_kinds([](ShapeKind) { return true; });
    best_.assign(rays.size(), {std::numeric_limits<double>::infinity(), kNoPair});
    std::fill_n(hit, frame.pairs.size(), std::uint8_t{0});
    run_kinds([](ShapeKind kind) { return is_convex(kind); });
    keep_best(call);
    run_kinds([](ShapeKind kind) { return !is_convex(kind); });
    keep_best(call);
    drop_others(call);
}

void RayRuns::meet(const Call& call, std::uint32_t pair, ShapeId shape) const {
    const RayColumns& out = call.out;
    const auto [ray, at] = call.frame.pairs[pair];
    Body body = call.frame.bodies[at];
    const Vec3d given = exact::to_double(call.rays.directions[ray]);
    const Vec3d from_body = seen_from_body(call.frame.bodies, at, call.rays.origins, call.rays.double_origins, ray);
    // The square of an unscaled length may exceed the range of doubles.
    const double scale = exact::scale_to_one(exact::max_abs(given)), scaled_length = exact::norm(given * scale);
    const double length = call.rays.lengths.empty() ? scaled_length / scale : call.rays.lengths[ray];
    const bool is_valid =
        is_near(from_body) && is_near(given) && scaled_length > 0 && length > 0 && length <= 2 * double(kFarthestMetres) && is_valid_pose(body);
    call.status[pair] = is_valid ? Status::ok : Status::bad_pose;
    call.hit[pair] = 0;
    if (!is_valid) return write_miss(out, pair, 0);
    double end = length;
    if (call.reduces() && best_[ray].pair != kNoPair) {
        if (call.any()) return write_miss(out, pair, 1);
        end = exact::least(end, best_[ray].fraction * length * (1 + 0x1p-50));
    }
    const Vec3d from_shape = from_body - pose_shape(call.tables, body);
    const exact::Mat3 axes = exact::rotation(exact::to_double(body.orientation));
    const Vec3d direction = given * (scale * (1 / scaled_length));
    const LocalHit found = meet_shape(call.tables, shape, {transposed_times(axes, from_shape), transposed_times(axes, direction), end}, call.options);
    if (!found.hits()) return write_miss(out, pair, 1);
    call.hit[pair] = 1, call.status[pair] = found.status;
    out.fraction[pair] = exact::least(found.distance / length, 1);
    if (!out.point.empty()) out.point[pair] = to_float(from_body + direction * found.distance);
    if (!out.normal.empty()) out.normal[pair] = to_float(axes * found.normal);
    if (!out.child.empty()) out.child[pair] = found.child;
    if (!out.inside.empty()) out.inside[pair] = found.starts_inside;
}

void RayRuns::keep_best(const Call& call) {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.hit[pair] == 0) continue;
        RayBest& best = best_[call.frame.pairs[pair].a];
        const double fraction = call.out.fraction[pair];
        const bool is_first = best.pair == kNoPair || fraction < best.fraction || (fraction == best.fraction && pair < best.pair);
        if (call.any() ? best.pair == kNoPair || pair < best.pair : is_first) best = {fraction, pair};
    }
}

void RayRuns::drop_others(const Call& call) const {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.hit[pair] == 0 || best_[call.frame.pairs[pair].a].pair == pair) continue;
        call.hit[pair] = 0;
        write_miss(call.out, pair, 1);
    }
}

}  // namespace abut
