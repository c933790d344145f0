// Bodies of every kind on meshes and height fields: cold, and over some frames of small motions with caches. Half of
// the pairs are swapped.
#include <array>
#include <cmath>
#include <memory>

#include "asker.hpp"
#include "scenes/random.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::golden {
namespace {

using oracle::Vec3d;
using scenes::Random;

constexpr std::uint64_t kGroundSeed = 21;
constexpr std::uint32_t kOnEach = 24;        // bodies on each ground
constexpr std::uint32_t kGroundFrames = 12;  // of small motions
constexpr double kReach = 1.2;               // of the ground from its origin

// By pair: a body of its own, and one of the grounds.
struct GroundScene {
    ShapeStore shapes;
    std::vector<ShapeId> grounds, movers;
    std::vector<double> mover_sizes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<float> margins;
    Checksum input;  // of shapes; bodies are added for each frame

    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs, .margins = margins}; }
    template <class T>
    void note(const std::vector<T>& column) {
        input.add_column(std::as_bytes(std::span(column)));
    }
    void note_bodies() {
        for (const Body& body : bodies) {
            const float words[7] = {body.position.x,    body.position.y,    body.position.z,   body.orientation.x,
                                    body.orientation.y, body.orientation.z, body.orientation.w};
            input.add_column(std::as_bytes(std::span(words)));
        }
    }
    Expected<ShapeId> noted(Expected<ShapeId> id, const char* what) {
        if (!id) require(id.error(), what);
        return id;
    }
    void add_mesh(const std::vector<Vec3>& vertices, const std::vector<MeshTriangle>& triangles,
                  const InstanceOptions& options = {}, MeshSides sides = MeshSides::front) {
        note(vertices), note(triangles);
        MeshOptions cooking;
        cooking.sides = sides;
        grounds.push_back(*noted(shapes.add_mesh(vertices, triangles, options, cooking), "mesh"));
    }
    void add_field(const std::vector<float>& heights, std::uint32_t rows, float spacing,
                   const InstanceOptions& options = {}, MeshSides sides = MeshSides::front) {
        note(heights);
        grounds.push_back(
            *noted(shapes.add_heightfield(heights, rows, rows, options, {spacing, spacing, sides}), "height field"));
    }
};

Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

// Unit vectors in the plane, by a rational parametrisation: the functions of the mathematics library differ between
// machines.
struct Yaw {
    double cosine, sine;
    explicit Yaw(Random& random) {
        const double t = random.uniform(-1, 1);
        cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
        if (random.chance(0.5)) cosine = -cosine;
    }
};

// --- grounds ---

struct Grid {
    std::uint32_t cells = 10;
    double moved = 0;                                // of a cell: vertices along x and z
    double noise = 0;                                // metres: along y
    double wave = 0;                                 // metres: height of a wave
    enum { same, random, inconsistent } cut = same;  // diagonals; the third also winds triangles at random
};

// A wave of period 1 and height 1 without a sine.
double wave_of(double x) {
    const double t = x - std::floor(x);
    return 16 * t * t * (1 - t) * (1 - t);
}

double height_of(const Grid& grid, Random& random, double x, double z) {
    const double noise = grid.noise > 0 ? grid.noise * random.uniform(-1, 1) : 0;
    return grid.wave * wave_of(0.9 * x + 0.2 * z) * wave_of(0.7 * z - 0.1 * x) + noise;
}

