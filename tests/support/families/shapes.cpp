// Shapes of the families, see shapes.hpp.
#include "support/families/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "scenes/hard_shapes.hpp"
#include "scenes/laying.hpp"

namespace abut::families {

using oracle::Shape;
using oracle::Vec3d;

namespace {

using Points = std::vector<Vec3d>;

void set_points(Shape& shape, const Points& points) {
    shape.points.clear();
    for (const Vec3d& p : points) shape.points.push_back({float(p.x), float(p.y), float(p.z)});
}

Points points_of(const Shape& shape) {
    Points points;
    for (const Vec3& p : shape.points) points.push_back(Vec3d(p));
    return points;
}

// About y.
Points ring(int sides, double radius, double y, double phase) {
    Points out;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides + phase;
        out.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    }
    return out;
}

Points prism(int sides, double radius, double half_height, double phase) {
    Points out = ring(sides, radius, -half_height, phase);
    for (const Vec3d& p : ring(sides, radius, half_height, phase)) out.push_back(p);
    return out;
}

double& axis_of(Vec3d& v, std::uint32_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

bool scales_by_axis(ShapeKind kind) {
    return kind == ShapeKind::box || kind == ShapeKind::hull || kind == ShapeKind::ellipsoid;
}

// A hull's size, its points taken about their middle.
double size_of(const Points& points) {
    Vec3d low = points[0], high = low;
    for (const Vec3d& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / 2;
}

// A point of the hull's surface: in a face, on an edge or at a corner, with the outward normal there.
std::pair<Vec3d, Vec3d> surface_point(const oracle::Polytope& hull, Random& random) {
    const auto& t = hull.triangles[random.below(std::uint32_t(hull.triangles.size()))];
    const Vec3d p = hull.vertices[t.v[0]], q = hull.vertices[t.v[1]], r = hull.vertices[t.v[2]];
    double s = random.uniform(), u = random.uniform() * (1 - s);
    if (random.chance(0.3)) u = 0;
    if (random.chance(0.1)) s = 0;
    return {p + (q - p) * s + (r - p) * u, normalised(cross(q - p, r - p))};
}

// Every length along `axis` times `by`: of what has lengths along axes.
void stretch(Shape& shape, std::uint32_t axis, double by) {
    Vec3d half(shape.half_extents);
    axis_of(half, axis) *= by;
    shape.half_extents = {float(half.x), float(half.y), float(half.z)};
    Points points = points_of(shape);
    for (Vec3d& p : points) axis_of(p, axis) *= by;
    set_points(shape, points);
}

}  // namespace

double decades(double low, double high, Random& random) { return std::pow(10.0, random.uniform(low, high)); }

Shape ordinary(ShapeKind kind, const Draw& draw, Random& random) {
    return scenes::flat_shape(kind, draw.scale, random);
}

Shape any_form(ShapeKind kind, const Draw& draw, Random& random) {
    if (random.chance(0.5)) return ordinary(kind, draw, random);
    Shape shape = scenes::hard_shape(kind, random.below(840), random);
    scenes::scale(shape, draw.scale);
    return shape;
}

Shape needle_or_plate(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    shape.rounding = 0;
    const double thin = decades(-5, -1, random);
    const std::uint32_t axis = random.below(3);
    const bool needle = random.chance(0.5);
    if (kind == ShapeKind::capsule || needle)
        shape.radius = float(shape.radius * thin);
    else
        shape.half_height = float(shape.half_height * thin);
    if (kind == ShapeKind::sphere || kind == ShapeKind::halfspace) return ordinary(kind, draw, random);
    if (kind == ShapeKind::hull && random.chance(0.5)) {
        shape.scale = {1, 1, 1};
        const double phase = random.uniform(0, 6);
        set_points(shape, prism(3 + int(random.below(6)), draw.scale, draw.scale, phase));
    }
    stretch(shape, axis, thin);
    if (needle) stretch(shape, (axis + 1) % 3, random.chance(0.5) ? thin : decades(-5, -1, random));
    return shape;
}

Shape flat(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    if (random.chance(0.7)) shape.rounding = 0;
    switch (kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule: shape.radius = 0; break;
        case ShapeKind::box: stretch(shape, random.below(3), 0); break;
        case ShapeKind::cylinder:
        case ShapeKind::cone: shape.half_height = 0; break;
        case ShapeKind::ellipsoid: stretch(shape, random.below(3), 1e-4); break;
        case ShapeKind::hull: {
            const std::uint32_t axis = random.below(3);
            shape.scale = {1, 1, 1};
            const double phase = random.uniform(0, 6);
            Points polygon = ring(3 + int(random.below(14)), draw.scale, 0, phase);
            if (axis == 0)
                for (Vec3d& p : polygon) std::swap(p.x, p.y);
            if (axis == 2) {
                const oracle::Rotation turn = oracle::rotation_of(random.orientation());  // flat to rounding
                for (Vec3d& p : polygon) p = turn * p;
            }
            set_points(shape, polygon);
            break;
        }
        default: break;
    }
    return shape;
}

Shape point_or_segment(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = flat(kind, draw, random);
    const bool point = random.chance(0.5);
    shape.rounding = 0;
    shape.radius = 0;
    if (kind == ShapeKind::ellipsoid || kind == ShapeKind::halfspace) return ordinary(kind, draw, random);
    if (point)
        shape.half_height = 0, shape.half_extents = {};
    else
        shape.half_extents = {0, shape.half_extents.y, 0};
    if (kind == ShapeKind::cone || kind == ShapeKind::cylinder) shape.half_height = point ? 0 : float(draw.scale);
    if (kind == ShapeKind::hull) {
        const Vec3d p = random.chance(0.5) ? Vec3d{} : random.direction() * draw.scale;
        if (point)
            set_points(shape, {p});
        else
            set_points(shape, {p, random.direction() * draw.scale});
    }
    return shape;
}

Shape off_centre(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    if (kind != ShapeKind::hull) return shape;
    Points points = points_of(shape);
    if (random.chance(0.3)) points = prism(4, 0.70710678118654752 * draw.scale, draw.scale / 2, std::numbers::pi / 4);
    const double size = size_of(points), far = size * decades(0, 3, random);
    const double step = draw.scale / 16;
    // Along one axis, level parts are moved; else anywhere. Multiples of a step keep the numbers of a cube exact.
    Vec3d off = random.direction() * far;
    if (random.chance(0.4)) off = Vec3d{}, axis_of(off, random.below(3)) = random.chance(0.5) ? far : -far;
    if (random.chance(0.5))
        off = {std::round(off.x / step) * step, std::round(off.y / step) * step, std::round(off.z / step) * step};
    for (Vec3d& p : points) p = p + off;
    set_points(shape, points);
    return shape;
}

Shape split(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    if (kind != ShapeKind::hull) return shape;
    const oracle::Polytope hull = oracle::convex_hull(shape.points);
    Points points = points_of(shape);
    const double bump = decades(-8, -3, random) * size_of(points);
    for (std::uint32_t n = 1 + random.below(5); n > 0; --n) {
        const auto [p, normal] = surface_point(hull, random);
        points.push_back(p + normal * (bump * (random.chance(0.8) ? 1 : random.uniform(-1, 1))));
    }
    set_points(shape, points);
    return shape;
}

Shape near_duplicates(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    if (kind != ShapeKind::hull) return shape;
    Points points = points_of(shape);
    const double size = size_of(points);
    const std::size_t before = points.size();
    for (std::size_t i = 0; i < before; ++i)
        for (std::uint32_t n = random.below(3); n > 0; --n)
            points.push_back(points[i] + random.direction() * (size * decades(-9, -4, random)));
    set_points(shape, points);
    return shape;
}

Shape scaled(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape =
        random.chance(0.3) && kind == ShapeKind::hull ? split(kind, draw, random) : ordinary(kind, draw, random);
    if (kind == ShapeKind::halfspace) return far_plane(kind, draw, random);
    float factor[3];
    for (float& f : factor) f = float(decades(-3, 3, random));
    if (random.chance(0.3)) factor[random.below(3)] = random.chance(0.5) ? 1000.0f : 0.001f;
    if (!scales_by_axis(kind)) factor[1] = factor[2] = factor[0];
    shape.scale = {factor[0], factor[1], factor[2]};
    if (random.chance(0.3)) return shape;
    // What the scale blows up was thin: its size is ordinary again.
    if (scales_by_axis(kind)) {
        for (std::uint32_t axis = 0; axis < 3; ++axis) stretch(shape, axis, 1 / double(factor[axis]));
    } else {
        shape.radius /= factor[0], shape.half_height /= factor[0];
    }
    return shape;
}

Shape rounded(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = any_form(kind, draw, random);
    shape.rounding = float(draw.scale * decades(-6, 1, random));
    return shape;
}

Shape pointed(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    if (random.chance(0.7)) shape.rounding = 0;
    if (kind == ShapeKind::cone)
        shape.half_height =
            float(shape.radius * (random.chance(0.6) ? random.uniform(0.01, 0.3) : decades(-4, 3, random)));
    if (kind == ShapeKind::hull && random.chance(0.7)) {
        shape.scale = {1, 1, 1};
        const double phase = random.uniform(0, 6);
        Points points = ring(3 + int(random.below(30)), draw.scale, 0, phase);
        points.push_back(
            {0, draw.scale * (random.chance(0.6) ? random.uniform(0.01, 0.3) : decades(-3, 1, random)), 0});
        if (random.chance(0.3)) points.push_back({0, -draw.scale * random.uniform(0.01, 1), 0});
        set_points(shape, points);
    }
    return shape;
}

Shape on_lattice(ShapeKind kind, const Draw& draw, Random& random) {
    const auto length = [&](std::uint32_t most) { return float((1 + random.below(most)) * 0.125 * draw.scale); };
    Shape shape;
    shape.kind = kind;
    shape.radius = length(8), shape.half_height = length(8);
    shape.half_extents = {length(8), length(8), length(8)};
    if (kind == ShapeKind::hull) {
        static constexpr int kSides[] = {3, 4, 4, 6, 8, 5};
        const int sides = kSides[random.below(6)];
        const double phase = random.below(4) * std::numbers::pi / 12 * (random.chance(0.5) ? 1 : 0) +
                             (sides == 4 && random.chance(0.5) ? std::numbers::pi / 4 : 0);
        const double radius = double(length(8)) * (sides == 4 && random.chance(0.5) ? std::numbers::sqrt2 : 1);
        set_points(shape, prism(sides, radius, length(8), phase));
    }
    if (kind == ShapeKind::halfspace) shape.normal = {0, 1, 0}, shape.offset = random.chance(0.5) ? 0 : length(8);
    return shape;
}

Shape prism_or_box(ShapeKind kind, const Draw& draw, Random& random) {
    // One inscribed in the other: corners on the middles of sides, or corners on corners.
    static constexpr double kRadii[] = {1,    1, 0.5, 0.70710678118654752, 0.86602540378443865, 1.4142135623730951,
                                        0.25, 2};
    Shape shape;
    shape.kind = kind;
    const double radius = draw.scale * kRadii[random.below(8)], half_height = draw.scale * (1 + random.below(8)) / 8;
    shape.half_extents = {float(radius), float(half_height),
                          float(radius * (random.chance(0.5) ? 1 : kRadii[random.below(8)]))};
    shape.radius = float(radius), shape.half_height = float(half_height);
    if (kind != ShapeKind::hull) return shape;
    const int sides = 3 + int(random.below(6));
    const bool on_axes = random.chance(0.5);
    Points points = prism(sides, on_axes ? draw.scale * (1 + random.below(4)) / 4 : radius, half_height,
                          on_axes ? 0 : random.below(24) * std::numbers::pi / 12);
    // Exactly on a square's sides or a diamond's.
    if (sides == 4 && on_axes)
        for (Vec3d& p : points)
            p = {std::round(8 * p.x / draw.scale) / 8 * draw.scale, p.y,
                 std::round(8 * p.z / draw.scale) / 8 * draw.scale};
    if (sides == 4 && random.chance(0.5))
        for (Vec3d& p : points) p = {p.x - p.z, p.y, p.x + p.z};
    // A frustum.
    if (random.chance(0.3))
        for (Vec3d& p : points)
            if (p.y > 0) p = {p.x / 2, p.y, p.z / 2};
    set_points(shape, points);
    return shape;
}

Shape nearly_ball(ShapeKind kind, const Draw& draw, Random& random) {
    Shape shape = ordinary(kind, draw, random);
    if (kind != ShapeKind::hull) return shape;
    shape.scale = {1, 1, 1};
    if (random.chance(0.5)) shape.rounding = 0;
    Points points;
    const double phase = random.uniform(0, 6);
    if (random.chance(0.3)) {
        const int corners = 24 + int(random.below(random.chance(0.5) ? 73 : 217));
        const double half_height = draw.scale * random.uniform(0.5, 1.2);
        points = prism(corners, draw.scale, half_height, phase);
    } else if (random.chance(0.5)) {
        for (std::uint32_t n = 40 + random.below(random.chance(0.7) ? 161 : 961); n > 0; --n)
            points.push_back(random.direction() * draw.scale);
    } else {
        const bool is_fine = random.chance(0.3);
        const int rings = 5 + int(random.below(is_fine ? 20 : 6)), around = 8 + int(random.below(is_fine ? 33 : 13));
        for (int i = 0; i < rings; ++i) {
            const double height = std::cos(std::numbers::pi * (i + 0.5) / rings),
                         radius = std::sin(std::numbers::pi * (i + 0.5) / rings);
            for (const Vec3d& p : ring(around, draw.scale * radius, draw.scale * height, phase)) points.push_back(p);
        }
    }
    set_points(shape, points);
    return shape;
}

Shape scaled_off_centre(ShapeKind kind, const Draw& draw, Random& random) {
    if (kind != ShapeKind::hull) return scaled(kind, draw, random);
    Shape shape = off_centre(kind, draw, random);
    float factor[3];
    for (float& f : factor) f = float(random.uniform(0.3, 3));
    shape.scale = {factor[0], factor[1], factor[2]};
    return shape;
}

Shape far_plane(ShapeKind kind, const Draw& draw, Random& random) {
    if (kind != ShapeKind::halfspace) return ordinary(kind, draw, random);
    Shape shape;
    shape.kind = kind;
    static constexpr Vec3 kNormals[] = {{0, 1, 0},        {0, 2, 0}, {-1, 0, 0},   {0.6f, 0.8f, 0},
                                        {0, 0.6f, -0.8f}, {1, 1, 1}, {1e-3f, 1, 0}};
    const double size = random.uniform(0.5, 2);
    const Vec3d n = random.direction() * size;
    shape.normal = random.chance(0.5) ? kNormals[random.below(7)] : Vec3{float(n.x), float(n.y), float(n.z)};
    shape.offset = random.chance(0.3) ? 0 : float(draw.scale * random.uniform(-1, 1) * decades(0, 4, random));
    const float s = random.chance(0.5) ? float(random.uniform(0.5, 2)) : float(decades(-3, 3, random));
    if (random.chance(0.7)) shape.scale = {s, s, s};
    if (random.chance(0.2)) shape.rounding = float(draw.scale * decades(-3, 1, random));
    return shape;
}

}  // namespace abut::families
