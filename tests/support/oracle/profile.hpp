// Shapes of revolution about parallel axes (cylinders, cones, discs, segments, points): their Minkowski difference is
// one, too, and its profile is the sum of theirs. The signed distance is that of a point and a polygon in the plane, in
// closed form. It is also the case in which a whole circle of directions can be equally deep.
#pragma once

#include <optional>

#include "support/oracle/placed.hpp"

namespace abut::oracle {

// None where the shapes are not so, or their axes less than parallel to within `kParallelAxes`.
inline constexpr double kParallelAxes = 1e-11;
std::optional<Exact> solve_revolved(const Placed& a, const Placed& b);

}  // namespace abut::oracle
