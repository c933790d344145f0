// Exact orientation tests on float32 points: the sign is that of real arithmetic. A double-precision filter answers
// nearly all; the rest are summed as an expansion of doubles [Shewchuk 1997, grow-expansion].
#pragma once

#include <abut/math.hpp>

namespace abut::oracle {

// Sign of (b - a) x (c - a) . (d - a): +1 where d lies on the side from which a, b, c run counter-clockwise, 0 where
// coplanar.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Sign of the component `axis` (0 x, 1 y, 2 z) of (b - a) x (c - a); all three are 0 where the points are collinear.
int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

inline bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
    return turn(a, b, c, 0) == 0 && turn(a, b, c, 1) == 0 && turn(a, b, c, 2) == 0;
}

}  // namespace abut::oracle
