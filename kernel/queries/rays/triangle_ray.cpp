// See triangle_ray.hpp.
#include "queries/rays/triangle_ray.hpp"

#include <cmath>
#include <utility>

namespace abut {
namespace {

using maths::Vec3d;

// The rounding error of `product`, which is a times b rounded [Dekker 1971].
double product_error(double a, double b, double product) {
    const auto high = [](double x) {
        const double c = x * 134217729.0;
        return c - (c - x);
    };
    const double ah = high(a), al = a - ah, bh = high(b), bl = b - bh;
    return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

// a.x b.y - a.y b.x with the exact sign. Swapping a and b changes only the sign.
double edge_value(const Vec3d& a, const Vec3d& b) {
    const double p = a.x * b.y, q = a.y * b.x, value = p - q;
    if (std::fabs(value) > 0x1p-50 * (std::fabs(p) + std::fabs(q))) return value;
    return value + (product_error(a.x, b.y, p) - product_error(a.y, b.x, q));
}

// The sign of edge_value; if that is 0, the sign for a ray shifted by an infinitesimal distance [Edelsbrunner, Muecke
// 1990].
int edge_sign(const Vec3d& a, const Vec3d& b) {
    const double value = edge_value(a, b), nearby = value != 0 ? value : a.y != b.y ? a.y - b.y : b.x - a.x;
    return nearby > 0 ? 1 : nearby < 0 ? -1 : 0;
}

// The distance along the ray at which it meets the plane of the triangle.
double depth_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double u = edge_value(c, b), v = edge_value(a, c), w = edge_value(b, a);
    return (u * a.z + v * b.z + w * c.z) / (u + v + w);
}

}  // namespace

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
    const double u = edge_value(c, b), v = edge_value(a, c), w = edge_value(b, a);
    Crossing crossing;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return crossing;
    const double sum = u + v + w;
    if (sum == 0) return crossing;
    crossing.meets = true;
    crossing.from_front = sum > 0;
    crossing.distance = (u * a.z + v * b.z + w * c.z) / sum;
    return crossing;
}

int TriangleRay::winding(const SurfaceCorners& corners) const {
    const Vec3d a = sheared(corners.at[0]), b = sheared(corners.at[1]), c = sheared(corners.at[2]);
    const int sign = edge_sign(c, b);
    if (sign == 0 || edge_sign(a, c) != sign || edge_sign(b, a) != sign || !(depth_of(a, b, c) > 0)) return 0;
    return -sign;
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
