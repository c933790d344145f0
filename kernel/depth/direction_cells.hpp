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

#include "lanes/polytope.hpp"

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
ABUT_INLINE void set_same(const CustomCore& core, int lane, CustomCore& out) {
    set_same(static_cast<const CurvedCore&>(core), lane, static_cast<CurvedCore&>(out));
    out.custom.clear();
    if (core.kind == ShapeKind::custom) out.custom.set(kAllLanes, core.custom.support_of(lane));
}
ABUT_INLINE void set_same(const HullCore& core, int lane, HullCore& out) {
    for (int i = 0; i < kLanes; ++i) out.set_hull(i, *core.hull[lane]);
    out.scale = same(core.scale, lane);
}

// What the search's witness point may lie off B's core towards the surface of the whole (curved_depth.hpp).
template <class Core>
ABUT_INLINE float erosion_of(const Core&, int) {
    return 0.0f;
}
template <Curved Core>
ABUT_INLINE float erosion_of(const Core& core, int lane) {
    return core.kind == ShapeKind::ellipsoid ? lanes_of(core.erosion)[lane] : 0.0f;
}

ABUT_INLINE Vec3W farthest(const PointCore&, Vec3W) { return splat(0.0f); }
ABUT_INLINE Vec3W farthest(const ExtentCore& core, Vec3W d) { return copysign(core.extent, d); }
template <Curved Core>
ABUT_INLINE Vec3W farthest(const Core& core, Vec3W d) {
    return farthest_point(core, d);
}
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
          axes(axes_about(same(normal, lane))),
          offset(same(pair.offset, lane)) {
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
    ABUT_INLINE BoundW(const CellW& cell, Vec3W e)
        : at{dot(cell.corner[0], e), dot(cell.corner[1], e), dot(cell.corner[2], e), dot(cell.corner[3], e)} {}
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

inline constexpr int kLanesAtMost = 16, kBlock = 32, kMaxCells = 768, kMaxHalvings = 24;

// Cells that are still open, to be looked at again: as many as there is room for; `count` counts all.
template <int kRoom>
struct OpenCells {
    Cells<kRoom> cells;
    int count = 0;

    ABUT_INLINE bool is_full() const { return count > kRoom - kLanesAtMost; }
    ABUT_INLINE void append(const CellW& cell, std::uint32_t lanes) {
        const int first = count;
        count += bit_count(lanes);
        if (is_full()) return;
        for (int k = 0; k < 4; ++k) {
            const LaneArray<float> x = lanes_of(cell.corner[k].x), y = lanes_of(cell.corner[k].y), z = lanes_of(cell.corner[k].z);
            int next = first;
            for_each_lane(lanes, [&](int lane) {
                cells.corner[k][0][next] = x[lane], cells.corner[k][1][next] = y[lane], cells.corner[k][2][next] = z[lane];
                ++next;
            });
        }
    }
};

// The witness point, `depth` along the known direction, is of the difference of A's core and B's swept by `swept`.
struct CellWitnessW {
    FloatW depth, swept;
};

// First the points that are cheap: the witness point, and the support point in the middle. False where a direction is shallower, which
// proves the contrary: the first one found is as good as any, the lowest cell's whatever the number of lanes.
template <class Difference, int kCount, int kRoom>
ABUT_INLINE bool bound_by_middles(const Difference& e, const Cells<kCount>& cells, int count, CellWitnessW witness, FloatW limit,
                                  OpenCells<kRoom>& left, Float3& shallower) {
    left.count = 0;
    for (int i = 0; i < count; i += kLanes) {
        std::uint32_t lanes = lane_bits(static_cast<std::uint32_t>(count - i));
        const CellW cell = load_cells(cells, i);
        const Vec3W(&c)[4] = cell.corner;
        const FloatW by_witness = witness.depth * min(min(c[0].z, c[1].z), min(c[2].z, c[3].z)) - witness.swept;
        // What the witness point settles is not asked again, whatever its neighbours in the vector are.
        lanes &= ~(by_witness >= limit).bits();
        if (lanes == 0) continue;
        const Vec3W middle = (c[0] + c[1]) * FloatW(kInnerShare) + (c[2] + c[3]) * FloatW(1.0f - kInnerShare);
        const Vec3W own = e.support_point(middle);
        const std::uint32_t worse = (dot(middle, own) < limit * sqrt(length_squared(middle))).bits() & lanes;
        if (worse != 0) {
            const Vec3W m = rotate(e.axes, unit(middle));
            const int lane = lowest_bit(worse);
            shallower = {lanes_of(m.x)[lane], lanes_of(m.y)[lane], lanes_of(m.z)[lane]};
            return false;
        }
        const std::uint32_t open = lanes & ~(BoundW(cell, own).least() >= limit).bits();
        if (open != 0) left.append(cell, open);
    }
    return true;
}

// Then points between two support points, across the spokes and across the rings. What is open after that goes on in halves.
template <class Difference, int kCount>
ABUT_INLINE void bound_by_edges(const Difference& e, const Cells<kCount>& cells, int begin, int end, FloatW limit, OpenCells<kMaxCells>& halves) {
    halves.count = 0;
    for (int i = begin; i < end; i += kLanes) {
        const CellW cell = load_cells(cells, i);
        const Vec3W(&c)[4] = cell.corner;
        const auto bound = [&](int j, int k) { return BoundW(cell, e.support_point(c[j] + c[k])); };
        const BetweenW spokes = between<Across::spokes>(bound(0, 2), bound(1, 3));
        std::uint32_t open = lane_bits(static_cast<std::uint32_t>(end - i)) & ~(spokes.least >= limit).bits();
        if (open == 0) continue;
        const BetweenW rings = between<Across::rings>(bound(0, 1), bound(2, 3));
        open &= ~(rings.least >= limit).bits();
        if (open == 0) continue;
        // Along the middle line from m0 to m1; the first half keeps corner 0, the second corner 3.
        const MaskW along_ring = rings.excess > spokes.excess;
        const Vec3W m0 = unit(c[0] + select(along_ring, c[2], c[1])), m1 = unit(c[3] + select(along_ring, c[1], c[2]));
        const CellW first = {{c[0], select(along_ring, c[1], m0), select(along_ring, m0, c[2]), m1}};
        const CellW second = {{m0, select(along_ring, m1, c[1]), select(along_ring, c[2], m1), c[3]}};
        // One by one, so that the order does not depend on the number of lanes.
        for_each_lane(open, [&](int lane) {
            halves.append(first, 1u << lane);
            halves.append(second, 1u << lane);
        });
    }
}

}  // namespace cells_detail

