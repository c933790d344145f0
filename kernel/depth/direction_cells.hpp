// A proof that no direction is shallower than a known one: the sphere of directions in cells, cells across lanes.
//
// Moving B along unit n by depth(n) parts the cores; depth(n) is the support function of E = A - B, the greatest n . e over e in E. For any
// one point e of E and a cell that is the cone of unit directions c_i, depth(n) >= min_i c_i . e for all n in the cell (where that is
// not negative): n is a sum of the c_i with weights that add up to 1 or more. So a cell wants one good point: the witness point itself,
// E's support point in its middle, or a point between two support points, where E has an edge or a face across the cell. A cell that has
// none is split in four.
//
// The first cells are rings of eight about the known direction, each about twice as wide as the one inside: the depth about a minimum
// grows with the square of the angle, and so may what a cell's point is short by.
#pragma once

#include "separation/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace cells_detail {

inline constexpr int kSpokes = 8, kRings = 12, kFirstCells = kSpokes * kRings;
// Tangents of half the angles to the known direction where rings begin; the last one closes the sphere.
inline constexpr double kHalfTangent[kRings] = {0.00125, 0.0026, 0.0053, 0.011, 0.022, 0.045, 0.09, 0.18, 0.34, 0.6, 1.0, 2.0};
// A cell is asked nearer its inner edge, where less has grown.
inline constexpr float kInnerShare = 0.7f;

struct Direction {
    float x, y, z;
};

// By the tangent of half the angle to z; no square root and no sine, so that the table is made by the compiler.
constexpr Direction direction_at(double half_tangent, double cosine, double sine) {
    const double t = half_tangent, over = 1.0 / (1.0 + t * t);
    return {static_cast<float>(2.0 * t * cosine * over), static_cast<float>(2.0 * t * sine * over), static_cast<float>((1.0 - t * t) * over)};
}

// Corners 0 and 1 are inner, 2 and 3 outer; 0 and 2 on one spoke, 1 and 3 on the next. In coordinates whose z is the known direction.
template <int kCount>
struct Cells {
    alignas(64) float corner[4][3][kCount];
};

constexpr Cells<kFirstCells> make_first_cells() {
    // Of multiples of an eighth of a turn.
    constexpr double half = 0.70710678118654752, cosine[8] = {1, half, 0, -half, -1, -half, 0, half};
    Cells<kFirstCells> cells = {};
    for (int spoke = 0; spoke < kSpokes; ++spoke)
        for (int ring = 0; ring < kRings; ++ring)
            for (int k = 0; k < 4; ++k) {
                const int at = ring + k / 2, turn = (spoke + k % 2) % 8;
                const Direction c = at == kRings ? Direction{0, 0, -1} : direction_at(kHalfTangent[at], cosine[turn], cosine[(turn + 6) % 8]);
                const int i = spoke * kRings + ring;
                cells.corner[k][0][i] = c.x, cells.corner[k][1][i] = c.y, cells.corner[k][2][i] = c.z;
            }
    return cells;
}
inline constexpr Cells<kFirstCells> kFirst = make_first_cells();

struct CellW {
    Vec3W corner[4];
};
template <int kCount>
ABUT_INLINE CellW load_cells(const Cells<kCount>& cells, int i) {
    CellW cell;
    ABUT_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
        const float(&c)[3][kCount] = cells.corner[k];
        cell.corner[k] = {FloatW::load(c[0] + i), FloatW::load(c[1] + i), FloatW::load(c[2] + i)};
    }
    return cell;
}

// One lane's core in all lanes.
ABUT_INLINE Vec3W same(Vec3W v, int lane) { return {lanes_of(v.x)[lane], lanes_of(v.y)[lane], lanes_of(v.z)[lane]}; }
ABUT_INLINE void set_same(const PointCore&, int, PointCore&) {}
ABUT_INLINE void set_same(const ExtentCore& core, int lane, ExtentCore& out) { out.extent = same(core.extent, lane); }
ABUT_INLINE void set_same(const CurvedCore& core, int lane, CurvedCore& out) {
    out.kind = core.kind;
    out.extent = same(core.extent, lane);
    out.erosion = lanes_of(core.erosion)[lane];
}
ABUT_INLINE void set_same(const HullCore& core, int lane, HullCore& out) {
    for (int i = 0; i < kLanes; ++i) out.hull[i] = core.hull[lane], out.index_mask[i] = core.index_mask[lane];
    out.scale = same(core.scale, lane);
}

