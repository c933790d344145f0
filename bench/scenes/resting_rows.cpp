// See resting_rows.hpp.
#include "scenes/resting_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "scenes/turning.hpp"

namespace abut::scenes {
namespace {

using oracle::Vec3d;

constexpr std::string_view kPrefix = "resting-", kPrisms = "prisms";

std::string_view shapes_of(std::string_view name) { return name.substr(kPrefix.size()); }

float length(Random& random) { return float(random.uniform(0.4, 0.8)); }

oracle::Shape box(Random& random) {
    oracle::Shape shape;
    shape.kind = ShapeKind::box;
    shape.half_extents = {length(random), length(random), length(random)};
    return shape;
}

oracle::Shape cylinder(ShapeKind kind, Random& random) {
    oracle::Shape shape;
    shape.kind = kind;
    shape.radius = length(random);
    shape.half_height = length(random);
    return shape;
}

// Regular, upright, of `sides` sides.
oracle::Shape prism(std::uint32_t sides, Random& random) {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    const double radius = length(random), half = length(random);
    for (std::uint32_t i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        const auto x = float(radius * std::cos(angle)), z = float(radius * std::sin(angle));
        shape.points.push_back({x, float(half), z});
        shape.points.push_back({x, float(-half), z});
    }
    return shape;
}

oracle::Shape random_shape(std::string_view what, bool is_above, Random& random) {
    if (what == "cylinders") return cylinder(ShapeKind::cylinder, random);
    if (what == "capsules" && is_above) return cylinder(ShapeKind::capsule, random);
    std::uint32_t sides = 0;
    if (what.starts_with(kPrisms)) std::from_chars(what.data() + kPrisms.size(), what.data() + what.size(), sides);
    return sides >= 3 ? prism(sides, random) : box(random);
}

// Half the height and half the width of a shape as it lies.
struct Extent {
    double height, width;
};
Extent extent_of(const oracle::Shape& s) {
    switch (s.kind) {
        case ShapeKind::box: return {s.half_extents.y, std::min(s.half_extents.x, s.half_extents.z)};
        case ShapeKind::cylinder: return {s.half_height, s.radius};
        case ShapeKind::capsule: return {s.radius, s.radius};
        default: return {std::fabs(s.points[0].y), s.points[0].x};
    }
}

Quat about_vertical(double turns) {
    const Vec3d half = turned_about_z(turns / 2);
    return to_float(0, half.y, 0, half.x);
}
}  // namespace

bool is_resting_row(std::string_view name) { return name.starts_with(kPrefix); }

void add_resting_shapes(std::string_view name, std::uint32_t count, Scene& scene, Random& random) {
    for (const bool is_above : {false, true})
        for (std::uint32_t i = 0; i < count; ++i) scene.add_solid(random_shape(shapes_of(name), is_above, random));
}

void make_resting_pair(std::string_view name, std::uint32_t count, std::size_t pair, std::uint64_t seed, Scene& scene) {
    Random random(seed, pair);
    const std::uint32_t below = random.below(count), above = count + random.below(count);
    const oracle::Shape &a = scene.solids[below].shape, &b = scene.solids[above].shape;
    const Extent extent_a = extent_of(a), extent_b = extent_of(b);
    const double size = std::min(extent_a.width, extent_b.width), turn = random.uniform();
    const Quat quarter = to_float(0, 1, 0, 1), lying = to_float(0, 0, 1, 1);
    Quat orientation = about_vertical(shapes_of(name) == "boxes" ? turn : random.uniform());
    for (std::uint32_t quarters = random.below(4); quarters > 0; --quarters)
        orientation = product(orientation, quarter);
    if (b.kind == ShapeKind::capsule) orientation = product(orientation, lying);
    const Vec3d axis = random.direction();
    orientation = slightly_turned(orientation, axis * random.uniform(0, 1e-5));
    const double reach = 0.3 * size, gap = random.uniform(-5e-3, 5e-3) * size;
    const Vec3d position = {random.uniform(-reach, reach), extent_a.height + extent_b.height + gap,
                            random.uniform(-reach, reach)};
    scene.set_pair(pair, below, {}, about_vertical(turn), above, position, orientation, "resting");
}

}  // namespace abut::scenes
