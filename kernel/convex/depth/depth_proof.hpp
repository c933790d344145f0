// A proof that no direction is shallower than a known one: the sphere of directions is divided into wedges, one wedge
// per lane.
//
// Moving B along unit n by depth(n) separates the cores; depth(n) is the support function of E = A - B, the maximum of
// n . e over e in E. So each point e of E bounds the depth from below in all directions.
//
// A wedge lies between two meridians; the known direction is the pole. Let m be the lesser of the heights of e in the
// two directions where the meridians cross the equator. At angle t from the pole, e bounds the depth across the whole
// wedge by e.z cos t + m sin t, a wave that exceeds the wanted depth in one interval of angles. The witness point
// proves a wedge up to some angle, its front. Each further point proves an interval that contains the front, and
// advances it, up to the opposite pole: E's support point in the middle of the front or, if E has an edge or face
// across the wedge, a point between two support points. A wedge without such a point is halved.
//
// Intervals grow with the angle, because near a minimum the depth grows with its square: eight wedges need about forty
// points.
#pragma once

#include "convex/depth/direction.hpp"
#include "convex/lanes/polytope.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace cells_detail {

using namespace direction_detail;

// An axis less than 45 degrees from the known direction defines no good perpendicular.
inline constexpr float kLeastSideSquared = 0.5f;

// A vector of one lane, copied to all lanes.
ABUT_INLINE Vec3W same(Vec3W v, int lane) { return {lanes_of(v.x)[lane], lanes_of(v.y)[lane], lanes_of(v.z)[lane]}; }
ABUT_INLINE void set_same(const PointCore&, int, PointCore&) {}
ABUT_INLINE void set_same(const ExtentCore& core, int lane, ExtentCore& out) { out.extent = same(core.extent, lane); }
ABUT_INLINE void set_same(const CurvedCore& core, int lane, CurvedCore& out) {
    out.kind = core.kind;
    out.extent = same(core.extent, lane);
    out.erosion = lanes_of(core.erosion)[lane];
}
ABUT_INLINE void set_same(const CustomCore& core, int lane, CustomCore& out) {
    set_same(static_cast<const CurvedCore&>(core), lane, static_cast<CurvedCore&>(out));
    out.custom.clear();
    if (core.kind == ShapeKind::custom) out.custom.set(kAllLanes, core.custom.support_of(lane));
}
ABUT_INLINE void set_same(const HullCore& core, int lane, HullCore& out) {
    for (int i = 0; i < kLanes; ++i) out.set_hull(i, *core.hull[lane]);
    out.scale = same(core.scale, lane);
}

// The largest distance of the search's witness point from B's core: an ellipsoid's erosion, because the point may be
// anywhere in the whole ellipsoid (curved_depth.hpp); otherwise 0.
template <class Core>
ABUT_INLINE float erosion_of(const Core&, int) {
    return 0.0f;
}
template <Curved Core>
ABUT_INLINE float erosion_of(const Core& core, int lane) {
    return core.kind == ShapeKind::ellipsoid ? lanes_of(core.erosion)[lane] : 0.0f;
}

// Two unit vectors perpendicular to n and to each other. The first is nearest to `lateral`, so that a fold of E across
// it is on the border of wedges.
ABUT_INLINE Mat3W axes_along(Vec3W n, Vec3W lateral) {
    const Vec3W across = lateral - n * dot(n, lateral);
    const FloatW squared = length_squared(across);
    const MaskW has_side = squared > FloatW(kLeastSideSquared);
    const Vec3W x = across * (FloatW(1.0f) / sqrt(select(has_side, squared, FloatW(1.0f))));
    const Mat3W any = tangent_axes(n);
    return {select(has_side, x, any.x), select(has_side, cross(n, x), any.y), n};
}

// The axis of the curved core; if both cores are curved, the axis that is closer to perpendicular to the known
// direction.
template <class CoreA>
ABUT_INLINE Vec3W reference_direction(const CoreA&, Vec3W, Vec3W y) {
    return y;
}
template <Curved CoreA>
ABUT_INLINE Vec3W reference_direction(const CoreA&, Vec3W n, Vec3W y) {
    return select(abs(n.y) < abs(dot(n, y)), {FloatW(0.0f), FloatW(1.0f), FloatW(0.0f)}, y);
}

