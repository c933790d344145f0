// See hull_box.hpp. A box along the axes has its eight vertices at the eight corners of its bounds.
#include "cooking/hull_box.hpp"

#include <algorithm>
#include <cmath>

#include "cooking/cooking_tolerances.hpp"

namespace abut::cooking {

void recognise_box(HullGeometry& hull) {
    hull.report.is_box = false;
    if (hull.report.dimension != 3 || hull.vertex_count != 8 || hull.face_count != 6) return;
    const Vec3 low = hull.bounds_min, high = hull.bounds_max, c = hull.centre;
    const double sides[3] = {double(high.x) - low.x, double(high.y) - low.y, double(high.z) - low.z};
    const double slack = kBoxSlack * std::min({sides[0], sides[1], sides[2]});
    unsigned corners = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const HullVertex& v = hull.vertices[i];
        const double at[3] = {double(c.x) + v.x, double(c.y) + v.y, double(c.z) + v.z};
        const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
        unsigned corner = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double below = at[axis] - lows[axis], above = highs[axis] - at[axis];
            if (std::min(below, above) > slack) return;
            corner |= unsigned(above < below) << axis;
        }
        corners |= 1u << corner;
    }
    if (corners != 0xff) return;
    hull.report.is_box = true;
    hull.report.box_half_extents = {float(0.5 * sides[0]), float(0.5 * sides[1]), float(0.5 * sides[2])};
    hull.report.box_centre = {float(0.5 * (double(high.x) + low.x)), float(0.5 * (double(high.y) + low.y)), float(0.5 * (double(high.z) + low.z))};
}

bool is_centred_box(const HullReport& report) {
    const Vec3 h = report.box_half_extents, c = report.box_centre;
    const double slack = kBoxSlack * 2.0 * std::min({h.x, h.y, h.z});
    return report.is_box && std::abs(c.x) <= slack && std::abs(c.y) <= slack && std::abs(c.z) <= slack;
}

}  // namespace abut::cooking
