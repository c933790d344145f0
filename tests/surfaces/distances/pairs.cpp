// See pairs.hpp.
#include "surfaces/distances/pairs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "surfaces/distances/meshes.hpp"

namespace abut::surfaces {
namespace {

using oracle::Vec3d;
using scenes::Random;

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }
Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

void add_triangle(Ground& ground, Vec3 a, Vec3 b, Vec3 c, float rounding) {
    const Vec3d centre = (Vec3d(a) + Vec3d(b) + Vec3d(c)) / 3;
    double radius = 0;
    for (const Vec3 v : {a, b, c}) {
        radius = std::max(radius, length(Vec3d(v) - centre));
        ground.size = std::max({ground.size, std::fabs(double(v.x)), std::fabs(double(v.y)), std::fabs(double(v.z))});
    }
    ground.triangles.push_back(oracle::hull({a, b, c}, rounding));
    ground.centres.push_back(centre), ground.radii.push_back(radius + rounding);
}

void add_mesh(SurfacePairs& scene, std::string name, Mesh mesh, float size, InstanceOptions options = {},
              MeshSides sides = MeshSides::front) {
    for (Vec3& v : mesh.vertices) v = times(v, {size, size, size});
    options.rounding *= size;
    MeshOptions cooking;
    cooking.sides = sides;
    Ground ground;
    ground.id = *scene.shapes.add_mesh(mesh.vertices, mesh.triangles, options, cooking);
    ground.name = std::move(name);
    const auto at = [&](std::uint32_t i) { return times(mesh.vertices[i], options.scale); };
    for (const MeshTriangle& t : mesh.triangles)
        add_triangle(ground, at(t.corners[0]), at(t.corners[1]), at(t.corners[2]), options.rounding);
    scene.grounds.push_back(std::move(ground));
}

void add_field(SurfacePairs& scene, Random& random, std::uint32_t rows, std::uint32_t columns, double height,
               double holes, float size, InstanceOptions options = {}) {
    std::vector<float> heights;
    for (std::uint32_t i = 0; i < rows * columns; ++i) {
        const bool is_hole = random.chance(holes);
        heights.push_back(is_hole ? NAN : float(size * height * random.uniform(-1, 1)));
    }
    options.rounding *= size;
    const float x = 0.3f * size, z = 0.25f * size;
    Ground ground;
    ground.id = *scene.shapes.add_heightfield(heights, rows, columns, options, {x, z, MeshSides::front});
    ground.name = "field";
    const auto at = [&](std::uint32_t r, std::uint32_t c) {
        return times({float(c) * x, heights[r * columns + c], float(r) * z}, options.scale);
    };
    const auto add = [&](Vec3 a, Vec3 b, Vec3 c) {
        if (!std::isnan(a.y) && !std::isnan(b.y) && !std::isnan(c.y)) add_triangle(ground, a, b, c, options.rounding);
    };
    for (std::uint32_t r = 0; r + 1 < rows; ++r)
        for (std::uint32_t c = 0; c + 1 < columns; ++c)
            add(at(r, c), at(r + 1, c), at(r + 1, c + 1)), add(at(r, c), at(r + 1, c + 1), at(r, c + 1));
    scene.grounds.push_back(std::move(ground));
}

void add_grounds(SurfacePairs& scene, Random& random, float size) {
    add_mesh(scene, "torus", torus(9, 6), size),
        add_mesh(scene, "torus, scaled", torus(9, 6), size, {.scale = {-1, 0.5f, 1.7f}}, MeshSides::both);
    add_mesh(scene, "fine torus", torus(24, 12), size);
    add_mesh(scene, "ball", ball(6, 10, 0, random), size),
        add_mesh(scene, "ball with dents", ball(8, 10, 0.3, random), size);
    add_mesh(scene, "ball, rounded", ball(5, 8, 0.1, random), size, {.rounding = 0.05f});
    add_mesh(scene, "small ball", ball(5, 8, 0.1, random), 0.05f * size);
    add_mesh(scene, "box with dents", dented_box(4, 0.1, random), size),
        add_mesh(scene, "cube", dented_box(1, 0, random), size);
    add_mesh(scene, "shell", shell(5, 0.01), size),
        add_mesh(scene, "shell, rounded", shell(4, 0.02), size, {.rounding = 0.01f, .scale = {2, 1, 1}});
    add_mesh(scene, "soup", soup(60, 0.4, random), size), add_mesh(scene, "one triangle", soup(1, 1, random), size);
    add_field(scene, random, 7, 8, 0.15, 0.1, size), add_field(scene, random, 9, 6, 0, 0, size);
    add_field(scene, random, 6, 6, 0.2, 0, size, {.rounding = 0.03f, .scale = {1, -2, 1}});
}

Placing draw_placing(Random& random) {
    constexpr double kShares[kPlacings] = {0.25, 0.15, 0.15, 0.15, 0.2, 0.07, 0.03};
    double at = random.uniform();
    int i = 0;
    while (i + 1 < kPlacings && at >= kShares[i]) at -= kShares[i++];
    return Placing(i);
}

// Places the pair's second body.
void place(SurfacePairs& scene, std::size_t pair, Placing placing, Random& random) {
    const Body& a = scene.bodies[2 * pair];
    Body& b = scene.bodies[2 * pair + 1];
    const double sizes =
        scene.grounds[scene.ground_of[2 * pair]].size + scene.grounds[scene.ground_of[2 * pair + 1]].size;
    const Vec3d way = random.direction();
    const double draw = random.uniform(), power = std::pow(10.0, random.uniform(1, 9));
    const auto put = [&](double distance) { b.position = rounded(Vec3d(a.position) + way * distance); };
    if (placing == Placing::same) {
        b = {a.position, scene.grounds[scene.ground_of[2 * pair]].id, a.orientation};
        scene.ground_of[2 * pair + 1] = scene.ground_of[2 * pair];
        return;
    }
    put(sizes * (placing == Placing::deep ? 0.6 * draw : placing == Placing::far ? power : 2));
    if (placing == Placing::deep || placing == Placing::far) return;
    const double wanted = placing == Placing::apart     ? sizes * 0.5 * draw
                          : placing == Placing::near    ? sizes * 1e-4 * draw
                          : placing == Placing::shallow ? -sizes * 1e-2 * draw
                                                        : 0;
    // Along the normal the nearest triangles meet first, but others may come nearer on the way.
    for (int i = 0; i < 3; ++i) {
        const NearestPair nearest = nearest_pair(scene, pair);
        b.position = rounded(Vec3d(b.position) - nearest.normal * (nearest.distance - wanted));
    }
}

}  // namespace

