// Convex bodies and compounds of all kinds about meshes and height fields, and what the oracle says of them: the
// nearest of all triangles that take part.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "compound_scene.hpp"
#include "shapes/surfaces.hpp"
#include "surface_scenes.hpp"

namespace abut::test {

struct SurfaceScene {
    struct Ground {
        ShapeId id;
        std::vector<oracle::Solid> triangles;  // by the store's own number
        std::vector<SurfaceCorners> corners;
        std::vector<std::uint32_t> input;
        MeshSides sides;
        double size;  // half the longest extent
    };
    CompoundScene others;  // shapes, compounds, and bodies 2 i of pairs (2 i, 2 i + 1)
    std::vector<Ground> grounds;
    std::vector<std::uint32_t> ground_of;  // by pair

    Frame frame() const { return others.frame(); }
    const std::vector<Pair>& pairs() const { return others.pairs; }

    void add_ground(const Expected<ShapeId>& id) {
        const Surface surface = surface_of(tables_of(others.convex.shapes), *id);
        Ground ground{*id, {}, {}, {}, surface.sides(), others.convex.shapes.view(*id).size};
        for (std::uint32_t i = 0; i < surface.triangle_count(); ++i) {
            if (!has_triangle(surface, i)) continue;
            const SurfaceCorners corners = corners_at(surface, i);
            ground.triangles.push_back(oracle::hull({corners.at[0], corners.at[1], corners.at[2]}, surface.rounding));
            ground.corners.push_back(corners);
            ground.input.push_back(input_index(surface, i));
        }
        grounds.push_back(std::move(ground));
    }
    // Where the body's shape is not a half-space's; `shape` may be a compound's number.
    void add_pair(bool is_compound, std::uint32_t shape, Vec3 position, Quat orientation, std::uint32_t ground, Vec3 at,
                  Quat turned) {
        if (is_compound)
            others.add_body(others.compounds[shape], others.parts_of[shape], position, orientation);
        else
            others.add_body(others.convex.ids[shape], {{shape, {}, {}}}, position, orientation);
        others.add_body(grounds[ground].id, {}, at, turned);
        const auto last = std::uint32_t(others.bodies.size() - 1);
        others.pairs.push_back({last - 1, last});
        ground_of.push_back(ground);
    }

    const Ground& ground(std::size_t pair) const { return grounds[ground_of[pair]]; }
    oracle::Pose ground_pose(std::size_t pair) const { return oracle::pose_of(others.bodies[others.pairs[pair].b]); }

    // The centre of the local bounds of some parts of the body, in the surface's frame.
    oracle::Vec3d centre_of(std::size_t pair, std::size_t first_part, std::size_t end_part) const {
        const std::uint32_t body = others.pairs[pair].a;
        const oracle::Pose pose = oracle::pose_of(others.bodies[body]), ground_at = ground_pose(pair);
        const auto least_along = [&](Vec3 axis) {
            const oracle::Solid plane = oracle::halfspace(axis, 0);
            double least = INFINITY;
            for (std::size_t part = first_part; part < end_part; ++part)
                least = std::min(least,
                                 oracle::signed_distance(others.solid(body, part), others.pose(body, part), plane, pose)
                                     .signed_distance);
            return least;
        };
        const auto middle = [&](Vec3 axis) {
            return 0.5 * (least_along(axis) - least_along({-axis.x, -axis.y, -axis.z}));
        };
        const oracle::Vec3d centre = {middle({1, 0, 0}), middle({0, 1, 0}), middle({0, 0, 1})};
        return ground_at.rotation.back(pose.position + pose.rotation * centre - ground_at.position);
    }
    oracle::Vec3d centre_of(std::size_t pair) const {
        return centre_of(pair, 0, others.parts[others.pairs[pair].a].size());
    }
    // How far a point is in front of a triangle's plane, metres.
    double in_front(std::size_t pair, const oracle::Vec3d& point, std::size_t triangle) const {
        const SurfaceCorners& c = ground(pair).corners[triangle];
        const oracle::Vec3d a(c.at[0]), normal = cross(oracle::Vec3d(c.at[1]) - a, oracle::Vec3d(c.at[2]) - a);
        return dot(normal, point - a) / length(normal);
    }

