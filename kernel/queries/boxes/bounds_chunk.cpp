// World bounds of a group of bodies, one body per lane. The sums are those of shapes/shape_bounds.cpp, in the same
// order and in double, so that the bits are equal. The bounds are rounded outwards once.
#include "queries/boxes/bounds_chunk.hpp"
#include "convex/lanes/load.hpp"
#include "queries/boxes/box_lanes.hpp"
#include "simd/rotations.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void run_bounds(const BoundsChunk& chunk);

namespace {

struct IntervalW {
    DoubleW low, high;
};

// The double after x [Rump, Zimmermann, Boldo, Melquiond 2009].
ABUT_INLINE DoubleW next_above(DoubleW x) {
    return x + (abs(x) * DoubleW(0x1p-53 * (1.0 + 0x1p-52)) + DoubleW(0x1p-1074));
}

// The sum, or the next double if the sum was rounded down [Knuth, TAOCP 2, 4.2.2: the error of a sum is a double].
ABUT_INLINE DoubleW sum_above(DoubleW a, DoubleW b) {
    const DoubleW sum = a + b, of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);
    return select(DoubleW(0.0) < error, next_above(sum), sum);
}

ABUT_INLINE DoubleW radial_length(const DVec3W& d) { return sqrt(d.x * d.x + d.z * d.z); }

ABUT_INLINE IntervalW core_interval(ShapeKind kind, const DVec3W& half, const DVec3W& d) {
    DoubleW extent = 0.0;
    switch (kind) {
        case ShapeKind::cylinder: extent = half.y * abs(d.y) + radial_length(d) * half.x; break;
        case ShapeKind::cone: {
            const DoubleW base = radial_length(d) * half.x, apex = half.y * d.y;
            return {min(apex, -apex - base), max(apex, base - apex)};
        }
        case ShapeKind::ellipsoid: {
            const DVec3W stretched = multiply(half, d);
            extent = sqrt(dot(stretched, stretched));
            break;
        }
        default: extent = dot(half, {abs(d.x), abs(d.y), abs(d.z)});
    }
    return {-extent, extent};
}

// A stack array of doubles, one per lane.
struct DoubleLanes {
    alignas(64) double at[kLanes];

    ABUT_INLINE DoubleW load() const {
        constexpr int kHalf = kLanes / 2;
        return {DoubleW::BatchD::load_aligned(at), DoubleW::BatchD::load_aligned(at + kHalf)};
    }
    ABUT_INLINE void store(const DoubleW& x) {
        constexpr int kHalf = kLanes / 2;
        x.lo.store_aligned(at), x.hi.store_aligned(at + kHalf);
    }
};

// Minimum and maximum over all lanes; the order of comparisons does not matter.
ABUT_INLINE void reduce(const DoubleW& low, const DoubleW& high, double& least, double& most) {
    DoubleLanes l, h;
    l.store(low), h.store(high);
    least = l.at[0], most = h.at[0];
    for (int i = 1; i < kLanes; ++i) {
        least = l.at[i] < least ? l.at[i] : least;
        most = h.at[i] > most ? h.at[i] : most;
    }
}

