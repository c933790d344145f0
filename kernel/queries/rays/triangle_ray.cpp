// See triangle_ray.hpp.
#include "queries/rays/triangle_ray.hpp"

#include <cmath>
#include <utility>

#include "surfaces/solids/planar_cross.hpp"

namespace abut {
using maths::Vec3d;

TriangleRay::TriangleRay(const LocalRay& ray) : origin_(ray.origin) {
    const Vec3d& d = ray.direction;
    z_ = maths::largest_axis(absolute(d));
    x_ = (z_ + 1) % 3, y_ = (z_ + 2) % 3;
    // The swap preserves the winding of triangles for a ray that points against the axis.
    if (component(d, z_) < 0) std::swap(x_, y_);
    const double by = 1 / component(d, z_);
    shear_ = {component(d, x_) * by, component(d, y_) * by, by};
}

Vec3d TriangleRay::sheared(const Vec3& corner) const {
    const Vec3d p = maths::to_double(corner) - origin_;
    const double depth = component(p, z_);
    return {component(p, x_) - shear_.x * depth, component(p, y_) - shear_.y * depth, depth * shear_.z};
}

TriangleRay::Crossing TriangleRay::operator()(const SurfaceCorners& corners) const {
    const Vec3d a = sheared(corners.at[0]), b = sheared(corners.at[1]), c = sheared(corners.at[2]);
    const double u = planar_cross(c, b), v = planar_cross(a, c), w = planar_cross(b, a);
    Crossing crossing;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return crossing;
    const double sum = u + v + w;
    if (sum == 0) return crossing;
    crossing.meets = true;
    crossing.from_front = sum > 0;
    crossing.distance = (u * a.z + v * b.z + w * c.z) / sum;
    return crossing;
}

TriangleRay::TriangleRay(const MeshWalk& walk) : shear_{walk.shear[0], walk.shear[1], walk.shear[2]} {
    z_ = int(walk.depth_axis);
    x_ = (z_ + 1) % 3, y_ = (z_ + 2) % 3;
    if (walk.is_swapped != 0) std::swap(x_, y_);
    double origin[3];
    origin[x_] = walk.origin[0], origin[y_] = walk.origin[1], origin[z_] = walk.origin[2];
    origin_ = {origin[0], origin[1], origin[2]};
}

}  // namespace abut
