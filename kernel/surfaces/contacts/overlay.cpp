// See overlay.hpp.
#include "surfaces/contacts/overlay.hpp"

#include <algorithm>
#include <cmath>

#include "base/compiler_support.hpp"
#include "base/tolerances.hpp"

namespace abut {
using maths::Vec3d;

namespace {

template <class Each>
void for_each_bit(std::uint64_t bits, const Each& each) {
    for (; bits != 0; bits &= bits - 1) each(std::uint32_t(lowest_bit(bits)));
}

}  // namespace

std::uint32_t surface_vertex_name(std::uint32_t vertex) { return vertex & 0x3fffu; }

std::uint32_t edge_feature_id(std::uint32_t v0, std::uint32_t v1) {
    const std::uint32_t low = std::min(v0, v1), high = std::max(v0, v1);
    return 0x4000u | ((low * 0x9e3779b1u ^ high * 0x85ebca6bu) >> 18);
}

Overlay::Overlay(const Surface& surface, const PatchAxes& axes, const Vec3d& towards, const BodyFeature& feature,
                 double reach, double slack, std::span<const std::uint32_t> only)
    : surface_(surface), axes_(axes), towards_(towards), feature_(feature), reach_(reach), slack_(slack), only_(only) {
    static_assert(BodyFeature::kMost <= 64);
    asked_corners_ = asked(feature.count, [&](std::uint32_t i) { return feature.corners[i].name; });
    asked_others_ = asked(feature.other_count, [&](std::uint32_t i) { return feature.others[i].name; });
    asked_edges_ = asked(edge_count(), [&](std::uint32_t i) { return edge_name(i); });
    low_x_ = low_y_ = INFINITY, high_x_ = high_y_ = -INFINITY;
    const auto take = [&](const Vec3d& p) {
        const Point at = seen(p);
        low_x_ = std::min(low_x_, at.x), high_x_ = std::max(high_x_, at.x), low_y_ = std::min(low_y_, at.y),
        high_y_ = std::max(high_y_, at.y);
        return at;
    };
    for (std::uint32_t i = 0; i < feature.count; ++i) corners_[i] = take(feature.corners[i].position);
    for (std::uint32_t i = 0; i < feature.other_count; ++i) others_[i] = take(feature.others[i].position);
    if (!feature.is_polygon()) return;
    const Point normal = seen(feature.normal);
    slope_x_ = -normal.x / normal.z, slope_y_ = -normal.y / normal.z;
    level_ = corners_[0].z - slope_x_ * corners_[0].x - slope_y_ * corners_[0].y;
    double area = 0;
    for (std::uint32_t i = 1; i + 1 < feature.count; ++i)
        area += cross2(corners_[i].x - corners_[0].x, corners_[i].y - corners_[0].y, corners_[i + 1].x - corners_[0].x,
                       corners_[i + 1].y - corners_[0].y);
    sense_ = area < 0 ? -1 : 1;
}

void Overlay::put(double x, double y, double top, double bottom, std::uint32_t name, std::uint32_t number,
                  bool is_whole, GroundPoints& points) const {
    const double separation = top - bottom - surface_.rounding;
    const bool is_asked = only_.empty() || std::find(only_.begin(), only_.end(), name) != only_.end();
    if (separation > reach_ || !is_asked) return;
    points.add(
        {axes_.x * x + axes_.y * y + towards_ * (top - 0.5 * separation), separation, name, number, is_whole, 0, 0});
}

void Overlay::add(const OverlayTriangle& triangle, GroundPoints& points) const {
    const Point t[3] = {seen(triangle.corners[0]), seen(triangle.corners[1]), seen(triangle.corners[2])};
    const PatchTriangle patch({t[0].x, t[1].x, t[2].x}, {t[0].y, t[1].y, t[2].y});
    if (patch.low_x > high_x_ + slack_ || patch.high_x < low_x_ - slack_ || patch.low_y > high_y_ + slack_ ||
        patch.high_y < low_y_ - slack_)
        return;
    const double ux = t[1].x - t[0].x, uy = t[1].y - t[0].y, vx = t[2].x - t[0].x, vy = t[2].y - t[0].y,
                 area = cross2(ux, uy, vx, vy);
    if (area == 0) return;
    const double uz = t[1].z - t[0].z, vz = t[2].z - t[0].z, slope_x = (uz * vy - vz * uy) / area,
                 slope_y = (vz * ux - uz * vx) / area;
    const auto ground_at = [&](double x, double y) { return t[0].z + slope_x * (x - t[0].x) + slope_y * (y - t[0].y); };
    const auto put_corner = [&](const Point& p, std::uint32_t name) {
        if (patch.is_under(p.x, p.y, slack_))
            put(p.x, p.y, p.z, ground_at(p.x, p.y), name << 16 | kGroundName, triangle.number, true, points);
    };
    for_each_bit(asked_corners_, [&](std::uint32_t i) { put_corner(corners_[i], feature_.corners[i].name); });
    for_each_bit(asked_others_, [&](std::uint32_t i) { put_corner(others_[i], feature_.others[i].name); });
    if (feature_.is_polygon() && asks_for(feature_.face))
        for (int k = 0; k < 3; ++k)
            if (is_over_feature(t[k]))
                put(t[k].x, t[k].y, level_ + slope_x_ * t[k].x + slope_y_ * t[k].y, t[k].z,
                    feature_.face << 16 | surface_vertex_name(vertex_at(surface_, triangle.number, std::uint32_t(k))),
                    triangle.number, true, points);
    for_each_bit(asked_edges_, [&](std::uint32_t i) { cross_edge(i, triangle, t, patch, points); });
}

bool Overlay::is_over_feature(const Point& p) const {
    if (p.x < low_x_ || p.x > high_x_ || p.y < low_y_ || p.y > high_y_) return false;
    for (std::uint32_t i = 0; i < feature_.count; ++i) {
        const Point &from = corners_[i], &to = corners_[i + 1 < feature_.count ? i + 1 : 0];
        if (sense_ * cross2(to.x - from.x, to.y - from.y, p.x - from.x, p.y - from.y) < 0) return false;
    }
    return true;
}

// The crossings of the feature's edge from corner i with the edges of a triangle, whose corners are `t`.
void Overlay::cross_edge(std::uint32_t i, const OverlayTriangle& triangle, const Point (&t)[3],
                         const PatchTriangle& patch, GroundPoints& points) const {
    const Point &p = corners_[i], &q = corners_[end_of_edge(i)];
    if (std::min(p.x, q.x) > patch.high_x || std::max(p.x, q.x) < patch.low_x || std::min(p.y, q.y) > patch.high_y ||
        std::max(p.y, q.y) < patch.low_y)
        return;
    const double dx = q.x - p.x, dy = q.y - p.y;
    const double at[3] = {cross2(dx, dy, t[0].x - p.x, t[0].y - p.y), cross2(dx, dy, t[1].x - p.x, t[1].y - p.y),
                          cross2(dx, dy, t[2].x - p.x, t[2].y - p.y)};
    const auto vertex = [&](int k) { return vertex_at(surface_, triangle.number, std::uint32_t(k)); };
    for (int k = 0; k < 3; ++k) {
        const int next = k < 2 ? k + 1 : 0;
        if ((at[k] > 0) == (at[next] > 0) || at[k] == at[next]) continue;
        const Point &r = t[k], &s = t[next];
        const double along = at[k] / (at[k] - at[next]), x = r.x + along * (s.x - r.x), y = r.y + along * (s.y - r.y);
        const double on_edge = std::fabs(dx) > std::fabs(dy) ? (x - p.x) / dx : (y - p.y) / dy;
        if (!(on_edge >= 0 && on_edge <= 1)) continue;
        const std::uint32_t cut = edge_feature_id(vertex(k), vertex(next));
        put(x, y, p.z + on_edge * (q.z - p.z), r.z + along * (s.z - r.z), edge_name(i) << 16 | cut, triangle.number,
            false, points);
    }
}

}  // namespace abut
