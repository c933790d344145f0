// See cone.hpp. An edge or a corner of a surface is the outermost along a direction if no part of its triangles is
// farther along that direction.
#include "surfaces/triangles/cone.hpp"

#include <cmath>

#include "base/tolerances.hpp"

namespace abut {
namespace {

using maths::Vec3d;

bool are_equal(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// The corner that is neither end of an edge.
Vec3d third_corner(const SurfaceCorners& corners, Vec3 a, Vec3 b) {
    for (const Vec3& v : corners.at)
        if (!are_equal(v, a) && !are_equal(v, b)) return maths::to_double(v);
    return corners[0];
}

bool edge_holds(const SeenSurface& seen, std::uint32_t triangle, const SurfaceCorners& corners, std::uint32_t edge,
                const Vec3d& normal, const Vec3d& direction, double slack) {
    const std::uint32_t other = neighbour_at(seen.surface, triangle, edge);
    if (other == kNoTriangle) return true;
    const SurfaceCorners beside = corners_at(seen.surface, other);
    if (!seen.meets(beside)) return true;  // counts as an open edge
    const Vec3 from = corners.at[edge], to = corners.at[(edge + 1) % 3];
    const Vec3d a = maths::to_double(from), along = maths::unit(maths::to_double(to) - a),
                p = third_corner(beside, from, to) - a;
    const Vec3d across = p - along * dot(p, along), own = corners[(edge + 2) % 3] - a;
    const double width = norm(across), height = dot(normal, across);
    const bool is_folded = dot(across, own - along * dot(own, along)) > 0;
    if (!is_folded && height >= -(kFlatSine * width + kConvexityRounding * seen.coordinate))
        return false;  // flat or a valley
    return dot(direction, across) <= slack * width;
}

// Visits the triangles around a corner until `visit` returns false: in one direction up to the first triangle or an
// open edge, then in the other direction.
template <class Visit>
bool around_corner(const Surface& surface, std::uint32_t triangle, std::uint32_t corner, const Visit& visit) {
    constexpr int kMostAround = 64;
    const Vec3 centre = corners_at(surface, triangle).at[corner];
    for (const bool forwards : {true, false}) {
        std::uint32_t now = triangle, k = corner;
        for (int steps = 0; steps < kMostAround; ++steps) {
            // Crosses the edge that ends at the corner, or the one that begins there.
            now = neighbour_at(surface, now, forwards ? k : (k + 2) % 3);
            if (now == triangle) return true;
            if (now == kNoTriangle) break;
            const SurfaceCorners corners = corners_at(surface, now);
            for (k = 0; k < 2 && !are_equal(corners.at[k], centre);) ++k;
            if (!visit(corners)) return false;
        }
    }
    return true;
}

bool corner_holds(const SeenSurface& seen, std::uint32_t triangle, const SurfaceCorners& corners, std::uint32_t corner,
                  const Vec3d& direction) {
    const Vec3d top = corners[corner];
    return around_corner(seen.surface, triangle, corner, [&](const SurfaceCorners& beside) {
        if (!seen.meets(beside)) return true;
        for (const Vec3& v : beside.at) {
            const Vec3d off = maths::to_double(v) - top;
            if (dot(direction, off) > kTopSlack * norm(off)) return false;
        }
        return true;
    });
}

// The corner that is outermost along a direction, or the edge from it to the next corner if that is perpendicular to
// the direction.
struct Outermost {
    std::uint32_t first;
    bool is_edge;
};

Outermost outermost(const SurfaceCorners& corners, const Vec3d& direction, double slack) {
    double height[3];
    std::uint32_t top = 0;
    for (std::uint32_t k = 0; k < 3; ++k) {
        height[k] = dot(direction, corners[k] - corners[0]);
        if (height[k] > height[top]) top = k;
    }
    // All edges of a needle may be perpendicular to the direction: takes the edge that is most so.
    Outermost out = {top, false};
    double least = slack, of = 1;  // a height and a length
    for (const std::uint32_t other : {(top + 1) % 3, (top + 2) % 3}) {
        const double below = height[top] - height[other], length = norm(corners[other] - corners[top]);
        if (below * of > least * length) continue;
        out = {other == (top + 1) % 3 ? top : other, true};
        least = below, of = length;
    }
    return out;
}

// True if all samples around a triangle's corners are in its plane, and no cell there is a hole.
bool is_within_flat(const HeightfieldGeometry& field, const Vec3& scale, std::uint32_t triangle) {
    const std::uint32_t across_row = field.columns - 1, cell = triangle / 2, row = cell / across_row,
                        column = cell % across_row;
    if (row == 0 || column == 0 || row + 2 >= field.rows || column + 2 >= field.columns) return false;
    if (!field.cells.empty())
        for (std::uint32_t near = cell - across_row - 1; near <= cell + across_row - 1; near += across_row)
            if (((field.flags(near) | field.flags(near + 1) | field.flags(near + 2)) & kCellHole) != 0) return false;
    const double here = field.height(row, column), below = field.height(row + 1, column),
                 beside = field.height(row, column + 1), across = field.height(row + 1, column + 1);
    const bool is_second = triangle % 2 != 0, is_other = (field.flags(cell) & kCellOtherDiagonal) != 0;
    const double by_row = is_second ? across - beside : below - here,
                 by_column = is_second == is_other ? across - below : beside - here;
    const double origin =
        is_second && is_other ? below - by_row : here;  // height of the triangle's plane at (row, column)
    const double spacing =
        maths::min(std::fabs(double(field.spacing_x) * scale.x), std::fabs(double(field.spacing_z) * scale.z));
    for (int r = -1; r <= 2; ++r) {
        for (int c = -1; c <= 2; ++c) {
            const double height = field.height(std::uint32_t(int(row) + r), std::uint32_t(int(column) + c));
            const bool is_level =
                std::fabs((height - origin - by_row * r - by_column * c) * scale.y) <= 0.25 * kFlatSine * spacing;
            if (!is_level) return false;  // or a hole
        }
    }
    return true;
}

}  // namespace

QuerySides sides_of(const Surface& surface, QuerySides asked) {
    if (asked == QuerySides::as_cooked || surface.rounding > 0)
        return surface.sides() == MeshSides::both ? QuerySides::both : QuerySides::front;
    return asked;
}

Vec3d SeenSurface::normal_at(const SurfaceCorners& corners) const {
    const Vec3d normal = normal_of(corners);
    const QuerySides met = sides_of(surface, sides);
    const bool is_behind = met == QuerySides::back || (met == QuerySides::both && dot(normal, centre - corners[0]) < 0);
    return is_behind ? -normal : normal;
}

bool SeenSurface::meets(const SurfaceCorners& corners) const {
    const QuerySides met = sides_of(surface, sides);
    return met == QuerySides::both || is_in_front(body_centre, corners) == (met == QuerySides::front);
}

NormalSource normal_source_of(const SeenSurface& seen, std::uint32_t triangle, const SurfaceCorners& corners,
                              const Vec3d& normal, const Vec3d& direction, double slack) {
    const double cosine = dot(normal, direction);
    if (cosine >= kSameNormalCosine) return NormalSource::face;
    if (cosine < 0) return NormalSource::replaced;
    const Outermost top = outermost(corners, direction, slack);
    const bool holds = top.is_edge ? edge_holds(seen, triangle, corners, top.first, normal, direction, slack)
                                   : corner_holds(seen, triangle, corners, top.first, direction);
    return holds ? NormalSource::feature : NormalSource::replaced;
}

bool is_within_flat(const Surface& surface, std::uint32_t triangle, const SurfaceCorners& corners) {
    if (surface.field != nullptr) return is_within_flat(*surface.field, surface.scale, triangle);
    // Cooking has computed edges and corners for even scales. Rounding must not have made bends flat.
    if (surface.mesh->bends[triangle] != 0 || !surface.is_evenly_scaled()) return false;
    const Vec3d edges[3] = {corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]};
    const Vec3d area = maths::cross(edges[0], edges[1]);
    const double longest =
        maths::max(dot(edges[0], edges[0]), maths::max(dot(edges[1], edges[1]), dot(edges[2], edges[2])));
    const double rounded = kConvexityRounding * largest_coordinate(surface);
    return kFlatSine * kFlatSine * dot(area, area) >= rounded * rounded * longest;
}

Vec3d point_on_feature(const SurfaceCorners& corners, const Vec3d& direction, const Vec3d& point, double slack) {
    const Outermost top = outermost(corners, direction, slack);
    const Vec3d from = corners[top.first];
    if (!top.is_edge) return from;
    const Vec3d along = corners[(top.first + 1) % 3] - from;
    return from + along * maths::max(0, maths::min(1, dot(point - from, along) / dot(along, along)));
}

bool rises_at(const SurfaceCorners& corners, const Vec3d& point, const Vec3d& direction, double near, double slack) {
    const Vec3d a = corners[0], b = corners[1], c = corners[2];
    const auto is_past = [near](double x, double p, double q, double r) {
        return x < maths::min(p, maths::min(q, r)) - near || x > maths::max(p, maths::max(q, r)) + near;
    };
    if (is_past(point.x, a.x, b.x, c.x) || is_past(point.y, a.y, b.y, c.y) || is_past(point.z, a.z, b.z, c.z))
        return false;
    // Tests the area first, which needs no root: most points are not in the plane.
    const Vec3d area = maths::cross(b - a, c - a), from_a = point - a;
    const double volume = dot(area, from_a);
    if (volume * volume > kSurelyOff * near * near * dot(area, area)) return false;
    const Vec3d normal = normal_of(corners);
    const double height = dot(normal, from_a);
    if (std::fabs(height) > near) return false;
    const Vec3d below = point - normal * height, level = direction - normal * dot(normal, direction);
    double outside = 0;
    bool leads_in = norm(level) > slack;  // `from` the point straight up the triangle leads into it
    for (std::uint32_t k = 0; k < 3; ++k) {
        const Vec3d along = corners[(k + 1) % 3] - corners[k], inwards = maths::cross(normal, along);
        const double inside = dot(inwards, below - corners[k]) / norm(along);
        outside = maths::max(outside, -inside);
        leads_in &= inside > near || dot(inwards, level) > 0;
    }
    if (outside > near) return false;
    if (leads_in) return true;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const Vec3d off = corners[k] - below;
        if (dot(direction, off) > slack * norm(off) + outside) return true;
    }
    return false;
}

}  // namespace abut
