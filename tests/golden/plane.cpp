// Pairs of every two kinds in the plane: near, overlapping, level and turned by eighths; half of them swapped.
#include <memory>

#include <abut/d2.hpp>

#include "asker.hpp"
#include "scenes/random.hpp"

namespace abut::golden {
namespace {

using scenes::Random;

constexpr std::uint64_t kPlaneSeed = 31;
constexpr std::uint32_t kPairsOfKinds = 24;
constexpr const char* kKindNames[] = {"circle",  "capsule",   "box",   "polygon4", "polygon8",
                                      "polygon", "halfplane", "chain", "compound"};
constexpr std::uint32_t kShapeKinds = 9;

struct PlaneScene {
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies, ends;
    std::vector<Pair> pairs;

    d2::Frame frame() const {
        d2::Frame frame;
        frame.shapes = &shapes;
        frame.bodies = bodies, frame.pairs = pairs;
        return frame;
    }
};

float in(Random& random, double low, double high) { return static_cast<float>(random.uniform(low, high)); }
d2::Vec2 point(Random& random) { return {in(random, -1, 1), in(random, -1, 1)}; }

Expected<d2::ShapeId> add_shape(d2::ShapeStore& shapes, Random& random, std::uint32_t kind) {
    d2::InstanceOptions options;
    if (random.chance(0.3)) options.rounding = in(random, 0, 0.2);
    if (random.chance(0.2)) options.pose = {point(random), d2::rotation_of(random.uniform(-3, 3))};
    if (kind == 0) return shapes.add_circle(in(random, 0.1, 1), options);
    const d2::Vec2 sizes = {in(random, 0.1, 1), in(random, 0.1, 1)}, normal = point(random);
    if (kind == 1) return shapes.add_capsule(0.5f * sizes.x, sizes.y, options);
    if (kind == 2) return shapes.add_box(sizes, options);
    if (kind == 6) return shapes.add_halfplane(normal, sizes.x - 0.5f, options);
    if (kind == 8) {
        d2::CompoundChild children[3];
        for (std::uint32_t i = 0; i < 3; ++i)
            children[i] = {*add_shape(shapes, random, i + 1), {point(random), d2::rotation_of(random.uniform(-3, 3))}};
        return shapes.add_compound(children, {});
    }
    std::vector<d2::Vec2> points;
    if (kind == 7) {
        for (int i = 0; i < 9; ++i) points.push_back({4.0f - static_cast<float>(i), in(random, -0.2, 0.2)});
        return shapes.add_chain(points, false, {});
    }
    const int corners = kind == 3 ? random.chance(0.5) ? 3 : 4 : kind == 4 ? 7 : 24;
    for (int i = 0; i < corners; ++i) {
        const d2::Rot r = d2::rotation_of(6.283185307179586 * (i + random.uniform(0, 0.5)) / corners);
        points.push_back({r.c, r.s});
    }
    return shapes.add_polygon(points, options);
}

std::shared_ptr<PlaneScene> plane_scene(std::uint32_t a, std::uint32_t b) {
    auto scene = std::make_shared<PlaneScene>();
    Random random(kPlaneSeed + a * kShapeKinds + b);
    for (std::uint32_t i = 0; i < kPairsOfKinds; ++i) {
        const double turn = random.chance(0.3) ? 0.7853981633974483 * i : random.uniform(-3, 3);
        const d2::Vec2 at = point(random), by = point(random);
        scene->bodies.push_back({at, d2::rotation_of(turn), *add_shape(scene->shapes, random, a)});
        scene->bodies.push_back({{at.x + 1.8f * by.x, at.y + 1.8f * by.y},
                                 d2::rotation_of(random.chance(0.3) ? turn : random.uniform(-3, 3)),
                                 *add_shape(scene->shapes, random, b)});
        scene->pairs.push_back(i % 2 == 0 ? Pair{2 * i, 2 * i + 1} : Pair{2 * i + 1, 2 * i});
    }
    scene->ends = scene->bodies;
    for (d2::Body& end : scene->ends)
        end.position = point(random), end.rotation = d2::rotation_of(random.uniform(-3, 3));
    return scene;
}

template <class... Column>
std::uint64_t sum_of(const Column&... columns) {
    Checksum sum;
    (sum.add_column(std::as_bytes(std::span(columns))), ...);
    return sum.value();
}

std::vector<Line> ask_plane(const std::string& name, const PlaneScene& scene, const Settings& settings) {
    d2::NarrowPhase phase(settings);
    const d2::Frame frame = scene.frame();
    d2::Overlaps overlaps;
    d2::Distances distances;
    d2::Manifolds manifolds;
    d2::Casts casts;
    d2::RayHits rays;
    require(phase.overlap(frame, overlaps), name), require(phase.distance(frame, distances), name);
    require(phase.collide(frame, manifolds), name), require(phase.cast(frame, {scene.ends}, casts), name);
    std::vector<d2::Vec2> origins, directions;
    d2::Frame seen = frame;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < scene.pairs.size(); ++i) {
        const d2::Vec2 a = scene.bodies[scene.pairs[i].a].position, b = scene.bodies[scene.pairs[i].b].position;
        origins.push_back({a.x - 2 * (b.y - a.y), a.y + 2}),
            directions.push_back({b.x - origins[i].x, b.y - origins[i].y});
        pairs.push_back({i, scene.pairs[i].b});
    }
    seen.pairs = pairs;
    d2::Rays all;
    all.origins = origins, all.directions = directions;
    require(phase.raycast(seen, all, rays), name);
    return {
        {name, "overlap", sum_of(overlaps.bits, overlaps.status)},
        {name, "distance",
         sum_of(distances.signed_distance, distances.normal, distances.point_a, distances.point_b, distances.status)},
        {name, "collide", sum_of(manifolds.first_manifold, manifolds.manifolds)},
        {name, "cast",
         sum_of(casts.bits, casts.time, casts.signed_distance, casts.normal, casts.point_a, casts.child_a)},
        {name, "rays", sum_of(rays.bits, rays.fraction, rays.point, rays.normal, rays.child)}};
}

}  // namespace

void add_plane_subjects(std::vector<Subject>& all) {
    for (std::uint32_t a = 0; a < kShapeKinds; ++a)
        for (std::uint32_t b = a; b < kShapeKinds; ++b) {
            const auto scene = plane_scene(a, b);
            std::string name = std::string("plane ") + kKindNames[a] + "-" + kKindNames[b];
            all.push_back({name, sum_of(scene->bodies, scene->ends),
                           [scene, name](const Settings& settings) { return ask_plane(name, *scene, settings); }});
        }
}

}  // namespace abut::golden
