// Volume and its first and second moments, in double. A body is a sum of pieces; pieces that are inside out count
// negatively.
#pragma once

#include "base/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

// A symmetric matrix.
struct Symmetric {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

inline Symmetric operator+(const Symmetric& a, const Symmetric& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
inline Symmetric operator*(const Symmetric& a, double s) {
    return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
}

// a b^T + b a^T, which is 2 square(a) if a = b.
inline Symmetric twice_product(const maths::Vec3d& a, const maths::Vec3d& b) {
    return {2 * a.x * b.x,         2 * a.y * b.y,         2 * a.z * b.z,
            a.x * b.y + b.x * a.y, a.x * b.z + b.x * a.z, a.y * b.z + b.y * a.z};
}
inline Symmetric square(const maths::Vec3d& a) {
    return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
}

struct Moments {
    double volume = 0;
    maths::Vec3d first = {0, 0, 0};  // integral of x dV
    Symmetric second;                // integral of x x^T dV

    void add(double v, const maths::Vec3d& f, const Symmetric& s) {
        volume += v;
        first = first + f;
        second = second + s;
    }
    // Adds the tetrahedron of the origin and a, b, c; it counts negatively if a, b, c are clockwise seen from outside.
    void add_tetrahedron(const maths::Vec3d& a, const maths::Vec3d& b, const maths::Vec3d& c) {
        const maths::Vec3d sum = a + b + c;
        const double v = maths::dot(a, maths::cross(b, c)) / 6;
        add(v, sum * (v / 4), (square(sum) + square(a) + square(b) + square(c)) * (v / 20));
    }
};

// The moments of the body after a translation by `by`, and after the rotation `axes`.
Moments moved(const Moments& m, const maths::Vec3d& by);
Moments turned(const Moments& m, const maths::Mat3& axes);

// A polyhedron swept by a ball [Steiner 1840], about the hull's centre. Normals and edge directions are those of the
// hull scaled by `shape`, whose components are positive even where those of `scale` are 0 (flat boxes).
Moments swept_polyhedron(const HullGeometry& hull, const maths::Vec3d& scale, const maths::Vec3d& shape, double radius);

// A body of revolution about Y swept by a ball: discs at -half_height and half_height, and the cone between them.
Moments swept_frustum(double bottom_radius, double top_radius, double half_height, double radius);

// An ellipsoid swept by a ball, by quadrature; without a radius in closed form.
Moments swept_ellipsoid(const maths::Vec3d& radii, double radius);

// A custom shape of these lengths, from a surface of its support points.
Moments swept_custom(const CustomShape& shape, const maths::Vec3d& lengths, double radius);

}  // namespace abut
