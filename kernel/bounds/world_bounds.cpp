// Bounds for the caller's broad phase, in double, rounded outwards once: in lanes where a body is a convex shape of ours, else one by one.
#include <abut/bounds.hpp>

#include <new>

#include "frame/frame_checks.hpp"
#include "frame/good_pose.hpp"
#include "geometry/kinds.hpp"
#include "geometry/rounding.hpp"
#include "isa/kernels.hpp"
#include "pairs/child_poses.hpp"
#include "parallel/fp_environment.hpp"
#include "shapes/bounds.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

Bounds rounded_outwards(const BoxD& box) {
    return {{round_down(box.low.x), round_down(box.low.y), round_down(box.low.z)},
            {round_up(box.high.x), round_up(box.high.y), round_up(box.high.z)}};
}

BoxD bounds_of(const ShapeStore::Tables& tables, const Body& body) {
    const PoseD pose = pose_of(body);
    if (body.shape.kind() != ShapeKind::compound) return tight_bounds(tables, body.shape, pose);
    BoxD all = kNoBounds;
    for (const CompoundPart& part : tables.compound(body.shape).parts) all = joined(all, tight_bounds(tables, part.instance, moved(pose, part)));
    return all;
}

// Bodies wait by kind for their lanes to be full.
class Waiting {
public:
    Waiting(const ShapeStore::Tables& tables, const Kernels& kernels) : kernels_(kernels) {
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

    const Kernels& kernels_;
    BoundsChunk chunks_[kKindCount];
};

CallResult check(Strided<Body> bodies, std::span<Bounds> bounds) {
    if (CallResult result = check_strided("world_bounds: bodies", bodies); !result) return result;
    return check_size("world_bounds: bounds", bounds, bodies.size(), false);
}

}  // namespace

CallResult world_bounds(const ShapeStore& shapes, Strided<Body> bodies, std::span<Bounds> bounds) try {
    if (CallResult result = check(bodies, bounds); !result) return result;
    const Kernels* kernels = kernels_for(best_isa());
    if (kernels == nullptr) return resolve_isa(Isa::best).error();
    const FpEnvironment environment;
    const ShapeStore::Tables& tables = shapes.tables();
    Waiting waiting(tables, *kernels);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        // Where it lies, not a copy: it waits.
        const Body& body = *reinterpret_cast<const Body*>(bodies.address(i));
        const bool has_bounds = tables.lives(body.shape) && is_good_pose(body);
        if (has_bounds && Waiting::takes(body.shape.kind()))
            waiting.add(body, bounds[i]);
        else
            bounds[i] = rounded_outwards(has_bounds ? bounds_of(tables, body) : kNoBounds);
    }
    waiting.run_all();
    return {};
} catch (const std::bad_alloc&) {  // of a message
    return Error{ErrorCode::out_of_memory, "out of memory"};
}

}  // namespace abut
