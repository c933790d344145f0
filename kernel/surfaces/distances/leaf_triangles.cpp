// See leaf_triangles.hpp. One triangle per lane, in double.
#include "surfaces/distances/leaf_triangles.hpp"

#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void place_leaf(const LeafTask& task, LeafTriangles& leaf);
std::uint32_t list_leaf_pairs(const LeafPairsTask& task);

namespace {

constexpr std::uint32_t kStep = kLanes;
constexpr int kAxes = LeafTriangles::kAxes;

ABUT_INLINE DVec3W splat(const double (&v)[3]) { return {v[0], v[1], v[2]}; }
ABUT_INLINE DoubleW load(const double* from) {
    return {DoubleW::BatchD::load_unaligned(from), DoubleW::BatchD::load_unaligned(from + kLanes / 2)};
}
ABUT_INLINE void store(const DoubleW& x, double* to) {
    x.lo.store_unaligned(to), x.hi.store_unaligned(to + kLanes / 2);
}
// A bit mask of the lanes in which x is at most the limit, or exceeds it by less than the least float.
ABUT_INLINE std::uint32_t lanes_within(const DoubleW& x, const DoubleW& limit) {
    return (~(FloatW(0.0f) < narrow(x - limit))).bits();
}

struct ExtentW {
    DoubleW low, high;

    ABUT_INLINE void add(const ExtentW& other) { low = min(low, other.low), high = max(high, other.high); }
    ABUT_INLINE void store_all(double& least, double& most) const {
        const LaneArray<double> lows = lanes_of(low), highs = lanes_of(high);
        least = lows[0], most = highs[0];
        for (int lane = 1; lane < kLanes; ++lane) {
            least = lows[lane] < least ? lows[lane] : least;
            most = most < highs[lane] ? highs[lane] : most;
        }
    }
};

ABUT_INLINE ExtentW extent(const DoubleW& corner, const DoubleW& first, const DoubleW& second) {
    const DoubleW b = corner + first, c = corner + second;
    return {min(corner, min(b, c)), max(corner, max(b, c))};
}

ABUT_INLINE DVec3W rotated(const FrameChange& to, const DVec3W& v) {
    return {dot(splat(to.axes[0]), v), dot(splat(to.axes[1]), v), dot(splat(to.axes[2]), v)};
}

ABUT_INLINE DVec3W load_corners(const LeafTask& task, int corner, std::uint32_t first) {
    const auto axis = [&](int i) { return widen(FloatW::load_unaligned(task.corners[corner][i] + first)); };
    return {axis(0), axis(1), axis(2)};
}

ABUT_INLINE void store_rows(const DVec3W& v, LeafTriangles& leaf, std::uint32_t first, int offset) {
    double* rows[kLanes];
    for (std::uint32_t lane = 0; lane < kStep; ++lane) rows[lane] = leaf.at[first + lane].corner;
    const DoubleW columns[4] = {v.x, v.y, v.z, 0.0};
    store_doubles4(columns, rows, offset);
}

// Fills the intervals along the last axis.
ABUT_INLINE void measure_last_axis(LeafTriangles& leaf, const DVec3W& axis) {
    constexpr int kLast = kAxes - 1;
    ExtentW all = {HUGE_VAL, -HUGE_VAL};
    for (std::uint32_t first = 0; first < leaf.count; first += kStep) {
        const double* rows[kLanes];
        for (std::uint32_t lane = 0; lane < kStep; ++lane) rows[lane] = leaf.at[first + lane].corner;
        const auto along = [&](int offset) {
            DoubleW column[4] = {0.0, 0.0, 0.0, 0.0};
            transpose_doubles4(rows, column, offset);
            return dot(axis, DVec3W{column[0], column[1], column[2]});
        };
        const ExtentW found = extent(along(0), along(4), along(8));
        store(found.low, leaf.low[kLast] + first), store(found.high, leaf.high[kLast] + first);
        all.add(found);
    }
    all.store_all(leaf.all_low[kLast], leaf.all_high[kLast]);
}

// The greatest gap, over all axes, between the interval of each triangle and one given interval per axis.
ABUT_INLINE DoubleW greatest_gaps(const LeafTriangles& leaf, std::uint32_t first, const double (&low)[kAxes],
                                  const double (&high)[kAxes]) {
    DoubleW most = -HUGE_VAL;
    for (int axis = 0; axis < kAxes; ++axis)
        most = max(most, max(load(leaf.low[axis] + first) - DoubleW(high[axis]),
                             DoubleW(low[axis]) - load(leaf.high[axis] + first)));
    return most;
}

}  // namespace

void place_leaf(const LeafTask& task, LeafTriangles& leaf) {
    ExtentW all[3] = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    for (std::uint32_t first = 0; first < leaf.count; first += kStep) {
        DVec3W corner = load_corners(task, 0, first);
        DVec3W edge[2] = {load_corners(task, 1, first) - corner, load_corners(task, 2, first) - corner};
        if (task.to_a != nullptr) {
            corner = rotated(*task.to_a, corner) + splat(task.to_a->offset);
            for (DVec3W& e : edge) e = rotated(*task.to_a, e);
        }
        store_rows(corner, leaf, first, 0), store_rows(edge[0], leaf, first, 4), store_rows(edge[1], leaf, first, 8);
        const ExtentW found[3] = {extent(corner.x, edge[0].x, edge[1].x), extent(corner.y, edge[0].y, edge[1].y),
                                  extent(corner.z, edge[0].z, edge[1].z)};
        for (int axis = 0; axis < 3; ++axis) {
            store(found[axis].low, leaf.low[axis] + first), store(found[axis].high, leaf.high[axis] + first);
            all[axis].add(found[axis]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) all[axis].store_all(leaf.all_low[axis], leaf.all_high[axis]);
}

std::uint32_t list_leaf_pairs(const LeafPairsTask& task) {
    LeafTriangles &a = *task.a, &b = *task.b;
    const DVec3W axis = splat(task.axis);
    measure_last_axis(a, axis), measure_last_axis(b, axis);
    if (b.all_low[3] - a.all_high[3] > task.limit || a.all_low[3] - b.all_high[3] > task.limit) return 0;
    const DoubleW limit = task.limit;
    std::uint32_t count = 0, near_all[LeafTriangles::kMost / kStep];
    for (std::uint32_t first = 0; first < a.count; first += kStep)
        near_all[first / kStep] = lanes_within(greatest_gaps(a, first, b.all_low, b.all_high), limit);
    for (std::uint32_t i = 0; i < a.count; ++i) {
        if ((near_all[i / kStep] >> i % kStep & 1) == 0) continue;
        double low[kAxes], high[kAxes];
        for (int k = 0; k < kAxes; ++k) low[k] = a.low[k][i], high[k] = a.high[k][i];
        for (std::uint32_t first = 0; first < b.count; first += kStep) {
            const DoubleW bounds = greatest_gaps(b, first, low, high);
            std::uint32_t near = lanes_within(bounds, limit);
            if (near == 0) continue;
            const LaneArray<double> lanes = lanes_of(bounds);
            for (std::uint32_t lane = 0; lane < kStep && first + lane < b.count; ++lane, near >>= 1)
                if ((near & 1) != 0)
                    task.out[count++] = {lanes[int(lane)], std::uint8_t(i), std::uint8_t(first + lane)};
        }
    }
    return count;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
