// Solids get the library's mass_properties. The moments here are independent of them and check them: a hull is summed
// up over tetrahedra from a point inside [Blow, Binstock 2004]; the other shapes have closed forms.
#include "mass.hpp"

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include <abut/properties.hpp>

namespace abut::solver {
namespace {

constexpr double kPi = std::numbers::pi;

Matrix diagonal(double x, double y, double z) { return {{x, 0, 0}, {0, y, 0}, {0, 0, z}}; }
Matrix sum(const Matrix& a, const Matrix& b) { return {a.row_x + b.row_x, a.row_y + b.row_y, a.row_z + b.row_z}; }
Matrix scaled(const Matrix& m, double s) { return {m.row_x * s, m.row_y * s, m.row_z * s}; }
Matrix outer(const Vec3d& u, const Vec3d& v) { return {v * u.x, v * u.y, v * u.z}; }

// The inertia of what has the second moments `m`: trace(m) - m.
Matrix inertia_of(const Matrix& m) {
    const double trace = m.row_x.x + m.row_y.y + m.row_z.z;
    return sum(diagonal(trace, trace, trace), scaled(m, -1));
}

// A bit for each point in the plane through i, j and k; 0 where that plane holds no face.
std::uint64_t face_of(std::span<const Vec3> points, std::size_t i, std::size_t j, std::size_t k, Vec3d& normal) {
    const Vec3d origin(points[i]);
    normal = cross(Vec3d(points[j]) - origin, Vec3d(points[k]) - origin);
    if (length(normal) == 0) return 0;
    normal = normalised(normal);
    double size = 0;
    for (const Vec3& p : points) size = std::max(size, length(Vec3d(p) - origin));
    std::uint64_t face = 0;
    bool above = false, below = false;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const double height = dot(normal, Vec3d(points[p]) - origin);
        if (std::abs(height) <= 1e-5 * size)
            face |= std::uint64_t(1) << p;
        else
            (height > 0 ? above : below) = true;
    }
    if (above && below) return 0;
    if (above) normal = -normal;
    return face;
}

// The face's points, counter-clockwise seen from outside, relative to `inside`.
std::vector<Vec3d> loop_of(std::span<const Vec3> points, std::uint64_t face, const Vec3d& normal, const Vec3d& inside) {
    std::vector<Vec3d> loop;
    Vec3d middle;
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (!(face >> p & 1)) continue;
        loop.push_back(Vec3d(points[p]) - inside);
        middle = middle + loop.back();
    }
    middle = middle / double(loop.size());
    const Vec3d u = normalised(loop[0] - middle), v = cross(normal, u);
    const auto angle = [&](const Vec3d& p) { return std::atan2(dot(p - middle, v), dot(p - middle, u)); };
    std::sort(loop.begin(), loop.end(), [&](const Vec3d& p, const Vec3d& q) { return angle(p) < angle(q); });
    return loop;
}

Solid solid_of(const ShapeStore& store, const Expected<ShapeId>& shape) {
    if (!shape) throw std::runtime_error(shape.error().message);
    const Expected<MassProperties> m = mass_properties(store, *shape);
    if (!m) throw std::runtime_error(m.error().message);
    const Matrix inertia = {{m->ixx, m->ixy, m->ixz}, {m->ixy, m->iyy, m->iyz}, {m->ixz, m->iyz, m->izz}};
    return {*shape, {m->volume, {m->centre[0], m->centre[1], m->centre[2]}, inertia}};
}

}  // namespace

Matrix transposed(const Matrix& m) { return {m * Vec3d{1, 0, 0}, m * Vec3d{0, 1, 0}, m * Vec3d{0, 0, 1}}; }
Matrix product(const Matrix& a, const Matrix& b) { return {b.back(a.row_x), b.back(a.row_y), b.back(a.row_z)}; }

Matrix inverse(const Matrix& m) {
    const Vec3d yz = cross(m.row_y, m.row_z), zx = cross(m.row_z, m.row_x), xy = cross(m.row_x, m.row_y);
    return scaled(transposed({yz, zx, xy}), 1 / dot(m.row_x, yz));
}

Moments box_moments(const Vec3d& h) {
    const double volume = 8 * h.x * h.y * h.z;
    return {volume, {}, inertia_of(scaled(diagonal(h.x * h.x, h.y * h.y, h.z * h.z), volume / 3))};
}