const char* name_of(Placing placing) {
    constexpr const char* kNames[kPlacings] = {"apart", "near", "touching", "shallow", "deep", "far", "same"};
    return kNames[int(placing)];
}

SurfacePairs make_pairs(std::size_t count, std::uint64_t seed, double scale) {
    SurfacePairs scene;
    Random random(seed);
    add_grounds(scene, random, float(scale));
    for (std::size_t i = 0; i < count; ++i) {
        const Placing placing = draw_placing(random);
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t ground = random.below(std::uint32_t(scene.grounds.size()));
            const Vec3d at = random.chance(0.5) ? Vec3d{} : random.direction() * (10 * scale);
            const bool is_turned = !random.chance(0.3);
            scene.bodies.push_back({rounded(at), scene.grounds[ground].id, is_turned ? random.orientation() : Quat{}});
            scene.ground_of.push_back(ground);
        }
        scene.pairs.push_back({std::uint32_t(2 * i), std::uint32_t(2 * i + 1)});
        scene.placings.push_back(placing);
        place(scene, i, placing, random);
    }
    return scene;
}

namespace {

// Both surfaces of a pair where they are, and what spheres say.
struct Posed {
    const Ground &a, &b;
    oracle::Pose at_a, at_b;
    std::vector<Vec3d> centres_a, centres_b;  // from A's position

    Posed(const SurfacePairs& scene, std::size_t pair)
        : a(scene.grounds[scene.ground_of[2 * pair]]),
          b(scene.grounds[scene.ground_of[2 * pair + 1]]),
          at_a(oracle::pose_of(scene.bodies[2 * pair])),
          at_b(oracle::pose_of(scene.bodies[2 * pair + 1])) {
        for (const Vec3d& c : a.centres) centres_a.push_back(at_a.rotation * c);
        for (const Vec3d& c : b.centres) centres_b.push_back(at_b.rotation * c + (at_b.position - at_a.position));
    }
    double bound(std::size_t i, std::size_t k) const {
        return length(centres_a[i] - centres_b[k]) - a.radii[i] - b.radii[k];
    }
    oracle::Exact exact(std::size_t i, std::size_t k) const {
        return oracle::signed_distance(a.triangles[i], at_a, b.triangles[k], at_b);
    }

