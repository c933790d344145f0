// Vectors, poses and cores of the plane, one pair per lane.
#pragma once

#include "d2/convex/plane_chunk.hpp"
#include "d2/convex/plane_edges.hpp"
#include "simd/gather.hpp"

namespace abut::d2 {
template <>
struct TypesFor<ABUT_ISA_NAMESPACE::FloatW> {
    using Mask = ABUT_ISA_NAMESPACE::MaskW;
    using Index = ABUT_ISA_NAMESPACE::IntW;
};

// Copied by members: gcc 12 copies a trivial struct of vectors by halves, for which later loads of the whole wait.
template <>
struct Vec2Of<ABUT_ISA_NAMESPACE::FloatW> {
    using FloatW = ABUT_ISA_NAMESPACE::FloatW;
    FloatW x, y;
    Vec2Of() = default;
    ABUT_INLINE Vec2Of(FloatW of_x, FloatW of_y) : x(of_x), y(of_y) {}
    ABUT_INLINE Vec2Of(const Vec2Of& from) : x(from.x), y(from.y) {}
    ABUT_INLINE Vec2Of& operator=(const Vec2Of& from) {
        x = from.x, y = from.y;
        return *this;
    }
};
}  // namespace abut::d2

namespace abut::ABUT_ISA_NAMESPACE {

using Vec2W = abut::d2::Vec2Of<FloatW>;
using EdgeW = abut::d2::EdgeOf<FloatW>;
using AxisW = abut::d2::AxisOf<FloatW>;
ABUT_INLINE MaskW operator!(MaskW a) { return ~a; }

struct RotW {
    FloatW c, s;
    RotW() = default;
    ABUT_INLINE RotW(FloatW cosine, FloatW sine) : c(cosine), s(sine) {}
    ABUT_INLINE RotW(const RotW& from) : c(from.c), s(from.s) {}  // as Vec2Of's
    ABUT_INLINE RotW& operator=(const RotW& from) {
        c = from.c, s = from.s;
        return *this;
    }
};
ABUT_INLINE Vec2W operator*(RotW r, Vec2W a) { return {r.c * a.x - r.s * a.y, r.s * a.x + r.c * a.y}; }
ABUT_INLINE Vec2W unrotated(RotW r, Vec2W a) { return {r.c * a.x + r.s * a.y, r.c * a.y - r.s * a.x}; }

// The records of the shapes of a group's bodies.
struct RecordsW {
    const std::byte* table;     // of the kind
    IntW word0;                 // each record's place in it, in words
    const float* rows[kLanes];  // each record

