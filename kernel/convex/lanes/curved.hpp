// Cores with curved faces: cylinder, cone and ellipsoid [van den Bergen 2003, 4.3], and custom shapes
// (abut/custom_shape.hpp).
//
// Points of these cores have no numbers. The id of a support counts the supports of a search, and the core stores the
// latest supports: GJK uses ids as for any other core, and from them gets its few newest points. The ids of a search
// are the same in every lane, whatever the neighbouring lanes do.
#pragma once

#include <type_traits>

#include <abut/custom_shape.hpp>

#include "base/tolerances.hpp"
#include "convex/lanes/core.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The support functions of a group, which may have several custom shapes. The functions are baseline code called
// through pointers, so that all instruction sets give the same bits.
struct CustomCoresW {
    struct Lanes {
        decltype(CustomShape::support_lanes) support;
        std::uint32_t lanes;
    };
    Lanes of[kLanes];  // one per distinct shape
    int count;

    ABUT_INLINE void clear() { count = 0; }
    ABUT_INLINE void set(std::uint32_t lanes, decltype(CustomShape::support_lanes) support) {
        int i = 0;
        while (i < count && of[i].support != support) ++i;
        if (i == count) of[count++] = {support, 0};
        of[i].lanes |= lanes;
    }
    ABUT_INLINE decltype(CustomShape::support_lanes) support_of(int lane) const {
        int i = 0;
        while ((of[i].lanes >> lane & 1) == 0) ++i;
        return of[i].support;
    }
};

struct CurvedCore {
    static constexpr std::uint32_t kTurns = kMaxGjkIterations + 8;

    ShapeKind kind;  // of all lanes
    Vec3W extent;    // (radius, half height, radius), an ellipsoid's radii, or a custom shape's lengths; scaled
    FloatW erosion;  // of an ellipsoid, scaled
    mutable std::uint32_t supports = 0;
    mutable LaneArray<float> x[kTurns], y[kTurns], z[kTurns];

    // Must be called before a search: ids of earlier searches become invalid.
    void drop_supports() const { supports = 0; }
};

// Custom shapes, and the kinds above in a pair with a custom shape. A separate type, because a call in the loops would
// cost other pairs registers.
struct CustomCore : CurvedCore {
    CustomCoresW custom;
};

template <class Core>
inline constexpr bool kIsCurved = std::is_base_of_v<CurvedCore, Core>;
template <class Core>
concept Curved = kIsCurved<Core>;

// A half-space has no centre, so it is in A's frame: solid where normal . x <= level; scaled units, radius included.
struct PlaneCore {
    Vec3W normal;
    FloatW level;
};

// Cores other than curved ones store no supports.
template <class Core>
ABUT_INLINE void drop_supports(const Core&) {}
template <Curved Core>
ABUT_INLINE void drop_supports(const Core& core) {
    core.drop_supports();
}