ABUT_INLINE Vec3W farthest(const PointCore&, Vec3W) { return splat(0.0f); }
ABUT_INLINE Vec3W farthest(const ExtentCore& core, Vec3W d) { return copysign(core.extent, d); }
ABUT_INLINE Vec3W farthest(const CurvedCore& core, Vec3W d) { return farthest_point(core, d); }
ABUT_INLINE Vec3W farthest(const HullCore& core, Vec3W d) {
    IntW id;
    return support(core, d, kAllLanes, id);
}

// Two unit vectors square to n and to each other [Duff et al. 2017].
ABUT_INLINE Mat3W axes_about(Vec3W n) {
    const FloatW one = 1.0f, sign = copysign(one, n.z), a = -(one / (sign + n.z)), b = n.x * n.y * a;
    return {{one + sign * n.x * n.x * a, sign * b, -(sign * n.x)}, {b, sign + n.y * n.y * a, -n.y}, n};
}

// One pair, and the known direction's axes: E's support points in them.
template <class CoreA, class CoreB>
struct DifferenceW {
    CoreA a;
    CoreB b;
    Mat3W turn, axes;
    Vec3W offset;

    DifferenceW(const PairW<CoreA, CoreB>& pair, Vec3W normal, int lane)
        : turn{same(pair.rotation.x, lane), same(pair.rotation.y, lane), same(pair.rotation.z, lane)},
          axes(axes_about(same(normal, lane))), offset(same(pair.offset, lane)) {
        set_same(pair.a, lane, a);
        set_same(pair.b, lane, b);
    }
    ABUT_INLINE Vec3W support_point(Vec3W direction) const {
        const Vec3W d = rotate(axes, direction);
        return rotate_back(axes, farthest(a, d) - rotate(turn, farthest(b, rotate_back(turn, -d))) - offset);
    }
};

// What a point says at each corner.
struct BoundW {
    FloatW at[4];
    ABUT_INLINE BoundW(const CellW& cell, Vec3W e) : at{dot(cell.corner[0], e), dot(cell.corner[1], e), dot(cell.corner[2], e), dot(cell.corner[3], e)} {}
    ABUT_INLINE FloatW least() const { return min(min(at[0], at[1]), min(at[2], at[3])); }
};

// Of the points between two, of which `p` is for the corners 0 and 2, one that does about as well for all.
ABUT_INLINE FloatW least_between(const BoundW& p, const BoundW& q) {
    const FloatW zero = 0.0f, one = 1.0f;
    const FloatW p_excess = min(p.at[0], p.at[2]) - min(p.at[1], p.at[3]), q_excess = min(q.at[1], q.at[3]) - min(q.at[0], q.at[2]);
    const FloatW both = p_excess + q_excess;
    const FloatW share = max(zero, min(one, p_excess / select(both > zero, both, one)));
    const auto at = [&](int k) { return p.at[k] + (q.at[k] - p.at[k]) * share; };
    return min(min(at(0), at(1)), min(at(2), at(3)));
}

ABUT_INLINE Vec3W unit(Vec3W v) { return v * (FloatW(1.0f) / sqrt(max(length_squared(v), FloatW(kTiny)))); }

enum class Verdict { proved, open, shallower };

