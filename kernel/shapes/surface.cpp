// See surface.hpp.
#include "shapes/surface.hpp"

#include <cmath>

namespace abut {
namespace {

using maths::Vec3d;

// A cell's first triangle has the edge at the cell's first column, the second triangle the edge at its last column. The
// diagonal decides which of them has the edge at the first or last row.
std::uint32_t across_column(const HeightfieldGeometry& field, std::uint32_t cell, bool is_second) {
    const std::uint32_t c = cell % (field.columns - 1);
    if (is_second) return c + 2 < field.columns ? 2 * (cell + 1) : kNoTriangle;
    return c > 0 ? 2 * (cell - 1) + 1 : kNoTriangle;
}
std::uint32_t across_row(const HeightfieldGeometry& field, std::uint32_t cell, bool is_up) {
    const std::uint32_t across = field.columns - 1, r = cell / across;
    if (is_up ? r + 2 >= field.rows : r == 0) return kNoTriangle;
    const std::uint32_t other = is_up ? cell + across : cell - across;
    const bool has_other_diagonal = (field.flags(other) & kCellOtherDiagonal) != 0;
    return 2 * other + std::uint32_t(has_other_diagonal != is_up);
}

// The triangle across an edge; kNoTriangle beyond the border or at a hole.
std::uint32_t field_neighbour(const HeightfieldGeometry& field, std::uint32_t triangle, std::uint32_t edge) {
    const std::uint32_t cell = triangle / 2;
    const bool is_second = triangle % 2 != 0, is_other = (field.flags(cell) & kCellOtherDiagonal) != 0;
    const std::uint32_t column_edge = is_second ? 1 : 0;
    const std::uint32_t diagonal_edge = is_other ? (is_second ? 2 : 1) : (is_second ? 0 : 2);
    std::uint32_t other;
    if (edge == column_edge)
        other = across_column(field, cell, is_second);
    else if (edge == diagonal_edge)
        other = triangle ^ 1;
    else
        other = across_row(field, cell, is_second == is_other);
    return other != kNoTriangle && is_there(field, other) ? other : kNoTriangle;
}

double largest_coordinate(Vec3 low, Vec3 high) {
    const auto most = [](float a, float b) { return maths::max(std::fabs(a), std::fabs(b)); };
    return maths::max(most(low.x, high.x), maths::max(most(low.y, high.y), most(low.z, high.z)));
}

}  // namespace

bool has_triangle(const Surface& surface, std::uint32_t triangle) {
    if (triangle >= surface.triangle_count()) return false;
    return surface.mesh != nullptr || is_there(*surface.field, triangle);
}

SurfaceCorners corners_at(const Surface& surface, std::uint32_t triangle) {
    const std::uint32_t second = surface.is_mirrored() ? 2 : 1, third = 3 - second;
    if (surface.mesh != nullptr) {
        const MeshGeometry& mesh = *surface.mesh;
        const Vec3* const vertices = mesh.vertices.data();
        const std::uint32_t anchor = mesh.nodes[triangle / MeshNode::kWidth].first_vertex;
        const auto corner = [&](std::uint32_t k) {
            return maths::times(vertices[mesh.corners.at(3 * triangle + k, anchor)], surface.scale);
        };
        return {{corner(0), corner(second), corner(third)}};
    }
    const FieldTriangle t = field_triangle(*surface.field, triangle);
    const auto corner = [&](std::uint32_t k) {
        return maths::times(surface.field->sample(t.corners[k].row, t.corners[k].column), surface.scale);
    };
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
    return surface.mesh != nullptr ? surface.mesh->neighbour(triangle, own)
                                   : field_neighbour(*surface.field, triangle, own);
}

double largest_coordinate(const Surface& surface) {
    const Vec3 low = surface.mesh != nullptr ? surface.mesh->bounds_min : surface.field->bounds_min;
    const Vec3 high = surface.mesh != nullptr ? surface.mesh->bounds_max : surface.field->bounds_max;
    return largest_coordinate(maths::times(low, surface.scale), maths::times(high, surface.scale));
}

maths::Vec3d normal_of(const SurfaceCorners& corners) {
    const Vec3d area = corners.area();
    return maths::is_zero(area) ? Vec3d{0, 1, 0} : maths::unit(area);
}

std::uint32_t input_index(const Surface& surface, std::uint32_t triangle) {
    return surface.mesh != nullptr ? surface.mesh->input[triangle] : triangle;
}

}  // namespace abut
