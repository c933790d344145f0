// Bounds for the caller's broad phase, in double, rounded outwards once. Convex shapes except custom ones are computed
// in lanes, other bodies one by one.
#include <abut/properties.hpp>

#include <algorithm>
#include <cmath>

#include "base/parallel/fp_environment.hpp"
#include "base/rounding.hpp"
#include "batch/frame_checks.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"
#include "queries/boxes/bounds_chunk.hpp"
#include "queries/boxes/box_tree.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/shape_bounds.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

Bounds rounded_outwards(const BoxD& box) {
    return {{round_down(box.low.x), round_down(box.low.y), round_down(box.low.z)},
            {round_up(box.high.x), round_up(box.high.y), round_up(box.high.z)}};
}

BoxD bounds_of(const ShapeTables& tables, const Body& body) {
    const PoseD pose = pose_of(body);
    if (body.shape.kind() != ShapeKind::compound) return tight_bounds(tables, body.shape, pose);
    BoxD all = kNoBounds;
    for (const CompoundPart& part : tables.compound(body.shape).parts)
        all = joined(all, tight_bounds(tables, part.instance, moved(pose, part)));
    return all;
}

// Collects bodies of each kind until their lanes are full.
class BoundsList {
public:
    BoundsList(const ShapeTables& tables, const BoxKernels& kernels) : kernels_(kernels) {
        for (std::uint32_t k = 0; k < kKindCount; ++k) {
            chunks_[k].kind = ShapeKind(k), chunks_[k].count = 0;
            chunks_[k].records = tables.kinds[k].records.data(), chunks_[k].hulls = tables.hulls.data();
        }
    }
    static bool takes(ShapeKind kind) { return has_known_core(kind); }
    void add(const Body& body, Bounds& bounds) {
        BoundsChunk& chunk = chunks_[std::uint32_t(body.shape.kind())];
        chunk.bodies[chunk.count] = &body, chunk.bounds[chunk.count] = &bounds;
        if (++chunk.count == kChunkPairs) run(chunk);
    }
    void run_all() {
        for (BoundsChunk& chunk : chunks_) run(chunk);
    }

private:
    void run(BoundsChunk& chunk) {
        kernels_.run_bounds(chunk);
        chunk.count = 0;
    }

    const BoxKernels& kernels_;
    BoundsChunk chunks_[kKindCount];
};

// Adds bodies that the lanes can read in place; the list refers to them.
void add_all(const ShapeTables& tables, const Strided<Body>& bodies, BoundsList& list, Bounds* bounds) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = *reinterpret_cast<const Body*>(bodies.address(i));
        const bool has_bounds = tables.lives(body.shape) && is_valid_pose(body);
        if (has_bounds && BoundsList::takes(body.shape.kind()))
            list.add(body, bounds[i]);
        else
            bounds[i] = rounded_outwards(has_bounds ? bounds_of(tables, body) : kNoBounds);
    }
    list.run_all();
}

// Moves bounds from the rounded position to the exact one.
void move_back(const DVec3& more, Bounds& bounds) {
    const auto shift_outwards = [](double by, float& low, float& high) {
        if (!(std::fabs(by) > 0.0)) return;  // also for NaN
        low = round_down(low - by), high = round_up(high - by);
    };
    shift_outwards(more.x, bounds.min.x, bounds.max.x);
    shift_outwards(more.y, bounds.min.y, bounds.max.y);
    shift_outwards(more.z, bounds.min.z, bounds.max.z);
}

// Copies bodies that are in columns, or relative to another origin, to records, one block at a time.
void add_blocks(const ShapeTables& tables, const Bodies& bodies, const DVec3& origin, const Kernels& kernels,
                BoundsList& list, Bounds* bounds) {
    constexpr std::size_t kBlock = 256;
    Body block[kBlock];
    PlacedShape placed[kBlock];
    DVec3 more[kBlock];
    for (std::size_t first = 0; first < bodies.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, bodies.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            const Body body = bodies[first + i];
            placed[i] = {bodies.position(first + i), body.shape, 0, body.orientation};
        }
        if (tables.has_poses) apply_shape_poses(tables, kernels.poses, {placed, count});
        for (std::size_t i = 0; i < count; ++i) {
            const auto [rounded, rest] = rounded_offset(origin, placed[i].position);
            block[i] = {rounded, placed[i].shape, placed[i].orientation};
            more[i] = rest;
        }
        add_all(tables, {block, count}, list, bounds + first);
        for (std::size_t i = 0; i < count; ++i) move_back(more[i], bounds[first + i]);
    }
}

CallResult check(const Bodies& bodies, const DVec3& origin, std::span<Bounds> bounds) {
    if (CallResult result = check_bodies("world_bounds: bodies", bodies, false); !result) return result;
    if (!(std::isfinite(origin.x) && std::isfinite(origin.y) && std::isfinite(origin.z)))
        return Error{ErrorCode::bad_argument, "world_bounds: origin is not finite"};
    return check_size("world_bounds: bounds", bounds, bodies.size(), false);
}

}  // namespace

CallResult world_bounds(const ShapeStore& shapes, const Bodies& bodies, std::span<Bounds> bounds, const DVec3& origin) {
    if (CallResult result = check(bodies, origin, bounds); !result) return result;
    const Kernels* kernels = kernels_for<Kernels>(best_isa());
    if (kernels == nullptr) return resolve_isa(Isa::best).error();
    const FpEnvironment environment;
    const ShapeTables& tables = tables_of(shapes);
    BoundsList list(tables, *kernels_for<BoxKernels>(best_isa()));
    if (!bodies.records().empty() && origin == DVec3{} && !tables.has_poses)
        add_all(tables, bodies.records(), list, bounds.data());
    else
        add_blocks(tables, bodies, origin, *kernels, list, bounds.data());
    return {};
}

}  // namespace abut
