// The polyhedron itself, a prism on each face, a sector of a cylinder along each edge and of a ball at each vertex
// [Steiner 1840], each with its moments in closed form. A vertex's sector is bounded by one arc per edge, and an
// integral over the sector is a sum over these arcs (Green's identity for the spherical harmonics of degree 1 and 2).
// So each edge gives its share to its vertices.
#include <cmath>
#include <numbers>

#include "base/memory.hpp"
#include "store/mass/moments.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The directions in which a vertex is the farthest: a part of the unit sphere.
struct Sector {
    double angle = 0;         // solid angle
    Vec3d first = {0, 0, 0};  // integral of n
    Symmetric skew;           // integral of n n^T - I / 3
};

class Sweep {
public:
    Sweep(const HullGeometry& hull, const Vec3d& scale, const Vec3d& shape, double radius)
        : hull_(hull), scale_(scale), shape_(shape), radius_(radius), sectors_(hull.vertex_count) {}

    Moments run() {
        for (Sector& s : sectors_) s.angle = hull_.vertex_count == 1 ? 4 * std::numbers::pi : 2 * std::numbers::pi;
        for (std::uint32_t f = 0; f < hull_.face_count; ++f) add_face(f);
        for (const HullEdge& edge : hull_.edges) add_edge(edge);
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) add_vertex(v);
        return moments_;
    }

private:
    Vec3d vertex(std::uint32_t i) const {
        return times(scale_, {hull_.vertices[i].x, hull_.vertices[i].y, hull_.vertices[i].z});
    }
    Vec3d shape(std::uint32_t i) const {
        return times(shape_, {hull_.vertices[i].x, hull_.vertices[i].y, hull_.vertices[i].z});
    }

    void add_face(std::uint32_t f) {
        const std::uint16_t* const loop = hull_.loop.data() + hull_.face_first[f];
        const std::uint32_t count = hull_.face_first[f + 1] - hull_.face_first[f];
        Vec3d area = {0, 0, 0};
        for (std::uint32_t i = 1; i + 1 < count; ++i)
            area = area + maths::cross(shape(loop[i]) - shape(loop[0]), shape(loop[i + 1]) - shape(loop[0]));
        const Vec3d normal = maths::unit(area);
        normals_.push_back(normal);
        for (std::uint32_t i = 1; i + 1 < count; ++i)
            add_triangle(vertex(loop[0]), vertex(loop[i]), vertex(loop[i + 1]), normal);
        for (std::uint32_t i = 0; i < count; ++i) {
            const Vec3d at = shape(loop[i]), in = at - shape(loop[(i + count - 1) % count]),
                        out = shape(loop[(i + 1) % count]) - at;
            const Vec3d u = maths::unit(in), v = maths::unit(out);
            // The vertex's angle defect: 2 pi less the angles of its faces, each of which is pi less its exterior
            // angle.
            sectors_[loop[i]].angle -= std::numbers::pi - std::atan2(maths::norm(maths::cross(u, v)), maths::dot(u, v));
        }
    }

    void add_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& n) {
        moments_.add_tetrahedron(a, b, c);
        const double area = maths::dot(maths::cross(b - a, c - a), n) / 2, r = radius_;
        const Vec3d sum = a + b + c, first = sum * (area / 3);
        const Symmetric second = (square(sum) + square(a) + square(b) + square(c)) * (area / 12);
        moments_.add(area * r, first * r + n * (area * r * r / 2),
                     second * r + twice_product(first, n) * (r * r / 2) + square(n) * (area * r * r * r / 3));
    }

    void add_edge(const HullEdge& edge) {
        const Vec3d a = vertex(edge.v0), b = vertex(edge.v1), along = maths::unit(shape(edge.v1) - shape(edge.v0));
        // Directions n cos t + u sin t for t from 0 to `angle`: from the left face's normal to the right one's.
        Vec3d n = {0, 0, 0};
        double angle = 2 * std::numbers::pi;
        if (edge.f0 == kNoFace) {
            n = maths::unit(maths::cross(along, std::fabs(along.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
        } else {
            n = normals_[edge.f0];
        }
        const Vec3d u = maths::cross(along, n);
        if (edge.f0 != kNoFace) {
            const Vec3d& m = normals_[edge.f1];
            angle = std::atan2(maths::dot(u, m), maths::dot(n, m));
            if (angle < -std::numbers::pi / 2)
                angle += 2 * std::numbers::pi;  // back to back, and rounded to the other side
        }
        const double sine = std::sin(angle), cosine = std::cos(angle), r = radius_, length = maths::norm(b - a);
        const Vec3d first = n * sine + u * (1 - cosine);
        const Symmetric second = square(n) * ((angle + sine * cosine) / 2) + square(u) * ((angle - sine * cosine) / 2) +
                                 twice_product(n, u) * (sine * sine / 2);
        const Vec3d line = (a + b) * (length / 2);
        const Symmetric line2 = square(a + b) * (length / 4) + square(b - a) * (length / 12);
        moments_.add(length * angle * r * r / 2, line * (angle * r * r / 2) + first * (length * r * r * r / 3),
                     line2 * (angle * r * r / 2) + twice_product(line, first) * (r * r * r / 3) +
                         second * (length * r * r * r * r / 4));
        bound(sectors_[edge.v0], first, along * -1.0, angle);
        bound(sectors_[edge.v1], first, along, angle);
    }

    // Bounds a sector by an arc of this angle, beyond which the sector's directions lean towards `inwards`.
    static void bound(Sector& s, const Vec3d& arc, const Vec3d& inwards, double angle) {
        s.first = s.first + inwards * (angle / 2);
        s.skew = s.skew + twice_product(arc, inwards) * (1.0 / 6);
    }

    void add_vertex(std::uint32_t i) {
        const Sector& s = sectors_[i];
        const Vec3d v = vertex(i);
        const double r = radius_, r3 = r * r * r / 3, r4 = r * r * r * r / 4, r5 = r * r * r * r * r / 5;
        const double third = s.angle / 3;
        const Symmetric second = s.skew + Symmetric{third, third, third, 0, 0, 0};
        moments_.add(r3 * s.angle, v * (r3 * s.angle) + s.first * r4,
                     square(v) * (r3 * s.angle) + twice_product(v, s.first) * r4 + second * r5);
    }

    const HullGeometry& hull_;
    const Vec3d scale_, shape_;
    const double radius_;
    Vector<Vec3d> normals_;
    Vector<Sector> sectors_;
    Moments moments_;
};

}  // namespace

Moments swept_polyhedron(const HullGeometry& hull, const Vec3d& scale, const Vec3d& shape, double radius) {
    return Sweep(hull, scale, shape, radius).run();
}

}  // namespace abut