// The lanes of `cell` for which no point was good enough; none where some direction is really shallower.
template <class Difference>
ABUT_INLINE Verdict bound_cells(const Difference& e, const CellW& cell, FloatW depth, FloatW limit, std::uint32_t lanes, std::uint32_t& open) {
    const Vec3W inner = cell.corner[0] + cell.corner[1], outer = cell.corner[2] + cell.corner[3];
    const Vec3W middle = unit(inner * FloatW(kInnerShare) + outer * FloatW(1.0f - kInnerShare));
    const Vec3W own = e.support_point(middle);
    if (((dot(middle, own) < limit).bits() & lanes) != 0) return Verdict::shallower;
    const BoundW by_own(cell, own);
    const FloatW by_witness = depth * min(min(cell.corner[0].z, cell.corner[1].z), min(cell.corner[2].z, cell.corner[3].z));
    open = lanes & ~(max(by_own.least(), by_witness) >= limit).bits();
    if (open == 0) return Verdict::proved;
    const BoundW by_from(cell, e.support_point(unit(cell.corner[0] + cell.corner[2]))), by_to(cell, e.support_point(unit(cell.corner[1] + cell.corner[3])));
    const FloatW between = max(least_between(by_from, by_to), max(least_between(by_from, by_own), least_between(by_own, by_to)));
    open &= ~(between >= limit).bits();
    return open == 0 ? Verdict::proved : Verdict::open;
}

inline constexpr int kMaxCells = 512, kMaxSplits = 6;

// The four quarters of each open cell; false where there is no room for them.
template <int kCount>
inline bool split_cells(const CellW& cell, std::uint32_t open, Cells<kCount>& into, int& count) {
    const Vec3W(&c)[4] = cell.corner;
    const Vec3W inner = unit(c[0] + c[1]), outer = unit(c[2] + c[3]), from = unit(c[0] + c[2]), to = unit(c[1] + c[3]), middle = unit(inner + outer);
    const Vec3W quarter[4][4] = {{c[0], inner, from, middle}, {inner, c[1], middle, to}, {from, middle, c[2], outer}, {middle, to, outer, c[3]}};
    if (count + 4 * __builtin_popcount(open) > kCount - 16) return false;
    int next = count;
    for (int q = 0; q < 4; ++q)
        for (int k = 0; k < 4; ++k) {
            const LaneArray<float> x = lanes_of(quarter[q][k].x), y = lanes_of(quarter[q][k].y), z = lanes_of(quarter[q][k].z);
            next = count + q;
            for_each_lane(open, [&](int lane) {
                into.corner[k][0][next] = x[lane], into.corner[k][1][next] = y[lane], into.corner[k][2][next] = z[lane];
                next += 4;
            });
        }
    count += 4 * __builtin_popcount(open);
    return true;
}

}  // namespace cells_detail

// Whether, in one lane, no direction is shallower than `depth` (along unit `normal`) by more than `allowed`.
template <class CoreA, class CoreB>
inline bool is_least_depth(const PairW<CoreA, CoreB>& pair, Vec3W normal, float depth, float allowed, int lane) {
    using namespace cells_detail;
    const DifferenceW<CoreA, CoreB> e(pair, normal, lane);
    const FloatW limit = depth - allowed;
    // About the known direction itself there is no cell: the witness point says enough.
    if (!(depth * static_cast<float>(2.0 * kHalfTangent[0] * kHalfTangent[0]) <= allowed)) return false;
    Cells<kMaxCells> level[2];
    int count = 0;
    for (int i = 0; i < kFirstCells; i += kLanes) {
        const CellW cell = load_cells(kFirst, i);
        std::uint32_t open;
        const Verdict verdict = bound_cells(e, cell, depth, limit, kAllLanes, open);
        if (verdict == Verdict::shallower || (verdict == Verdict::open && !split_cells(cell, open, level[0], count))) return false;
    }
    for (int split = 0; count != 0; ++split) {
        if (split == kMaxSplits) return false;
        const Cells<kMaxCells>& now = level[split % 2];
        const int cells = count;
        count = 0;
        for (int i = 0; i < cells; i += kLanes) {
            const CellW cell = load_cells(now, i);
            std::uint32_t open;
            const Verdict verdict = bound_cells(e, cell, depth, limit, lane_bits(static_cast<std::uint32_t>(cells - i)), open);
            if (verdict == Verdict::shallower || (verdict == Verdict::open && !split_cells(cell, open, level[(split + 1) % 2], count))) return false;
        }
    }
    return true;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
