// Canonical order, scale and grid of a cloud; its flatness is judged against float32's resolution of the points.
#include "cooking/hull/hull_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/memory.hpp"
#include "cooking/cooking_tolerances.hpp"
#include "cooking/hull/exact_hull.hpp"

namespace abut::cooking {
namespace {

bool comes_before(Vec3 a, Vec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }

// The rounding error of a - b, exactly [Knuth, TAOCP 2, 4.2.2].
double difference_error(double a, double b) {
    const double difference = a - b, taken = a - difference;
    return (a - (difference + taken)) + (taken - b);
}

Vec3d difference_error(Vec3d a, Vec3d b) {
    return {difference_error(a.x, b.x), difference_error(a.y, b.y), difference_error(a.z, b.z)};
}

// The least and the largest value of measure(point) over the cloud, and their points.
struct Range {
    double low, high;
    std::uint32_t lowest = 0, highest = 0;
};

template <class Measure>
Range range_of(const Cloud& cloud, Measure measure) {
    Range range;
    range.low = range.high = measure(cloud.grid[0]);
    for (std::uint32_t i = 1; i < cloud.grid.size(); ++i) {
        const double value = measure(cloud.grid[i]);
        if (value < range.low) range.low = value, range.lowest = i;
        if (value > range.high) range.high = value, range.highest = i;
    }
    return range;
}

double thickness(const Cloud& cloud, Vec3d normal) {
    const Range range = range_of(cloud, [&](Vec3d p) { return dot(normal, p); });
    return range.high - range.low;
}

// The normal of the cloud's outline in the plane of `along` and `across`. It averages the whole outline, unlike the
// first guess of three points.
Vec3d outline_normal(const Cloud& cloud, Vec3d along, Vec3d across) {
    const Indices outline = project_outline(cloud, all_of(cloud), along, across);
    return twice_area(outline.size(), [&](std::size_t i) { return cloud.grid[outline[i]]; });
}

}  // namespace

Cloud make_cloud(std::span<const Vec3> points, double tolerance, Vec3 scale) {
    Cloud cloud;
    cloud.points.reserve(points.size());
    for (const Vec3 p : points) cloud.points.push_back({p.x + 0.0f, p.y + 0.0f, p.z + 0.0f});  // -0 becomes 0
    std::sort(cloud.points.begin(), cloud.points.end(), comes_before);
    cloud.points.erase(std::unique(cloud.points.begin(), cloud.points.end()), cloud.points.end());

    // Products of two floats are exact in double.
    const auto place = [scale](Vec3 p) { return times(to_double(p), to_double(scale)); };
    BoxD bounds = maths::kNoBounds;
    for (const Vec3 p : cloud.points) bounds = joined(bounds, place(p));
    const Vec3d middle = bounds.low * 0.5 + bounds.high * 0.5;
    const double side = max_abs(bounds.high - bounds.low);
    if (side == 0.0) {
        cloud.grid.assign(1, Vec3d{});
        return cloud;
    }
    const double step = std::ldexp(1.0, std::ilogb(side) - kGridBits);
    cloud.step = step;
    cloud.grid.reserve(cloud.points.size());
    for (const Vec3 p : cloud.points) {
        const Vec3d at = place(p), from_middle = at - middle, steps = from_middle * (1.0 / step);
        cloud.grid.push_back({std::round(steps.x), std::round(steps.y), std::round(steps.z)});
        const Vec3d off = (steps - cloud.grid.back()) * step + difference_error(at, middle);
        cloud.moved = std::max(cloud.moved, norm(Vec3d{off.x / scale.x, off.y / scale.y, off.z / scale.z}));
    }
    const double farthest = std::max(max_abs(bounds.low), max_abs(bounds.high));
    const double noise = std::clamp(farthest * kLeastResolution, side * kLeastResolution, side * kMostResolution);
    cloud.resolution = noise / step;
    cloud.tolerance = std::max(cloud.resolution, tolerance / step);
    return cloud;
}

Indices project_outline(const Cloud& cloud, const Indices& subset, Vec3d along, Vec3d across) {
    Vector<Vec3d> plane(cloud.grid.size());
    for (const std::uint32_t i : subset)
        plane[i] = {std::round(dot(along, cloud.grid[i])), std::round(dot(across, cloud.grid[i])), 0.0};
    return exact_polygon(plane, subset);
}

Indices all_of(const Cloud& cloud) {
    Indices all(cloud.grid.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

Extent measure_extent(const Cloud& cloud) {
    Extent extent;
    if (cloud.grid.size() == 1) return extent;
    BoxD bounds = maths::kNoBounds;
    for (const Vec3d& p : cloud.grid) bounds = joined(bounds, p);
    const int axis = largest_axis(bounds.high - bounds.low);
    const Range ends = range_of(cloud, [axis](Vec3d p) { return component(p, axis); });
    const Vec3d a = cloud.grid[ends.lowest];
    const Vec3d along = unit(cloud.grid[ends.highest] - a);
    const auto beside = [&](Vec3d p) {
        const Vec3d n = cross(along, p - a);
        return dot(n, n);
    };
    const Range width = range_of(cloud, beside);
    if (std::sqrt(width.high) <= cloud.resolution) {
        const Range span = range_of(cloud, [&](Vec3d p) { return dot(along, p); });
        extent.dimension = 1;
        extent.ends[0] = span.lowest;
        extent.ends[1] = span.highest;
        return extent;
    }
    extent.dimension = 3;
    const Vec3d guess = unit(cross(along, cloud.grid[width.highest] - a));
    if (thickness(cloud, guess) > 4.0 * cloud.resolution) return extent;
    const Vec3d normal = unit(outline_normal(cloud, along, cross(guess, along)));
    if (thickness(cloud, normal) > cloud.resolution) return extent;
    extent.dimension = 2;
    extent.along = unit(cross(cross(normal, along), normal));
    extent.across = cross(normal, extent.along);
    return extent;
}

}  // namespace abut::cooking
