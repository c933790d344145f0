// Samples both surfaces in rows along the longest edge of each triangle.
#include "union_deviation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include <abut/shape_store.hpp>

#include "files.hpp"
#include "point_distances.hpp"

namespace abut::tools {
namespace {

constexpr double kSamples = 20000;   // per surface, about; more if it has more triangles
constexpr double kOnSurface = 1e-5;  // of the size: a sample this deep in the union is on its surface

using Triangle = std::array<Vec3, 3>;

Vec3 between(Vec3 a, Vec3 b, double share) {
    const auto mix = [&](float x, float y) { return float(double(x) + share * (double(y) - double(x))); };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}
double distance(Vec3 a, Vec3 b) { return std::hypot(double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z); }

struct Longest {
    Triangle turned;  // its first edge is the longest
    double edge, height;
};
Longest longest_of(const Triangle& t) {
    std::size_t k = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (distance(t[i], t[(i + 1) % 3]) > distance(t[k], t[(k + 1) % 3])) k = i;
    const double a = distance(t[k], t[(k + 1) % 3]), b = distance(t[(k + 1) % 3], t[(k + 2) % 3]),
                 c = distance(t[(k + 2) % 3], t[k]);
    // Twice the area, as Kahan has it for needles.
    const double p = std::max(b, c), q = std::min(b, c);
    const double square = (a + (p + q)) * (q - (a - p)) * (q + (a - p)) * (a + (p - q));
    return {{t[k], t[(k + 1) % 3], t[(k + 2) % 3]}, a, a > 0.0 ? std::sqrt(std::max(0.0, square)) / 2 / a : 0.0};
}

void sample(const Triangle& triangle, double spacing, std::vector<Vec3>& points) {
    const auto [t, edge, height] = longest_of(triangle);
    const auto steps = [&](double length) { return spacing > 0.0 ? std::max(1.0, std::ceil(length / spacing)) : 1.0; };
    const double rows = steps(height);
    for (double row = 0; row <= rows; ++row) {
        const Vec3 begin = between(t[0], t[2], row / rows), end = between(t[1], t[2], row / rows);
        const double columns = row < rows ? steps(edge * (1 - row / rows)) : 0;
        for (double column = 0; column <= columns; ++column)
            points.push_back(between(begin, end, columns > 0 ? column / columns : 0.0));
    }
    points.push_back(between(between(t[0], t[1], 0.5), t[2], 1.0 / 3));
}

double spacing_of(std::span<const Triangle> triangles) {
    std::vector<Longest> all;
    double area = 0.0, needles = 0.0;
    for (const Triangle& triangle : triangles) {
        all.push_back(longest_of(triangle));
        area += all.back().edge * all.back().height / 2;
    }
    const double spacing = std::sqrt(area / kSamples);
    for (const Longest& longest : all)
        if (longest.edge > 4 * spacing && longest.height < spacing) needles += longest.edge;
    return std::max(spacing, needles / kSamples);
}

// Each once.
std::vector<Vec3> samples_of(std::span<const Triangle> triangles, double spacing) {
    std::vector<Vec3> points;
    for (const Triangle& triangle : triangles) sample(triangle, spacing, points);
    const auto less = [](Vec3 a, Vec3 b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); };
    std::sort(points.begin(), points.end(), less);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

ShapeId checked(const Expected<ShapeId>& id) {
    if (!id) throw InputError(std::string(id.error().message.view()));
    return *id;
}

// Adds the triangles of its faces, of a flat one both of its.
void add_faces(const ShapeStore& store, ShapeId hull, std::vector<Triangle>& triangles) {
    const ShapeView view = store.view(hull);
    std::vector<Vec3> vertices(view.hull.vertices);
    store.hull_vertices(hull, vertices);
    if (view.hull.faces == 0) triangles.push_back({vertices.front(), vertices.back(), vertices.back()});
    for (std::uint32_t f = 0; f < view.hull.faces; ++f) {
        const auto corners = store.hull_face(hull, f).corners;
        for (std::size_t i = 2; i < corners.size(); ++i)
            triangles.push_back({vertices[corners[0]], vertices[corners[i - 1]], vertices[corners[i]]});
    }
}

ShapeId add_mesh(ShapeStore& store, const Mesh& mesh, MeshSides sides) {
    std::vector<MeshTriangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({{a, b, c}});
    return checked(store.add_mesh(mesh.positions, triangles, {}, {.sides = sides}));
}

}  // namespace

UnionDeviation measure_union(const Mesh& mesh, std::span<const std::vector<Vec3>> hulls) {
    UnionDeviation deviation;
    ShapeStore store;
    std::vector<CompoundChild> children;
    std::vector<Triangle> mesh_triangles, hull_triangles;
    for (const std::vector<Vec3>& hull : hulls) {
        children.push_back({checked(store.add_hull(hull)), {}, {}});
        add_faces(store, children.back().shape, hull_triangles);
    }
    for (const auto& [a, b, c] : mesh.triangles)
        mesh_triangles.push_back({mesh.positions[a], mesh.positions[b], mesh.positions[c]});
    const ShapeId compound = checked(store.add_compound(children));

    deviation.mesh_spacing = spacing_of(mesh_triangles);
    const std::vector<Vec3> on_mesh = samples_of(mesh_triangles, deviation.mesh_spacing);
    deviation.mesh_points = on_mesh.size();
    for (const float d : measure_points(store, compound, on_mesh).signed_distance)
        deviation.mesh_outside = std::max(deviation.mesh_outside, double(d));

    deviation.hulls_spacing = spacing_of(hull_triangles);
    std::vector<Vec3> on_hulls = samples_of(hull_triangles, deviation.hulls_spacing);
    const std::vector<float> depths = measure_points(store, compound, on_hulls).signed_distance;
    const double tolerance = kOnSurface * store.view(compound).size;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < on_hulls.size(); ++i)
        if (depths[i] >= -tolerance) on_hulls[kept++] = on_hulls[i];
    on_hulls.resize(kept);
    deviation.hulls_points = kept;

    ShapeId surface = add_mesh(store, mesh, MeshSides::front);
    deviation.is_solid = has_inside(store, surface);
    if (!deviation.is_solid) surface = add_mesh(store, mesh, MeshSides::both);
    for (const float d : measure_points(store, surface, on_hulls, deviation.is_solid).signed_distance)
        deviation.hulls_outside = std::max(deviation.hulls_outside, double(d));
    return deviation;
}

}  // namespace abut::tools
