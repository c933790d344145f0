// A proof that no direction is shallower than a known one: the sphere of directions in cells, cells across lanes.
//
// Moving B along unit n by depth(n) parts the cores; depth(n) is the support function of E = A - B, the greatest n . e over e in E. For any
// one point e of E and a cell that is the cone of unit directions c_i, depth(n) >= min_i c_i . e for all n in the cell (where that is
// not negative): n is a sum of the c_i with weights that add up to 1 or more. So a cell wants one good point: the witness point itself,
// E's support point in its middle, or a point between two support points, where E has an edge or a face across the cell. A cell that has
// none is halved, across the way in which its points differ most.
//
// The first cells are rings of eight about the known direction, each about twice as wide as the one inside: the depth about a minimum
// grows with the square of the angle, and so may what a cell's point is short by.
#pragma once

#include "depth/polytope.hpp"

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

// Which corners lie on either side of a cell's middle line: along the spokes, or along the ring.
enum class Across { spokes, rings };
struct HalvesW {
    FloatW first, second;
};
template <Across kAcross>
ABUT_INLINE HalvesW halves(const BoundW& b) {
    if constexpr (kAcross == Across::spokes)
        return {min(b.at[0], b.at[2]), min(b.at[1], b.at[3])};
    else
        return {min(b.at[0], b.at[1]), min(b.at[2], b.at[3])};
}

struct BetweenW {
    FloatW least;   // by the best of the points between the two
    FloatW excess;  // by how much each of the two is better on its own half than on the other's
};

// Of the points between p and q, p being the first half's, one that does about as well for both.
template <Across kAcross>
ABUT_INLINE BetweenW between(const BoundW& p, const BoundW& q) {
    const FloatW zero = 0.0f, one = 1.0f;
    const HalvesW of_p = halves<kAcross>(p), of_q = halves<kAcross>(q);
    const FloatW p_excess = of_p.first - of_p.second, both = p_excess + (of_q.second - of_q.first);
    const FloatW share = max(zero, min(one, p_excess / select(both > zero, both, one)));
    const auto at = [&](int k) { return p.at[k] + (q.at[k] - p.at[k]) * share; };
    return {min(min(at(0), at(1)), min(at(2), at(3))), both};
}

ABUT_INLINE Vec3W unit(Vec3W v) { return v * (FloatW(1.0f) / sqrt(max(length_squared(v), FloatW(kTiny)))); }

struct VerdictW {
    std::uint32_t shallower;  // lanes whose middle really is; the others are then not looked at
    Vec3W middle;
    std::uint32_t open;       // lanes for which no point was good enough
    MaskW halve_rings;        // ... and how to go on: by halves along the ring, or else along the spokes
};

template <class Difference>
ABUT_INLINE VerdictW bound_cells(const Difference& e, const CellW& cell, FloatW depth, FloatW limit, std::uint32_t lanes) {
    const Vec3W(&c)[4] = cell.corner;
    const Vec3W middle = unit((c[0] + c[1]) * FloatW(kInnerShare) + (c[2] + c[3]) * FloatW(1.0f - kInnerShare));
    const Vec3W own = e.support_point(middle);
    VerdictW out = {(dot(middle, own) < limit).bits() & lanes, middle, 0, MaskW()};
    const BoundW by_own(cell, own);
    const FloatW by_witness = depth * min(min(c[0].z, c[1].z), min(c[2].z, c[3].z));
    out.open = lanes & ~(max(by_own.least(), by_witness) >= limit).bits();
    if (out.open == 0 || out.shallower != 0) return out;
    const BoundW by_from(cell, e.support_point(unit(c[0] + c[2]))), by_to(cell, e.support_point(unit(c[1] + c[3])));
    const BetweenW spokes = between<Across::spokes>(by_from, by_to);
    const FloatW with_own = max(between<Across::spokes>(by_from, by_own).least, between<Across::spokes>(by_own, by_to).least);
    out.open &= ~(max(spokes.least, with_own) >= limit).bits();
    if (out.open == 0) return out;
    const BoundW by_inner(cell, e.support_point(unit(c[0] + c[1]))), by_outer(cell, e.support_point(unit(c[2] + c[3])));
    const BetweenW rings = between<Across::rings>(by_inner, by_outer);
    out.open &= ~(rings.least >= limit).bits();
    out.halve_rings = rings.excess > spokes.excess;
    return out;
}

