// See hull_scale.hpp.
#include "cooking/hull/hull_scale.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/rounding.hpp"
#include "cooking/cooking_tolerances.hpp"

namespace abut::cooking {
namespace {

struct PerAxis {
    double value[3];
    explicit PerAxis(Vec3 v) : value{v.x, v.y, v.z} {}
};

// The largest extent of a face's corners along the face's normal, in grid steps.
double unevenness(const Cloud& cloud, const Loops& faces) {
    double most = 0;
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
        const auto loop = faces[f];
        if (loop.size() <= 3) continue;
        const Vec3d first = cloud.grid[loop[0]],
                    area = twice_area(loop.size(), [&](std::size_t i) { return cloud.grid[loop[i]]; });
        double low = 0, high = 0;
        for (const std::uint32_t corner : loop) {
            const double height = dot(area, cloud.grid[corner] - first);
            low = std::min(low, height), high = std::max(high, height);
        }
        most = std::max(most, (high - low) / norm(area));
    }
    return most;
}

// True if some scale can reveal what cooking lost: one that makes a short side the longest.
bool may_show(const HullSource& source) {
    for (const double side : PerAxis(source.sides).value)
        if (side > 0 && source.lost > kShown * side) return true;
    return false;
}

}  // namespace

void measure_sides(HullSource& source) {
    BoxD bounds = maths::kNoBounds;
    for (const Vec3 p : source.points) bounds = joined(bounds, to_double(p));
    const Vec3d side = bounds.high - bounds.low;
    source.sides = {round_up(side.x), round_up(side.y), round_up(side.z)};
}

void keep_source(HullGeometry& hull, const Cloud& cloud, const Extent& extent, const Skin& exact, const Skin& skin,
                 const Loops& faces, bool is_simplified) {
    // The corners of a flat or straight cloud do not bound the distance of its other points from the plane or line.
    const bool is_solid = extent.dimension == 3;
    const bool drops = !is_simplified && skin.corners.size() != (is_solid ? exact.corners.size() : cloud.points.size());
    const double dropped = drops ? double(hull.report.deviation) : 0.0;
    HullSource source;
    source.lost = round_up(dropped + unevenness(cloud, faces) * cloud.step + 2.0 * cloud.moved);
    source.deviation = is_simplified ? hull.report.deviation : round_up(2.0 * cloud.moved);
    if (source.lost == 0) return;
    source.points = cloud.points;
    measure_sides(source);
    if (!may_show(source)) return;
    // A point that snapping moves by more than a scale may reveal can be a corner that the exact hull lacks.
    double shortest = INFINITY;
    for (const double side : PerAxis(source.sides).value)
        if (side > 0) shortest = std::min(shortest, side);
    const bool is_coarse = 2.0 * cloud.moved > kShown * shortest;
    if (is_simplified || (is_solid && !is_coarse)) {
        source.points.clear();
        for (const std::uint32_t i : is_simplified ? skin.corners : exact.corners)
            source.points.push_back(cloud.points[i]);
        measure_sides(source);
    }
    hull.source = make_shared<HullSource>(std::move(source));
}

bool shows_more(const HullGeometry& hull, Vec3 scale) {
    if (hull.source == nullptr || (scale.x == scale.y && scale.y == scale.z)) return false;
    const PerAxis by(scale), sides(hull.source->sides);
    double longest = 0, shown = 0;
    for (int i = 0; i < 3; ++i) {
        longest = std::max(longest, by.value[i] * sides.value[i]);
        shown = std::max(shown, by.value[i] * std::min<double>(hull.source->lost, sides.value[i]));
    }
    return shown > kShown * longest;
}

}  // namespace abut::cooking
