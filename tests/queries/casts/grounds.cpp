// See grounds.hpp.
#include "queries/casts/grounds.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

#include "scenes/random.hpp"

namespace abut::casts {
namespace {

using oracle::Vec3d;
using scenes::Random;

constexpr double kDegree = std::numbers::pi / 180;

ShapeId checked(const Expected<ShapeId>& id) {
    if (id) return *id;
    fmt::print(stderr, "{}\n", id.error().message.c_str());
    std::exit(2);
}

double log_uniform(Random& random, double least, double most) {
    return least * std::pow(most / least, random.uniform(0, 1));
}

oracle::Shape random_shape(Random& random) {
    constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,      ShapeKind::cylinder,
                                    ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid};
    oracle::Shape shape;
    shape.kind = kKinds[random.below(7)];
    const double size = log_uniform(random, 0.02, 1);
    const auto length = [&] { return float(size * random.uniform(0.3, 1)); };
    shape.radius = length(), shape.half_height = length();
    shape.half_extents.x = length(), shape.half_extents.y = length(), shape.half_extents.z = length();
    if (shape.kind == ShapeKind::hull)
        for (int i = 0; i < 24; ++i) {
            const Vec3d at = random.direction() * size;
            shape.points.push_back({float(at.x), float(at.y), float(at.z)});
        }
    return shape;
}

// A flat ground at y = 0 of half extent `half`, of 2 to 128 parts; `wall`: its distance along x, or 0 for none. `size`:
// of the body. Compounds are no larger than that of which the rounding stays below the cast's tolerance.
ShapeId add_ground(ShapeStore& shapes, double half, double wall, double size, Random& random) {
    const std::uint32_t kind = half > 200 * size ? 2 * random.below(wall > 0 ? 1 : 2) : random.below(wall > 0 ? 2 : 3),
                        cells = 1u << random.below(4);
    const auto cell = float(2 * half / cells), edge = float(half);
    if (kind == 1) {
        const ShapeId tile = checked(shapes.add_box({cell / 2, 1, cell / 2}));
        std::vector<CompoundChild> children;
        for (std::uint32_t i = 0; i < cells; ++i)
            for (std::uint32_t k = 0; k < cells; ++k)
                children.push_back({tile, {cell * (float(i) + 0.5f) - edge, -1, cell * (float(k) + 0.5f) - edge}, {}});
        if (wall > 0) {
            children.push_back({checked(shapes.add_box({1, 20, edge})), {float(wall) + 1, 0, 0}, {}});
        }
        return checked(shapes.add_compound(children));
    }
    if (kind == 2)
        return checked(shapes.add_heightfield(std::vector<float>((cells + 1) * (cells + 1)), cells + 1, cells + 1, {},
                                              {.spacing_x = cell, .spacing_z = cell}));
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (std::uint32_t i = 0; i <= cells; ++i)
        for (std::uint32_t k = 0; k <= cells; ++k)
            vertices.push_back({cell * float(i) - edge, 0, cell * float(k) - edge});
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t k = 0; k < cells; ++k) {
            const std::uint32_t at = (cells + 1) * i + k;
            triangles.push_back({{at, at + 1, at + cells + 2}});
            triangles.push_back({{at, at + cells + 2, at + cells + 1}});
        }
    if (wall > 0) {
        const auto at = static_cast<std::uint32_t>(vertices.size()), next = at + 3;
        const auto x = float(wall);
        for (const Vec3 v : {Vec3{x, -20, -edge}, Vec3{x, 20, -edge}, Vec3{x, 20, edge}, Vec3{x, -20, edge}})
            vertices.push_back(v);
        triangles.push_back({{at, at + 2, at + 1}}), triangles.push_back({{at, next, at + 2}});
    }
    return checked(shapes.add_mesh(vertices, triangles));
}

// How far below its origin the lowest point of a body is.
double depth_of(const oracle::Solid& solid, const Quat& orientation) {
    static const oracle::Solid ground = oracle::halfspace({0, 1, 0}, 0);
    constexpr double kHigh = 8;
    Vec3d hint{0, -1, 0};
    const oracle::Pose pose = {{0, kHigh, 0}, oracle::rotation_of(orientation)}, zero = {{}, oracle::rotation_of({})};
    return kHigh - oracle::signed_distance(solid, pose, ground, zero, &hint).signed_distance;
}

struct Grounds {
    GroundMotions out;
    Random random;

    Grounds(const char* name, std::size_t pairs, std::uint64_t seed) : random(seed) {
        out.motions.scene.name = name;
        out.motions.scene.resize(pairs);
        out.motions.targets.assign(pairs, 0.0f);
    }
    void set(std::size_t pair, std::uint32_t body, std::uint32_t plane, ShapeId ground, const Vec3d& from,
             const Quat& orientation, const Vec3d& way, double half) {
        out.half.push_back(half);
        scenes::Scene& scene = out.motions.scene;
        scene.set_pair(pair, body, from, orientation, plane, {}, {}, scene.name.c_str());
        out.motions.family.push_back(scene.name.c_str());
        Body end = scene.bodies[2 * pair];
        end.position = {float(end.position.x + way.x), float(end.position.y + way.y), float(end.position.z + way.z)};
        out.motions.ends.push_back(end), out.motions.ends.push_back(scene.bodies[2 * pair + 1]);
        out.bodies.push_back(scene.bodies[2 * pair]), out.bodies.push_back(scene.bodies[2 * pair + 1]);
        out.bodies.back().shape = ground;
    }
};

}  // namespace

