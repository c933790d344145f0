// See insides.hpp.
#include "queries/rays/insides.hpp"

#include <cmath>

#include <abut/narrow_phase.hpp>

#include "scenes/random.hpp"

namespace abut::rays {
namespace {

using oracle::Vec3d;
using scenes::Random;

void add(MeshData& to, const MeshData& from, bool inwards) {
    const auto first = std::uint32_t(to.vertices.size());
    to.vertices.insert(to.vertices.end(), from.vertices.begin(), from.vertices.end());
    for (MeshTriangle t : from.triangles) {
        if (inwards) std::swap(t.corners[1], t.corners[2]);
        for (std::uint32_t& corner : t.corners) corner += first;
        to.triangles.push_back(t);
    }
}

MeshData scaled(MeshData mesh, float by) {
    for (Vec3& v : mesh.vertices) v = {v.x * by, v.y * by, v.z * by};
    return mesh;
}

MeshData torus(std::uint32_t around, std::uint32_t across, double tube) {
    MeshData mesh;
    const double turn = 2 * std::acos(-1.0);
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < across; ++k) {
            const double u = turn * i / around, v = turn * k / across, radius = 1 + tube * std::cos(v);
            mesh.vertices.push_back(
                {float(radius * std::cos(u)), float(tube * std::sin(v)), float(-radius * std::sin(u))});
        }
    const auto at = [&](std::uint32_t i, std::uint32_t k) { return i % around * across + k % across; };
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < across; ++k) {
            mesh.triangles.push_back({{at(i, k), at(i + 1, k), at(i + 1, k + 1)}});
            mesh.triangles.push_back({{at(i, k), at(i + 1, k + 1), at(i, k + 1)}});
        }
    return mesh;
}

// A cube of cells, dented: corners on a lattice, so that many rays run along edges and through corners.
MeshData dented_box(std::uint32_t cells, double dents, std::uint64_t seed) {
    Random random(seed);
    MeshData mesh;
    std::vector<std::uint32_t> number((cells + 1) * (cells + 1) * (cells + 1), ~0u);
    const auto vertex = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        std::uint32_t& n = number[(x * (cells + 1) + y) * (cells + 1) + z];
        if (n != ~0u) return n;
        n = std::uint32_t(mesh.vertices.size());
        const double step = 2.0 / cells;
        Vec3d p{x * step - 1, y * step - 1, z * step - 1};
        const bool is_middle = (x > 0 && x < cells) + (y > 0 && y < cells) + (z > 0 && z < cells) == 2;
        if (is_middle && random.chance(0.5)) p = p * (1 - dents * random.uniform());
        mesh.vertices.push_back({float(p.x), float(p.y), float(p.z)});
        return n;
    };
    const auto face = [&](const auto& at) {
        for (std::uint32_t i = 0; i < cells; ++i)
            for (std::uint32_t k = 0; k < cells; ++k) {
                mesh.triangles.push_back({{at(i, k), at(i + 1, k), at(i + 1, k + 1)}});
                mesh.triangles.push_back({{at(i, k), at(i + 1, k + 1), at(i, k + 1)}});
            }
    };
    face([&](std::uint32_t i, std::uint32_t k) { return vertex(cells, i, k); });
    face([&](std::uint32_t i, std::uint32_t k) { return vertex(0, k, i); });
    face([&](std::uint32_t i, std::uint32_t k) { return vertex(k, cells, i); });
    face([&](std::uint32_t i, std::uint32_t k) { return vertex(i, 0, k); });
    face([&](std::uint32_t i, std::uint32_t k) { return vertex(i, k, cells); });
    face([&](std::uint32_t i, std::uint32_t k) { return vertex(k, i, 0); });
    return mesh;
}