// The pair of one lane, copied to all lanes, in axes whose z is the known direction. Computes support points of E = A -
// B.
template <class CoreA, class CoreB>
struct DifferenceW {
    CoreA a;
    CoreB b;
    Mat3W own_a, own_b;  // the cores' own axes
    Vec3W offset;

    DifferenceW(const PairW<CoreA, CoreB>& pair, Vec3W normal, int lane) {
        const Vec3W n = same(normal, lane), x = same(pair.rotation.x, lane), y = same(pair.rotation.y, lane),
                    z = same(pair.rotation.z, lane);
        const Mat3W axes = axes_along(n, reference_direction(pair.a, n, y));
        own_a = {{axes.x.x, axes.y.x, axes.z.x}, {axes.x.y, axes.y.y, axes.z.y}, {axes.x.z, axes.y.z, axes.z.z}};
        own_b = {rotate_back(axes, x), rotate_back(axes, y), rotate_back(axes, z)};
        offset = rotate_back(axes, same(pair.offset, lane));
        set_same(pair.a, lane, a);
        set_same(pair.b, lane, b);
    }
    ABUT_INLINE Vec3W support_point(Vec3W d) const {
        return rotate(own_a, farthest(a, rotate_back(own_a, d), kAllLanes)) -
               rotate(own_b, farthest(b, rotate_back(own_b, -d), kAllLanes)) - offset;
    }
    // A direction in A's axes.
    ABUT_INLINE Vec3W in_a(Vec3W d) const { return rotate_back(own_a, d); }
};

// The wedge between two meridians, proved up to an angle from the known direction.
struct WedgeW {
    FloatW from_x, from_y, to_x, to_y;  // where the meridians cross the equator
    FloatW cosine, sine;

    template <class Self, class F>
    ABUT_INLINE static void each(Self& w, F&& f) {
        f(w.from_x), f(w.from_y), f(w.to_x), f(w.to_y), f(w.cosine), f(w.sine);
    }
};

inline constexpr int kSpokes = 8, kLanesAtMost = 16, kMaxWedges = 256, kMaxRounds = 96;
// A front is stuck if it advances by less than kLeastAdvance times the sine of its angle: the tangent of half the angle
// then grows by less than this factor. The weights of a direction (see widen_wedges) add up to at most 1 / cos(pi / 8).
inline constexpr float kLeastAdvance = 0.05f, kMostWeights = 1.0824f;

// Wedges that remain to be proved, in an order that does not depend on the number of lanes.
struct Wedges {
    alignas(64) float value[6][kMaxWedges + kLanesAtMost];
    int count = 0;

    ABUT_INLINE WedgeW load(int i) const {
        WedgeW w;
        int k = 0;
        WedgeW::each(w, [&](FloatW& of_lanes) { of_lanes = FloatW::load_unaligned(value[k++] + i); });
        return w;
    }
    // Wedges beyond the capacity are only counted; then is_full() is true.
    ABUT_INLINE void append(const WedgeW& w, std::uint32_t lanes) {
        if (lanes == 0) return;
        int k = 0;
        if (!is_full()) WedgeW::each(w, [&](FloatW of_lanes) { store_lanes(of_lanes, lanes, value[k++] + count); });
        count += bit_count(lanes);
    }
    ABUT_INLINE void append(const Wedges& others) {
        for (int i = 0; i < others.count; i += kLanes)
            append(others.load(i), lane_bits(static_cast<std::uint32_t>(others.count - i)));
    }
    ABUT_INLINE bool is_full() const { return count > kMaxWedges; }
};

// The meridians of the first wedges, 45 degrees apart; the first one is repeated at the end.
inline constexpr float kHalfRoot = 0.70710678f;
alignas(64) inline constexpr float kFirstX[kSpokes + kLanesAtMost] = {1,          kHalfRoot, 0,         -kHalfRoot, -1,
                                                                      -kHalfRoot, 0,         kHalfRoot, 1};
