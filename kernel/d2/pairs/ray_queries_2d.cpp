// See ray_queries_2d.hpp.
#include "d2/pairs/ray_queries_2d.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel/blocks.hpp"
#include "base/trigonometry.hpp"
#include "d2/casts/body_cast_2d.hpp"
#include "d2/convex/plane_exact.hpp"
#include "d2/rays/body_ray_2d.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kBlock = 64;

template <class T, class U>
void put(std::span<T> column, std::size_t i, const U& value) {
    if (!column.empty()) column[i] = T(value);
}
Vec2D widened(DVec2 v) { return {v.x, v.y}; }
bool is_finite(Vec2D v) { return std::fabs(v.x) <= kMostMetres && std::fabs(v.y) <= kMostMetres; }

// The status of a pair of an item and a body.
Status status_of(const ShapeTables& tables, const Frame& frame, Pair pair, std::size_t items) {
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    if (pair.a >= items || pair.b >= shapes.size() || !tables.lives(shapes[pair.b])) return Status::bad_index;
    return is_valid_pose(frame.bodies[pair.b]) ? Status::ok : Status::bad_pose;
}

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

// Of the pairs with the same Pair::a, which is below `items`, the first hit stays, at equal places that of the lowest
// pair; the others become misses.
template <class Miss>
void keep_first(const Frame& frame, std::size_t items, std::span<const double> place, std::uint8_t* hits, Miss&& miss) {
    const auto pairs = static_cast<std::uint32_t>(frame.pairs.size());
    Vector<std::uint32_t> first_of(items, kNoPair);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        if (hits[i] == 0) continue;
        std::uint32_t& best = first_of[frame.pairs[i].a];
        if (best == kNoPair || place[i] < place[best]) best = i;
    }
    for (std::uint32_t i = 0; i < pairs; ++i) {
        if (hits[i] == 0 || first_of[frame.pairs[i].a] == i) continue;
        hits[i] = 0;
        miss(i);
    }
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

// --- Casts ---

namespace {

// How body i moves, relative to `origin`.
MovingD moving(const ShapeTables& tables, const Frame& frame, const Motions& motions, std::uint32_t i, DVec2 origin) {
    const Body from = frame.bodies[i], to = motions.ends[i];
    const BodyColumns &starts = frame.bodies.columns(), &ends = motions.ends.columns();
    MovingD out;
    out.shape = from.shape;
    out.parts = is_of_parts(from.shape.kind()) ? &tables.parts(from.shape) : nullptr;
    const RotD first(from.rotation), last(to.rotation);
    if (!starts.angles.empty() && !ends.angles.empty()) {
        out.angle = starts.angles[i], out.turn = double(ends.angles[i]) - starts.angles[i];
    } else {
        const RotD between = inverse(first) * last;
        out.angle = maths::angle_of(first.c, first.s), out.turn = maths::angle_of(between.c, between.s);
    }
    const Vec2 centre = motions.centers.empty() ? Vec2() : motions.centers[i];
    out.centre = {centre.x, centre.y};
    const DVec2 a = frame.bodies.position(i), b = motions.ends.position(i);
    const Vec2D start = Vec2D{a.x - origin.x, a.y - origin.y} + first * out.centre,
                end = Vec2D{b.x - origin.x, b.y - origin.y} + last * out.centre;
    out.start = start, out.motion = end - start;
    return out;
}

bool is_supported(ShapeKind a, ShapeKind b) {
    const auto is_ground = [](ShapeKind kind) { return kind == ShapeKind::halfplane || kind == ShapeKind::chain; };
    return !(is_ground(a) && is_ground(b));
}

// The size of promise 1: half the longest side of the local bounds; of a half-plane infinite, as it is never the smaller.
double size_of(const ShapeTables& tables, ShapeId id) {
    if (id.kind() == ShapeKind::halfplane) return HUGE_VAL;
    return tables.record<CoreRecord>(id).size;
}

void put_cast(const CastColumns& out, std::size_t i, const CastHitD& hit, const MovingD& a, const MovingD& b,
              bool is_swapped, double latest) {
    out.time[i] = hit.is_hit ? hit.time : latest;
    put(out.signed_distance, i, hit.is_hit ? static_cast<float>(hit.distance) : HUGE_VALF);
    const Vec2D origin = hit.is_hit ? (is_swapped ? b : a).at(hit.time).position : Vec2D{0, 0};
    const Vec2D on_a = is_swapped ? hit.point_b : hit.point_a, on_b = is_swapped ? hit.point_a : hit.point_b;
    put(out.normal, i, hit.is_hit ? narrowed(is_swapped ? -hit.normal : hit.normal) : Vec2());
    put(out.point_a, i, hit.is_hit ? narrowed(on_a - origin) : Vec2());
    put(out.point_b, i, hit.is_hit ? narrowed(on_b - origin) : Vec2());
    put(out.child_a, i, is_swapped ? hit.child_b : hit.child_a);
    put(out.child_b, i, is_swapped ? hit.child_a : hit.child_b);
}

}  // namespace

