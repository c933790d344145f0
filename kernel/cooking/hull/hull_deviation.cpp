// Measures, in double, the hull that the kernels will read. The distance to a convex hull is a convex function, so no
// point of a solid cloud is farther outside than the farthest corner of the exact hull, except by the distance that
// snapping to the grid moved it. In a flat cloud every point is measured, because its corners do not bound the distance
// of other points from its plane.
#include "cooking/hull/hull_deviation.hpp"

#include <algorithm>

#include "base/rounding.hpp"
#include "cooking/hull/hull_near.hpp"
#include "cooking/hull/hull_skin.hpp"

namespace abut::cooking {
namespace {

// Dozens of roundings in double, each 2^-53, on the way to a distance.
constexpr double kRoundings = 1.0 + 0x1p-40;

}  // namespace

void measure_deviation(HullGeometry& hull, const Cloud& cloud, const Extent& extent, const Skin& exact,
                       const Skin& skin) {
    const auto vertex = [&](std::uint32_t i) { return vertex_of(hull, i); };
    const auto point = [&](std::uint32_t i) { return to_double(cloud.points[i]) - to_double(hull.centre); };
    double overshoot = 0;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        overshoot = std::max(overshoot, norm(vertex(i) - point(skin.corners[i])));

    const Links links(skin, cloud.grid.size());
    std::uint32_t at = 0;
    const auto support = [&](Vec3d direction) { return vertex(at = climb(links, at, direction, vertex)); };
    double deviation = overshoot;  // also the largest distance of a vertex from its own point
    for (const std::uint32_t i : extent.dimension == 3 ? exact.corners : all_of(cloud)) {
        if (std::binary_search(skin.corners.begin(), skin.corners.end(), i)) continue;
        deviation = std::max(deviation, distance_above(point(i), vertex(at), deviation, support));
    }
    if (extent.dimension == 3) deviation += 2.0 * cloud.moved;
    hull.report.deviation = round_up(deviation * kRoundings);
    hull.report.overshoot = round_up(overshoot * kRoundings);
}

}  // namespace abut::cooking
