// The benchmarks' rows, see scene.hpp.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "scenes/cache.hpp"
#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "scenes/resting_rows.hpp"
#include "scenes/scene.hpp"

namespace abut::scenes {
namespace {

using oracle::Vec3d;

constexpr std::uint32_t kDistinctShapes = 64;
constexpr double kWorld = 10;  // half the side of the cube that the pairs are strewn in

constexpr const char* kRowNames[] = {
    "sphere-sphere",
    "capsule-capsule",
    "sphere-box",
    "capsule-box",
    "box-box",
    "hull8-hull8",
    "hull16-hull16",
    "hull32-hull32",
    "hull64-hull64",
    "hull256-hull256",
    "mixed",
    "cylinder-cylinder",
    "box-cylinder",
    "cone-cone",
    "ellipsoid-ellipsoid",
    "hull32-halfspace",
    "resting-boxes",
    "resting-boxes-yawed",
    "resting-prisms6",
    "resting-prisms12",
    "resting-prisms24",
    "resting-cylinders",
    "resting-capsules",
};

struct Ingredient {
    ShapeKind kind = ShapeKind::hull;
    std::uint32_t vertices = 0;  // hull only; 0: any number from 4 to 40
    friend bool operator==(const Ingredient&, const Ingredient&) = default;
};

Ingredient parse(std::string_view word) {
    if (word == "sphere") return {ShapeKind::sphere};
    if (word == "capsule") return {ShapeKind::capsule};
    if (word == "box") return {ShapeKind::box};
    if (word == "cylinder") return {ShapeKind::cylinder};
    if (word == "cone") return {ShapeKind::cone};
    if (word == "ellipsoid") return {ShapeKind::ellipsoid};
    if (word == "halfspace") return {ShapeKind::halfspace};
    if (word == "hull") return {ShapeKind::hull};
    Ingredient hull;
    if (word.starts_with("hull") &&
        std::from_chars(word.data() + 4, word.data() + word.size(), hull.vertices).ec == std::errc() &&
        hull.vertices > 0 && hull.vertices <= ShapeStore::kMaxHullVertices)
        return hull;
    std::fprintf(stderr, "no such row: a kind \"%.*s\"\n", int(word.size()), word.data());
    std::exit(1);
}

oracle::Shape random_shape(Ingredient what, Random& random) {
    oracle::Shape shape;
    shape.kind = what.kind;
    switch (what.kind) {
        case ShapeKind::sphere: shape.radius = float(random.uniform(0.3, 1)); break;
        case ShapeKind::capsule:
            shape.radius = float(random.uniform(0.2, 0.6));
            shape.half_height = float(random.uniform(0.2, 0.8));
            break;
        case ShapeKind::cylinder:
        case ShapeKind::cone:
            shape.radius = float(random.uniform(0.3, 1));
            shape.half_height = float(random.uniform(0.3, 1));
            break;
        case ShapeKind::box:
        case ShapeKind::ellipsoid:
            shape.half_extents = {float(random.uniform(0.3, 1)), float(random.uniform(0.3, 1)),
                                  float(random.uniform(0.3, 1))};
            break;
        case ShapeKind::halfspace: {
            const Vec3d n = random.direction();
            shape.normal = {float(n.x), float(n.y), float(n.z)};
            shape.offset = float(random.uniform(-2, 2));
            break;
        }
        default: {
            const Vec3d radii{random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1)};
            const std::uint32_t count = what.vertices > 0 ? what.vertices : 4 + random.below(37);
            for (std::uint32_t i = 0; i < count; ++i) {
                const Vec3d v = random.direction();
                shape.points.push_back({float(v.x * radii.x), float(v.y * radii.y), float(v.z * radii.z)});
            }
        }
    }
    return shape;
}

// Mean distance from the origin of the corners and face centres that describe the shape.
double mean_radius(const oracle::Solid& solid) {
    const oracle::Shape& s = solid.shape;
    switch (s.kind) {
        case ShapeKind::sphere: return s.radius;
        case ShapeKind::capsule: return double(s.radius) + s.half_height / 3;
        case ShapeKind::cylinder:
        case ShapeKind::cone: return (2 * double(s.radius) + s.half_height) / 3;
        case ShapeKind::box:
        case ShapeKind::ellipsoid: return (double(s.half_extents.x) + s.half_extents.y + s.half_extents.z) / 3;
        default: {
            double sum = 0;
            for (const Vec3& p : s.points) sum += length(Vec3d(p));
            return sum / double(s.points.size());
        }
    }
}

// Beside a half-space the other's stands for both.
double mean_radius(const oracle::Solid& a, const oracle::Solid& b) {
    if (a.form == oracle::Form::halfspace) return mean_radius(b);
    if (b.form == oracle::Form::halfspace) return mean_radius(a);
    return (mean_radius(a) + mean_radius(b)) / 2;
}

// Signed, as a share of the mean radius.
double random_gap(std::size_t pair, Random& random) {
    switch (pair % 3) {
        case 0: return random.uniform(0, 0.2);
        case 1: return -random.uniform(0, 0.05);
        default: return -random.uniform(0.05, 0.4);
    }
}

// One pair, placed: draws again where the wanted depth cannot be had along the direction drawn.
void make_pair(Scene& scene, std::size_t pair, std::uint32_t kinds_a, std::uint32_t kinds_b, std::uint64_t seed) {
    Random random(seed, pair);
    for (;;) {
        const std::uint32_t kind_a = random.below(kinds_a), kind_b = random.below(kinds_b);
        const std::uint32_t first_b =
            kinds_a == 1 && kinds_b == 1 && scene.solids.size() > kDistinctShapes ? kDistinctShapes : 0;
        const std::uint32_t solid_a = kind_a * kDistinctShapes + random.below(kDistinctShapes);
        const std::uint32_t solid_b = first_b + kind_b * kDistinctShapes + random.below(kDistinctShapes);
        const Quat orientation_a = random.orientation(), orientation_b = random.orientation();
        const Vec3d position{random.uniform(-kWorld, kWorld), random.uniform(-kWorld, kWorld),
                             random.uniform(-kWorld, kWorld)};
        const Vec3d direction = random.direction();
        const oracle::Solid &a = scene.solids[solid_a], &b = scene.solids[solid_b];
        const double wanted = random_gap(pair, random) * mean_radius(a, b);
        const double along = place(a, orientation_a, b, orientation_b, direction, wanted);
        if (along < 0) continue;
        const Vec3 at{float(position.x), float(position.y), float(position.z)};
        const Vec3d to = Vec3d(at) + direction * along;
        scene.bodies[2 * pair] = {at, scene.ids[solid_a], orientation_a};
        scene.bodies[2 * pair + 1] = {{float(to.x), float(to.y), float(to.z)}, scene.ids[solid_b], orientation_b};
        scene.solid_of[2 * pair] = solid_a, scene.solid_of[2 * pair + 1] = solid_b;
        scene.pairs[pair] = {std::uint32_t(2 * pair), std::uint32_t(2 * pair + 1)};
        return;
    }
}

}  // namespace