double solid_angle(const Corners& t, const Vec3d& p) {
    const Vec3d a = t.at[0] - p, b = t.at[1] - p, c = t.at[2] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace

double distance_to(const Corners& t, const Vec3d& p) {
    const auto to_segment = [&](const Vec3d& a, const Vec3d& b) {
        const Vec3d way = b - a;
        const double share = dot(way, way) > 0 ? std::fmin(1, std::fmax(0, dot(p - a, way) / dot(way, way))) : 0;
        return length(p - (a + way * share));
    };
    double least =
        std::fmin(to_segment(t.at[0], t.at[1]), std::fmin(to_segment(t.at[1], t.at[2]), to_segment(t.at[2], t.at[0])));
    const Vec3d normal = cross(t.at[1] - t.at[0], t.at[2] - t.at[0]);
    if (length(normal) == 0) return least;
    bool is_over = true;
    for (int k = 0; k < 3; ++k) is_over &= dot(cross(t.at[(k + 1) % 3] - t.at[k], p - t.at[k]), normal) >= 0;
    return is_over ? std::fmin(least, std::fabs(dot(p - t.at[0], normal)) / length(normal)) : least;
}

std::vector<Inside> make_insides() {
    std::vector<Inside> all;
    all.push_back({"ball", make_ball_mesh(12, 16, 0, 1)});
    all.push_back({"mirrored ball with dents", make_ball_mesh(12, 16, 0.5, 2), {1, 2, -0.5f}});
    all.push_back({"torus", torus(24, 12, 0.4)});
    all.push_back({"box", dented_box(4, 0, 3)});
    all.push_back({"box with dents", dented_box(6, 0.6, 4)});
    MeshData shell = make_ball_mesh(12, 16, 0, 1);
    add(shell, scaled(make_ball_mesh(12, 16, 0, 1), 0.995f), true);
    all.push_back({"thin shell", shell});
    MeshData nested = shell;
    add(nested, scaled(make_ball_mesh(8, 8, 0, 1), 0.5f), false);
    all.push_back({"ball within a shell", nested});
    return all;
}

InsideTally judge_insides(const Inside& subject, std::size_t count, std::uint64_t seed) {
    InsideTally tally;
    ShapeStore shapes;
    const Expected<ShapeId> id =
        shapes.add_mesh(subject.mesh.vertices, subject.mesh.triangles, {.scale = subject.scale});
    if (!id) return tally;
    tally.is_closed = has_inside(shapes, *id);
    const bool is_mirrored = subject.scale.x * subject.scale.y * subject.scale.z < 0;
    std::vector<Corners> all;
    for (const MeshTriangle& t : subject.mesh.triangles) {
        Corners corners;
        for (int k = 0; k < 3; ++k) {
            const Vec3 v = subject.mesh.vertices[t.corners[is_mirrored && k != 0 ? 3 - k : k]];
            corners.at[k] = {double(v.x * subject.scale.x), double(v.y * subject.scale.y),
                             double(v.z * subject.scale.z)};
        }
        all.push_back(corners);
    }
    Random random(seed);
    std::vector<Vec3> points;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Corners& t = all[random.below(std::uint32_t(all.size()))];
        Vec3d p = random.direction() * random.uniform(0, 1.6);
        const Vec3d corner = t.at[0], other = t.at[1];
        switch (random.below(4)) {
            case 0: break;
            case 1: {  // beside the surface
                const double by = std::pow(10.0, random.uniform(-5, -1)) * (random.chance(0.5) ? 1 : -1);
                p = (corner + other + t.at[2]) / 3 + normalised(cross(other - corner, t.at[2] - corner)) * by;
                break;
            }
            case 2: {  // the ray along +X runs through a corner, or along an edge
                const double back = random.uniform(0.01, 1.5);
                p = (random.chance(0.5) ? corner : (corner + other) * 0.5) - Vec3d{back, 0, 0};
                break;
            }
            default: p = {corner.x * random.uniform(-1, 1), corner.y, other.z}; break;
        }
        points.push_back({float(p.x), float(p.y), float(p.z)});
        pairs.push_back({i, 0});
    }
    const std::vector<Body> bodies = {{{}, *id, {}}};
    const std::vector<Vec3> directions(count, {0.1f, -0.2f, 0.05f});
    NarrowPhase narrow;
    PointDistances found;
    RayHits rays;
    if (!narrow.measure({&shapes, bodies, pairs}, {.positions = points}, found, {.solid_meshes = true}) ||
        !narrow.raycast({&shapes, bodies, pairs}, {.origins = points, .directions = directions}, rays,
                        {.solid_meshes = true}))
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d p(points[i]);
        double least = INFINITY, angles = 0;
        for (const Corners& t : all) least = std::fmin(least, distance_to(t, p)), angles += solid_angle(t, p);
        const bool is_inside = angles > 2 * std::acos(-1.0);
        (is_inside ? tally.inside : tally.outside) += 1;
        const double expected = is_inside ? -least : least;
        bool is_right = std::fabs(double(found.signed_distance[i]) - expected) <= 1e-5 ||
                        (least < 1e-6 && std::fabs(found.signed_distance[i]) < 1e-5f);
        if (least > 1e-6) is_right &= (rays.inside[i] != 0) == is_inside;
        tally.wrong += !is_right;
    }
    return tally;
}

}  // namespace abut::rays
