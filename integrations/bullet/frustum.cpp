#include "frustum.hpp"

#include <cmath>

#include "scene_parts.hpp"

namespace abut::tools {
namespace {

Corner centroid(std::span<const Corner> polygon) {
    double area = 0, x = 0, z = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Corner &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const double cross = p.x * q.z - q.x * p.z;
        area += cross;
        x += cross * (p.x + q.x) / 3;
        z += cross * (p.z + q.z) / 3;
    }
    return {x / area, z / area};
}

}  // namespace

std::vector<Corner> regular_polygon(int sides, double radius) {
    std::vector<Corner> corners;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * kPi * i / sides;
        corners.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    return corners;
}

double frustum_centre(double top, double height) {
    // The cross-section's area is proportional to the square of 1 + (top - 1) t, t from 0 to 1.
    const double k = top - 1;
    return height * (1.0 / 2 + 2 * k / 3 + k * k / 4) / (1 + k + k * k / 3);
}

ShapeSpec make_frustum(std::span<const Corner> polygon, double top, double height) {
    ShapeSpec spec;
    spec.kind = ShapeKind::hull;
    const Corner centre = centroid(polygon);
    const double bottom_y = -frustum_centre(top, height);
    for (const Corner& c : polygon) spec.vertices.push_back(vec3(c.x - centre.x, bottom_y, c.z - centre.z));
    for (const Corner& c : polygon)
        spec.vertices.push_back(vec3(top * (c.x - centre.x), bottom_y + height, top * (c.z - centre.z)));
    return spec;
}

}  // namespace abut::tools
