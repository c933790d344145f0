// See cast_queries_2d.hpp. Pairs of convex bodies that do not turn are cast in lanes, all others one by one in double.
#include "d2/pairs/cast_queries_2d.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel/add_shared.hpp"
#include "base/parallel/blocks.hpp"
#include "base/trigonometry.hpp"
#include "d2/casts/body_cast_2d.hpp"
#include "d2/pairs/plane_items.hpp"
#include "d2/pairs/plane_kinds.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kCastBlock = 64;

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

// The size of promise 1: half the longest side of the local bounds; of a half-plane infinite, as it is never the smaller.
double size_of(const ShapeTables& tables, ShapeId id) {
    if (id.kind() == ShapeKind::halfplane) return HUGE_VAL;
    return tables.record<CoreRecord>(id).size;
}

// Of two points no size bounds the tolerance: 1e-12 of this does.
double extent_of(const MovingD& a, const MovingD& b) {
    const auto length = [](Vec2D v) { return std::fabs(v.x) + std::fabs(v.y); };
    return length(b.start - a.start) + length(a.motion) + length(b.motion);
}
constexpr double kLeastLength = std::numeric_limits<double>::min();  // of the tolerance, where nothing moves

struct CastCall {
    const ShapeTables& tables;
    const Frame& frame;
    const Motions& motions;
    const CastOptions& options;
    const CastColumns& out;
    std::uint8_t* hits;
    Status* status;
    std::uint32_t max_child_pairs;

    float target(std::uint32_t pair) const { return options.targets.empty() ? options.target : options.targets[pair]; }
    float latest(std::uint32_t pair) const { return options.latest.empty() ? 1.0f : options.latest[pair]; }

    // Zeros, without an answer.
    void put_nothing(std::uint32_t pair) const {
        put_miss(pair);
        hits[pair] = 0, out.time[pair] = 0;
        put(out.signed_distance, pair, 0.0f);
    }
    void put_miss(std::uint32_t pair) const { put_hit(pair, {.time = latest(pair), .distance = HUGE_VALF}, false); }
    void put_hit(std::uint32_t pair, const CastHitD& hit, bool is_swapped) const;
    void cast_exactly(Entry entry) const;
    std::size_t cast_range(const SortedPairs& sorted, const KindRange& range, const PlaneCastKernels& kernels) const;
    bool has_valid_poses(std::uint32_t i) const {
        return is_valid_pose(frame.bodies[i]) && is_valid_pose(motions.ends[i]);
    }
    Body pose(const Bodies& of, std::uint32_t i, std::uint32_t a) const;
};

// A pose as a record; of positions in double relative to A's first one. An end after whole turns is none, so that lanes
// do not take it for the start.
Body CastCall::pose(const Bodies& of, std::uint32_t i, std::uint32_t a) const {
    Body body = of[i];
    const BodyColumns &starts = frame.bodies.columns(), &ends = motions.ends.columns();
    if (!starts.double_positions.empty() || !ends.double_positions.empty()) {
        const DVec2 at = of.position(i), origin = frame.bodies.position(a);
        body.position = {static_cast<float>(at.x - origin.x), static_cast<float>(at.y - origin.y)};
    }
    if (&of == &motions.ends && !starts.angles.empty() && !ends.angles.empty() && starts.angles[i] != ends.angles[i])
        body.rotation = {0, 0};
    return body;
}

void CastCall::put_hit(std::uint32_t i, const CastHitD& hit, bool is_swapped) const {
    hits[i] = hit.is_hit ? 1 : 0, out.time[i] = hit.time;
    put(out.signed_distance, i, hit.distance);
    const Vec2D from_b = {hit.b_from_a.x, hit.b_from_a.y};
    put(out.normal, i, narrowed(is_swapped ? -hit.normal : hit.normal));
    put(out.point_a, i, narrowed(is_swapped ? hit.point_b - from_b : hit.point_a));
    put(out.point_b, i, narrowed(is_swapped ? hit.point_a - from_b : hit.point_b));
    put(out.child_a, i, is_swapped ? hit.child_b : hit.child_a);
    put(out.child_b, i, is_swapped ? hit.child_a : hit.child_b);
}