std::span<const char* const> row_names() { return kRowNames; }

namespace {

// The row's shapes; returns the kinds on each side.
std::array<std::uint32_t, 2> add_random_shapes(std::string_view name, Scene& scene, Random& random) {
    std::vector<Ingredient> side_a, side_b;
    if (name == "mixed") {
        side_a = side_b = {parse("sphere"), parse("capsule"), parse("box"), parse("hull32")};
    } else {
        const std::size_t dash = std::min(name.find('-'), name.size());
        side_a = {parse(name.substr(0, dash))};
        side_b = {parse(name.substr(std::min(dash + 1, name.size())))};
    }
    std::vector<Ingredient> all = side_a;
    if (side_b != side_a) all.insert(all.end(), side_b.begin(), side_b.end());
    for (const Ingredient& what : all)
        for (std::uint32_t i = 0; i < kDistinctShapes; ++i) scene.add_solid(random_shape(what, random));
    return {std::uint32_t(side_a.size()), std::uint32_t(side_b.size())};
}

}  // namespace

Scene make_row(std::string_view name, std::size_t pairs, std::uint64_t seed, Keep keep) {
    Scene scene;
    scene.name = name;
    Random random(seed);
    const bool is_resting = is_resting_row(name);
    std::array<std::uint32_t, 2> kinds = {};
    if (is_resting)
        add_resting_shapes(name, kDistinctShapes, scene, random);
    else
        kinds = add_random_shapes(name, scene, random);

    scene.resize(pairs);
    const Cache cache(scene, seed);
    if (keep == Keep::in_a_file && cache.read(scene)) return scene;
    on_all_cores(pairs, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            is_resting ? make_resting_pair(name, kDistinctShapes, i, seed, scene)
                       : make_pair(scene, i, kinds[0], kinds[1], seed);
    });
    scene.compute_reference();
    if (keep == Keep::in_a_file) cache.write(scene);
    return scene;
}

}  // namespace abut::scenes