Moments cylinder_moments(double r, double h) {
    const double volume = 2 * kPi * r * r * h;
    return {volume, {}, inertia_of(scaled(diagonal(r * r / 4, h * h / 3, r * r / 4), volume))};
}

Moments cone_moments(double r, double h) {
    const double volume = 2 * kPi * r * r * h / 3;
    return {
        volume, {0, -h / 2, 0}, inertia_of(scaled(diagonal(r * r * 3 / 20, h * h * 3 / 20, r * r * 3 / 20), volume))};
}

Moments capsule_moments(double r, double h) {
    const Moments middle = cylinder_moments(r, h);
    // Half a ball: its centre lies 3/8 r off its plane.
    const double half = 2 * kPi * r * r * r / 3, along = r * r / 5 - 9 * r * r / 64;
    const Moments cap{half, {}, inertia_of(scaled(diagonal(r * r / 5, along, r * r / 5), half))};
    const double away = h + 3 * r / 8;
    const Moments parts[] = {middle, cap, cap};
    const oracle::Pose poses[] = {{}, {{0, away, 0}, {}}, {{0, -away, 0}, {}}};
    return sum_of(parts, poses);
}

Moments hull_moments(std::span<const Vec3> points) {
    if (points.size() > 64) throw std::runtime_error("hull_moments: more than 64 points");
    Vec3d inside;
    for (const Vec3& p : points) inside = inside + Vec3d(p) / double(points.size());
    Moments hull;
    Matrix second = diagonal(0, 0, 0);
    Vec3d first;
    std::vector<std::uint64_t> faces;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            for (std::size_t k = j + 1; k < points.size(); ++k) {
                Vec3d normal;
                const std::uint64_t face = face_of(points, i, j, k, normal);
                if (!face || std::find(faces.begin(), faces.end(), face) != faces.end()) continue;
                faces.push_back(face);
                const std::vector<Vec3d> loop = loop_of(points, face, normal, inside);
                for (std::size_t c = 2; c < loop.size(); ++c) {
                    const Vec3d u = loop[0], v = loop[c - 1], w = loop[c], all = u + v + w;
                    const double det = dot(u, cross(v, w));
                    hull.volume += det / 6;
                    first = first + all * (det / 24);
                    second = sum(second, scaled(sum(sum(outer(all, all), outer(u, u)), sum(outer(v, v), outer(w, w))),
                                                det / 120));
                }
            }
    const Vec3d centre = first / hull.volume;
    hull.centre = inside + centre;
    hull.inertia = inertia_of(sum(second, scaled(outer(centre, centre), -hull.volume)));
    return hull;
}

Moments sum_of(std::span<const Moments> parts, std::span<const oracle::Pose> poses) {
    Moments whole;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        whole.volume += parts[i].volume;
        whole.centre = whole.centre + (poses[i].position + poses[i].rotation * parts[i].centre) * parts[i].volume;
    }
    whole.centre = whole.centre / whole.volume;
    whole.inertia = diagonal(0, 0, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Matrix& r = poses[i].rotation;
        const Vec3d away = poses[i].position + r * parts[i].centre - whole.centre;
        const Matrix turned = product(product(r, parts[i].inertia), transposed(r));
        whole.inertia = sum(whole.inertia, sum(turned, scaled(inertia_of(outer(away, away)), parts[i].volume)));
    }
    return whole;
}

Solid add_sphere(ShapeStore& store, float r) { return solid_of(store, store.add_sphere(r)); }
Solid add_box(ShapeStore& store, Vec3 half) { return solid_of(store, store.add_box(half)); }
Solid add_cylinder(ShapeStore& store, float r, float h) { return solid_of(store, store.add_cylinder(r, h)); }
Solid add_cone(ShapeStore& store, float r, float h) { return solid_of(store, store.add_cone(r, h)); }
Solid add_capsule(ShapeStore& store, float r, float h) { return solid_of(store, store.add_capsule(r, h)); }
Solid add_hull(ShapeStore& store, std::span<const Vec3> points) { return solid_of(store, store.add_hull(points)); }

Solid add_compound(ShapeStore& store, std::span<const Part> parts) {
    std::vector<CompoundChild> children;
    for (const Part& part : parts) children.push_back({part.solid.shape, part.position, part.orientation});
    return solid_of(store, store.add_compound(children));
}

}  // namespace abut::solver