    // Calls visit(i, k) for the pairs of triangles whose bound is no more than limit(), the one of the least bound
    // first.
    template <class Limit, class Visit>
    void for_each(const Limit& limit, const Visit& visit) const {
        std::size_t first_i = 0, first_k = 0;
        double least = INFINITY;
        for (std::size_t i = 0; i < centres_a.size(); ++i)
            for (std::size_t k = 0; k < centres_b.size(); ++k)
                if (const double found = bound(i, k); found < least) least = found, first_i = i, first_k = k;
        visit(first_i, first_k);
        for (std::size_t i = 0; i < centres_a.size(); ++i)
            for (std::size_t k = 0; k < centres_b.size(); ++k)
                if ((i != first_i || k != first_k) && bound(i, k) <= limit()) visit(i, k);
    }
};

NearestPair nearest_of(const Posed& posed) {
    NearestPair nearest;
    posed.for_each([&] { return nearest.distance; },
                   [&](std::size_t i, std::size_t k) {
        const oracle::Exact found = posed.exact(i, k);
        if (found.signed_distance < nearest.distance) nearest = {found.signed_distance, 0, i, k, found.normal};
    });
    nearest.tolerance = oracle::tolerance(posed.a.triangles[nearest.a], posed.b.triangles[nearest.b], nearest.distance);
    return nearest;
}

// The normal and points are those of some pair of triangles that is as near.
bool has_witness(const Posed& posed, const NearestPair& nearest, const oracle::Claim& claim) {
    const auto is_right = [&](std::size_t i, std::size_t k, double known) {
        return oracle::check_answer(posed.a.triangles[i], posed.at_a, posed.b.triangles[k], posed.at_b, claim, known)
            .right();
    };
    if (is_right(nearest.a, nearest.b, nearest.distance)) return true;
    bool found = false;
    const double most = nearest.distance + 2 * nearest.tolerance;
    posed.for_each([&] { return found ? -INFINITY : most; },
                   [&](std::size_t i, std::size_t k) {
        const double known = posed.exact(i, k).signed_distance;
        found = found || (known <= most && is_right(i, k, known));
    });
    return found;
}

std::string fault_of(const Posed& posed, const Overlaps& overlaps, const Distances& distances, std::size_t pair,
                     const NearestPair& nearest) {
    if (overlaps.status[pair] != Status::ok || distances.status[pair] != Status::ok) return "status";
    const double got = distances.signed_distance[pair];
    if (!(std::fabs(got - nearest.distance) <= nearest.tolerance))
        return fmt::format("distance {}, {:.3g} bounds", got, (got - nearest.distance) / nearest.tolerance);
    if (std::fabs(nearest.distance) > nearest.tolerance && overlaps.hit(pair) != (nearest.distance <= 0)) return "hit";
    const oracle::Claim claim = {distances.signed_distance[pair], distances.normal[pair], distances.point_a[pair],
                                 distances.point_b[pair]};
    return has_witness(posed, nearest, claim) ? "" : "points";
}

}  // namespace

NearestPair nearest_pair(const SurfacePairs& scene, std::size_t pair) { return nearest_of(Posed(scene, pair)); }

std::vector<Tally> judge(const SurfacePairs& scene, const Overlaps& overlaps, const Distances& distances) {
    std::vector<Tally> all(kPlacings);
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Posed posed(scene, i);
        const NearestPair nearest = nearest_of(posed);
        Tally& tally = all[std::size_t(scene.placings[i])];
        ++tally.pairs;
        tally.hits += nearest.distance <= 0;
        const std::string fault = fault_of(posed, overlaps, distances, i, nearest);
        if (fault.empty()) continue;
        ++tally.wrong;
        if (tally.examples.size() < 4)
            tally.examples.push_back(fmt::format(
                "pair {}: {} against {}: {}; exact {} of triangles {} and {}, bound {:.3g}", i, posed.a.name,
                posed.b.name, fault, nearest.distance, nearest.a, nearest.b, nearest.tolerance));
    }
    return all;
}

}  // namespace abut::surfaces
