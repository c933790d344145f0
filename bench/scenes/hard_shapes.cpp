// Awkward shapes, see hard_shapes.hpp. Box-like hulls and integer coordinates are there on purpose: exactly parallel
// features.
#include "scenes/hard_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace abut::scenes {
namespace {

using oracle::Vec3d;
using Points = std::vector<Vec3d>;

constexpr double kThin = 1e-4;  // extent ratio of slivers, needles and plates

Points corners(double x, double y, double z) {
    Points out;
    for (int i = 0; i < 8; ++i) out.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
    return out;
}

Points on_ellipsoid(std::uint32_t count, const Vec3d& radii, Random& random) {
    Points out;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d v = random.direction();
        out.push_back({v.x * radii.x, v.y * radii.y, v.z * radii.z});
    }
    return out;
}

// Regular.
Points octagon(double radius, double z) {
    const double d = radius * 0.70710678118654752;
    return {{radius, 0, z},  {d, d, z},   {0, radius, z},  {-d, d, z},
            {-radius, 0, z}, {-d, -d, z}, {0, -radius, z}, {d, -d, z}};
}

// `sides` points of a circle about z, a rational point for each value of the half-angle's tangent.
Points circle(int sides, double radius, double z) {
    Points out;
    for (int i = 0; i < sides; ++i) {
        const double t = (2.0 * i + 1) / sides - 1;  // a quarter turn to either side, and the opposite half
        for (const double side : {1.0, -1.0}) {
            const double whole = 1 + t * t;
            out.push_back({side * radius * (1 - t * t) / whole, side * radius * 2 * t / whole, z});
        }
    }
    return out;
}

