// Makes the hull that the kernels read from a cloud of points: checks the points, makes a canonical cloud, computes the
// exact hull (solid_hull.cpp), removes corners that are not needed, then those above the limit, merges faces, lays out
// the tables, and measures the deviation.
#include "cooking/hull/hull_cooking.hpp"

#include <algorithm>
#include <utility>

#include "base/rounding.hpp"
#include "cooking/hull/contact_faces.hpp"
#include "cooking/hull/hull_box.hpp"
#include "cooking/hull/hull_cloud.hpp"
#include "cooking/hull/hull_deviation.hpp"
#include "cooking/hull/hull_faces.hpp"
#include "cooking/hull/hull_layout.hpp"
#include "cooking/hull/hull_limit.hpp"
#include "cooking/hull/hull_scale.hpp"
#include "cooking/hull/hull_simplify.hpp"
#include "cooking/hull/hull_skin.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

constexpr std::size_t kMaxPoints = 0x7fffffff;
constexpr std::uint32_t kManyCorners = 2048;
constexpr double kFirstLimitTolerance = 2.5e-4;  // of the extent; a ball of 4,096 corners has 5e-4

std::optional<Error> check_points(std::span<const Vec3> points) {
    if (points.empty()) return bad_shape("a hull needs at least 1 point, but points is empty");
    if (points.size() > kMaxPoints)
        return Error{ErrorCode::limit,
                     message_of("a hull is made of at most ", kMaxPoints, " points, but points has ", points.size())};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = points[i];
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
        return bad_shape(message_of("points[", i, "] must be finite, but is (", p.x, ", ", p.y, ", ", p.z, ")"));
    }
    return std::nullopt;
}

std::optional<Error> check_options(const HullOptions& options) { return check_length("tolerance", options.tolerance); }

// The error if max_vertices is too small for a hull of the cloud's dimension.
Error too_few(std::uint32_t most, int dimension) {
    const char* const names[4] = {"point", "segment", "polygon", "solid"};
    return bad_shape(message_of("max_vertices is ", most, ", but these points make a ", names[dimension],
                                ", which has at least ", dimension + 1, " vertices"));
}

Error too_many(std::size_t corners) {
    return {ErrorCode::limit, message_of("a hull has at most ", ShapeStore::kMaxHullVertices,
                                         " vertices (ShapeStore::kMaxHullVertices), but these points make ", corners,
                                         "; max_vertices or a larger tolerance drops more of them")};
}

cooking::Loops faces_of(const cooking::Cloud& cloud, const cooking::Skin& skin) {
    if (!skin.mesh.triangles.empty()) return cooking::merge_faces(cloud.grid, skin.mesh, cloud.resolution);
    cooking::Loops loops;
    if (skin.loop.size() < 3) return loops;
    loops.add(skin.loop);
    loops.add(cooking::Indices(skin.loop.rbegin(), skin.loop.rend()));
    return loops;
}

// Simplifies to at most `most` corners: by a tolerance, raised until no more are left. Above kManyCorners this takes a
// tenth of the time of limit_corners, whose swaps cost `most` each, and loses less.
cooking::Skin within_limit(cooking::Cloud cloud, const cooking::Extent& extent, const cooking::Skin& exact,
                           std::uint32_t most) {
    double reach = 0;  // from the first point: half the longest side or more
    for (const maths::Vec3d& p : cloud.grid) reach = std::max(reach, maths::max_abs(p - cloud.grid[0]));
    cloud.tolerance = std::max(cloud.tolerance, kFirstLimitTolerance * reach);
    for (;;) {
        cooking::Skin skin = cooking::simplify(cloud, extent, exact);
        if (skin.corners.size() <= most) return skin;
        // The number of corners of a curved surface is inversely proportional to the tolerance.
        cloud.tolerance *= std::clamp(1.2 * double(skin.corners.size()) / most, 1.5, 8.0);
    }
}

Expected<HullGeometry> cook(std::span<const Vec3> points, const HullOptions& options, Vec3 scale) {
    const cooking::Cloud cloud = cooking::make_cloud(points, options.tolerance, scale);
    const cooking::Extent extent = cooking::measure_extent(cloud);
    const cooking::Skin exact = cooking::make_skin(cloud, extent);
    cooking::Skin skin = cooking::simplify(cloud, extent, exact);
    const std::uint32_t most = std::min(options.max_vertices, ShapeStore::kMaxHullVertices);
    // The limit on the number of corners holds for any scale.
    const std::size_t may_show = extent.dimension == 3 ? exact.corners.size() : cloud.points.size();
    const bool is_simplified = cloud.tolerance > cloud.resolution || (most != 0 && may_show > most);
    if (most != 0 && skin.corners.size() > most) {
        if (most <= std::uint32_t(extent.dimension)) return too_few(most, extent.dimension);
        skin = most > kManyCorners ? within_limit(cloud, extent, exact, most)
                                   : cooking::limit_corners(cloud, extent, skin, most);
    }
    if (skin.corners.size() > ShapeStore::kMaxHullVertices) return too_many(skin.corners.size());

    const cooking::Loops faces = faces_of(cloud, skin);
    HullGeometry hull = cooking::lay_out(cloud.points, skin.corners, faces, extent.dimension);
    if (!cooking::is_finite(hull)) return bad_shape("the hull's bounds are past float32's range");
    hull.report.dropped_points = std::uint32_t(points.size() - skin.corners.size());
    cooking::recognise_box(hull);
    cooking::measure_deviation(hull, cloud, extent, exact, skin);
    cooking::keep_source(hull, cloud, extent, exact, skin, faces, is_simplified);
    return hull;
}

}  // namespace

Expected<HullGeometry> cook_geometry(std::span<const Vec3> points, const HullOptions& options) {
    if (auto error = check_points(points)) return *error;
    if (auto error = check_options(options)) return *error;
    return cook(points, options, {1.0f, 1.0f, 1.0f});
}

Expected<HullGeometry> cook_for_scale(const HullGeometry& first, Vec3 scale) {
    auto cooked = cook(first.source->points, {}, scale);
    if (!cooked) return cooked;
    HullGeometry hull = std::move(*cooked);
    measure_widths(hull, scale);
    hull.report.dropped_points = first.report.dropped_points + first.report.vertices - hull.report.vertices;
    hull.report.deviation = round_up(double(hull.report.deviation) + first.source->deviation);
    hull.source = make_shared<HullSource>(HullSource{.points = {}, .sides = {}, .cooked_for = scale});
    return hull;
}

}  // namespace abut