    ABUT_INLINE FloatW word(IntW at) const { return float_of(gather<4>(table, word0 + at)); }
};

// The axes of a frame, as vectors of which products are known.
struct AxisXW {
    ABUT_INLINE operator Vec2W() const { return {FloatW(1.0f), FloatW(0.0f)}; }
    ABUT_INLINE friend FloatW dot(AxisXW, Vec2W b) { return b.x; }
    ABUT_INLINE friend Vec2W unrotated(RotW r, AxisXW) { return {r.c, -r.s}; }
};
struct AxisYW {
    ABUT_INLINE operator Vec2W() const { return {FloatW(0.0f), FloatW(1.0f)}; }
    ABUT_INLINE friend FloatW dot(AxisYW, Vec2W b) { return b.y; }
    ABUT_INLINE friend Vec2W unrotated(RotW r, AxisYW) { return {r.s, r.c}; }
};

// --- Cores, relative to their centres ---
//
// Each has
//   most_along(n)   the largest n . x of its points x
//   rotated_by(r)    the core in axes in which its own are r
//   edge_along(n)   its edge whose normal is nearest to n, but not that normal, which few pairs need
//   normal_of(e, n)  the normal of edge e = edge_along(n)
//   each_axis(f)    calls f(normal, offset) for each edge, or for one of each two opposite edges if it is symmetric
// and kHasEdges, and kIsSymmetric: with x it has -x.

struct PointCoreW {
    static constexpr bool kHasEdges = false, kIsSymmetric = true;
    ABUT_INLINE explicit PointCoreW(const RecordsW&) {}
    ABUT_INLINE FloatW most_along(Vec2W) const { return 0.0f; }
    ABUT_INLINE PointCoreW rotated_by(RotW) const { return *this; }
    ABUT_INLINE EdgeW edge_along(Vec2W n) const {
        const Vec2W zero = {FloatW(0.0f), FloatW(0.0f)};
        return {zero, zero, n, IntW(0), IntW(0)};
    }
    ABUT_INLINE Vec2W normal_of(const EdgeW&, Vec2W n) const { return n; }
    template <class F>
    ABUT_INLINE void each_axis(F&&) const {}
};

struct SegmentCoreW {
    static constexpr bool kHasEdges = true, kIsSymmetric = true;
    Vec2W half, normal;  // CapsuleRecord
    ABUT_INLINE explicit SegmentCoreW(const RecordsW& records) {
        FloatW r[4];
        transpose_records4(records.rows, r, 4);
        half = {r[0], r[1]}, normal = {r[2], r[3]};
    }
    ABUT_INLINE FloatW most_along(Vec2W n) const { return abs(dot(n, half)); }
    ABUT_INLINE SegmentCoreW rotated_by(RotW r) const {
        SegmentCoreW out = *this;
        out.half = r * half, out.normal = r * normal;
        return out;
    }
    ABUT_INLINE EdgeW edge_along(Vec2W n) const {
        const FloatW along = dot(n, normal);
        const IntW is_second = bits_of(along) >> 31;
        return {{flip_sign(-half.x, along), flip_sign(-half.y, along)},
                {flip_sign(half.x, along), flip_sign(half.y, along)},
                n,
                is_second,
                IntW(1) - is_second};
    }
    ABUT_INLINE Vec2W normal_of(const EdgeW& edge, Vec2W) const {
        const FloatW is_second = float_of(edge.id0 << 31);
        return {flip_sign(normal.x, is_second), flip_sign(normal.y, is_second)};
    }
    template <class F>
    ABUT_INLINE void each_axis(F&& f) const {
        const MaskW is_point = (normal.x == FloatW(0.0f)) & (normal.y == FloatW(0.0f));
        f(normal, select(is_point, FloatW(abut::d2::kNoEdge), FloatW(0.0f)));
    }
};

// `kTurned`: its axes are not those of the frame.
template <bool kTurned>
struct BoxCoreW {
    static constexpr bool kHasEdges = true, kIsSymmetric = true;
    FloatW half_x, half_y;
    RotW axes;  // if it is turned
    ABUT_INLINE explicit BoxCoreW(const RecordsW& records) {
        FloatW r[4];
        transpose_records4(records.rows, r, 4);
        half_x = r[0], half_y = r[1];
    }
    ABUT_INLINE BoxCoreW(FloatW x, FloatW y, RotW turn) : half_x(x), half_y(y), axes(turn) {}
    template <class Axis>
    ABUT_INLINE Vec2W local(Axis n) const {
        if constexpr (kTurned) return unrotated(axes, n);
        return n;
    }
    ABUT_INLINE Vec2W in_frame(Vec2W n) const {
        if constexpr (kTurned) return axes * n;
        return n;
    }
    template <class Axis>
    ABUT_INLINE FloatW most_along(Axis n) const {
        const Vec2W l = local(n);
        return abs(l.x) * half_x + abs(l.y) * half_y;
    }
    ABUT_INLINE BoxCoreW<true> rotated_by(RotW r) const { return {half_x, half_y, r}; }
    ABUT_INLINE EdgeW edge_along(Vec2W n) const {
        const Vec2W l = local(n);
        const MaskW is_x = abs(l.x) > abs(l.y);
        const FloatW along = select(is_x, l.x, l.y);
        // The edge +x has the corners (+,-) and (+,+), the edge +y (+,+) and (-,+).
        const FloatW x = flip_sign(half_x, along), y = flip_sign(half_y, along);
        const Vec2W from = {x, select(is_x, -y, y)}, to = {select(is_x, x, -x), y};
        // BoxRecord's corners: +x begins at 1, +y at 2, -x at 3, -y at 0.
        const IntW first = select(is_x, IntW(1), IntW(2)) + ((bits_of(along) >> 31) << 1);
        return {in_frame(from), in_frame(to), n, first & IntW(3), (first + IntW(1)) & IntW(3)};
    }
    ABUT_INLINE Vec2W normal_of(const EdgeW& edge, Vec2W) const {
        // Edges +x and +y are 1 and 2.
        const MaskW is_x = (edge.id0 & IntW(1)) == IntW(1);
        const FloatW one = flip_sign(FloatW(1.0f), float_of(((edge.id0 - IntW(1)) & IntW(2)) << 30)), zero = 0.0f;
        return in_frame({select(is_x, one, zero), select(is_x, zero, one)});
    }
    template <class F>
    ABUT_INLINE void each_axis(F&& f) const {
        if constexpr (kTurned)
            f(Vec2W{axes.c, axes.s}, half_x), f(Vec2W{-axes.s, axes.c}, half_y);
        else
            f(AxisXW(), half_x), f(AxisYW(), half_y);
    }
};

// `kTurned`: corners and normals are in axes in which its own are `turn`.
template <int N, bool kTurned>
struct PolygonCoreW {
    static constexpr bool kHasEdges = true, kIsSymmetric = false;
    RecordsW records;
    RotW turn;
    FloatW x[N], y[N], normal_x[N], normal_y[N], offset[N];