alignas(64) inline constexpr float kFirstY[kSpokes + kLanesAtMost] = {0,          kHalfRoot, 1,          kHalfRoot, 0,
                                                                      -kHalfRoot, -1,        -kHalfRoot, 0};

ABUT_INLINE void begin(FloatW cosine, FloatW sine, Wedges& all) {
    for (int i = 0; i < kSpokes; i += kLanes) {
        const WedgeW w = {FloatW::load_unaligned(kFirstX + i),
                          FloatW::load_unaligned(kFirstY + i),
                          FloatW::load_unaligned(kFirstX + i + 1),
                          FloatW::load_unaligned(kFirstY + i + 1),
                          cosine,
                          sine};
        all.append(w, lane_bits(static_cast<std::uint32_t>(kSpokes - i)));
    }
}

// The heights of a point of E: along the known direction, and along the equator's direction on either meridian.
struct ReachW {
    FloatW along, from, to;
    ABUT_INLINE FloatW front_height_from(const WedgeW& w) const { return w.cosine * along + w.sine * from; }
    ABUT_INLINE FloatW front_height_to(const WedgeW& w) const { return w.cosine * along + w.sine * to; }
};
ABUT_INLINE ReachW reach_of(Vec3W e, const WedgeW& w) {
    return {e.z, w.from_x * e.x + w.from_y * e.y, w.to_x * e.x + w.to_y * e.y};
}

// A point on the segment from p to q that is about equally high on both meridians at the front.
ABUT_INLINE ReachW between(const ReachW& p, const ReachW& q, const WedgeW& w) {
    const FloatW zero = 0.0f, one = 1.0f;
    const FloatW p_excess = p.front_height_from(w) - p.front_height_to(w),
                 both = p_excess + (q.front_height_to(w) - q.front_height_from(w));
    const FloatW share = max(zero, min(one, p_excess / select(both > zero, both, one)));
    return {p.along + (q.along - p.along) * share, p.from + (q.from - p.from) * share, p.to + (q.to - p.to) * share};
}

struct AdvanceW {
    std::uint32_t advanced, done;  // advanced: to a larger angle; done: to the opposite pole
};

// The support value of E is at least that of its point e. In a wedge, this lower bound is `limit` or more in one
// interval of angles from the known direction. For each wedge in `lanes`, moves the front to the interval's end if the
// interval contains the front and the front is not stuck (kLeastAdvance).
ABUT_INLINE AdvanceW widen_wedges(WedgeW& w, const ReachW& e, FloatW limit, std::uint32_t lanes) {
    const FloatW zero = 0.0f;
    FloatW aside = min(e.from, e.to);
    // A unit vector between the meridians is a weighted sum of both. The weights add up to between 1 and kMostWeights.
    aside = select(aside < zero, aside * FloatW(kMostWeights), aside);
    const MaskW holds = w.cosine * e.along + w.sine * aside >= limit;
    const FloatW squared = e.along * e.along + aside * aside, root = sqrt(max(zero, squared - limit * limit));
    const FloatW over = FloatW(1.0f) / max(squared, FloatW(kTiny));
    const FloatW cosine = (e.along * limit - aside * root) * over, sine = (aside * limit + e.along * root) * over;
    const MaskW moves = holds & (sine * w.cosine - cosine * w.sine > FloatW(kLeastAdvance) * w.sine);
    w.cosine = select(moves, cosine, w.cosine);
    w.sine = select(moves, sine, w.sine);
    const std::uint32_t advanced = moves.bits() & lanes, done = (sine <= zero).bits() & advanced;
    return {advanced & ~done, done};
}

// The unit direction on the equator halfway between the meridians.
struct MiddleW {
    FloatW x, y;
    ABUT_INLINE explicit MiddleW(const WedgeW& w) {
        const FloatW sum_x = w.from_x + w.to_x, sum_y = w.from_y + w.to_y,
                     by = FloatW(1.0f) / sqrt(sum_x * sum_x + sum_y * sum_y);
        x = sum_x * by, y = sum_y * by;
    }
};

