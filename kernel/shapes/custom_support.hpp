// Functions derived from the support function of a user's shape (abut/custom_shape.hpp).
#pragma once

#include <abut/custom_shape.hpp>

#include "base/double_math.hpp"

namespace abut {

inline maths::Vec3d custom_support(const CustomShape& shape, const maths::Vec3d& lengths, const maths::Vec3d& d) {
    const Point<double> p = shape.support({lengths.x, lengths.y, lengths.z}, {d.x, d.y, d.z});
    return {p.x, p.y, p.z};
}

// The support height along d, from the shape's local origin.
inline double custom_reach(const CustomShape& shape, const maths::Vec3d& lengths, const maths::Vec3d& d) {
    return maths::dot(custom_support(shape, lengths, d), d);
}

}  // namespace abut
