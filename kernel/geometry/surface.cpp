// See surface.hpp.
#include "geometry/surface.hpp"

#include <cmath>

namespace abut {
namespace {

using exact::Vec3d;

struct GridPoint {
    std::uint32_t row, column;
};

struct FieldTriangle {
    GridPoint corners[3];
};

FieldTriangle field_triangle(const HeightfieldGeometry& field, std::uint32_t triangle) {
    const std::uint32_t cell = triangle / 2, r = cell / (field.columns - 1), c = cell % (field.columns - 1);
    if (triangle % 2 == 0) return {{{r, c}, {r + 1, c}, {r + 1, c + 1}}};
    return {{{r, c}, {r + 1, c + 1}, {r, c + 1}}};
}

bool is_there(const HeightfieldGeometry& field, const FieldTriangle& t) {
    for (const GridPoint p : t.corners)
        if (std::isnan(field.height(p.row, p.column))) return false;
    return true;
}

// The triangle across an edge; kNoTriangle beyond the border or at a missing sample.
std::uint32_t field_neighbour(const HeightfieldGeometry& field, std::uint32_t triangle, std::uint32_t edge) {
    const std::uint32_t cell = triangle / 2, across = field.columns - 1, r = cell / across, c = cell % across;
    std::uint32_t other = kNoTriangle;
    if (triangle % 2 == 0) {
        if (edge == 0 && c > 0) other = triangle - 1;
        if (edge == 1 && r + 2 < field.rows) other = triangle + 2 * across + 1;
        if (edge == 2) other = triangle + 1;
    } else {
        if (edge == 0) other = triangle - 1;
        if (edge == 1 && c + 2 < field.columns) other = triangle + 1;
        if (edge == 2 && r > 0) other = triangle - 2 * across - 1;
    }
    return other != kNoTriangle && is_there(field, field_triangle(field, other)) ? other : kNoTriangle;
}

double largest_coordinate(Vec3 low, Vec3 high) {
    const auto most = [](float a, float b) { return exact::most(std::fabs(a), std::fabs(b)); };
    return exact::most(most(low.x, high.x), exact::most(most(low.y, high.y), most(low.z, high.z)));
}

Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

}  // namespace

bool has_triangle(const Surface& surface, std::uint32_t triangle) {
    if (triangle >= surface.triangle_count()) return false;
    return surface.mesh != nullptr || is_there(*surface.field, field_triangle(*surface.field, triangle));
}

SurfaceCorners corners_at(const Surface& surface, std::uint32_t triangle) {
    const std::uint32_t second = surface.is_mirrored() ? 2 : 1, third = 3 - second;
    if (surface.mesh != nullptr) {
        const MeshGeometry& mesh = *surface.mesh;
        const Vec3* const vertices = mesh.vertices.data();
        const std::uint32_t anchor = mesh.nodes[triangle / MeshNode::kWidth].first_vertex;
        const auto corner = [&](std::uint32_t k) { return times(vertices[mesh.corners.at(3 * triangle + k, anchor)], surface.scale); };
        return {{corner(0), corner(second), corner(third)}};
    }
    const FieldTriangle t = field_triangle(*surface.field, triangle);
    const auto corner = [&](std::uint32_t k) { return times(surface.field->sample(t.corners[k].row, t.corners[k].column), surface.scale); };
    return {{corner(0), corner(second), corner(third)}};
}

std::uint32_t vertex_at(const Surface& surface, std::uint32_t triangle, std::uint32_t k) {
    const std::uint32_t own = surface.is_mirrored() && k != 0 ? 3 - k : k;
    if (surface.mesh != nullptr) return surface.mesh->corner(triangle, own);
    const GridPoint p = field_triangle(*surface.field, triangle).corners[own];
    return p.row * surface.field->columns + p.column;
}

std::uint32_t neighbour_at(const Surface& surface, std::uint32_t triangle, std::uint32_t edge) {
    const std::uint32_t own = surface.is_mirrored() ? 2 - edge : edge;
    return surface.mesh != nullptr ? surface.mesh->neighbour(triangle, own) : field_neighbour(*surface.field, triangle, own);
}

double largest_coordinate(const Surface& surface) {
    const Vec3 low = surface.mesh != nullptr ? surface.mesh->bounds_min : surface.field->bounds_min;
    const Vec3 high = surface.mesh != nullptr ? surface.mesh->bounds_max : surface.field->bounds_max;
    return largest_coordinate(times(low, surface.scale), times(high, surface.scale));
}

exact::Vec3d normal_of(const SurfaceCorners& corners) {
    const Vec3d a = exact::to_double(corners.at[0]), b = exact::to_double(corners.at[1]), c = exact::to_double(corners.at[2]);
    const Vec3d area = exact::cross(b - a, c - a);
    return exact::is_zero(area) ? Vec3d{0, 1, 0} : exact::unit(area);
}

std::uint32_t input_index(const Surface& surface, std::uint32_t triangle) {
    return surface.mesh != nullptr ? surface.mesh->input[triangle] : triangle;
}

}  // namespace abut
