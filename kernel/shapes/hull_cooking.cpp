// From a cloud of points to the hull that the kernels read: check, canonical cloud, hull by Qhull, checked exactly (solid_hull.cpp),
// drop what is not needed, merge faces, lay out.
#include "shapes/hull_cooking.hpp"

#include <string>

#include "shapes/hull_cloud.hpp"
#include "shapes/hull_faces.hpp"
#include "shapes/hull_layout.hpp"
#include "shapes/hull_simplify.hpp"
#include "shapes/shape_checks.hpp"

namespace abut {
namespace {

constexpr std::size_t kMaxPoints = 0x7fffffff;

std::optional<Error> check_points(std::span<const Vec3> points) {
    if (points.empty()) return bad_shape("a hull needs at least 1 point, but points is empty");
    if (points.size() > kMaxPoints)
        return Error{ErrorCode::limit, "a hull is made of at most " + std::to_string(kMaxPoints) + " points, but points has " +
                                           std::to_string(points.size())};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = points[i];
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
        return bad_shape("points[" + std::to_string(i) + "] must be finite, but is (" + to_digits(p.x) + ", " + to_digits(p.y) + ", " +
                         to_digits(p.z) + ")");
    }
    return std::nullopt;
}

std::optional<Error> check_options(const HullOptions& options) {
    if (options.max_vertices != 0)
        return Error{ErrorCode::unsupported,
                     "max_vertices other than 0 is not supported in this version, but is " + std::to_string(options.max_vertices)};
    return check_length("tolerance", options.tolerance);
}

Error too_many(std::size_t corners) {
    return {ErrorCode::limit, "a hull has at most " + std::to_string(ShapeStore::kMaxHullVertices) +
                                  " vertices (ShapeStore::kMaxHullVertices), but these points make " + std::to_string(corners) +
                                  "; a larger tolerance drops more of them"};
}

}  // namespace

Expected<HullGeometry> cook_hull(std::span<const Vec3> points, const HullOptions& options) {
    if (auto error = check_points(points)) return *error;
    if (auto error = check_options(options)) return *error;

    const cooking::Cloud cloud = cooking::make_cloud(points, options.tolerance);
    const cooking::Extent extent = cooking::measure_extent(cloud);
    cooking::Indices corners = {0};
    cooking::Loops loops;
    if (extent.dimension == 1) {
        corners = {std::min(extent.ends[0], extent.ends[1]), std::max(extent.ends[0], extent.ends[1])};
    } else if (extent.dimension >= 2) {
        cooking::Skin skin = cooking::simplify(cloud, extent, cooking::make_skin(cloud, extent));
        if (skin.corners.size() > ShapeStore::kMaxHullVertices) return too_many(skin.corners.size());
        if (extent.dimension == 3) {
            loops = cooking::merge_faces(cloud.grid, skin.mesh, cloud.resolution);
        } else {
            loops.add(skin.loop);
            loops.add(cooking::Indices(skin.loop.rbegin(), skin.loop.rend()));
        }
        corners = std::move(skin.corners);
    }
    HullGeometry hull = cooking::lay_out(cloud.points, corners, loops, extent.dimension);
    if (!cooking::is_finite(hull)) return bad_shape("the hull's bounds are past float32's range");
    hull.report.dropped_points = std::uint32_t(points.size() - corners.size());
    return hull;
}

}  // namespace abut
