// See meshes.hpp.
#include "surfaces/distances/meshes.hpp"

#include <cmath>

namespace abut::surfaces {
namespace {

using oracle::Vec3d;
using scenes::Random;

constexpr double kTurn = 6.283185307179586;

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

void add_quad(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({{a, b, c}});
    mesh.triangles.push_back({{a, c, d}});
}

// Quads of (cells + 1)^2 vertices; point(i, k).
template <class Point>
void add_sheet(Mesh& mesh, std::uint32_t cells, const Point& point) {
    const auto first = std::uint32_t(mesh.vertices.size());
    for (std::uint32_t i = 0; i <= cells; ++i)
        for (std::uint32_t k = 0; k <= cells; ++k) mesh.vertices.push_back(rounded(point(i, k)));
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t k = 0; k < cells; ++k) {
            const std::uint32_t a = first + i * (cells + 1) + k;
            add_quad(mesh, a, a + 1, a + cells + 2, a + cells + 1);
        }
}

}  // namespace

Mesh torus(std::uint32_t around, std::uint32_t across) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < across; ++k) {
            const double u = kTurn * i / around, v = kTurn * k / across, r = 0.7 + 0.3 * std::cos(v);
            mesh.vertices.push_back(rounded({r * std::cos(u), 0.3 * std::sin(v), r * std::sin(u)}));
        }
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < across; ++k) {
            const std::uint32_t next_i = (i + 1) % around, next_k = (k + 1) % across;
            add_quad(mesh, i * across + k, i * across + next_k, next_i * across + next_k, next_i * across + k);
        }
    return mesh;
}

Mesh ball(std::uint32_t rings, std::uint32_t sectors, double dents, Random& random) {
    Mesh mesh;
    const auto add = [&](double polar, double around) {
        const double r = 1 - dents * random.uniform();
        mesh.vertices.push_back(rounded(
            {r * std::sin(polar) * std::cos(around), r * std::cos(polar), r * std::sin(polar) * std::sin(around)}));
    };
    add(0, 0);
    for (std::uint32_t i = 1; i < rings; ++i)
        for (std::uint32_t k = 0; k < sectors; ++k) add(kTurn / 2 * i / rings, kTurn * k / sectors);
    add(kTurn / 2, 0);
    const auto last = std::uint32_t(mesh.vertices.size() - 1);
    for (std::uint32_t k = 0; k < sectors; ++k) {
        const std::uint32_t next = (k + 1) % sectors;
        mesh.triangles.push_back({{0, 1 + next, 1 + k}});
        for (std::uint32_t i = 1; i + 1 < rings; ++i) {
            const std::uint32_t ring = 1 + (i - 1) * sectors;
            add_quad(mesh, ring + k, ring + next, ring + sectors + next, ring + sectors + k);
        }
        const std::uint32_t ring = 1 + (rings - 2) * sectors;
        mesh.triangles.push_back({{ring + k, ring + next, last}});
    }
    return mesh;
}

Mesh dented_box(std::uint32_t cells, double dents, Random& random) {
    Mesh mesh;
    for (int face = 0; face < 6; ++face)
        add_sheet(mesh, cells, [&](std::uint32_t i, std::uint32_t k) {
            const bool is_inner = i != 0 && k != 0 && i != cells && k != cells;
            const double x = 2.0 * i / cells - 1, y = 2.0 * k / cells - 1,
                         z = 1 - (is_inner ? dents * random.uniform() : 0);
            const double sign = face < 3 ? 1 : -1;
            const Vec3d p = {x, sign * y, sign * z};  // a mirrored face is turned over
            return face % 3 == 0 ? p : face % 3 == 1 ? Vec3d{p.y, p.z, p.x} : Vec3d{p.z, p.x, p.y};
        });
    return mesh;
}

Mesh shell(std::uint32_t cells, double thickness) {
    Mesh mesh;
    for (const double sign : {1.0, -1.0})
        add_sheet(mesh, cells, [&](std::uint32_t i, std::uint32_t k) {
            return Vec3d{2.0 * i / cells - 1, sign * thickness / 2, sign * (2.0 * k / cells - 1)};
        });
    return mesh;
}

Mesh soup(std::uint32_t count, double longest, Random& random) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d at = random.direction();
        for (int k = 0; k < 3; ++k) mesh.vertices.push_back(rounded(at + random.direction() * longest));
        mesh.triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
    }
    return mesh;
}

}  // namespace abut::surfaces