enum class Proof { least, shallower, none };

// Whether, in one lane, no direction is shallower than `depth` (along unit `normal`) by more than `allowed`; else one that is.
template <class CoreA, class CoreB>
inline Proof prove_least(const PairW<CoreA, CoreB>& pair, Vec3W normal, float depth, float allowed, int lane, Float3& shallower) {
    using namespace cells_detail;
    const DifferenceW<CoreA, CoreB> e(pair, normal, lane);
    const FloatW limit = depth - allowed;
    const float swept = erosion_of(pair.b, lane);
    const CellWitnessW witness = {FloatW(depth + swept), FloatW(swept)};
    // About the known direction itself there is no cell: the witness point says enough.
    if (!((depth + swept) * static_cast<float>(2.0 * kHalfTangent[0] * kHalfTangent[0]) <= allowed)) return Proof::none;
    static_assert(kBlock % kLanes == 0);
    OpenCells<kFirstCells + kLanesAtMost> first;
    if (!bound_by_middles(e, kFirst, kFirstCells, witness, limit, first, shallower)) return Proof::shallower;
    OpenCells<kMaxCells> open, halves;
    // A block after the other, each to its end: where the depth hardly changes along a ring there are thousands of cells.
    for (int at = 0; at < first.count; at += kBlock) {
        bound_by_edges(e, first.cells, at, at + kBlock < first.count ? at + kBlock : first.count, limit, halves);
        for (int i = 0; halves.count != 0; ++i) {
            if (halves.is_full() || i == kMaxHalvings) return Proof::none;
            if (!bound_by_middles(e, halves.cells, halves.count, witness, limit, open, shallower)) return Proof::shallower;
            if (open.is_full()) return Proof::none;
            bound_by_edges(e, open.cells, 0, open.count, limit, halves);
        }
    }
    return Proof::least;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
