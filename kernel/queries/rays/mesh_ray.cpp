// See mesh_ray.hpp.
#include "queries/rays/mesh_ray.hpp"

#include "queries/rays/triangle_ray.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"
#include "surfaces/solids/solid.hpp"

namespace abut {
namespace {

Surface surface_of(const MeshFrame& frame) {
    Surface surface;
    surface.mesh = frame.mesh;
    surface.scale = {frame.scale[0], frame.scale[1], frame.scale[2]};
    return surface;
}

void set_row(float (&row)[4], const Vec3& v, float last) { row[0] = v.x, row[1] = v.y, row[2] = v.z, row[3] = last; }

}  // namespace

void describe_mesh(const ShapeTables& tables, ShapeId id, bool solid_meshes, MeshFrame& frame) {
    const Surface surface = surface_of(tables, id);
    const MeshGeometry& mesh = *surface.mesh;
    const maths::BoxD bounds = bounds_of(surface);
    for (int axis = 0; axis < 3; ++axis)
        frame.low[axis] = component(bounds.low, axis), frame.high[axis] = component(bounds.high, axis);
    frame.slack = double(box_slack(surface)), frame.unused = 0;
    set_row(frame.scale, surface.scale, surface.sides() == MeshSides::front ? 1.0f : 0.0f);
    frame.kind = surface.rounding > 0                     ? MeshFrame::Kind::swept
                 : counts_as_solid(surface, solid_meshes) ? MeshFrame::Kind::solid
                                                          : MeshFrame::Kind::plain;
    frame.shape_bits = id.bits();
    frame.second_corner = surface.is_mirrored() ? 2 : 1;
    frame.last_vertex = std::uint32_t(mesh.vertices.size() - 1);
    set_row(frame.last_corner, mesh.vertices.back(), 0);
    frame.mesh = &mesh;
    frame.nodes = mesh.nodes.data(), frame.corners = mesh.corners.offsets.data();
    frame.vertices = mesh.vertices.data(), frame.input = mesh.input.data();
    frame.corner = [](const MeshGeometry& of, std::uint32_t triangle, std::uint32_t k) {
        return of.corner(triangle, k);
    };
}

bool starts_inside(const MeshFrame& frame, const double* origin) {
    return is_inside(surface_of(frame), {origin[0], origin[1], origin[2]});
}

MeshCrossing cross_triangle(const MeshWalk& walk, std::uint32_t triangle) {
    const TriangleRay::Crossing crossing = TriangleRay(walk)(corners_at(surface_of(*walk.frame), triangle));
    return {crossing.meets, crossing.from_front, crossing.distance};
}

}  // namespace abut
