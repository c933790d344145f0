// Cores and their support functions. A core is what is left of a shape without its radius: a `PointCore`; an `ExtentCore` of half
// extents (0,h,0) (a segment) or (x,y,z) (a box), so that one kernel serves both; a `HullCore`.
//
// A vertex has an id of 16 bits, from which it can be had again: GJK carries ids, not points.
#pragma once

#include "shapes/hull_geometry.hpp"
#include "wide/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A sphere's core. Spheres have no orientation worth the name: the pair's frame is then the world's axes (load.hpp), which saves the
// rounding of one rotation.
struct PointCore {};

ABUT_INLINE Vec3W support(const PointCore&, Vec3W, std::uint32_t, IntW& id) {
    id = IntW(0);
    return splat(0.0f);
}
ABUT_INLINE Vec3W vertex(const PointCore&, IntW) { return splat(0.0f); }
ABUT_INLINE FloatW support_value(const PointCore&, Vec3W, std::uint32_t) { return 0.0f; }

struct ExtentCore {
    Vec3W extent;  // half extents, scaled
};

// The corner farthest along `direction`; its id is the direction's three sign bits.
ABUT_INLINE Vec3W support(const ExtentCore& core, Vec3W direction, std::uint32_t, IntW& id) {
    id = (bits_of(direction.x) >> 31) | ((bits_of(direction.y) >> 31) << 1) | ((bits_of(direction.z) >> 31) << 2);
    return copysign(core.extent, direction);
}
ABUT_INLINE Vec3W vertex(const ExtentCore& core, IntW id) {
    return {copysign(core.extent.x, float_of(id << 31)), copysign(core.extent.y, float_of(id << 30)),
            copysign(core.extent.z, float_of(id << 29))};
}
// max of direction . x over the core, without packing error.
ABUT_INLINE FloatW support_value(const ExtentCore& core, Vec3W direction, std::uint32_t) {
    return dot(core.extent, abs(direction));
}

// All ones up to the last index of a padded column.
ABUT_INLINE std::int32_t index_mask(std::uint32_t padded) { return static_cast<std::int32_t>(~0u >> __builtin_clz(padded - 1)); }

struct HullCore {
    const HullGeometry* hull[kLanes];
    LaneArray<std::int32_t> index_mask;  // covers every vertex index of the lane's hull
    Vec3W scale;                         // instance scale times the pair's
};

ABUT_INLINE Vec3W vertex(const HullCore& core, IntW id) {
    const LaneArray<std::int32_t> index = lanes_of(id & IntW(0xffff));
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &core.hull[lane]->vertices[static_cast<std::size_t>(index[lane])].x;
    FloatW column[4];
    transpose_records4(rows, column);
    return multiply({column[0], column[1], column[2]}, core.scale);
}

// The dots of `direction` with all vertices of lane's hull, folded by `fold` into a vector of partial results.
template <class Fold>
ABUT_INLINE FloatW fold_dots(const HullGeometry& hull, float dx, float dy, float dz, FloatW start, Fold&& fold) {
    const FloatW x = dx, y = dy, z = dz;
    const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
    // All the padding, whatever the number of lanes: its copies of vertex 0 take part in ties, and must do so on every ISA.
    const std::uint32_t count = hull.padded_count;
    FloatW result = start;
    for (std::uint32_t i = 0; i < count; i += kLanes)
        result = fold(result, x * FloatW::load(px + i) + y * FloatW::load(py + i) + z * FloatW::load(pz + i), i);
    return result;
}

inline constexpr std::int32_t kMostNegative = static_cast<std::int32_t>(0xff7fffff);  // -FLT_MAX
alignas(64) inline constexpr std::int32_t kIota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Packed argmax: each lane's hull is walked whole, kLanes vertices at a time, with the vertex's index in the low mantissa bits of
// its dot; one transposed reduction then serves all lanes. The winner may fall short of the true support by
// 2^(log2 V - 23) of the hull's radius, which is why results are certified by `support_value`.
inline Vec3W support(const HullCore& core, Vec3W direction, std::uint32_t active, IntW& id) {
    const Vec3W local = multiply(direction, core.scale);
    const LaneArray<float> x = lanes_of(local.x), y = lanes_of(local.y), z = lanes_of(local.z);
    const FloatW lowest = float_of(IntW(kMostNegative));
    FloatW best[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        best[lane] = lowest;
        if ((active >> lane & 1) == 0) continue;
        const IntW mask = core.index_mask[lane], keep = mask ^ IntW(-1), iota = IntW::load(kIota);
        best[lane] = fold_dots(*core.hull[lane], x[lane], y[lane], z[lane], lowest, [&](FloatW so_far, FloatW d, std::uint32_t i) {
            return max(so_far, float_of((bits_of(d) & keep) | (iota + IntW(static_cast<std::int32_t>(i)))));
        });
    }
    id = bits_of(reduce_max_each(best)) & load(core.index_mask) & IntW(static_cast<std::int32_t>(0xffff));
    // Lanes that sat out hold -FLT_MAX's low bits: point them at vertex 0.
    id = select(MaskW::from_bits(active), id, IntW(0));
    return vertex(core, id);
}
inline FloatW support_value(const HullCore& core, Vec3W direction, std::uint32_t active) {
    const Vec3W local = multiply(direction, core.scale);
    const LaneArray<float> x = lanes_of(local.x), y = lanes_of(local.y), z = lanes_of(local.z);
    const FloatW lowest = float_of(IntW(kMostNegative));
    FloatW best[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        best[lane] = lowest;
        if ((active >> lane & 1) == 0) continue;
        best[lane] = fold_dots(*core.hull[lane], x[lane], y[lane], z[lane], lowest,
                               [](FloatW so_far, FloatW d, std::uint32_t) { return max(so_far, d); });
    }
    return reduce_max_each(best);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
