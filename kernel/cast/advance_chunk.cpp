// Moves pairs ahead in time as far as separating axes prove them apart, one pair per lane: the axis of the distance, then axes found here, as long as each
// proves more.
#include <cstddef>

#include "cast/axes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void advance_motions(const MotionChunk& chunk);

namespace {

// Chords along one axis: each costs two gaps.
constexpr int kMostChords = 2;
// Axes that are tried before the pairs are gathered again: lanes that are done wait for the others.
constexpr int kMostAxes = 4;

// Bounds on how fast a gap shrinks, and on its second derivative.
struct RatesW {
    DoubleW closing, curvature;
};
ABUT_INLINE RatesW rates_along(const GapW& gap, const DVec3W& axis, const DoubleW& radius_a, const DoubleW& radius_b) {
    const DoubleW angle_a = gap.a.half_angle + gap.a.half_angle, angle_b = gap.b.half_angle + gap.b.half_angle;
    const DoubleW swing_a = norm(cross(axis, gap.a.axis)) * (angle_a * radius_a), swing_b = norm(cross(axis, gap.b.axis)) * (angle_b * radius_b);
    return {gap.closing + swing_a + swing_b, angle_a * swing_a + angle_b * swing_b};
}

// The first s in [0, end] at which c + b s + a s^2 is no more than 0; `end` if there is none. a >= 0, c > 0.
ABUT_INLINE DoubleW first_root(const DoubleW& a, const DoubleW& b, const DoubleW& c, const DoubleW& end) {
    const DoubleW zero = 0.0, below = b * b - DoubleW(4.0) * a * c;
    const DoubleMaskW has_root = (b < zero) & ~(below < zero);
    const DoubleW root = (c + c) / select(has_root, sqrt(select(has_root, below, DoubleW(1.0))) - b, DoubleW(1.0));
    return select(has_root, min(root, end), end);
}

// Of the lanes of `active`, whose gap is `above` the level at `time`: the time as far as chords prove the gap to stay so; or by its greatest speed, if that
// proves more. Near where the gap ends another axis is worth more than another chord.
template <class Gap>
ABUT_INLINE DoubleW advance_by(const RatesW& rates, DoubleMaskW active, DoubleW above, DoubleW time, const DoubleW& latest, const DoubleW& near,
                               const Gap& gap) {
    const DoubleW zero = 0.0, none = HUGE_VAL, half = 0.5;
    DoubleW crossing = none;
    const DoubleMaskW closes = zero < rates.closing, is_curved = zero < rates.curvature;
    for (int i = 0; i < kMostChords && any(active); ++i) {
        const DoubleW left = latest - time, straight = select(closes, above / select(closes, rates.closing, DoubleW(1.0)), left);
        const DoubleMaskW reaches_end = ~(straight < left);
        time = select(active & reaches_end, latest, select(active & ~is_curved, time + straight, time));
        active = active & ~reaches_end & is_curved;
        if (!any(active)) break;
        // A level chord of this length is proved, and a chord down to 0 of half of it.
        const DoubleW level = sqrt(select(active, DoubleW(8.0) * above / select(active, rates.curvature, DoubleW(1.0)), zero));
        const DoubleW wanted = select(crossing < none, min(crossing, half * level), level);
        const DoubleW length = select(active, min(max(wanted, DoubleW(1.5) * straight), left), DoubleW(1.0)), above_end = gap(time + length);
        const DoubleW slope = (above_end - above) / length, bend = half * rates.curvature;
        const DoubleW step = first_root(bend, slope - bend * length, above, length);
        const DoubleMaskW is_whole = ~(step < length);
        const DoubleMaskW ends = is_whole & (length == left);
        const DoubleW next = select(ends, latest, time + max(step, straight));
        time = select(active, next, time);
        active = active & ~ends;
        if (i + 1 == kMostChords || !any(active)) break;
        above = select(is_whole, above_end, gap(time));
        crossing = select(slope < zero, above / -slope, none);
        active = active & (near < above);
    }
    return time;
}

struct GroupW {
    MovingW a, b;
    DoubleW radius_a = 0.0, radius_b = 0.0;  // from the axes of rotation
    FloatW scale;                            // 1 / the larger size
};

// Both bodies at a time, as the axes are looked for.
ABUT_INLINE Mat3W columns_of(const QuatDW& q) { return to_matrix(narrow(q), FloatW(1.0f)); }

struct PosesDW {
    QuatDW a, b;
    DVec3W b_from_a;
};
ABUT_INLINE PosesDW poses_at(const MovingW& a, const MovingW& b, const DoubleW& time) {
    const QuatDW qa = orientation_at(a, turned_at(a, time)), qb = orientation_at(b, turned_at(b, time));
    const DVec3W centres = (b.centre - a.centre) + (b.displacement - a.displacement) * time;
    return {qa, qb, centres + (rotated_by(qb, b.arm) - rotated_by(qa, a.arm))};
}

ABUT_NOINLINE DVec3W propose_axis(const GroupW& group, const DoubleW& time, const DoubleW& level) {
    const MovingW &a = group.a, &b = group.b;
    const PosesDW poses = poses_at(a, b, time);
    PosedPairW pair;
    pair.axes = columns_of(poses.a);
    pair.rotation = transpose_times(pair.axes, columns_of(poses.b));
    const DoubleW scale = widen(group.scale);
    pair.offset = rotate_back(pair.axes, narrow(poses.b_from_a * scale));
    pair.approach = rotate_back(pair.axes, narrow((b.displacement - a.displacement) * scale));
    pair.extent_a = narrow(a.extent * scale), pair.extent_b = narrow(b.extent * scale);
    const DoubleW swing = (a.half_angle * group.radius_a + b.half_angle * group.radius_b) * DoubleW(2.0);
    pair.swing = narrow(swing * scale), pair.level = narrow((level + a.radius + b.radius) * scale);
    Vec3W n = centre_axis(pair);
    if (b.kind == ShapeKind::box)
        n = box_axis(pair);
    else if (b.kind == ShapeKind::sphere || b.kind == ShapeKind::capsule)
        n = round_axis(pair);
    return widen(rotate(pair.axes, n));
}

// Unit; of no direction, some axis.
ABUT_INLINE DVec3W unit_axis(const DVec3W& n) {
    const DoubleW squared = dot(n, n), zero = 0.0, one = 1.0;
    const DoubleMaskW exists = zero < squared;
    return select(exists, n * (one / sqrt(select(exists, squared, one))), {zero, one, zero});
}

ABUT_INLINE bool finds_axes(ShapeKind b) { return b == ShapeKind::box || b == ShapeKind::sphere || b == ShapeKind::capsule; }

struct RowsW {
    MotionPair* pair[kLanes];