Points joined(Points first, const Points& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// Every point of a grid: faces full of coplanar points, edges of collinear ones.
Points grid(int x, int y, int z) {
    Points out;
    for (int i = 0; i <= x; ++i)
        for (int j = 0; j <= y; ++j)
            for (int k = 0; k <= z; ++k)
                out.push_back({i * 0.25 - x * 0.125, j * 0.25 - y * 0.125, k * 0.25 - z * 0.125});
    return out;
}

Points moved(Points points, const Vec3d& by) {
    for (Vec3d& p : points) p = p + by;
    return points;
}

Points rotated(Points points, const Quat& by) {
    const oracle::Rotation rotation = oracle::rotation_of(by);
    for (Vec3d& p : points) p = rotation * p;
    return points;
}

Points hull_points(int form, Random& random) {
    const Vec3d round{random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1)};
    switch (form) {
        case 0: return {{0, 0, 0}};
        case 1: return {{0, -1, 0}, {0, 1, 0}};
        case 2: return {{-1, 0.5, 0}, {0, 0, 0}, {1, -0.5, 0}, {0.5, -0.25, 0}, {1, -0.5, 0}};  // collinear, one twice
        case 3: return {{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
        case 4: return {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
        case 5: return octagon(1, 0);
        case 6: return grid(4, 4, 0);
        case 7: return rotated(octagon(1, 0), random.orientation());  // flat but for rounding
        case 8: return {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
        case 9: return corners(1, 1, 1);
        case 10: return rotated(corners(1, 0.5, 0.7), random.orientation());  // faces flat but for rounding
        case 11: return grid(3, 2, 2);
        case 12: return joined(octagon(1, -0.5), octagon(1, 0.5));
        case 13: return joined(octagon(0.6, 0), {{0, 0, 1}, {0, 0, -1}});  // a bipyramid
        case 14:
            return joined(joined(corners(0.8, 0.8, 0.8), corners(0.8, 0.8, 0.8)),
                          {{0, 0, 0}, {0.1, 0, 0}});  // twice, and inside
        case 15: return corners(1, 1, kThin);
        case 16: return corners(1, kThin, kThin);
        case 17: return on_ellipsoid(16, {1, kThin, 1}, random);
        case 18: return on_ellipsoid(24, {1, kThin, kThin}, random);
        case 19: return {{0, 0, 0}, {1, kThin, 0}, {2, 0, 0}, {1, 0, kThin}};   // a sliver
        case 20: return moved(on_ellipsoid(12, round, random), {40, -25, 60});  // far off its body's origin
        case 21: return on_ellipsoid(8, round, random);
        case 22: return on_ellipsoid(20, round, random);
        case 23: return on_ellipsoid(64, round, random);
        case 24: return joined(circle(16, 0.8, -0.6), circle(16, 0.8, 0.6));  // near a cylinder
        case 25: return joined(circle(24, 0.7, -0.5), {{0, 0, 1}});           // near a cone
        case 26: return on_ellipsoid(200, {1, 1, 1}, random);                 // near a sphere
        case 27:
            return {{-1, -1, -1},      {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1 - 1e-5, -1, -1 + 1e-5},
                    {1, -1 + 1e-5, -1}};  // a corner cut
        case 28: {                        // two crumbs, far apart
            const Points far = moved(on_ellipsoid(6, {1e-5, 1e-5, 1e-5}, random), {1, 0, 0});
            return joined(on_ellipsoid(6, {1e-5, 1e-5, 1e-5}, random), far);
        }
        case 29: return {{-1, -1, 0}, {1, -1, 0}, {1, 1, 1e-6}, {-1, 1, 0}, {0, 0, -0.5}};  // all but a flat quad
        case 30: return {{-1, 0, 0}, {0, 1e-6, 0}, {1, 0, 0}};                              // all but collinear
        default: return joined(grid(4, 4, 0), {{0, 0, 1e-5}, {0.1, 0.1, -1e-5}});           // all but flat
    }
}

double thin_or(double ordinary, Random& random) { return random.chance(0.2) ? kThin : ordinary; }

// Like pencils, coins and drums; a segment, a disc or a point now and then.
void make_round(oracle::Shape& shape, std::size_t index, Random& random) {
    shape.radius = index % 5 == 0 ? 0 : float(thin_or(0.25 + 0.25 * random.below(4), random));
    shape.half_height = index % 7 == 0 ? 0 : float(thin_or(0.25 + 0.25 * random.below(4), random));
}

// Eggs, lenses and needles, spheroids, and all but spheres.
void make_ellipsoid(oracle::Shape& shape, std::size_t index, Random& random) {
    const auto radius = [&] { return float(thin_or(random.uniform(0.3, 1), random)); };
    constexpr float kHairs[] = {1e-6f, 1e-5f, 1e-4f, 1e-3f};
    const float x = radius(), y = radius(), z = radius(), hair = kHairs[random.below(4)];
    switch (index % 8) {
        case 0: shape.half_extents = {x, x, x}; break;
        case 1: shape.half_extents = {x, x * (1 + hair), x}; break;
        case 2: shape.half_extents = {x, y, x}; break;
        case 3: shape.half_extents = {x, y, y * (1 + hair)}; break;
        default: shape.half_extents = {x, y, z};
    }
}

// Level, upright or slanting planes, near the origin or a thousand sizes off it.
void make_halfspace(oracle::Shape& shape, std::size_t index, Random& random) {
    constexpr Vec3 kNormals[] = {{0, 1, 0}, {0, 2, 0}, {-1, 0, 0}, {0, 0.5f, -0.5f}, {1, 1, 1}, {1e-3f, 1, 0}};
    const double size = random.uniform(0.5, 2);
    const Vec3d n = random.direction() * size;
    shape.normal = index % 4 < 3 ? kNormals[random.below(6)] : Vec3{float(n.x), float(n.y), float(n.z)};
    shape.offset = index % 3 == 0 ? 0 : float(random.uniform(-1, 1) * (index % 3 == 1 ? 1 : 1e3));
}

// Of an instance: a factor each axis where the kind allows it. Half-spaces are scaled by powers of two: an offset of a
// thousand sizes times anything else is rounded by more than the other shape's bound.
Vec3 instance_scale(ShapeKind kind, Random& random) {
    const auto factor = [&] { return random.chance(0.5) ? 0.5f : float(random.uniform(0.4, 2.5)); };
    const float x = factor(), y = factor(), z = factor();
    const bool by_axis = kind == ShapeKind::box || kind == ShapeKind::hull || kind == ShapeKind::ellipsoid;
    return by_axis ? Vec3{x, y, z} : Vec3{x, x, x};
}

}  // namespace

oracle::Shape hard_shape(ShapeKind kind, std::size_t index, Random& random) {
    oracle::Shape shape;
    shape.kind = kind;
    switch (kind) {
        case ShapeKind::sphere: shape.radius = index % 4 == 0 ? 0 : float(random.uniform(0.25, 1)); break;
        case ShapeKind::capsule:
            shape.radius = index % 5 == 0 ? 0 : float(thin_or(0.25 + 0.25 * random.below(3), random));
            shape.half_height = index % 7 == 0 ? 0 : float(thin_or(0.5 + 0.25 * random.below(3), random));
            break;
        case ShapeKind::box: {
            float extent[3];
            for (int i = 0; i < 3; ++i) {
                const bool zero = index % 8 & std::size_t(1 << i) && index % 3 == 0;
                extent[i] =
                    zero ? 0
                         : float(thin_or(random.chance(0.5) ? 0.5 + 0.25 * random.below(3) : random.uniform(0.3, 1),
                                         random));
            }
            shape.half_extents = {extent[0], extent[1], extent[2]};
            break;
        }
        case ShapeKind::cylinder:
        case ShapeKind::cone: make_round(shape, index, random); break;
        case ShapeKind::ellipsoid: make_ellipsoid(shape, index, random); break;
        case ShapeKind::halfspace: make_halfspace(shape, index, random); break;
        default:
            for (const Vec3d& p : hull_points(int(index % kFormsAScale), random))
                shape.points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    if (random.chance(0.25)) shape.rounding = float(random.chance(0.5) ? random.uniform(0.01, 0.5) : 1e-3);
    return shape;
}

void scale(oracle::Shape& shape, double by) {
    const auto times = [by](float& value) { value = float(value * by); };
    times(shape.radius), times(shape.half_height), times(shape.rounding), times(shape.offset);
    times(shape.half_extents.x), times(shape.half_extents.y), times(shape.half_extents.z);
    for (Vec3& p : shape.points) times(p.x), times(p.y), times(p.z);
}

std::vector<oracle::Shape> hard_shapes(ShapeKind kind, std::size_t count, Random& random) {
    constexpr double kScales[] = {1, 1e-4, 1e-3, 1e-2, 10, 100, 1e3, 5e3};
    std::vector<oracle::Shape> shapes;
    Random factors(count, std::uint64_t(kind));
    for (std::size_t i = 0; i < count; ++i) {
        shapes.push_back(hard_shape(kind, i, random));
        if (factors.chance(0.125)) shapes.back().scale = instance_scale(kind, factors);
        if (i >= count / 2) scale(shapes.back(), kScales[1 + (i - count / 2) / kFormsAScale % 7]);
    }
    return shapes;
}

}  // namespace abut::scenes
