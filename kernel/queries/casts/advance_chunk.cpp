// Advances pairs in time as far as separating axes prove them apart, one pair per lane: first by the axis of the
// distance, then by axes found here, while each axis proves a later time.
#include <cstddef>

#include "queries/casts/axes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void advance_motions(const MotionChunk& chunk);

namespace {

// The most chords per axis.
constexpr int kMostChords = 2;
// The most axes tried before the pairs are regrouped, because finished lanes are idle.
constexpr int kMostAxes = 4;
// The times proved by successive axes converge with a constant ratio. If the ratio is below kMostRatio, the next axis
// is chosen at the predicted limit. The axis after that one then gains only about kLeftAhead of its usual gain.
constexpr double kMostRatio = 0.25, kLeftAhead = 0.15;

// A pair is advanced until its gap is `level`. It is a hit if its distance exceeds `level` by at most twice `room`.
struct LevelW {
    DoubleW level, room;
    ABUT_INLINE DoubleW near() const { return room * DoubleW(0.5); }
};

// Upper bounds on the speed at which a gap shrinks, and on its second derivative.
struct RatesW {
    DoubleW closing, curvature;
};
// Derivatives of the height h = n . (x - p) of a point x over a half-space through p, whose normal n rotates at w: h''
// = n'' . (x - p) + 2 n' . (x' - p') + n . (x'' - p'').
ABUT_INLINE void add_plane_rates(const GapW& gap, const DoubleW& radius_a, const DoubleW& radius_b, RatesW& rates) {
    const DoubleW angle = gap.a.half_angle + gap.a.half_angle, spin = gap.b.half_angle + gap.b.half_angle,
                  swing = angle * radius_a;
    const DoubleW speed = norm(gap.a.displacement - gap.b.displacement) + swing, by_spin = spin * radius_b;
    const DoubleMaskW spins = DoubleW(0.0) < spin;
    rates.closing = select(spins, speed + by_spin, rates.closing);
    rates.curvature = select(spins, spin * (by_spin + speed + speed) + angle * swing, rates.curvature);
}
ABUT_INLINE RatesW rates_along(const GapW& gap, const DoubleW& radius_a, const DoubleW& radius_b) {
    RatesW rates = {gap.closing, 0.0};
    const auto add = [&](const MovingW& shape, const SeenAxisW& seen, const DoubleW& radius) {
        if (!shape.rotates) return;
        const DoubleW angle = shape.half_angle + shape.half_angle, swing = norm(seen.by_sine) * (angle * radius);
        rates.closing = rates.closing + swing, rates.curvature = rates.curvature + angle * swing;
    };
    add(gap.a, gap.seen_a, radius_a), add(gap.b, gap.seen_b, radius_b);
    if (gap.b.is_plane() && gap.b.rotates) add_plane_rates(gap, radius_a, radius_b, rates);
    return rates;
}

// The first s in [0, end] at which c + b s + a s^2 is no more than 0; `end` if there is none. a >= 0, c > 0.
ABUT_INLINE DoubleW first_root(const DoubleW& a, const DoubleW& b, const DoubleW& c, const DoubleW& end) {
    const DoubleW zero = 0.0, below = b * b - DoubleW(4.0) * a * c;
    const DoubleMaskW has_root = (b < zero) & ~(below < zero);
    const DoubleW root = (c + c) / select(has_root, sqrt(select(has_root, below, DoubleW(1.0))) - b, DoubleW(1.0));
    return select(has_root, min(root, end), end);
}

// The time until which the gap is proved to stay above the level, by chords or, if it proves more, by the maximum
// speed. `above`: the gap minus the level at `time`, for `active` lanes. Stops near the level, where another axis
// proves more than another chord.
ABUT_NOINLINE DoubleW advance_by(const GapW& gap, const RatesW& rates, DoubleMaskW active, DoubleW above, DoubleW time,
                                 const DoubleW& latest, const LevelW& to, std::uint32_t lanes) {
    const DoubleW zero = 0.0, one = 1.0, none = HUGE_VAL, half = 0.5;
    const DoubleMaskW closes = zero < rates.closing, is_curved = zero < rates.curvature,
                      approaches = zero < gap.closing;
    DoubleW crossing = select(approaches, above / select(approaches, gap.closing, one), none);
    for (int i = 0;; ++i) {
        const DoubleW left = latest - time, straight = select(closes, above / select(closes, rates.closing, one), left);
        const DoubleMaskW reaches_end = ~(straight < left);
        time = select(active & reaches_end, latest, select(active & ~is_curved, time + straight, time));
        active = active & ~reaches_end & is_curved;
        if (!any(active)) return time;
        // The longer of two proved times: a constant chord of this length, or a chord of half this length that falls to
        // 0.
        const DoubleW level = sqrt(select(active, DoubleW(8.0) * above / select(active, rates.curvature, one), zero));
        const DoubleW wanted = min(crossing, i == 0 ? level : half * level);
        const DoubleW length = select(active, min(max(wanted, DoubleW(1.5) * straight), left), one);
        const DoubleW above_end = gap.at(time + length, lanes) - to.level;
        const DoubleW slope = (above_end - above) / length, bend = half * rates.curvature;
        const DoubleW step = first_root(bend, slope - bend * length, above, length);
        const DoubleMaskW is_whole = ~(step < length), ends = is_whole & (length == left);
        time = select(active, select(ends, latest, time + max(step, straight)), time);
        active = active & ~ends & (to.near() < select(is_whole, above_end, above + slope * step));
        if (i + 1 == kMostChords || !any(active)) return time;
        above = select(is_whole, above_end, gap.at(time, lanes) - to.level);
        crossing = select(slope < zero, above / -slope, none);
        active = active & (to.near() < above);
    }
}

struct GroupW {
    MovingW a, b;
    DoubleW radius_a = 0.0, radius_b = 0.0;  // distances of points from the axes of rotation
    DVec3W apart = {0.0, 0.0, 0.0},
           approach = {0.0, 0.0, 0.0};  // from A's centre of rotation to B's at time 0, and its change until time 1
    FloatW scale;                       // 1 / the larger size
};

ABUT_INLINE DVec3W arm_at(const MovingW& shape, const QuatDW& orientation) {
    return rotated_by(orientation, shape.arm);
}

// The orientation at a time, in floats.
ABUT_INLINE Mat3W columns_at(const MovingW& shape, const DoubleW& time) {
    QuatW q = narrow(shape.start);
    if (shape.rotates) {
        const SinCosFW half = sin_cos(narrow(shape.half_angle * time));
        const Vec3W u = narrow(shape.axis) * half.sin;
        q = QuatW{u.x, u.y, u.z, half.cos} * q;
    }
    return to_matrix(q, FloatW(1.0f));
}

ABUT_NOINLINE DVec3W propose_axis(const GroupW& group, const DoubleW& time, const DoubleW& level) {
    const MovingW &a = group.a, &b = group.b;
    if (b.is_plane()) return plane_axis(b, time);
    DVec3W offset = group.apart + group.approach * time;
    if (a.has_arm) offset = offset - arm_at(a, orientation_at(a, time));
    if (b.has_arm) offset = offset + arm_at(b, orientation_at(b, time));
    if (!finds_axes(b.kind)) return offset;
    const DoubleW scale = widen(group.scale);
    PosedPairW pair;
    pair.axes = columns_at(a, time);
    pair.rotation = transpose_times(pair.axes, columns_at(b, time));
    pair.offset = rotate_back(pair.axes, narrow(offset * scale));
    pair.approach = rotate_back(pair.axes, narrow(group.approach * scale));
    pair.extent_a = narrow(a.extent * scale), pair.extent_b = narrow(b.extent * scale);
    const DoubleW swing = (a.half_angle * group.radius_a + b.half_angle * group.radius_b) * DoubleW(2.0);
    pair.swing = narrow(swing * scale), pair.level = narrow((level + a.radius + b.radius) * scale);
    return widen(rotate(pair.axes, b.kind == ShapeKind::box ? box_axis(pair) : round_axis(pair)));
}

struct RowsW {
    MotionPair* pair[kLanes];