    double distance(std::size_t pair, std::size_t part, std::size_t triangle) const {
        const std::uint32_t body = others.pairs[pair].a;
        return oracle::signed_distance(others.solid(body, part), others.pose(body, part),
                                       ground(pair).triangles[triangle], ground_pose(pair))
            .signed_distance;
    }
};

struct NearestTriangle {
    double distance = INFINITY, allowed = 0;
    std::size_t part = 0, triangle = 0;
};
// The least over the triangles that surely take part, and over those that may by rounding besides.
struct NearestTriangles {
    NearestTriangle surely, maybe;
};

inline NearestTriangles nearest_triangles(const SurfaceScene& scene, std::size_t pair) {
    NearestTriangles out;
    const SurfaceScene::Ground& ground = scene.ground(pair);
    const std::uint32_t body = scene.pairs()[pair].a;
    const oracle::Pose at = scene.ground_pose(pair);
    const bool meets_all =
        ground.sides == MeshSides::both || scene.others.bodies[body].shape.kind() == ShapeKind::halfspace;
    const oracle::Vec3d centre = meets_all ? oracle::Vec3d{} : scene.centre_of(pair);
    for (std::size_t part = 0; part < scene.others.parts[body].size(); ++part) {
        const oracle::Solid& solid = scene.others.solid(body, part);
        const oracle::Pose pose = scene.others.pose(body, part);
        for (std::size_t t = 0; t < ground.triangles.size(); ++t) {
            const double front = meets_all ? INFINITY : scene.in_front(pair, centre, t);
            const double doubt = 1e-6 * (ground.size + scene.others.solid(body, part).reach);
            if (front < -doubt) continue;
            const oracle::Solid& triangle = ground.triangles[t];
            if (solid.shape.kind != ShapeKind::halfspace) {
                // By spheres about the origins: what is surely farther is not asked for.
                const double apart = oracle::signed_distance_to_point(triangle, at, pose.position) - solid.reach;
                if (apart > out.surely.distance && apart > out.maybe.distance) continue;
            }
            const double distance = scene.distance(pair, part, t),
                         allowed = oracle::tolerance(solid, triangle, distance);
            const NearestTriangle found = {distance, allowed, part, t};
            if (front > doubt && distance < out.surely.distance) out.surely = found;
            if (distance < out.maybe.distance) out.maybe = found;
        }
    }
    return out;
}

inline TestMesh sliver_fan(std::uint32_t count) {
    TestMesh mesh;
    mesh.vertices.push_back({0, 0.1f, 0});
    for (std::uint32_t i = 0; i <= count; ++i) {
        const double angle = 1.2 * i / count;
        mesh.vertices.push_back({float(std::cos(angle)), float(0.05 * std::sin(9 * angle)), float(-std::sin(angle))});
    }
    for (std::uint32_t i = 0; i < count; ++i) mesh.triangles.push_back({{0, i + 1, i + 2}});
    return mesh;
}

inline std::vector<float> bumpy_heights(Random& random, std::uint32_t rows, std::uint32_t columns, double height,
                                        double holes) {
    std::vector<float> heights;
    for (std::uint32_t i = 0; i < rows * columns; ++i)
        heights.push_back(random.unit() < holes ? NAN : float(height * random.between(-1, 1)));
    return heights;
}

// Soups, closed surfaces, slivers, flat and bumpy ground; one-sided and two-sided, scaled, mirrored, rounded.
inline void add_grounds(SurfaceScene& scene) {
    Random random(5);
    ShapeStore& store = scene.others.convex.shapes;
    const auto add =
        [&](const TestMesh& mesh, const InstanceOptions& options = {}, MeshSides sides = MeshSides::front) {
        MeshOptions cooking;
        cooking.sides = sides;
        scene.add_ground(store.add_mesh(mesh.vertices, mesh.triangles, options, cooking));
    };
    add(soup(random, 40, 0.5));
    add(soup(random, 40, 0.5), {}, MeshSides::both);
    add(soup(random, 40, 0.4), {.rounding = 0.03f});
    add(cube_mesh());
    add(cube_mesh(), {.scale = {0.5f, -0.7f, 0.3f}});
    add(torus_mesh(9, 6));
    add(torus_mesh(9, 6), {.scale = {-1, 0.5f, 1}}, MeshSides::both);
    add(sliver_fan(60));
    add(flat_mesh(7, 7, 0.3f));
    add(grid_mesh(6, 6, 0.3f, [](float x, float z) { return 0.1f * std::sin(5 * x) * std::cos(4 * z); }));
    const auto heights = bumpy_heights(random, 7, 8, 0.15, 0.1);
    scene.add_ground(store.add_heightfield(heights, 7, 8, {}, {0.3f, 0.25f, MeshSides::front}));
    scene.add_ground(store.add_heightfield(heights, 7, 8, {.scale = {1, -2, 1}}, {0.3f, 0.25f, MeshSides::both}));
    std::vector<std::uint8_t> cells;
    for (int i = 0; i < 42; ++i)
        cells.push_back(std::uint8_t(i % 7 == 3 ? kCellHole : i % 3 != 0 ? kCellOtherDiagonal : 0));
    scene.add_ground(store.add_heightfield(heights, 7, 8, {}, {0.3f, 0.25f, MeshSides::front, cells}));
}

// Bodies near the triangles of some grounds, from `deepest` behind their planes on.
template <class AddGrounds>
SurfaceScene make_scene_on(const AddGrounds& add_all, double deepest, std::uint32_t pairs, std::uint64_t seed,
                           bool with_compounds, Vec3 at = {}) {
    SurfaceScene scene;
    scenes::Random random(seed);
    for (int i = 0; i < 40; ++i)
        scene.others.convex.add_solid(random_shape(random, random.chance(0.1) ? 0.02 : 0.25, Kinds::all));
    oracle::Shape plane;
    plane.kind = ShapeKind::halfspace;
    scene.others.convex.add_solid(plane);
    for (int i = 0; i < 8; ++i) {
        std::vector<ScenePart> parts;
        std::vector<CompoundChild> children;
        for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
            const oracle::Vec3d p = random.direction() * random.uniform(0, 0.4);
            parts.push_back({random.below(40),
                             {float(p.x), float(p.y), float(p.z)},
                             random.chance(0.3) ? Quat{} : random.orientation()});
            children.push_back(
                {scene.others.convex.ids[parts.back().solid], parts.back().position, parts.back().orientation});
        }
        scene.others.compounds.push_back(*scene.others.convex.shapes.add_compound(children));
        scene.others.parts_of.push_back(parts);
    }
    add_all(scene);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const std::uint32_t ground = random.below(std::uint32_t(scene.grounds.size()));
        const std::vector<SurfaceCorners>& all = scene.grounds[ground].corners;
        const SurfaceCorners& corners = all[random.below(std::uint32_t(all.size()))];
        // Near some triangle, mostly in front of it.
        const maths::Vec3d normal = normal_of(corners), centre = centre_of(corners);
        const double away = random.uniform(deepest, 0.4);
        const Quat turned = random.chance(0.5) ? Quat{} : random.orientation();
        const oracle::Rotation rotation = oracle::rotation_of(turned);
        const oracle::Vec3d near = rotation * (oracle::Vec3d{centre.x, centre.y, centre.z} +
                                               oracle::Vec3d{normal.x, normal.y, normal.z} * away);
        const Vec3 position = {float(at.x + near.x), float(at.y + near.y), float(at.z + near.z)};
        const bool is_compound = with_compounds && random.chance(0.5);
        const std::uint32_t shape = is_compound ? random.below(8) : random.chance(0.05) ? 40 : random.below(40);
        scene.add_pair(is_compound, shape, position, random.orientation(), ground, at, turned);
    }
    return scene;
}

// About half of the pairs hit.
inline SurfaceScene make_surface_scene(std::uint32_t pairs, std::uint64_t seed, bool with_compounds = false,
                                       Vec3 at = {}) {
    return make_scene_on(add_grounds, -0.1, pairs, seed, with_compounds, at);
}

}  // namespace abut::test