GroundMotions make_descents(std::size_t pairs, std::uint64_t seed) {
    Grounds grounds("descents", pairs, seed);
    Random& random = grounds.random;
    scenes::Scene& scene = grounds.out.motions.scene;
    grounds.out.normal = {0, -1, 0};
    oracle::Shape floor;
    floor.kind = ShapeKind::halfspace;
    const std::uint32_t plane = scene.add_solid(floor);
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::uint32_t body = scene.add_solid(random_shape(random));
        const double size = scene.solids[body].size, half = log_uniform(random, std::max(1.0, 8 * size), 5000);
        const ShapeId ground = add_ground(scene.shapes, half, 0, size, random);
        const bool is_field = ground.kind() == ShapeKind::heightfield;
        const double slope = std::tan(log_uniform(random, 0.001, 10) * kDegree), angle = random.uniform(0, 6.28);
        const double far = log_uniform(random, 0.5 * size, 0.4 * half), down = far * slope;
        const Quat orientation = random.orientation();
        // Most end near the middle, where four parts meet.
        const double beside_x = random.uniform(-2, 2) * size, beside_z = random.uniform(-2, 2) * size;
        const Vec3d way = {far * std::cos(angle), -down, far * std::sin(angle)};
        const double height = depth_of(scene.solids[body], orientation) + down * random.uniform(0.1, 0.9);
        const double middle = is_field ? half : 0;
        Vec3d from = {beside_x - 0.5 * way.x + middle, height, beside_z - 0.5 * way.z + middle};
        grounds.set(i, body, plane, ground, from, orientation, way, half);
    }
    return std::move(grounds.out);
}

GroundMotions make_slides(std::size_t pairs, std::uint64_t seed) {
    Grounds grounds("slides", pairs, seed);
    Random& random = grounds.random;
    scenes::Scene& scene = grounds.out.motions.scene;
    grounds.out.normal = {1, 0, 0};
    grounds.out.options.start = CastStart::closing_only;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::uint32_t body = scene.add_solid(random_shape(random));
        const double size = scene.solids[body].size, half = log_uniform(random, std::max(4.0, 16 * size), 1000);
        const double from_x = -random.uniform(2, 4) * size, wall = float(random.uniform(2, 4) * size);
        const ShapeId ground = add_ground(scene.shapes, half, wall, size, random);
        oracle::Shape plane;
        plane.kind = ShapeKind::halfspace, plane.normal = {-1, 0, 0}, plane.offset = float(-wall);
        const Quat orientation = random.orientation();
        // Deep corners within a tile are nearer to its side than to its top.
        const double sunk = size * random.uniform(0, ground.kind() == ShapeKind::compound ? 1e-4 : 0.1);
        const double height = depth_of(scene.solids[body], orientation) - sunk;
        const Vec3d way = {random.uniform(4, 12) * size, 0, random.uniform(-4, 4) * size};
        const double z = random.uniform(-2, 2) * size;
        grounds.set(i, body, scene.add_solid(plane), ground, {from_x, height, z}, orientation, way, half);
    }
    return std::move(grounds.out);
}

Tally judge(const GroundMotions& ground, const Casts& casts) {
    const scenes::Scene& scene = ground.motions.scene;
    Tally tally;
    tally.pairs = scene.pairs.size(), tally.hits = casts.hits.size();
    for (std::size_t pair = 0; pair < scene.pairs.size(); ++pair) {
        PairVerdict verdict = judge_pair(ground.motions, casts, pair, ground.options.tolerance);
        // Lanes have the coordinates of the ground.
        if (verdict.fault == Fault::early &&
            verdict.by < ground.options.tolerance * scene.solid_a(pair).size + 4e-7 * ground.half[pair])
            verdict.fault = Fault::none;
        const Vec3 n = casts.normal[pair];
        const bool is_tilted =
            casts.hit(pair) && n.x * ground.normal.x + n.y * ground.normal.y + n.z * ground.normal.z < 0.9999;
        tally.starts += casts.hit(pair) && casts.time[pair] == 0;
        ++tally.by_fault[int(verdict.fault)];
        tally.undecided += verdict.fault == Fault::undecided;
        if (!is_tilted && (verdict.fault == Fault::none || verdict.fault == Fault::undecided)) continue;
        ++tally.wrong;
        if (tally.examples.size() < 5)
            tally.examples.push_back(
                fmt::format("{} {}: {} by {:.3g}, time {:.9g}, normal {} {} {}, {} of {:.3g} on a {} of {:.3g}",
                            scene.name, pair, name_of(verdict.fault), verdict.by, casts.time[pair], n.x, n.y, n.z,
                            to_string(ground.bodies[2 * pair].shape.kind()), scene.solid_a(pair).size,
                            to_string(ground.bodies[2 * pair + 1].shape.kind()), ground.half[pair]));
    }
    return tally;
}

}  // namespace abut::casts