void add_grid(GroundScene& scene, Random& random, const Grid& grid, const InstanceOptions& options = {},
              MeshSides sides = MeshSides::front) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    const double cell = 2 * kReach / grid.cells;
    for (std::uint32_t r = 0; r <= grid.cells; ++r) {
        for (std::uint32_t c = 0; c <= grid.cells; ++c) {
            const double dx = grid.moved * random.uniform(-1, 1), dz = grid.moved * random.uniform(-1, 1);
            const double x = (c + dx) * cell - kReach, z = (r + dz) * cell - kReach;
            vertices.push_back(to_float({x, height_of(grid, random, x, z), z}));
        }
    }
    for (std::uint32_t r = 0; r < grid.cells; ++r) {
        for (std::uint32_t c = 0; c < grid.cells; ++c) {
            const std::uint32_t a = r * (grid.cells + 1) + c, b = a + grid.cells + 1;
            const bool is_other = grid.cut != Grid::same && random.chance(0.5);
            triangles.push_back(is_other ? MeshTriangle{{a, b, a + 1}} : MeshTriangle{{a, b, b + 1}});
            triangles.push_back(is_other ? MeshTriangle{{a + 1, b, b + 1}} : MeshTriangle{{a, b + 1, a + 1}});
            if (grid.cut == Grid::inconsistent && random.chance(0.5))
                std::swap(triangles.back().corners[0], triangles.back().corners[1]);
        }
    }
    scene.add_mesh(vertices, triangles, options, sides);
}

void add_field(GroundScene& scene, Random& random, const Grid& grid, const InstanceOptions& options = {},
               MeshSides sides = MeshSides::front, double holes = 0) {
    const std::uint32_t rows = grid.cells + 1;
    const double spacing = 2 * kReach / grid.cells;
    std::vector<float> heights;
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < rows; ++c) {
            const double height = height_of(grid, random, c * spacing - kReach, r * spacing - kReach);
            heights.push_back(holes > 0 && random.chance(holes) ? NAN : float(height));
        }
    }
    scene.add_field(heights, rows, float(spacing), options, sides);
}

// Squares in quarters here and there.
void add_junctions(GroundScene& scene, Random& random, double noise) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    const auto cut = [&](const auto& again, double x, double z, double width, int depth) -> void {
        if (depth < 2 || (depth < 5 && random.chance(0.5))) {
            for (const double dx : {0.0, 0.5 * width})
                for (const double dz : {0.0, 0.5 * width}) again(again, x + dx, z + dz, 0.5 * width, depth + 1);
            return;
        }
        const auto first = std::uint32_t(vertices.size());
        for (const Vec3d& v :
             {Vec3d{x, 0, z}, Vec3d{x, 0, z + width}, Vec3d{x + width, 0, z + width}, Vec3d{x + width, 0, z}})
            vertices.push_back(to_float(v + Vec3d{0, noise * random.uniform(-1, 1), 0}));
        triangles.push_back({{first, first + 1, first + 2}});
        triangles.push_back({{first, first + 2, first + 3}});
    };
    cut(cut, -kReach, -kReach, 2 * kReach, 0);
    scene.add_mesh(vertices, triangles);
}

// Two or four triangles along a ridge, or a valley where the slope is negative.
void add_ridge(GroundScene& scene, double slope, bool of_four) {
    const double w = kReach;
    const auto at = [&](double x, double z) { return to_float({x, -slope * std::fabs(x), z}); };
    if (of_four)
        scene.add_mesh({at(0, -w), at(0, w), at(-w, -w), at(-w, w), at(w, -w), at(w, w)},
                       {{{0, 2, 3}}, {{0, 3, 1}}, {{0, 1, 5}}, {{0, 5, 4}}});
    else
        scene.add_mesh({at(0, -w), at(0, w), at(-w, 0), at(w, 0)}, {{{0, 2, 1}}, {{0, 1, 3}}});
}

void add_soup(GroundScene& scene, Random& random, MeshSides sides) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (std::uint32_t i = 0; i < 60; ++i) {
        const double x = random.uniform(-1, 1), y = random.uniform(-0.3, 0.1), z = random.uniform(-1, 1),
                     scale = random.uniform(0.1, 0.8);
        for (int k = 0; k < 3; ++k) vertices.push_back(to_float(Vec3d{x, y, z} + random.direction() * scale));
        triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
    }
    scene.add_mesh(vertices, triangles, {}, sides);
}