    template <class Get>
    ABUT_INLINE DoubleW doubles(Get&& get) const {
        LaneArray<double> a;
        for (int lane = 0; lane < kLanes; ++lane) a[lane] = get(*pair[lane]);
        return load(a);
    }
};

ABUT_NOINLINE void load_group(const RowsW& rows, std::uint32_t lanes, GroupW& group) {
    LaneArray<float> size;
    bool is_new = false;
    for (int lane = 0; lane < kLanes; ++lane) {
        const MotionPair& pair = *rows.pair[lane];
        group.a.core[lane] = &pair.a, group.b.core[lane] = &pair.b;
        const float size_a = pair.a.record->size, size_b = pair.b.record->size;
        size[lane] = size_a < size_b ? size_b : size_a;
        is_new |= pair.axis_radius_a < 0;
    }
    load_core(group.a), load_core(group.b);
    load_motion(group.a), load_motion(group.b);
    group.apart = group.b.centre - group.a.centre, group.approach = group.b.displacement - group.a.displacement;
    group.scale = FloatW(1.0f) / load(size);
    if (!group.a.rotates && !group.b.rotates) return;
    if (is_new) {
        // The rotation of a half-space moves its plane at the other shape's points.
        const DoubleW farthest = max(norm(group.apart), norm(group.apart + group.approach)) + group.a.reach;
        const LaneArray<double> a = lanes_of(axis_radius(group.a)),
                                b = lanes_of(group.b.is_plane() ? farthest : axis_radius(group.b));
        for_each_lane(lanes, [&](int lane) {
            rows.pair[lane]->axis_radius_a = a[lane], rows.pair[lane]->axis_radius_b = b[lane];
        });
    }
    group.radius_a = rows.doubles([](const MotionPair& pair) { return pair.axis_radius_a; });
    group.radius_b = rows.doubles([](const MotionPair& pair) { return pair.axis_radius_b; });
}

// Writes the poses of the pairs at a time. At time 0, and without rotation, orientations are the given ones.
ABUT_NOINLINE void place_group(const GroupW& group, const RowsW& rows, std::uint32_t lanes, const DoubleW& time,
                               Body* const* bodies) {
    const QuatDW at_a = orientation_at(group.a, time), at_b = orientation_at(group.b, time);
    DVec3W offset = group.apart + group.approach * time;
    if (group.a.has_arm) offset = offset - arm_at(group.a, at_a);
    if (group.b.has_arm) offset = offset + arm_at(group.b, at_b);
    const Vec3W rounded = narrow(offset), rest = narrow(widen(rounded) - offset);
    const QuatW qa = narrow(at_a), qb = narrow(at_b);
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
    for (int lane = 0; lane < kLanes; ++lane)
        rows.pair[lane] = chunk.pairs[first + (std::uint32_t(lane) < count ? std::uint32_t(lane) : count - 1)];
    const std::uint32_t lanes = lane_bits(count);
    GroupW group;
    load_group(rows, lanes, group);
    const double* from_target[kLanes];
    const double* from_time[kLanes];
    LaneArray<double> start_flags, axis_flags, asked_flags;
    for (int lane = 0; lane < kLanes; ++lane) {
        const MotionPair& pair = *rows.pair[lane];
        from_target[lane] = &pair.target, from_time[lane] = &pair.time;
        start_flags[lane] = pair.starts, axis_flags[lane] = pair.has_axis, asked_flags[lane] = pair.needs_distance;
    }
    DoubleW at_target[4] = {0.0, 0.0, 0.0, 0.0}, at_time[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(from_target, at_target), transpose_doubles4(from_time, at_time);
    const DoubleW zero = 0.0, one = 1.0, half = 0.5, latest = at_time[1], distance = at_time[2];
    const LevelW to = {at_target[0] + half * at_target[1], half * at_target[1]};
    DoubleW time = at_time[0], step = at_target[2], ratio = at_target[3], ahead = 0.0;
    DoubleMaskW starts = zero < load(start_flags), needs_distance = zero < load(asked_flags), active = ~needs_distance;
    const DoubleMaskW has_axis = zero < load(axis_flags);
    DoubleMaskW is_stuck = one < zero;
    const bool finds = finds_axes(group.b.kind), has_normal = group.b.is_plane();
    // For boxes that do not rotate, the best axis is the one along which they meet last: most are in contact there.
    const DoubleMaskW turns = zero < group.a.half_angle + group.b.half_angle;
    const DoubleW left = group.b.kind == ShapeKind::box ? select(turns, one, zero) : one;
    for (int i = 0; i < (finds ? kMostAxes : 1) && any(active); ++i) {
        const DoubleMaskW takes_given = i == 0 ? has_axis : one < zero;
        DVec3W axis = {zero, zero, zero};
        if (i > 0 || has_normal || any(~has_axis)) axis = propose_axis(group, min(time + ahead, latest), to.level);
        if (i == 0 && !has_normal && any(has_axis)) {
            const DVec3W given = {rows.doubles([](const MotionPair& pair) { return double(pair.normal.x); }),
                                  rows.doubles([](const MotionPair& pair) { return double(pair.normal.y); }),
                                  rows.doubles([](const MotionPair& pair) { return double(pair.normal.z); })};
            axis = select(has_axis, given, axis);
        }
        const GapW gap(group.a, group.b, unit_axis(axis));
        const DoubleW above = gap.at(time, lanes) - to.level, from = time;
        // If a pair starts within the target, its distance decides.
        const DoubleW least = select(starts, to.room, zero);
        const DoubleMaskW proves = active & (least < above);
        const RatesW rates = rates_along(gap, group.radius_a, group.radius_b);
        time = advance_by(gap, rates, proves, above, time, latest, to, lanes);
        // If the axis of the distance proves nothing, the certified distance itself may prove a later time.
        const DoubleMaskW fails = active & takes_given & ~(from < time);
        if (any(fails)) {
            const DoubleW fastest =
                norm(group.approach) +
                (group.a.half_angle * group.radius_a + group.b.half_angle * group.radius_b) * DoubleW(2.0);
            const DoubleW apart = distance - at_time[3] - to.level;
            is_stuck = fails & ~(zero < apart);
            time = select(fails & ~is_stuck, min(latest, time + apart / fastest), time);
        }
        const DoubleW stepped = time - from;
        const DoubleMaskW was_ahead = zero < ahead, is_plain = proves & ~was_ahead & ~takes_given,
                          has_two = is_plain & (zero < step);
        ratio = select(has_two, min(stepped / select(has_two, step, one), DoubleW(0.7)), ratio);
        step = select(is_plain, stepped, zero);
        const DoubleW predicted = above * ratio * left * select(was_ahead, DoubleW(kLeftAhead), one);
        ahead = select(is_plain & (ratio < DoubleW(kMostRatio)), stepped * ratio / (one - ratio), zero);
        // No further axes if the next one would not pay. If the axis for a predicted time does not separate the shapes,
        // the best axis is tried.
        const DoubleMaskW is_over = (proves | (fails & ~is_stuck)) & ~(time < latest),
                          goes_on = (max(to.near(), least) < predicted) & (from < time);
        const DoubleMaskW ends = active & ~takes_given & ~goes_on & ~(was_ahead & ~proves);
        starts = starts & ~proves;
        needs_distance = needs_distance | (ends & ~is_over);
        active = active & ~is_over & ~ends;
    }
    if (!finds) needs_distance = needs_distance | active;
    is_stuck = is_stuck & ~(at_time[0] < time);
    const LaneArray<double> times = lanes_of(time), steps = lanes_of(step), ratios = lanes_of(ratio),
                            needs = lanes_of(select(needs_distance, one, zero)),
                            stuck = lanes_of(select(is_stuck, one, zero));
    for_each_lane(lanes, [&](int lane) {
        MotionPair& pair = *rows.pair[lane];
        pair.time = times[lane], pair.step = steps[lane], pair.ratio = ratios[lane],
        pair.needs_distance = needs[lane] != 0, pair.is_stuck = stuck[lane] != 0;
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
