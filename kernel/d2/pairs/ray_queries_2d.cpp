// See ray_queries_2d.hpp.
#include "d2/pairs/ray_queries_2d.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel/add_shared.hpp"
#include "base/parallel/blocks.hpp"
#include "d2/pairs/plane_items.hpp"
#include "d2/rays/body_ray_2d.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kRayBlock = 64;

// A point seen from a body: the difference of positions is computed in double.
Vec2D seen_from(const Frame& frame, std::uint32_t body, const Strided<Vec2>& points, const Strided<DVec2>& doubles,
                std::uint32_t i) {
    const Vec2D point = doubles.empty() ? Vec2D{points[i].x, points[i].y} : widened(doubles[i]);
    return point - widened(frame.bodies.position(body));
}

// The ray of a pair in its body's frame; false if it is no ray.
bool ray_of(const Frame& frame, const Rays& rays, Pair pair, const RotD& turn, RayD& out) {
    const Vec2 given = rays.directions[pair.a];
    const Vec2D origin = seen_from(frame, pair.b, rays.origins, rays.double_origins, pair.a),
                direction = {given.x, given.y};
    const double length = std::sqrt(dot(direction, direction));
    const double wanted = rays.lengths.empty() ? length : rays.lengths[pair.a];
    if (!is_finite(origin) || !is_finite(direction) || !(length > 0) || !(wanted > 0 && wanted <= kMostMetres))
        return false;
    out = {turn.unrotated(origin), turn.unrotated((1 / length) * direction), wanted};
    return true;
}

struct RayCall {
    const ShapeTables& tables;
    const Frame& frame;
    const Rays& rays;
    const RayColumns& out;
    std::uint8_t* hits;
    Status* status;

    void put_hit(std::size_t i, double fraction, Vec2 point, Vec2 normal, std::uint32_t child, bool is_inside) const {
        hits[i] = 1, out.fraction[i] = fraction;
        put(out.point, i, point), put(out.normal, i, normal);
        put(out.child, i, child), put(out.inside, i, is_inside);
    }
    void put_none(std::size_t i, double fraction) const {
        put_hit(i, fraction, {}, {}, 0, false);
        hits[i] = 0;
    }
    void put_refused(std::size_t i, Status why) const {
        status[i] = why;
        put_none(i, 0);
    }
    void meet_exactly(std::uint32_t i) const;
    void meet_in_lanes(ShapeKind kind, std::span<const std::uint32_t> pairs, const PlaneRayKernels& kernels) const;
    std::size_t meet_block(std::size_t first, std::size_t end, const PlaneRayKernels& kernels) const;
};

void RayCall::meet_exactly(std::uint32_t i) const {
    const Pair pair = frame.pairs[i];
    const Body body = frame.bodies[pair.b];
    const RotD turn(body.rotation);
    RayD ray;
    if (!is_valid_pose(body) || !ray_of(frame, rays, pair, turn, ray)) return put_refused(i, Status::bad_pose);
    const RayHitD hit = meet_shape(tables, body.shape, ray);
    if (!(hit.at <= ray.length)) return put_none(i, 1);
    put_hit(i, std::min(1.0, hit.at / ray.length), narrowed(turn * (ray.origin + hit.at * ray.direction)),
            narrowed(turn * hit.normal), hit.child, hit.starts_inside);
}

// `pairs`: at most kChunkPairs, of bodies of this kind.
void RayCall::meet_in_lanes(ShapeKind kind, std::span<const std::uint32_t> pairs,
                            const PlaneRayKernels& kernels) const {
    const auto count = static_cast<std::uint32_t>(pairs.size());
    Body made[kChunkPairs];
    PlaneRayAnswers answers;
    PlaneRayChunk chunk;
    chunk.kind = kind, chunk.count = count, chunk.records = tables.records_of(kind), chunk.answers = &answers;
    const Strided<Body>& records = frame.bodies.records();
    for (std::uint32_t k = 0; k < whole_lanes(count); ++k) {
        const Pair pair = frame.pairs[pairs[std::min(k, count - 1)]];
        if (records.empty()) made[k] = frame.bodies[pair.b];
        chunk.bodies[k] = records.empty() ? &made[k] : record_at(records, pair.b);
        const Vec2D origin = seen_from(frame, pair.b, rays.origins, rays.double_origins, pair.a);
        const Vec2 direction = rays.directions[pair.a];
        chunk.origin_x[k] = origin.x, chunk.origin_y[k] = origin.y;
        chunk.direction_x[k] = direction.x, chunk.direction_y[k] = direction.y;
        const float length = rays.lengths.empty() ? 0 : rays.lengths[pair.a];
        chunk.length[k] = rays.lengths.empty() || length > 0 ? length : std::numeric_limits<float>::quiet_NaN();
    }
    kernels.run_plane_rays(chunk);
    for (std::uint32_t k = 0; k < count; ++k) {
        if (!answers.is_valid[k])
            put_refused(pairs[k], Status::bad_pose);
        else if (!answers.is_hit[k])
            put_none(pairs[k], 1);
        else
            put_hit(pairs[k], answers.fraction[k], answers.point[k], answers.normal[k], 0, answers.is_inside[k]);
    }
}