    PolygonCoreW() = default;
    ABUT_INLINE explicit PolygonCoreW(const RecordsW& of) : records(of) {
        const auto load = [&](FloatW(&to)[N], int at) {
            ABUT_UNROLL(2)
            for (int i = 0; i < N; i += 4) {
                FloatW four[4];
                transpose_records4(records.rows, four, 4 + at * N + i);
                for (int k = 0; k < 4; ++k) to[i + k] = four[k];
            }
        };
        load(x, 0), load(y, 1), load(normal_x, 2), load(normal_y, 3), load(offset, 4);
    }
    ABUT_INLINE FloatW most_along(Vec2W n) const {
        FloatW most = n.x * x[0] + n.y * y[0];
        ABUT_UNROLL(8)
        for (int i = 1; i < N; ++i) most = max(n.x * x[i] + n.y * y[i], most);
        return most;
    }
    ABUT_INLINE PolygonCoreW<N, true> rotated_by(RotW r) const {
        PolygonCoreW<N, true> out;
        out.records = records, out.turn = r;
        ABUT_UNROLL(8)
        for (int i = 0; i < N; ++i) {
            const Vec2W corner = r * Vec2W{x[i], y[i]}, normal = r * Vec2W{normal_x[i], normal_y[i]};
            out.x[i] = corner.x, out.y[i] = corner.y, out.normal_x[i] = normal.x, out.normal_y[i] = normal.y;
            out.offset[i] = offset[i];
        }
        return out;
    }
    // Words of an edge are read from the records again: picking them from registers takes longer. `at`: as `load` has it.
    ABUT_INLINE FloatW pick(int at, IntW index) const { return records.word(index + IntW(4 + at * N)); }
    ABUT_INLINE Vec2W in_frame(Vec2W v) const {
        if constexpr (kTurned) return turn * v;
        return v;
    }
    ABUT_INLINE EdgeW edge_along(Vec2W n) const {
        FloatW most = n.x * normal_x[0] + n.y * normal_y[0];
        IntW first = 0;
        ABUT_UNROLL(8)
        for (int i = 1; i < N; ++i) {
            const FloatW along = n.x * normal_x[i] + n.y * normal_y[i];
            const MaskW better = along > most;
            most = select(better, along, most);
            first = select(better, IntW(i), first);
        }
        const IntW next = (first + IntW(1)) & IntW(N - 1);
        // A corner that does not exist is corner 0.
        const IntW next_id = select(pick(4, next) == FloatW(abut::d2::kNoEdge), IntW(0), next);
        return {in_frame({pick(0, first), pick(1, first)}), in_frame({pick(0, next), pick(1, next)}), n, first,
                next_id};
    }
    ABUT_INLINE Vec2W normal_of(const EdgeW& edge, Vec2W) const {
        return in_frame({pick(2, edge.id0), pick(3, edge.id0)});
    }
    template <class F>
    ABUT_INLINE void each_axis(F&& f) const {
        ABUT_UNROLL(8)
        for (int i = 0; i < N; ++i) f(Vec2W{normal_x[i], normal_y[i]}, offset[i]);
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