void CastQueries::answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options) {
    const ShapeTables& tables = ShapeTables::of(*frame.shapes);
    const std::size_t pairs = frame.pairs.size();
    context.scratch.flag.assign(pairs, 0);
    std::uint8_t* const hits = context.scratch.flag.data();
    Status* const status = context.begin_statuses(pairs, out.status);
    for_each_block(context.executor, pairs, kBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Pair pair = frame.pairs[i];
            const std::size_t bodies = frame.bodies.size();
            status[i] = pair.a < bodies ? status_of(tables, frame, {0, pair.a}, 1) : Status::bad_index;
            if (status[i] == Status::ok || (status[i] == Status::bad_pose && pair.b < bodies)) {
                const Status of_b = status_of(tables, frame, {0, pair.b}, 1);
                if (status[i] == Status::ok || of_b == Status::bad_index) status[i] = of_b;
            }
            const double latest = options.latest.empty() ? 1 : options.latest[i];
            if (status[i] == Status::ok &&
                !(is_valid_pose(motions.ends[pair.a]) && is_valid_pose(motions.ends[pair.b])))
                status[i] = Status::bad_pose;
            const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
            if (status[i] == Status::ok && !is_supported(shapes[pair.a].kind(), shapes[pair.b].kind()))
                status[i] = Status::unsupported;
            const auto put_nothing = [&] {
                put_cast(out, i, {}, {}, {}, false, 0);
                put(out.signed_distance, i, 0.0f);
            };
            if (status[i] != Status::ok) {
                put_nothing();
                continue;
            }
            const ShapeKind kind_a = shapes[pair.a].kind(), kind_b = shapes[pair.b].kind();
            // A half-plane is B, also of a compound, which is of a later kind.
            const bool is_later = kind_a > kind_b || (kind_a == kind_b && pair.a > pair.b),
                       is_swapped = kind_b != ShapeKind::halfplane && (is_later || kind_a == ShapeKind::halfplane);
            if (is_swapped) std::swap(pair.a, pair.b);
            const DVec2 origin = frame.bodies.position(pair.a);
            const MovingD a = moving(tables, frame, motions, pair.a, origin),
                          b = moving(tables, frame, motions, pair.b, origin);
            const double smaller = std::min(size_of(tables, a.shape), size_of(tables, b.shape));
            const CastParameters asked = {options.targets.empty() ? options.target : options.targets[i],
                                          std::max(options.tolerance * smaller, 1e-12), latest, options.start,
                                          context.settings.max_child_pairs};
            const CastHitD hit = cast_bodies(tables, a, b, asked);
            if (!hit.has_room) {
                status[i] = Status::no_room;
                put_nothing();
                continue;
            }
            hits[i] = hit.is_hit ? 1 : 0;
            if (!hit.converged) status[i] = Status::not_converged;
            put_cast(out, i, hit, a, b, is_swapped, latest);
        }
    });
    if (options.reduction == CastReduction::first_of_body)
        keep_first(frame, frame.bodies.size(), out.time, hits, [&](std::uint32_t i) {
            put_cast(out, i, {}, {}, {}, false, options.latest.empty() ? 1 : options.latest[i]);
        });
    context.counters = {pairs, 0, pairs};
    context.give_hits(pairs, out);
}

}  // namespace abut::d2