// Advances each wedge by one support point, in the middle of its front. Returns false if a direction is shallower,
// which disproves the depth. `shallower` is then the direction in the wedge of lowest index, so that it does not depend
// on the number of lanes.
template <class Difference>
ABUT_INLINE bool advance_by_middles(const Difference& e, const Wedges& wedges, FloatW limit, Wedges& next,
                                    Wedges& stuck, Float3& shallower) {
    for (int i = 0; i < wedges.count; i += kLanes) {
        const std::uint32_t lanes = lane_bits(static_cast<std::uint32_t>(wedges.count - i));
        WedgeW w = wedges.load(i);
        const MiddleW middle(w);
        const Vec3W d = {w.sine * middle.x, w.sine * middle.y, w.cosine};
        const Vec3W p = e.support_point(d);
        if (const std::uint32_t worse = (dot(d, p) < limit).bits() & lanes; worse != 0) {
            const Vec3W n = e.in_a(d * (FloatW(1.0f) / sqrt(length_squared(d))));
            const int lane = lowest_bit(worse);
            shallower = {lanes_of(n.x)[lane], lanes_of(n.y)[lane], lanes_of(n.z)[lane]};
            return false;
        }
        const AdvanceW advance = widen_wedges(w, reach_of(p, w), limit, lanes);
        next.append(w, advance.advanced);
        stuck.append(w, lanes & ~(advance.advanced | advance.done));
    }
    return true;
}

// Tries a point between the support points at both ends of each front. Halves the wedges that this point does not
// advance.
template <class Difference>
ABUT_INLINE void advance_by_edges(const Difference& e, const Wedges& stuck, FloatW limit, Wedges& next) {
    Wedges second;
    for (int i = 0; i < stuck.count; i += kLanes) {
        const std::uint32_t lanes = lane_bits(static_cast<std::uint32_t>(stuck.count - i));
        WedgeW w = stuck.load(i);
        const ReachW from = reach_of(e.support_point({w.sine * w.from_x, w.sine * w.from_y, w.cosine}), w);
        const ReachW to = reach_of(e.support_point({w.sine * w.to_x, w.sine * w.to_y, w.cosine}), w);
        const AdvanceW advance = widen_wedges(w, between(from, to, w), limit, lanes);
        const std::uint32_t open = lanes & ~(advance.advanced | advance.done);
        const MiddleW middle(w);
        WedgeW half = w;
        const MaskW halves = MaskW::from_bits(open);
        half.to_x = select(halves, middle.x, w.to_x), half.to_y = select(halves, middle.y, w.to_y);
        next.append(half, advance.advanced | open);
        w.from_x = middle.x, w.from_y = middle.y;
        second.append(w, open);
    }
    next.append(second);
}

}  // namespace cells_detail

enum class Proof { least, shallower, none };

// For the pair of one lane: returns `least` if no direction is shallower than `depth` (along unit `normal`) by more
// than `allowed`. A disproof sets `shallower`.
template <class CoreA, class CoreB>
inline Proof prove_least(const PairW<CoreA, CoreB>& pair, Vec3W normal, float depth, float allowed, int lane,
                         Float3& shallower) {
    using namespace cells_detail;
    // No depth is negative.
    if (depth <= allowed) return Proof::least;
    const DifferenceW<CoreA, CoreB> e(pair, normal, lane);
    const FloatW limit = depth - allowed, one = 1.0f;
    // Near the known direction, where 1 - cosine <= allowed / (depth + erosion), the witness point alone is a proof.
    const FloatW less = min(FloatW(1.0f), FloatW(allowed) / FloatW(depth + erosion_of(pair.b, lane)));
    Wedges lists[2], stuck;
    begin(one - less, sqrt(less * (FloatW(2.0f) - less)), lists[0]);
    for (int round = 0; round < kMaxRounds; ++round) {
        const Wedges& now = lists[round % 2];
        Wedges& next = lists[(round + 1) % 2];
        next.count = stuck.count = 0;
        if (!advance_by_middles(e, now, limit, next, stuck, shallower)) return Proof::shallower;
        if (stuck.count != 0) advance_by_edges(e, stuck, limit, next);
        if (next.is_full()) return Proof::none;
        if (next.count == 0) return Proof::least;
    }
    return Proof::none;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