// Returns the number of pairs that were answered one by one.
std::size_t RayCall::meet_block(std::size_t first, std::size_t end, const PlaneRayKernels& kernels) const {
    std::uint32_t list[kLaneKinds][kChunkPairs], count[kLaneKinds] = {};
    std::size_t exact = 0;
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    for (std::size_t i = first; i < end; ++i) {
        const auto index = static_cast<std::uint32_t>(i);
        const Pair pair = frame.pairs[i];
        if (pair.a >= rays.size() || pair.b >= shapes.size() || !tables.lives(shapes[pair.b])) {
            put_refused(i, Status::bad_index);
        } else if (const ShapeKind kind = shapes[pair.b].kind(); has_lanes(kind)) {
            list[std::uint32_t(kind)][count[std::uint32_t(kind)]++] = index;
        } else {
            meet_exactly(index), ++exact;
        }
    }
    for (std::uint32_t kind = 0; kind < kLaneKinds; ++kind)
        if (count[kind] != 0) meet_in_lanes(ShapeKind(kind), {list[kind], count[kind]}, kernels);
    return exact;
}

}  // namespace

void RayQueries::answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    context.scratch.flag.assign(pairs, 0);
    const RayCall call = {ShapeTables::of(*frame.shapes),           frame, rays, out, context.scratch.flag.data(),
                          context.begin_statuses(pairs, out.status)};
    for_each_block(context.executor, pairs, kChunkPairs, [&](std::size_t first, std::size_t end) {
        const std::size_t exact = call.meet_block(first, end, *kernels);
        add_shared(context.counters.exact, exact);
    });
    if (options.reduction != RayReduction::every_pair)
        keep_first(frame, rays.size(), out.fraction, call.hits, first_of,
                   [&](std::uint32_t i) { call.put_none(i, 1); });
    context.counters.pairs = pairs, context.counters.wide = pairs - context.counters.exact;
    context.give_hits(pairs, out);
}

void RayQueries::answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) {
    const ShapeTables& tables = ShapeTables::of(*frame.shapes);
    const std::size_t pairs = frame.pairs.size();
    Status* const status = context.begin_statuses(pairs, out.status);
    for_each_block(context.executor, pairs, kRayBlock, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            const Pair pair = frame.pairs[i];
            status[i] = status_of(tables, frame, pair, points.size());
            PointDistanceD found;
            found.distance = 0;
            RotD turn;
            if (status[i] == Status::ok) {
                const Vec2D from = seen_from(frame, pair.b, points.positions, points.double_positions, pair.a);
                turn = RotD(frame.bodies[pair.b].rotation);
                if (is_finite(from))
                    found = measure_shape(tables, frame.bodies.columns().shapes[pair.b], turn.unrotated(from),
                                          options.max_distance);
                else
                    status[i] = Status::bad_pose;
            }
            const bool is_near =
                status[i] == Status::ok && found.distance <= options.max_distance && found.distance < HUGE_VAL;
            out.signed_distance[i] = status[i] != Status::ok ? 0.0f : is_near ? float(found.distance) : HUGE_VALF;
            put(out.normal, i, is_near ? narrowed(turn * found.normal) : Vec2());
            put(out.nearest, i, is_near ? narrowed(turn * found.nearest) : Vec2());
            put(out.child, i, is_near ? found.child : 0u);
        }
    });
    context.counters = {pairs, 0, pairs};
}

}  // namespace abut::d2
