// Shapes of stacks, see stack_shapes.hpp.
#include "stack_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut::test {
namespace {

using oracle::Shape;
using oracle::Vec3d;
using scenes::Random;

constexpr double kPi = std::numbers::pi;

Shape shape_of(ShapeKind kind, double radius = 0, double half_height = 0, double rounding = 0) {
    Shape shape;
    shape.kind = kind;
    shape.radius = float(radius), shape.half_height = float(half_height), shape.rounding = float(rounding);
    return shape;
}

Shape box(double x, double y, double z) {
    Shape shape = shape_of(ShapeKind::box);
    shape.half_extents = {float(x), float(y), float(z)};
    return shape;
}

// A prism or frustum about the Y axis; the first corner lies at `turn` from +X.
Shape frustum(std::uint32_t sides, double bottom, double top, double half_height, double turn) {
    Shape shape = shape_of(ShapeKind::hull);
    for (const double y : {-half_height, half_height})
        for (std::uint32_t i = 0; i < sides; ++i) {
            const double angle = turn + 2 * kPi * i / sides, r = y < 0 ? bottom : top;
            shape.points.push_back({float(r * std::cos(angle)), float(y), float(r * std::sin(angle))});
        }
    return shape;
}

// Corners exactly at multiples of r.
Shape square(double bottom, double top, double half_height, bool diamond) {
    Shape shape = shape_of(ShapeKind::hull);
    for (const double y : {-half_height, half_height}) {
        const auto r = float(y < 0 ? bottom : top);
        const Vec3 corners[4] = {{r, float(y), diamond ? 0 : r},
                                 {diamond ? 0 : -r, float(y), r},
                                 {-r, float(y), diamond ? 0 : -r},
                                 {diamond ? 0 : r, float(y), -r}};
        shape.points.insert(shape.points.end(), corners, corners + 4);
    }
    return shape;
}

// Points hardly above faces and edges.
Shape with_bumps(Random& random, Shape shape) {
    if (shape.kind == ShapeKind::box) {
        const Vec3 e = shape.half_extents;
        shape = shape_of(ShapeKind::hull);
        for (int i = 0; i < 8; ++i)
            shape.points.push_back({i & 1 ? -e.x : e.x, i & 2 ? -e.y : e.y, i & 4 ? -e.z : e.z});
    }
    const auto corners = std::uint32_t(shape.points.size()), sides = corners / 2;
    double size = 0;
    for (const Vec3& p : shape.points)
        size = std::max({size, std::fabs(double(p.x)), std::fabs(double(p.y)), std::fabs(double(p.z))});
    const std::uint32_t count = 1 + random.below(3);
    for (std::uint32_t k = 0; k < count; ++k) {
        const double height = size * 1e-8 * std::pow(300, random.uniform());
        const bool is_top = random.chance(0.3);
        const std::uint32_t first = is_top ? sides : 0;
        Vec3d p;
        if (random.chance(0.7)) {  // within the face
            double sum = 0;
            for (std::uint32_t i = 0; i < sides; ++i) {
                const double w = random.uniform();
                p = p + w * Vec3d(shape.points[first + i]), sum += w;
            }
            p = p / sum;
        } else {  // on one of its sides
            const std::uint32_t i = random.below(sides);
            const double t = random.uniform(0.1, 0.9);
            p = (1 - t) * Vec3d(shape.points[first + i]) + t * Vec3d(shape.points[first + (i + 1) % sides]);
            p = p + Vec3d{p.x, 0, p.z} * (random.chance(0.5) ? height / std::hypot(p.x, p.z) : 0);
        }
        p.y += is_top ? height : -height;
        shape.points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    return shape;
}

}  // namespace

Shape lattice_shape(Random& random) {
    const double h = on_lattice(random, 0.25, 1, 3), r = on_lattice(random, 0.25, 1, 4),
                 top = random.chance(0.7) ? r : on_lattice(random, 0.25, 1, 4);
    switch (random.below(5)) {
        case 0: return box(r, h, top);
        case 1: return square(r, top, h, false);
        case 2: return square(r, top, h, true);
        default: {
            constexpr std::uint32_t sides[5] = {3, 3, 5, 6, 8};
            return frustum(sides[random.below(5)], r, top, h, 0);
        }
    }
}

Shape any_shape(Random& random) {
    const double h = random.uniform(0.2, 1), r = random.uniform(0.3, 1);
    switch (random.below(6)) {
        case 0: return box(r, h, random.uniform(0.3, 1));
        case 1: return shape_of(ShapeKind::cylinder, r, h);
        default:
            return frustum(random.chance(0.5) ? 3 + random.below(10) : 3 + random.below(62), r,
                           random.chance(0.5) ? r : r * random.uniform(0.5, 1.5), h, random.uniform(0, 2 * kPi));
    }
}

// Hulls of boxes list their corners by signs; the faces' corners go first and last.
Shape bumpy_shape(Random& random) {
    Shape shape = lattice_shape(random);
    if (shape.kind == ShapeKind::box)
        shape = square(shape.half_extents.x, shape.half_extents.x, shape.half_extents.y, false);
    return with_bumps(random, random.chance(0.5) ? shape
                                                 : frustum(3 + random.below(10), random.uniform(0.3, 1),
                                                           random.uniform(0.3, 1), random.uniform(0.2, 1), 0));
}

Shape flat_cone(Random& random) {
    const double r = random.chance(0.5) ? 1 : random.uniform(0.3, 1), h = r * random.uniform(0.02, 0.3);
    return shape_of(ShapeKind::cone, r, h, random.chance(0.7) ? 0 : random.uniform(0.01, 0.3));
}

Shape round_shape(Random& random) {
    const ShapeKind kind = random.chance(0.5) ? ShapeKind::cylinder : ShapeKind::cone;
    const double r = random.uniform(0.2, 1), h = random.uniform(0.1, 1);
    return shape_of(kind, r, h, random.chance(0.6) ? 0 : random.uniform(0.01, 0.3));
}

Shape anything(Random& random) {
    Shape shape = any_shape(random);
    switch (random.below(5)) {
        case 0: {
            const double r = random.uniform(0.01, 0.8);
            shape = shape_of(ShapeKind::capsule, r, random.uniform(0.1, 1));
            break;
        }
        case 1: shape = flat_cone(random); break;
        case 2: shape = round_shape(random); break;
        default: break;
    }
    if (random.chance(0.3)) shape.rounding = float(random.uniform(0.01, 0.3));
    return shape;
}

}  // namespace abut::test