// Slivers whose height is 1e-3 to 1e-5 of their length, over a plane.
void add_slivers(GroundScene& scene, Random& random) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    const double heights[] = {1e-3, 1e-4, 1e-5};
    for (std::uint32_t i = 0; i < 30; ++i) {
        const Yaw yaw(random);
        const Vec3d along{yaw.cosine, 0, yaw.sine}, across{-yaw.sine, 0, yaw.cosine};
        const double x = 0.5 * random.uniform(-1, 1), y = -0.1 * random.uniform(), z = 0.5 * random.uniform(-1, 1);
        const double half = random.uniform(0.2, 1), third = half * random.uniform(-1, 1);
        vertices.push_back(to_float(Vec3d{x, y, z} - along * half));
        vertices.push_back(to_float(Vec3d{x, y, z} + along * third + across * (2 * half * heights[i % 3])));
        vertices.push_back(to_float(Vec3d{x, y, z} + along * half));
        triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
    }
    for (const Vec3d& v : {Vec3d{-kReach, -0.1, -kReach}, Vec3d{-kReach, -0.1, kReach}, Vec3d{kReach, -0.1, kReach},
                           Vec3d{kReach, -0.1, -kReach}})
        vertices.push_back(to_float(v));
    triangles.push_back({{90, 91, 92}});
    triangles.push_back({{90, 92, 93}});
    scene.add_mesh(vertices, triangles);
}

// A ball of triangles with spikes: more normals in touch than are told apart.
void add_spikes(GroundScene& scene, Random& random) {
    constexpr std::uint32_t kSplit = 6;  // of each edge of an octahedron
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (int face = 0; face < 8; ++face) {
        const double sx = (face & 1) != 0 ? -1 : 1, sy = (face & 2) != 0 ? -1 : 1, sz = (face & 4) != 0 ? -1 : 1;
        const bool is_mirrored = sx * sy * sz < 0;
        const auto at = [&](std::uint32_t i, std::uint32_t k) {
            const double u = double(i) / kSplit, v = double(k) / kSplit;
            return normalised(Vec3d{sx * u, sy * v, sz * (1 - u - v)}) * 0.3;
        };
        for (std::uint32_t i = 0; i < kSplit; ++i) {
            for (std::uint32_t k = 0; i + k < kSplit; ++k) {
                const auto first = std::uint32_t(vertices.size());
                for (const Vec3d& v : {at(i, k), at(i + 1, k), at(i, k + 1)}) vertices.push_back(to_float(v));
                vertices.push_back(
                    to_float((at(i, k) + at(i + 1, k) + at(i, k + 1)) / 3 * random.uniform(1, 1.15)));  // the spike
                for (std::uint32_t e = 0; e < 3; ++e) {
                    const std::uint32_t p = first + e, q = first + (e + 1) % 3;
                    triangles.push_back(is_mirrored ? MeshTriangle{{q, p, first + 3}}
                                                    : MeshTriangle{{p, q, first + 3}});
                }
            }
        }
    }
    scene.add_mesh(vertices, triangles);
}

// --- bodies ---

void add_movers(GroundScene& scene, Random& random) {
    ShapeStore& s = scene.shapes;
    const auto add = [&](const Expected<ShapeId>& id, double size) {
        if (!id) require(id.error(), "body");
        scene.movers.push_back(*id), scene.mover_sizes.push_back(size);
    };
    add(s.add_sphere(0.2f), 0.2), add(s.add_capsule(0.1f, 0.25f), 0.35),
        add(s.add_capsule(0.05f, 0.4f, {.rounding = 0.02f}), 0.4);
    add(s.add_box({0.3f, 0.15f, 0.2f}), 0.3), add(s.add_box({0.5f, 0.02f, 0.15f}), 0.5),
        add(s.add_box({0.2f, 0.2f, 0.2f}, {.rounding = 0.03f}), 0.23);
    add(s.add_cylinder(0.25f, 0.1f), 0.25), add(s.add_cylinder(0.05f, 0.3f), 0.3), add(s.add_cone(0.25f, 0.2f), 0.25);
    add(s.add_ellipsoid({0.3f, 0.1f, 0.2f}), 0.3);
    for (const std::uint32_t count : {4u, 8u, 20u}) {
        std::vector<Vec3> points;
        for (std::uint32_t i = 0; i < count; ++i) points.push_back(to_float(random.direction() * 0.3));
        scene.note(points);
        add(s.add_hull(points), 0.3);
    }
    // A prism of eight lateral faces, and half of it.
    std::vector<Vec3> prism;
    constexpr double kCorners[8][2] = {{0.3, 0.1},   {0.1, 0.3},   {-0.1, 0.3}, {-0.3, 0.1},
                                       {-0.3, -0.1}, {-0.1, -0.3}, {0.1, -0.3}, {0.3, -0.1}};
    for (const auto& c : kCorners)
        for (const double y : {-0.15, 0.15}) prism.push_back(to_float({c[0], y, c[1]}));
    scene.note(prism);
    add(s.add_hull(prism), 0.3), add(s.add_hull(prism, {.rounding = 0.02f, .scale = {1, 0.5f, 1}}), 0.3);
    const CompoundChild children[] = {{scene.movers[3], {0, 0.05f, 0}, {}},
                                      {scene.movers[0], {-0.3f, -0.05f, 0.1f}, {}},
                                      {scene.movers[12], {0.3f, 0, 0}, {}}};
    add(s.add_compound(children), 0.5);
    add(s.add_halfspace({0.1f, 1, 0.2f}, -0.05f), 0.3);
}

