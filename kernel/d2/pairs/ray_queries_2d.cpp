// See ray_queries_2d.hpp.
#include "d2/pairs/ray_queries_2d.hpp"

#include <algorithm>

#include "base/parallel/blocks.hpp"
#include "d2/pairs/plane_items.hpp"
#include "d2/rays/body_ray_2d.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kBlock = 64;

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

}  // namespace

void RayQueries::answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options) {
    const ShapeTables& tables = ShapeTables::of(*frame.shapes);
    const std::size_t pairs = frame.pairs.size();
    context.scratch.flag.assign(pairs, 0);
    std::uint8_t* const hits = context.scratch.flag.data();
    Status* const status = context.begin_statuses(pairs, out.status);
    for_each_block(context.executor, pairs, kBlock, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            const Pair pair = frame.pairs[i];
            status[i] = status_of(tables, frame, pair, rays.size());
            RayHitD hit;
            RayD ray = {{0, 0}, {1, 0}, 1};
            RotD turn;
            if (status[i] == Status::ok) {
                turn = RotD(frame.bodies[pair.b].rotation);
                if (!ray_of(frame, rays, pair, turn, ray)) status[i] = Status::bad_pose;
            }
            if (status[i] == Status::ok) hit = meet_shape(tables, frame.bodies.columns().shapes[pair.b], ray);
            const bool is_hit = hit.at <= ray.length;
            hits[i] = is_hit ? 1 : 0;
            out.fraction[i] = status[i] != Status::ok ? 0 : is_hit ? std::min(1.0, hit.at / ray.length) : 1;
            put(out.point, i, is_hit ? narrowed(turn * (ray.origin + hit.at * ray.direction)) : Vec2());
            put(out.normal, i, is_hit ? narrowed(turn * hit.normal) : Vec2());
            put(out.child, i, is_hit ? hit.child : 0u);
            put(out.inside, i, is_hit && hit.starts_inside);
        }
    });
    if (options.reduction != RayReduction::every_pair)
        keep_first(frame, rays.size(), out.fraction, hits, [&](std::uint32_t i) {
            out.fraction[i] = 1;
            put(out.point, i, Vec2()), put(out.normal, i, Vec2()), put(out.child, i, 0u), put(out.inside, i, 0);
        });
    context.counters = {pairs, 0, pairs};
    context.give_hits(pairs, out);
}

void RayQueries::answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) {
    const ShapeTables& tables = ShapeTables::of(*frame.shapes);
    const std::size_t pairs = frame.pairs.size();
    Status* const status = context.begin_statuses(pairs, out.status);
    for_each_block(context.executor, pairs, kBlock, [&](std::size_t first, std::size_t end) {
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
