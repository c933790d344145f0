// A separating-axis test of a triangle near a box: the box's axes, the triangle's normal, and the cross products of
// their edges [Ericson 2005, 5.2.9]. Three axes at a time, in floats, which are rounded towards "near".
#pragma once

#include <cstdint>
#include <cstring>

#include "base/double_math.hpp"
#include "base/four_wide.hpp"
#include "base/tolerances.hpp"
#include "shapes/surface.hpp"

namespace abut {

// A vector and its cyclic permutations, for cross products. The fourth element repeats the first.
struct CyclicVector {
    Float4 xyz, yzx, zxy;

    CyclicVector() = default;
    explicit CyclicVector(Float4 v)
        : xyz(v), yzx(Float4{v[1], v[2], v[0], v[1]}), zxy(Float4{v[2], v[0], v[1], v[2]}) {}
    CyclicVector(Float4 a, Float4 b, Float4 c) : xyz(a), yzx(b), zxy(c) {}
};

// A box, prepared for tests against triangles.
class BoxAxes {
public:
    BoxAxes() = default;
    BoxAxes(const maths::Vec3d& centre, const maths::Vec3d& half, const maths::Mat3& axes)
        : centre_(centre), half_(three(half)), columns_{three(axes.row_x), three(axes.row_y), three(axes.row_z)} {}

    // No triangle within `reach` of the box is left out.
    bool may_be_near(const SurfaceCorners& corners, double reach) const {
        return is_near(corners, static_cast<float>(reach), kBoxAxesRounding);
    }
    // True only if the triangle and the box overlap.
    bool surely_overlaps(const SurfaceCorners& corners) const { return is_near(corners, 0, -kBoxAxesRounding); }

private:
    bool is_near(const SurfaceCorners& corners, float reach, float rounding) const;
    static Float4 three(const maths::Vec3d& v) {
        const auto x = static_cast<float>(v.x), y = static_cast<float>(v.y), z = static_cast<float>(v.z);
        return Float4{x, y, z, x};
    }
    // A vector from the centre, along the box's axes.
    CyclicVector seen(const Vec3& v) const {
        const maths::Vec3d d = maths::to_double(v) - centre_;
        return CyclicVector(columns_[0] * static_cast<float>(d.x) + columns_[1] * static_cast<float>(d.y) +
                            columns_[2] * static_cast<float>(d.z));
    }

    maths::Vec3d centre_{};
    CyclicVector half_;
    Float4 columns_[3];  // the axes of the surface's frame in the box's axes
};

namespace box_triangle_detail {

inline CyclicVector operator-(const CyclicVector& a, const CyclicVector& b) {
    return {a.xyz - b.xyz, a.yzx - b.yzx, a.zxy - b.zxy};
}
inline Float4 cross(const CyclicVector& a, const CyclicVector& b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
inline Float4 absolute(Float4 v) { return greater(v, -v); }
inline float absolute(float v) { return v < 0 ? -v : v; }
inline float sum_of_three(Float4 v) { return v[0] + v[1] + v[2]; }

inline bool any_positive(Float4 v) {
    const auto is_positive = v > 0.0f;
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof is_positive);
    std::memcpy(halves, &is_positive, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

}  // namespace box_triangle_detail

inline bool BoxAxes::is_near(const SurfaceCorners& corners, float reach, float rounding) const {
    using namespace box_triangle_detail;
    const CyclicVector v0 = seen(corners.at[0]), v1 = seen(corners.at[1]), v2 = seen(corners.at[2]), &h = half_;
    const Float4 low = lesser(v0.xyz, lesser(v1.xyz, v2.xyz)), high = greater(v0.xyz, greater(v1.xyz, v2.xyz));
    const float size = sum_of_three(greater(high, -low) + h.xyz) + absolute(reach);
    const float wide = reach + rounding * size, wide_squared = wide * absolute(wide);  // with its sign
    if (any_positive(greater(low, -high) - (h.xyz + wide))) return false;

    const CyclicVector e0 = v1 - v0, e1 = v2 - v1, e2 = v0 - v2;
    const Float4 area = cross(e0, e1);
    // Uses all corners, because the area's direction of a needle is rounding, and not perpendicular to its edges.
    const float a = sum_of_three(area * v0.xyz), b = sum_of_three(area * v1.xyz), c = sum_of_three(area * v2.xyz);
    const float lowest = lesser(a, lesser(b, c)), highest = greater(a, greater(b, c));
    const float height = greater(lowest, -highest) - sum_of_three(absolute(area) * h.xyz);
    if (height * absolute(height) > wide_squared * sum_of_three(area * area)) return false;

    // `edge` starts at p; q is the opposite corner. Positive if one of the edge's three axes separates the box and the
    // triangle. Squares save the axes' lengths.
    const auto parts = [&](const CyclicVector& edge, const CyclicVector& p, const CyclicVector& q) {
        const Float4 on_edge = cross(edge, p), at_corner = cross(edge, q);
        const Float4 extent = absolute(edge.zxy) * h.yzx + absolute(edge.yzx) * h.zxy;
        const Float4 gap = greater(lesser(on_edge, at_corner), -greater(on_edge, at_corner)) - extent;
        return gap * absolute(gap) - wide_squared * (edge.yzx * edge.yzx + edge.zxy * edge.zxy);
    };
    return !any_positive(greater(parts(e0, v0, v2), greater(parts(e1, v1, v0), parts(e2, v2, v1))));
}

}  // namespace abut
