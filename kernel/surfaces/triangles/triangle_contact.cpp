// See triangle_contact.hpp.
#include "surfaces/triangles/triangle_contact.hpp"

#include "surfaces/triangles/nearest_direction.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// A point that is certainly in the shape's core.
Vec3d middle_of(const ShapeTables& tables, const Probe& probe) {
    if (probe.shape.kind() != ShapeKind::hull) return probe.box.centre;
    const InstanceRecord& record = tables.record(probe.shape);
    const Vec3d scale = {record.extent_x, record.extent_y, record.extent_z};
    return probe.position + probe.axes * maths::times(scale, maths::to_double(tables.hulls[record.geometry].centre));
}

// True if the origin is inside all lateral faces of a prism, farther than `depth` from each. The prism is the triangle
// swept along `shear`: a lateral face contains an edge and is parallel to `shear`. `corners`: relative to the origin.
// The sign of `shear` makes cross(edge, shear) point outward.
bool are_sides_farther(const Vec3d (&edges)[3], const Vec3d (&corners)[3], const Vec3d& shear, double depth) {
    for (int k = 0; k < 3; ++k) {
        const Vec3d out = maths::cross(edges[k], shear);
        const double off = maths::dot(out, corners[k]);
        if (!(off > 0) || off * off < depth * depth * maths::dot(out, out)) return false;
    }
    return true;
}

// Decides the contact without nearest points if possible. `wide`: the reach between the cores.
TriangleContact contact_on_face(const ShapeTables& tables, const Probe& probe, const SeenSurface& seen,
                                std::uint32_t number, const SurfaceCorners& triangle, double wide) {
    const Vec3d a = triangle[0], b = triangle[1], c = triangle[2];
    const Vec3d edges[3] = {b - a, c - b, a - c}, area = maths::cross(edges[0], edges[1]);
    const bool is_behind = maths::dot(area, seen.centre - a) < 0;
    if (!has_known_core(probe.shape.kind())) return TriangleContact::unknown;
    if (is_behind && seen.surface.sides() == MeshSides::front)
        return TriangleContact::unknown;  // a child behind the triangle whose compound is in front
    // Removes negative zeros, so that level triangles agree on one of several equally deep corners.
    const Vec3d down = (is_behind ? area : -area) + Vec3d{};
    const Vec3d deepest = probe.position + probe.axes * farthest_point(core_of(tables, probe.shape),
                                                                       maths::transposed_times(probe.axes, down));
    const Vec3d corners[3] = {a - deepest, b - deepest, c - deepest};
    const double length = maths::norm(area), height = maths::dot(down, corners[0]) / length;
    if (height > wide) return TriangleContact::nowhere;
    const auto in_flat = [&](TriangleContact known) {
        return is_within_flat(seen.surface, number, triangle) ? known : TriangleContact::unknown;
    };
    for (int k = 0; k < 3; ++k)
        if (!(maths::dot(maths::cross(edges[k], area), corners[k]) > 0)) return in_flat(TriangleContact::replaced);
    if (height > 0) return TriangleContact::on_face;
    constexpr double kSurely = 1.001;  // larger than the error of the kernels
    const Vec3d middle = middle_of(tables, probe), shear = is_behind ? deepest - middle : middle - deepest;
    const double depth = -kSurely * height, middle_height = maths::dot(down, a - middle) / length;
    const bool is_least = middle_height > depth && are_sides_farther(edges, corners, shear, depth);
    return is_least ? TriangleContact::on_face : in_flat(TriangleContact::below);
}

// The direction to a ball, whose core is its middle.
NearestDirection direction_to_point(const Vec3d& offset, double beyond) {
    const double length = maths::norm(offset);
    if (length > beyond) return {NearestDirection::Is::beyond, {}};
    if (!(length > 0)) return {NearestDirection::Is::unknown, {}};
    return {NearestDirection::Is::found, offset * (1 / length)};
}

}  // namespace

TriangleContact triangle_contact(const ShapeTables& tables, const Probe& probe, const SeenSurface& seen,
                                 std::uint32_t triangle, double reach) {
    const SurfaceCorners corners = corners_at(seen.surface, triangle);
    const double wide = reach + seen.surface.rounding + probe.box.radius;
    const TriangleContact on_face = contact_on_face(tables, probe, seen, triangle, corners, wide);
    if (on_face != TriangleContact::unknown) return on_face;
    const Vec3d to_middle = offset_from(corners, probe.box.centre);
    const bool is_ball = probe.shape.kind() == ShapeKind::sphere;
    const NearestDirection nearest =
        is_ball ? direction_to_point(to_middle, wide) : nearest_direction(tables, probe, corners, to_middle, wide);
    if (nearest.is == NearestDirection::Is::beyond) return TriangleContact::nowhere;
    if (nearest.is == NearestDirection::Is::unknown) return TriangleContact::unknown;
    const bool is_replaced =
        normal_source_of(seen, triangle, corners, seen.normal_at(corners), nearest.direction) == NormalSource::replaced;
    return is_replaced ? TriangleContact::replaced : TriangleContact::unknown;
}

}  // namespace abut