// Computes one hull after the other, one vertex per lane; the padding repeats a vertex.
void hull_intervals(const HullGeometry* const* hulls, const DVec3W& scale, const DVec3W (&rows)[3],
                    IntervalW (&out)[3]) {
    DoubleLanes along[3][3], low[3], high[3], centre[3];
    for (int row = 0; row < 3; ++row) {
        const DVec3W d = multiply(rows[row], scale);
        along[row][0].store(d.x), along[row][1].store(d.y), along[row][2].store(d.z);
    }
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = *hulls[lane];
        const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
        const DoubleW most = HUGE_VAL;
        DoubleW least_of[3] = {most, most, most}, most_of[3] = {-most, -most, -most};
        for (std::uint32_t i = 0; i < hull.padded_count; i += kLanes) {
            const DoubleW x = widen(FloatW::load(px + i)), y = widen(FloatW::load(py + i)),
                          z = widen(FloatW::load(pz + i));
            ABUT_UNROLL(3)
            for (int row = 0; row < 3; ++row) {
                const DoubleW dx = along[row][0].at[lane], dy = along[row][1].at[lane], dz = along[row][2].at[lane];
                const DoubleW value = x * dx + y * dy + z * dz;
                least_of[row] = min(value, least_of[row]);
                most_of[row] = max(value, most_of[row]);
            }
        }
        for (int row = 0; row < 3; ++row) reduce(least_of[row], most_of[row], low[row].at[lane], high[row].at[lane]);
        centre[0].at[lane] = hull.centre.x, centre[1].at[lane] = hull.centre.y, centre[2].at[lane] = hull.centre.z;
    }
    for (int row = 0; row < 3; ++row) {
        const DVec3W d = {along[row][0].load(), along[row][1].load(), along[row][2].load()};
        const DoubleW middle = dot(d, {centre[0].load(), centre[1].load(), centre[2].load()});
        out[row] = {middle + low[row].load(), middle + high[row].load()};
    }
}

// Along a coordinate axis every product is exact.
ABUT_INLINE IntervalW widened(const IntervalW& core, const DVec3W& d, const DoubleW& radius) {
    const DoubleW zero = 0.0;
    const DoubleMaskW x = d.x == zero, y = d.y == zero, z = d.z == zero, two = (x & y) | (x & z) | (y & z);
    const DoubleW error = select(two, zero, DoubleW(kBoundsRounding) * (max(abs(core.low), abs(core.high)) + radius));
    return {-sum_above(radius + error, -core.low), sum_above(core.high, radius + error)};
}

ABUT_INLINE void bounds_of_group(const BoundsChunk& chunk, std::uint32_t first, std::uint32_t count) {
    BodyRows rows;
    const HullGeometry* hulls[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t i =
            first + (static_cast<std::uint32_t>(lane) < count ? static_cast<std::uint32_t>(lane) : count - 1);
        const Body* body = chunk.bodies[i];
        rows.some[lane] = body;
        rows.record[lane] = chunk.records + body->shape.slot();
        if (chunk.kind == ShapeKind::hull) hulls[lane] = chunk.hulls + rows.record[lane]->geometry;
    }
    const BodyW body = load_bodies(rows, PosesW(rows.some));
    const MatrixDW rotation = rotation_of(widen(body.orientation));
    const DVec3W axes[3] = {rotation.row_x, rotation.row_y, rotation.row_z};  // the world axes in the body's frame
    const DVec3W half = widen(Vec3W{body.extent_x, body.extent_y, body.extent_z}), at = widen(body.position);
    // The radii of an ellipsoid are those before its erosion, so only the rounding is added.
    const DoubleW radius = widen(chunk.kind == ShapeKind::ellipsoid ? body.rounding : body.radius),
                  position[3] = {at.x, at.y, at.z};
    IntervalW core[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    if (chunk.kind == ShapeKind::hull) {
        hull_intervals(hulls, half, axes, core);
    } else {
        for (int row = 0; row < 3; ++row) core[row] = core_interval(chunk.kind, half, axes[row]);
    }
    LaneArray<float> low[3], high[3];
    for (int row = 0; row < 3; ++row) {
        const IntervalW interval = widened(core[row], axes[row], radius);
        low[row] = lanes_of(-round_up(sum_above(-interval.low, -position[row])));
        high[row] = lanes_of(round_up(sum_above(interval.high, position[row])));
    }
    for_each_lane(lane_bits(count), [&](int lane) {
        *chunk.bounds[first + static_cast<std::uint32_t>(lane)] = {{low[0][lane], low[1][lane], low[2][lane]},
                                                                   {high[0][lane], high[1][lane], high[2][lane]}};
    });
}

}  // namespace

void run_bounds(const BoundsChunk& chunk) {
    for (std::uint32_t first = 0; first < chunk.count; first += kLanes)
        bounds_of_group(chunk, first, chunk.count - first < kLanes ? chunk.count - first : kLanes);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