// Lying on its local axes or rotated at random; above, touching and deep.
Body mover_over(const GroundScene& scene, Random& random, std::uint32_t mover, double height, double aside) {
    const ShapeView view = scene.shapes.view(scene.movers[mover]);
    const double size = scene.mover_sizes[mover];
    Quat rotated = random.orientation();
    double lowest = size * random.uniform(0.3, 1.05);
    if (random.chance(0.5) && view.kind != ShapeKind::halfspace) {
        const Yaw yaw(random);
        rotated = {0, float(yaw.sine), 0, float(yaw.cosine)};
        lowest = -double(view.bounds_min.y) -
                 size * (random.chance(0.7) ? random.uniform(-0.01, 0.02) : random.uniform(0, 0.3));
    }
    const double x = aside * random.uniform(-1, 1), z = aside * random.uniform(-1, 1);
    return {to_float({x, height + lowest, z}), scene.movers[mover], rotated};
}

GroundScene make_scene(const std::function<void(GroundScene&, Random&)>& add_grounds) {
    GroundScene scene;
    Random random(kGroundSeed);
    add_movers(scene, random);
    add_grounds(scene, random);
    const std::size_t convex = scene.movers.size() - 2;
    for (const ShapeId ground : scene.grounds) {
        // Rounding and noise lift the ground, half of a wave's height is its mean.
        const ShapeView view = scene.shapes.view(ground);
        const bool is_field = view.kind == ShapeKind::heightfield;
        const double height = 0.5 * (double(view.bounds_min.y) + double(view.bounds_max.y)) + double(view.rounding);
        for (std::uint32_t i = 0; i < kOnEach; ++i) {
            std::uint32_t mover = i % std::uint32_t(convex);
            if (i + 3 == kOnEach || i + 2 == kOnEach) mover = std::uint32_t(convex);  // the compound
            if (i + 1 == kOnEach) mover = std::uint32_t(convex) + 1;                  // the half-space
            Body body = mover_over(scene, random, mover, height, 0.5), on = {{}, ground, {}};
            // A field's origin is a corner of it.
            const Vec3d middle = (Vec3d(view.bounds_min) + Vec3d(view.bounds_max)) * 0.5;
            if (is_field) body.position = to_float(Vec3d(body.position) + Vec3d{middle.x, 0, middle.z});
            if (i % 2 == 1) {  // both moved and rotated
                const oracle::Rotation rotation = oracle::rotation_of(on.orientation = random.orientation());
                const Vec3d at = random.direction() * 10.0;
                on.position = to_float(at);
                body.position = to_float(at + rotation * Vec3d(body.position));
                const Quat p = on.orientation, q = body.orientation;
                body.orientation = {
                    p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                    p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
            }
            const auto first = std::uint32_t(scene.bodies.size());
            scene.bodies.push_back(body), scene.bodies.push_back(on);
            scene.pairs.push_back(i % 4 < 2 ? Pair{first, first + 1} : Pair{first + 1, first});
            const double margins[] = {0.02, 0.005, 0.04};
            scene.margins.push_back(float(margins[i % 3]));
        }
    }
    scene.note(scene.margins), scene.note(scene.pairs), scene.note_bodies();
    return scene;
}

// Pairs of grounds, near, through and far from each other, each with the others and with itself.
GroundScene make_ground_pairs() {
    GroundScene scene;
    Random random(kGroundSeed);
    const Grid hills = {.cells = 10, .noise = 0.02, .wave = 0.2};
    add_grid(scene, random, hills), add_grid(scene, random, hills, {.rounding = 0.03f, .scale = {-1, 0.5f, 1.2f}});
    add_grid(scene, random, {.cells = 6, .cut = Grid::random}), add_soup(scene, random, MeshSides::both),
        add_spikes(scene, random);
    add_field(scene, random, hills),
        add_field(scene, random, {.cells = 12, .noise = 0.05}, {.scale = {1, -1, 1}}, MeshSides::front, 0.1);
    const auto count = std::uint32_t(scene.grounds.size());
    for (std::uint32_t i = 0; i < 4 * count * count; ++i) {
        const double gaps[] = {0, 0.3, 1.5, 40};
        const Vec3d at = random.direction() * 10.0, offset = random.direction() * gaps[i % 4];
        const Quat orientation = random.orientation();
        const std::uint32_t a = i / 4 % count, b = i / 4 / count;
        const auto first = std::uint32_t(scene.bodies.size());
        scene.bodies.push_back({to_float(at), scene.grounds[a], {}});
        scene.bodies.push_back({to_float(at + offset), scene.grounds[b], i % 8 < 4 ? Quat{} : orientation});
        scene.pairs.push_back({first + i % 2, first + 1 - i % 2});
        scene.margins.push_back(0.02f);
    }
    scene.note(scene.margins), scene.note(scene.pairs), scene.note_bodies();
    return scene;
}

// The first body of each pair's two moves by a part of its size, or rests.
void move(GroundScene& scene, Random& random) {
    constexpr double kSteps[] = {0, 0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    for (std::size_t i = 0; i < scene.bodies.size(); i += 2) {
        Body& body = scene.bodies[i];
        const double by = kSteps[random.below(7)];
        const Vec3d way = random.direction() * (0.3 * by), axis = random.direction() * (0.5 * by);
        if (by == 0) continue;
        body.position = to_float(Vec3d(body.position) + way);
        const Quat q = body.orientation;
        const double x = q.x + axis.x, y = q.y + axis.y, z = q.z + axis.z, w = q.w,
                     n = std::sqrt(x * x + y * y + z * z + w * w);
        body.orientation = {float(x / n), float(y / n), float(z / n), float(w / n)};
    }
}

struct Walk {
    GroundScene scene;
    std::vector<std::vector<Body>> frames;
};

void add(std::vector<Subject>& all, const std::string& name,
         const std::function<void(GroundScene&, Random&)>& add_grounds) {
    const auto walk = std::make_shared<Walk>();
    GroundScene& scene = walk->scene = make_scene(add_grounds);
    Random random(kGroundSeed + 1);
    const std::string cold = "ground " + name, warm = "warm ground " + name;
    const std::uint64_t input = scene.input.value();
    for (std::uint32_t i = 0; i < kGroundFrames; ++i) {
        walk->frames.push_back(scene.bodies);
        move(scene, random);
        scene.note_bodies();
    }
    scene.bodies = walk->frames[0];
    all.push_back(
        {cold, input, [=](const Settings& settings) { return ask_all(cold, walk->scene.frame(), settings); }});
    // Bodies fall from above to where they end.
    const std::string moving = "moving ground " + name;
    all.push_back({moving, scene.input.value(),
                   [=](const Settings& settings) {
        Frame frame = walk->scene.frame();
        std::vector<Body> starts = walk->frames.front();
        for (Body& body : starts)
            if (body.shape.kind() != ShapeKind::mesh && body.shape.kind() != ShapeKind::heightfield)
                body.position.y += 0.75f;
        frame.bodies = starts;
        return std::vector<Line>{{moving, "cast", Asker(moving, settings).cast(frame, walk->frames.back())}};
                   }});
    // The queries hand the caches on to one another.
    all.push_back({warm, scene.input.value(), [=](const Settings& settings) {
                       Asker asker(warm, settings);
                       std::vector<WarmCache> caches(walk->scene.pairs.size());
                       Checksum overlaps, distances, manifolds;
                       for (const std::vector<Body>& bodies : walk->frames) {
                           Frame frame = walk->scene.frame();
                           frame.bodies = bodies;
                           frame.caches = caches;
                           manifolds.add_long(asker.collide(frame));
                           distances.add_long(asker.distance(frame));
                           overlaps.add_long(asker.overlap(frame));
                       }
                       return std::vector<Line>{{warm, "overlap", overlaps.value()},
                                                {warm, "distance", distances.value()},
                                                {warm, "collide", manifolds.value()}};
                   }});
}

}  // namespace

void add_ground_subjects(std::vector<Subject>& all) {
    add(all, "flat", [](GroundScene& s, Random& random) {
        add_grid(s, random, {.cells = 24}), add_grid(s, random, {.cells = 8, .moved = 0.4, .cut = Grid::random}),
            add_grid(s, random, {.cells = 1});
        add_junctions(s, random, 0), add_field(s, random, {.cells = 12});
    });
    add(all, "uneven", [](GroundScene& s, Random& random) {
        for (const double noise : {1e-6, 1e-4, 1e-2})
            add_grid(s, random, {.cells = 12, .moved = 0.2, .noise = noise, .cut = Grid::random});
        add_grid(s, random, {.cells = 16, .wave = 0.2}), add_junctions(s, random, 1e-3),
            add_field(s, random, {.cells = 10, .noise = 0.05});
        add_field(s, random, {.cells = 14, .noise = 1e-4, .wave = 0.1}, {}, MeshSides::front, 0.1);
    });
    add(all, "ridges", [](GroundScene& s, Random&) {
        for (const double slope : {0.01, 0.1, 1.0, -0.1}) add_ridge(s, slope, true), add_ridge(s, slope, false);
    });
    add(all, "instances", [](GroundScene& s, Random& random) {
        const Grid hills = {.cells = 12, .noise = 1e-3, .wave = 0.2};
        for (const Vec3 scale : {Vec3{1.5f, 1.5f, 1.5f}, Vec3{2, 0.5f, 1}, Vec3{-1, 1, 1}, Vec3{1.2f, -1, -1}}) {
            add_grid(s, random, hills, {.scale = scale});
            add_field(s, random, hills, {.scale = scale});
        }
        add_grid(s, random, {.cells = 9}, {.scale = {1, -1, 1}});
    });
    add(all, "rounded", [](GroundScene& s, Random& random) {
        add_grid(s, random, {.cells = 8}, {.rounding = 0.03f}),
            add_grid(s, random, {.cells = 10, .noise = 0.02, .wave = 0.1}, {.rounding = 0.05f});
        add_field(s, random, {.cells = 9, .noise = 0.03}, {.rounding = 0.02f, .scale = {1, 0.7f, 1.2f}});
    });
    add(all, "two-sided", [](GroundScene& s, Random& random) {
        add_grid(s, random, {.cells = 8, .cut = Grid::inconsistent}, {}, MeshSides::both),
            add_soup(s, random, MeshSides::both);
        add_grid(s, random, {.cells = 8, .noise = 0.05, .cut = Grid::inconsistent}, {.scale = {1, 1, -1}},
                 MeshSides::both);
        add_field(s, random, {.cells = 9, .noise = 0.05}, {}, MeshSides::both, 0.1);
    });
    add(all, "hard", [](GroundScene& s, Random& random) {
        add_soup(s, random, MeshSides::front), add_slivers(s, random), add_spikes(s, random);
        add_grid(s, random, {.cells = 12, .moved = 0.49, .noise = 0.1, .cut = Grid::random});
    });
    const auto pairs = std::make_shared<GroundScene>(make_ground_pairs());
    const std::string name = "ground pairs";
    all.push_back({name, pairs->input.value(),
                   [=](const Settings& settings) { return ask_all(name, pairs->frame(), settings); }});
}

}  // namespace abut::golden