void CastCall::cast_exactly(Entry entry) const {
    const std::uint32_t i = entry.pair();
    // A half-plane is B, also of a compound, which is of a later kind.
    if (frame.bodies.columns().shapes[entry.a].kind() == ShapeKind::halfplane)
        std::swap(entry.a, entry.b), entry.pair_and_swap ^= Entry::kSwapped;
    if (!has_valid_poses(entry.a) || !has_valid_poses(entry.b)) {
        status[i] = Status::bad_pose;
        return;
    }
    const DVec2 origin = frame.bodies.position(entry.a);
    const MovingD a = moving(tables, frame, motions, entry.a, origin),
                  b = moving(tables, frame, motions, entry.b, origin);
    const double smaller = std::min(size_of(tables, a.shape), size_of(tables, b.shape)),
                 tolerance = std::max(options.tolerance * smaller, 1e-12 * extent_of(a, b) + kLeastLength);
    CastHitD hit =
        cast_bodies(tables, a, b, {target(i), tolerance, smaller, latest(i), options.start, max_child_pairs});
    if (!hit.has_room) {
        status[i] = Status::no_room;
        return;
    }
    if (!hit.converged) status[i] = Status::not_converged;
    if (!hit.is_hit) return put_miss(i);
    const Vec2D from = a.at(hit.time).position;
    hit.point_a = hit.point_a - from, hit.point_b = hit.point_b - from, hit.b_from_a = b.at(hit.time).position - from;
    put_hit(i, hit, entry.swapped());
}

// Returns the number of pairs that were cast in double.
std::size_t CastCall::cast_range(const SortedPairs& sorted, const KindRange& range,
                                 const PlaneCastKernels& kernels) const {
    const auto kind_a = static_cast<ShapeKind>(range.kind_a), kind_b = static_cast<ShapeKind>(range.kind_b);
    Entry entries[kChunkPairs];
    sorted.for_each(range, [&](std::uint32_t i, std::uint32_t pair_and_swap) {
        entries[i] = entry_of(frame.pairs, pair_and_swap, kind_a == kind_b);
    });
    std::size_t exact = 0;
    if (!has_lanes(kind_a) || !has_lanes(kind_b)) {
        for (; exact < range.count; ++exact) cast_exactly(entries[exact]);
        return exact;
    }
    Body made[4][kChunkPairs];
    const Body* rows[4][kChunkPairs];
    float targets[kChunkPairs], latests[kChunkPairs];
    const bool has_records = !frame.bodies.records().empty() && !motions.ends.records().empty();
    for (std::uint32_t i = 0; i < whole_lanes(range.count); ++i) {
        const Entry& entry = entries[std::min(i, range.count - 1)];
        targets[i] = target(entry.pair()), latests[i] = latest(entry.pair());
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t body = k % 2 == 0 ? entry.a : entry.b;
            const Bodies& bodies = k < 2 ? frame.bodies : motions.ends;
            rows[k][i] = has_records ? record_at(bodies.records(), body) : &made[k][i];
            if (!has_records) made[k][i] = pose(bodies, body, entry.a);
        }
    }
    PlaneCastAnswers answers;
    kernels.run_plane_casts({kind_a, kind_b, range.count, rows[0], rows[1], rows[2], rows[3], tables.records_of(kind_a),
                             tables.records_of(kind_b), targets, latests, options.tolerance,
                             options.start == CastStart::stop, &answers});
    for (std::uint32_t i = 0; i < range.count; ++i) {
        if (!answers.is_known[i]) {
            cast_exactly(entries[i]), ++exact;
        } else if (!answers.is_hit[i]) {
            put_miss(entries[i].pair());
        } else {
            const auto wide = [](Vec2 v) { return Vec2D{v.x, v.y}; };
            put_hit(entries[i].pair(),
                    {true, answers.time[i], true, true, answers.distance[i], wide(answers.normal[i]),
                     wide(answers.point_a[i]), wide(answers.point_b[i]), wide(answers.b_from_a[i])},
                    entries[i].swapped());
        }
    }
    return exact;
}

}  // namespace

void CastQueries::answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    context.scratch.flag.assign(pairs, 0);
    const CastCall call = {ShapeTables::of(*frame.shapes),
                           frame,
                           motions,
                           options,
                           out,
                           context.scratch.flag.data(),
                           context.begin_statuses(pairs, out.status),
                           context.settings.max_child_pairs};
    sort_plane_pairs(frame, *context.kernels, context.executor, sorted, call.status);
    parallel_for(context.executor, sorted.ranges.size(), [&](std::size_t i) {
        const std::size_t exact = call.cast_range(sorted, sorted.ranges[i], *kernels);
        add_shared(context.counters.exact, exact);
    });
    for_each_in_blocks(context.executor, sorted.compounds.size(), kCastBlock,
                       [&](std::size_t i) { call.cast_exactly(sorted.compounds[i]); });
    for (std::uint32_t i = 0; i < pairs; ++i)
        if (call.status[i] != Status::ok && call.status[i] != Status::not_converged) call.put_nothing(i);
    if (options.reduction == CastReduction::first_of_body)
        keep_first(frame, frame.bodies.size(), out.time, call.hits, first_of,
                   [&](std::uint32_t i) { call.put_miss(i); });
    context.counters.exact += sorted.compounds.size();
    context.counters.pairs = pairs;
    context.counters.wide = pairs - context.counters.exact;
    context.give_hits(pairs, out);
}

}  // namespace abut::d2