    template <class Get>
    ABUT_INLINE DoubleW doubles(Get&& get) const {
        LaneArray<double> a;
        for (int lane = 0; lane < kLanes; ++lane) a[lane] = get(*pair[lane]);
        return load(a);
    }
};

ABUT_NOINLINE GroupW load_group(const MotionChunk& chunk, const RowsW& rows, std::uint32_t lanes) {
    GroupW group;
    const RigidMotion *motions_a[kLanes], *motions_b[kLanes];
    const MovingCore *cores_a[kLanes], *cores_b[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        cores_a[lane] = &rows.pair[lane]->a, cores_b[lane] = &rows.pair[lane]->b;
        motions_a[lane] = cores_a[lane]->motion, motions_b[lane] = cores_b[lane]->motion;
    }
    load_core(cores_a, chunk.kind_a, group.a), load_core(cores_b, chunk.kind_b, group.b);
    load_motion(motions_a, group.a), load_motion(motions_b, group.b);
    LaneArray<float> size;
    bool is_new = false;
    for (int lane = 0; lane < kLanes; ++lane) {
        const float size_a = rows.pair[lane]->a.record->size, size_b = rows.pair[lane]->b.record->size;
        size[lane] = size_a < size_b ? size_b : size_a;
        is_new |= rows.pair[lane]->axis_radius_a < 0;
    }
    group.scale = FloatW(1.0f) / load(size);
    if (is_new) {
        const LaneArray<double> a = lanes_of(axis_radius(group.a)), b = lanes_of(axis_radius(group.b));
        for_each_lane(lanes, [&](int lane) { rows.pair[lane]->axis_radius_a = a[lane], rows.pair[lane]->axis_radius_b = b[lane]; });
    }
    group.radius_a = rows.doubles([](const MotionPair& pair) { return pair.axis_radius_a; });
    group.radius_b = rows.doubles([](const MotionPair& pair) { return pair.axis_radius_b; });
    return group;
}

// Writes where the pairs are at a time. At time 0, and without rotation, orientations are as given.
ABUT_NOINLINE void place_group(const GroupW& group, const RowsW& rows, std::uint32_t lanes, const DoubleW& time, Body* const* bodies) {
    const PosesDW poses = poses_at(group.a, group.b, time);
    const Vec3W rounded = narrow(poses.b_from_a), rest = narrow(widen(rounded) - poses.b_from_a);
    const QuatW qa = narrow(poses.a), qb = narrow(poses.b);
    const LaneRecords4 to_b(rounded.x, rounded.y, rounded.z, rounded.z), to_a(rest.x, rest.y, rest.z, rest.z);
    const LaneRecords4 turned_a(qa.x, qa.y, qa.z, qa.w), turned_b(qb.x, qb.y, qb.z, qb.w);
    for_each_lane(lanes, [&](int lane) {
        const MotionPair& pair = *rows.pair[lane];
        const auto put = [&](const MovingCore& core, const float* position, const float* turned, Body& body) {
            body.position = {position[0], position[1], position[2]};
            const bool is_given = pair.time == 0 || core.motion->half_angle == 0;
            body.orientation = is_given ? core.motion->first : Quat{turned[0], turned[1], turned[2], turned[3]};
        };
        put(pair.a, to_a[lane], turned_a[lane], bodies[lane][0]);
        put(pair.b, to_b[lane], turned_b[lane], bodies[lane][1]);
    });
}

void advance_group(const MotionChunk& chunk, std::uint32_t first, std::uint32_t count) {
    RowsW rows;
    for (int lane = 0; lane < kLanes; ++lane) rows.pair[lane] = chunk.pairs[first + (std::uint32_t(lane) < count ? std::uint32_t(lane) : count - 1)];
    const std::uint32_t lanes = lane_bits(count);
    const GroupW group = load_group(chunk, rows, lanes);
    const DoubleW target = rows.doubles([](const MotionPair& pair) { return pair.target; });
    const DoubleW tolerance = rows.doubles([](const MotionPair& pair) { return pair.tolerance; });
    const DoubleW latest = rows.doubles([](const MotionPair& pair) { return pair.latest; });
    const DoubleW distance = rows.doubles([](const MotionPair& pair) { return pair.distance; });
    const DoubleW start = rows.doubles([](const MotionPair& pair) { return pair.time; });
    const DoubleW zero = 0.0, one = 1.0, half = 0.5, quarter = 0.25;
    const DoubleW level = target + half * tolerance, near = quarter * tolerance;
    DoubleMaskW starts = zero < rows.doubles([](const MotionPair& pair) { return pair.starts ? 1.0 : 0.0; });
    const DoubleMaskW has_axis = zero < rows.doubles([](const MotionPair& pair) { return pair.has_axis ? 1.0 : 0.0; });
    const DVec3W given = {rows.doubles([](const MotionPair& pair) { return double(pair.normal.x); }),
                          rows.doubles([](const MotionPair& pair) { return double(pair.normal.y); }),
                          rows.doubles([](const MotionPair& pair) { return double(pair.normal.z); })};
    DoubleW time = start;
    DoubleMaskW needs_distance = zero < rows.doubles([](const MotionPair& pair) { return pair.needs_distance ? 1.0 : 0.0; });
    DoubleMaskW active = ~needs_distance;
    const int most = finds_axes(chunk.kind_b) ? kMostAxes : 1;
    for (int i = 0; i < most; ++i) {
        DVec3W axis = given;
        const DoubleMaskW takes_given = i == 0 ? has_axis : one < zero;
        if (i > 0 || any(~has_axis)) axis = select(takes_given, given, propose_axis(group, time, level));
        axis = unit_axis(axis);
        const GapW gap(group.a, group.b, axis);
        const DoubleW above = gap.at(time, lanes) - level;
        // A start within the target is left to its distance.
        const DoubleW least = select(starts, half * tolerance, zero);
        const DoubleMaskW proves = active & (least < above);
        const RatesW rates = rates_along(gap, axis, group.radius_a, group.radius_b);
        const DoubleW next = advance_by(rates, proves, above, time, latest, near, [&](const DoubleW& at) { return gap.at(at, lanes) - level; });
        // The distance itself is certified where its axis proves nothing.
        const DoubleMaskW is_stuck = active & takes_given & ~(time < next);
        const DoubleW fastest = norm(group.a.displacement - group.b.displacement) +
                                (group.a.half_angle * group.radius_a + group.b.half_angle * group.radius_b) * DoubleW(2.0);
        const DoubleW from = time;
        time = select(proves, next, time);
        time = select(is_stuck, min(latest, time + (distance - level) / fastest), time);
        // Another axis may prove more where this one did not come to its end.
        const DoubleMaskW is_over = (proves | is_stuck) & ~(time < latest), ends = active & ~takes_given & ~((max(near, least) < above) & (from < time));
        starts = starts & ~proves;
        needs_distance = needs_distance | (ends & ~is_over);
        active = active & ~is_over & ~ends;
        if (!any(active)) break;
    }
    if (most == 1) needs_distance = needs_distance | active;
    const LaneArray<double> times = lanes_of(time), needs = lanes_of(select(needs_distance, one, zero));
    for_each_lane(lanes, [&](int lane) {
        MotionPair& pair = *rows.pair[lane];
        pair.time = times[lane], pair.needs_distance = needs[lane] != 0;
        pair.starts = pair.starts && pair.time == 0;
        pair.has_axis = false;
    });
    if (any(needs_distance)) place_group(group, rows, lanes, time, chunk.bodies + first);
}

}  // namespace

void advance_motions(const MotionChunk& chunk) {
    for (std::uint32_t first = 0; first < chunk.count; first += kLanes)
        advance_group(chunk, first, chunk.count - first < kLanes ? chunk.count - first : kLanes);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