inline constexpr int kLanesAtMost = 16, kMaxCells = 384, kMaxHalvings = 24;

// Both halves of each open cell, as far as there is room; how many there are in all.
ABUT_INLINE void halve_cells(const CellW& cell, const VerdictW& verdict, Cells<kMaxCells>& into, int& count) {
    const int first = count;
    count += 2 * __builtin_popcount(verdict.open);
    if (count > kMaxCells - kLanesAtMost) return;
    const Vec3W(&c)[4] = cell.corner;
    const MaskW rings = verdict.halve_rings;
    // The middle line from m0 to m1; the first half keeps corner 0, the second corner 3.
    const Vec3W m0 = unit(c[0] + select(rings, c[2], c[1])), m1 = unit(c[3] + select(rings, c[1], c[2]));
    const Vec3W half[2][4] = {{c[0], select(rings, c[1], m0), select(rings, m0, c[2]), m1}, {m0, select(rings, m1, c[1]), select(rings, c[2], m1), c[3]}};
    for (int h = 0; h < 2; ++h)
        for (int k = 0; k < 4; ++k) {
            const LaneArray<float> x = lanes_of(half[h][k].x), y = lanes_of(half[h][k].y), z = lanes_of(half[h][k].z);
            int next = first + h;
            for_each_lane(verdict.open, [&](int lane) {
                into.corner[k][0][next] = x[lane], into.corner[k][1][next] = y[lane], into.corner[k][2][next] = z[lane];
                next += 2;
            });
        }
}

// `count` cells. What is open goes on, in halves, into `next`. The first direction that is shallower, if any, goes into `shallower`: the whole
// level is looked at before it or a lack of room is acted upon, so that the outcome does not depend on the number of lanes.
template <class Difference, int kCount>
ABUT_INLINE bool bound_level(const Difference& e, const Cells<kCount>& cells, int count, FloatW depth, FloatW limit, Cells<kMaxCells>& next,
                             int& next_count, Float3& shallower) {
    next_count = 0;
    for (int i = 0; i < count; i += kLanes) {
        const CellW cell = load_cells(cells, i);
        const VerdictW verdict = bound_cells(e, cell, depth, limit, lane_bits(static_cast<std::uint32_t>(count - i)));
        if (verdict.shallower != 0) {
            const Vec3W m = rotate(e.axes, verdict.middle);
            const int lane = __builtin_ctz(verdict.shallower);
            shallower = {lanes_of(m.x)[lane], lanes_of(m.y)[lane], lanes_of(m.z)[lane]};
            return true;
        }
        if (verdict.open != 0) halve_cells(cell, verdict, next, next_count);
    }
    return false;
}

}  // namespace cells_detail

enum class Proof { least, shallower, none };

// Whether, in one lane, no direction is shallower than `depth` (along unit `normal`) by more than `allowed`; else one that is.
template <class CoreA, class CoreB>
inline Proof prove_least(const PairW<CoreA, CoreB>& pair, Vec3W normal, float depth, float allowed, int lane, Float3& shallower) {
    using namespace cells_detail;
    const DifferenceW<CoreA, CoreB> e(pair, normal, lane);
    const FloatW limit = depth - allowed;
    // About the known direction itself there is no cell: the witness point says enough.
    if (!(depth * static_cast<float>(2.0 * kHalfTangent[0] * kHalfTangent[0]) <= allowed)) return Proof::none;
    Cells<kMaxCells> level[2];
    int count = 0;
    if (bound_level(e, kFirst, kFirstCells, depth, limit, level[0], count, shallower)) return Proof::shallower;
    for (int i = 0; count != 0; ++i) {
        if (count > kMaxCells - kLanesAtMost || i == kMaxHalvings) return Proof::none;
        if (bound_level(e, level[i % 2], count, depth, limit, level[(i + 1) % 2], count, shallower)) return Proof::shallower;
    }
    return Proof::least;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