namespace curved_detail {

inline constexpr float kLonger = 1e15f;  // factor for vectors whose squares underflow

// The point of a circle about Y that is farthest along d; the circle's middle if all are equally far. Touching shapes
// have directions of nearly zero length.
ABUT_INLINE Vec3W rim(FloatW radius, FloatW height, Vec3W d, FloatW radial_squared) {
    const FloatW tiny = kTiny, one = 1.0f, longer = select(radial_squared > tiny, one, FloatW(kLonger));
    const FloatW x = d.x * longer, z = d.z * longer, squared = x * x + z * z;
    const MaskW has_side = squared > tiny;
    const FloatW by = select(has_side, radius / sqrt(select(has_side, squared, one)), FloatW(0.0f));
    return {x * by, height, z * by};
}

ABUT_INLINE FloatW radial_squared(Vec3W d) { return d.x * d.x + d.z * d.z; }

ABUT_INLINE Vec3W cylinder_point(Vec3W extent, Vec3W d) {
    return rim(extent.x, copysign(extent.y, d.y), d, radial_squared(d));
}
ABUT_INLINE FloatW cylinder_value(Vec3W extent, Vec3W d) {
    return extent.y * abs(d.y) + extent.x * sqrt(radial_squared(d));
}

ABUT_INLINE Vec3W cone_point(Vec3W extent, Vec3W d) {
    const FloatW squared = radial_squared(d), zero = 0.0f;
    const MaskW apex = FloatW(2.0f) * extent.y * d.y > extent.x * sqrt(squared);
    return select(apex, {zero, extent.y, zero}, rim(extent.x, -extent.y, d, squared));
}
ABUT_INLINE FloatW cone_value(Vec3W extent, Vec3W d) {
    const FloatW up = extent.y * d.y;
    return max(up, extent.x * sqrt(radial_squared(d)) - up);
}

// A point of an ellipsoid minus a point of a sphere, where both have the same normal. `d` is normalized first, because
// the squares of a short direction across a thin ellipsoid underflow.
ABUT_INLINE Vec3W ellipsoid_point(Vec3W radii, FloatW erosion, Vec3W d) {
    const FloatW tiny = kTiny, one = 1.0f;
    const Vec3W n = d * (one / sqrt(max(length_squared(d), tiny))), stretched = multiply(radii, n);
    return multiply(radii, stretched * (one / sqrt(max(length_squared(stretched), tiny)))) - n * erosion;
}
ABUT_INLINE FloatW ellipsoid_value(Vec3W radii, FloatW erosion, Vec3W d) {
    return sqrt(length_squared(multiply(radii, d))) - erosion * sqrt(length_squared(d));
}

ABUT_NOINLINE inline void custom_point(const CustomCoresW& cores, const Vec3W& lengths, const Vec3W& d, Vec3W& point) {
    alignas(64) float of_lengths[3 * kLanes], of_d[3 * kLanes], of_point[3 * kLanes];
    const auto put = [](const Vec3W& v, float* rows) {
        v.x.store(rows), v.y.store(rows + kLanes), v.z.store(rows + 2 * kLanes);
    };
    put(lengths, of_lengths), put(d, of_d);
    for (int i = 0; i < cores.count; ++i) {
        cores.of[i].support(kLanes, of_lengths, of_d, of_point);
        const Vec3W own = {FloatW::load(of_point), FloatW::load(of_point + kLanes),
                           FloatW::load(of_point + 2 * kLanes)};
        point = i == 0 ? own : select(MaskW::from_bits(cores.of[i].lanes), own, point);
    }
}
ABUT_INLINE Vec3W custom_point(const CustomCore& core, const Vec3W& d) {
    Vec3W point;
    custom_point(core.custom, core.extent, d, point);
    return point;
}

}  // namespace curved_detail

// The farthest point along `direction`. The core does not store it.
ABUT_INLINE Vec3W farthest_point(const CurvedCore& core, Vec3W direction) {
    using namespace curved_detail;
    switch (core.kind) {
        case ShapeKind::cylinder: return cylinder_point(core.extent, direction);
        case ShapeKind::cone: return cone_point(core.extent, direction);
        default: return ellipsoid_point(core.extent, core.erosion, direction);
    }
}
ABUT_INLINE Vec3W farthest_point(const CustomCore& core, Vec3W direction) {
    if (core.kind == ShapeKind::custom) return curved_detail::custom_point(core, direction);
    return farthest_point(static_cast<const CurvedCore&>(core), direction);
}
// As farthest_point, for any core.
template <class Core>
ABUT_INLINE Vec3W farthest(const Core& core, Vec3W direction, std::uint32_t lanes) {
    IntW id;
    return support(core, direction, lanes, id);
}
template <Curved Core>
ABUT_INLINE Vec3W farthest(const Core& core, Vec3W direction, std::uint32_t) {
    return farthest_point(core, direction);
}

ABUT_INLINE FloatW support_value(const CurvedCore& core, Vec3W direction, std::uint32_t) {
    using namespace curved_detail;
    switch (core.kind) {
        case ShapeKind::cylinder: return cylinder_value(core.extent, direction);
        case ShapeKind::cone: return cone_value(core.extent, direction);
        default: return ellipsoid_value(core.extent, core.erosion, direction);
    }
}

ABUT_INLINE FloatW support_value(const CustomCore& core, Vec3W direction, std::uint32_t lanes) {
    if (core.kind == ShapeKind::custom) return dot(direction, curved_detail::custom_point(core, direction));
    return support_value(static_cast<const CurvedCore&>(core), direction, lanes);
}

template <Curved Core>
ABUT_INLINE Vec3W support(const Core& core, Vec3W direction, std::uint32_t, IntW& id) {
    const Vec3W point = farthest_point(core, direction);
    const std::uint32_t number = core.supports++;
    core.x[number] = lanes_of(point.x), core.y[number] = lanes_of(point.y), core.z[number] = lanes_of(point.z);
    id = IntW(static_cast<std::int32_t>(number));
    return point;
}
inline Vec3W vertex(const CurvedCore& core, IntW id) {
    const LaneArray<std::int32_t> number = lanes_of(id & IntW(0xffff));
    LaneArray<float> x, y, z;
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::int32_t t = number[lane];
        x[lane] = core.x[t][lane], y[lane] = core.y[t][lane], z[lane] = core.z[t][lane];
    }
    return {load(x), load(y), load(z)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
