// The user's own shape, where the build has one (include/abut/custom_shape.hpp).
#pragma once

#include <abut/custom_shape.hpp>

#ifdef ABUT_CUSTOM_SHAPE_HEADER
#include ABUT_CUSTOM_SHAPE_HEADER
#endif

namespace abut {

#ifdef ABUT_CUSTOM_SHAPE_HEADER
inline constexpr bool kHasCustomShape = true;
#else
// Never asked.
struct CustomShape {
    static constexpr const char* name = "";
    template <class Real>
    static Point<Real> support(const Point<Real>& lengths, const Point<Real>&) {
        return lengths;
    }
};
inline constexpr bool kHasCustomShape = false;
#endif

// How far the shape reaches along d, from its local origin.
inline double custom_reach(const Point<double>& lengths, const Point<double>& d) {
    const Point<double> p = CustomShape::support(lengths, d);
    return p.x * d.x + p.y * d.y + p.z * d.z;
}

}  // namespace abut
