// Nearest point of a simplex to a point; the triangle's regions as in Ericson, Real-Time Collision Detection, 2005,
// 5.1.5.
#include "cooking/hull/hull_near.hpp"

#include <algorithm>

namespace abut::cooking {
namespace {

void keep(Simplex& s, Vec3d a) {
    s.points[0] = s.nearest = a;
    s.count = 1;
}

void keep(Simplex& s, Vec3d a, Vec3d b, double along) {
    s.points[0] = a;
    s.points[1] = b;
    s.count = 2;
    s.nearest = a + (b - a) * along;
}

Simplex nearest_of_segment(Vec3d p, Vec3d a, Vec3d b) {
    Simplex s;
    const Vec3d ab = b - a;
    const double along = dot(p - a, ab), whole = dot(ab, ab);
    if (along <= 0.0)
        keep(s, a);
    else if (along >= whole)
        keep(s, b);
    else
        keep(s, a, b, along / whole);
    return s;
}

Simplex nearest_of_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    Simplex s;
    const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
                 d6 = dot(ac, cp);
    // The book's differences of products of dot products would leave no correct digit in the weights of a needle of
    // 1e-7.
    const Vec3d n = cross(ab, ac);
    const double vc = dot(n, cross(ap, bp)), vb = dot(n, cross(cp, ap)), va = dot(n, cross(bp, cp));
    if (d1 <= 0.0 && d2 <= 0.0) {
        keep(s, a);
    } else if (d3 >= 0.0 && d4 <= d3) {
        keep(s, b);
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        keep(s, a, b, d1 / (d1 - d3));
    } else if (d6 >= 0.0 && d5 <= d6) {
        keep(s, c);
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        keep(s, a, c, d2 / (d2 - d6));
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        keep(s, b, c, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    } else {
        const double scale = 1.0 / (va + vb + vc);
        s.points = {a, b, c};
        s.count = 3;
        s.nearest = a + ab * (vb * scale) + ac * (vc * scale);
    }
    return s;
}

}  // namespace

void reduce(Simplex& simplex, Vec3d p) {
    const auto [a, b, c, d] = simplex.points;
    if (simplex.count == 2) {
        simplex = nearest_of_segment(p, a, b);
    } else if (simplex.count == 3) {
        simplex = nearest_of_triangle(p, a, b, c);
    } else if (simplex.count == 4) {  // p is outside: the nearest face has the newest corner
        const Simplex faces[3] = {nearest_of_triangle(p, d, a, b), nearest_of_triangle(p, d, b, c),
                                  nearest_of_triangle(p, d, c, a)};
        simplex = *std::min_element(faces, faces + 3, [&](const Simplex& s, const Simplex& t) {
            return norm(p - s.nearest) < norm(p - t.nearest);
        });
    }
}

bool contains(const Simplex& simplex, Vec3d p) {
    if (simplex.count < 4) return false;
    const Vec3d newest = simplex.points[3];
    const auto inside = [&](int i, int j, int opposite) {  // of the plane through two of the others and the newest
        const Vec3d n = cross(simplex.points[i] - newest, simplex.points[j] - newest);
        return dot(n, p - newest) * dot(n, simplex.points[opposite] - newest) > 0.0;
    };
    return inside(0, 1, 2) && inside(1, 2, 0) && inside(2, 0, 1);
}

}  // namespace abut::cooking
