// Casts of compounds, meshes and height fields: the first of the casts of their children, each as a body of its own
// about the same centre of rotation.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "queries/casts/motions.hpp"
#include "support/compound_scene.hpp"
#include "support/count.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;
using test::CompoundScene;
using test::SurfaceScene;

namespace {

#ifdef NDEBUG
constexpr std::uint32_t kPairs = 250;
#else
constexpr std::uint32_t kPairs = 40;
#endif

Vec3 rounded(const oracle::Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

// A frame of children, the bodies' motions and centres of rotation, and which pair of the scene each child pair is of.
struct ChildFrame {
    std::vector<Body> bodies, ends;
    std::vector<Vec3> centers;
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> owner, child_a, child_b;

    // A shape at `position`, `orientation` in a body's frame.
    std::uint32_t add(ShapeId shape, const Body& start, const Body& end, Vec3 position, Quat orientation) {
        const auto placed = [&](const Body& body) {
            const oracle::Vec3d p =
                oracle::Vec3d(body.position) + oracle::rotation_of(body.orientation) * oracle::Vec3d(position);
            const Quat &q = body.orientation, &r = orientation;
            const Quat whole = {
                q.w * r.x + q.x * r.w + (q.y * r.z - q.z * r.y), q.w * r.y + q.y * r.w + (q.z * r.x - q.x * r.z),
                q.w * r.z + q.z * r.w + (q.x * r.y - q.y * r.x), q.w * r.w - (q.x * r.x + q.y * r.y + q.z * r.z)};
            return Body{rounded(p), shape, whole};
        };
        bodies.push_back(placed(start));
        ends.push_back(placed(end));
        centers.push_back(rounded(-oracle::rotation_of(orientation).back(oracle::Vec3d(position))));
        return std::uint32_t(bodies.size() - 1);
    }
};

std::vector<Body> moved(const std::vector<Body>& bodies, scenes::Random& random, bool moves_all) {
    std::vector<Body> ends = bodies;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (i % 2 != 0 && !moves_all) continue;
        const double far = random.chance(0.2) ? 5.0 : 1.0;
        ends[i].position = rounded(oracle::Vec3d(ends[i].position) + random.direction() * (far * random.uniform()));
        if (random.chance(0.3)) continue;
        const oracle::Vec3d axis = random.direction();
        ends[i].orientation = casts::rotated(ends[i].orientation, axis, random.uniform(0, 1.5));
    }
    return ends;
}

struct Compared {
    std::size_t hits = 0, misses = 0, starts = 0, grazes = 0, differing = 0;
};

// `speeds`: of each pair's fastest points. `may`: pairs whose list of children is not certain.
Compared compare(const Casts& whole, const Casts& parts, const ChildFrame& children, const std::vector<double>& speeds,
                 const std::vector<bool>& may, double slack) {
    Compared compared;
    std::vector<double> first(whole.time.size(), std::numeric_limits<double>::infinity());
    std::vector<float> distance(whole.time.size(), std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < children.pairs.size(); ++i) {
        REQUIRE(parts.status[i] == Status::ok);
        const std::uint32_t owner = children.owner[i];
        if (!parts.hit(i) || parts.time[i] > first[owner]) continue;
        if (parts.time[i] < first[owner] || parts.signed_distance[i] < distance[owner])
            distance[owner] = parts.signed_distance[i];
        first[owner] = parts.time[i];
    }
    for (std::size_t i = 0; i < whole.time.size(); ++i) {
        if (may[i]) continue;
        INFO("pair " << i);
        CHECK(whole.status[i] == Status::ok);
        const bool hits = std::isfinite(first[i]);
        compared.hits += whole.hit(i), compared.misses += !whole.hit(i),
            compared.starts += whole.hit(i) && whole.time[i] == 0;
        if (hits != whole.hit(i)) {
            const float there = hits ? distance[i] : whole.signed_distance[i];
            compared.grazes += there > 0;
            compared.differing += there <= 0;
        } else if (hits) {
            const bool is_near = std::fabs(whole.time[i] - first[i]) * speeds[i] <= slack;
            const bool is_as_deep =
                whole.time[i] != 0 || first[i] != 0 || std::fabs(whole.signed_distance[i] - distance[i]) <= slack;
            // Grazes: either stops at a place within the tolerance.
            if (is_near && is_as_deep) continue;
            compared.grazes += whole.signed_distance[i] > 0 && distance[i] > 0;
            compared.differing += !(whole.signed_distance[i] > 0 && distance[i] > 0);
            CAPTURE(whole.time[i], first[i], whole.signed_distance[i], distance[i]);
        }
    }
    return compared;
}

double speed_between(const Body& a, const Body& a_end, double reach_a, const Body& b, const Body& b_end,
                     double reach_b) {
    const casts::Path path_a(a, a_end), path_b(b, b_end);
    return length(path_a.displacement() - path_b.displacement()) + path_a.angle() * reach_a + path_b.angle() * reach_b;
}

void check(const Compared& compared) {
    CHECK(compared.differing == 0);
    CHECK(compared.grazes <= (compared.hits + compared.misses) / 50 + 1);
    CHECK(compared.hits > (compared.hits + compared.misses) / 5);
    CHECK(compared.misses > (compared.hits + compared.misses) / 10);
    CHECK(compared.hits > compared.starts);
}

}  // namespace

TEST_CASE("casts: a compound's first hit is that of its children", "[casts][compounds]") {
    for (const std::uint32_t most : {3u, 12u}) {
        CompoundScene scene = test::make_compounds(kPairs, most, 31);
        scenes::Random random(5);
        // Apart, so that not all of them start in touch.
        for (std::uint32_t i = 0; i < kPairs; ++i)
            scene.bodies[2 * i + 1].position =
                rounded(oracle::Vec3d(scene.bodies[2 * i + 1].position) + random.direction() * random.uniform(0, 1));
        const std::vector<Body> ends = moved(scene.bodies, random, true);
        ChildFrame children;
        std::vector<double> speeds;
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            const Pair pair = scene.pairs[i];
            speeds.push_back(
                speed_between(scene.bodies[pair.a], ends[pair.a], 2, scene.bodies[pair.b], ends[pair.b], 2));
            for (std::uint32_t a = 0; a < scene.parts[pair.a].size(); ++a) {
                const test::ScenePart& part_a = scene.parts[pair.a][a];
                const std::uint32_t first = children.add(scene.convex.ids[part_a.solid], scene.bodies[pair.a],
                                                         ends[pair.a], part_a.position, part_a.orientation);
                for (std::uint32_t b = 0; b < scene.parts[pair.b].size(); ++b) {
                    const test::ScenePart& part_b = scene.parts[pair.b][b];
                    const std::uint32_t second = children.add(scene.convex.ids[part_b.solid], scene.bodies[pair.b],
                                                              ends[pair.b], part_b.position, part_b.orientation);
                    children.pairs.push_back({first, second});
                    children.owner.push_back(i);
                }
            }
        }
        NarrowPhase narrow;
        Casts whole, parts;
        const Bodies whole_ends[] = {ends}, part_ends[] = {children.ends};
        REQUIRE(narrow.cast(scene.frame(), {whole_ends}, whole));
        REQUIRE(
            narrow.cast({&scene.convex.shapes, children.bodies, children.pairs}, {part_ends, children.centers}, parts));
        check(compare(whole, parts, children, speeds, std::vector<bool>(kPairs, false), 1e-3));
    }
}

TEST_CASE("casts: a surface's first hit is that of its triangles that the body starts in front of",
          "[casts][surfaces]") {
    for (const bool moves_all : {false, true}) {
        SurfaceScene scene = test::make_surface_scene(kPairs, 41, true);
        scenes::Random random(6);
        const std::vector<Body> ends = moved(scene.others.bodies, random, moves_all);
        ChildFrame children;
        std::vector<double> speeds;
        std::vector<bool> may(kPairs, false);
        std::vector<std::vector<ShapeId>> hulls;
        for (const SurfaceScene::Ground& ground : scene.grounds) {
            std::vector<ShapeId> of;
            for (std::size_t t = 0; t < ground.triangles.size(); ++t)
                of.push_back(scene.others.convex.ids[scene.others.convex.add_solid(ground.triangles[t].shape)]);
            hulls.push_back(of);
        }
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            const Pair pair = scene.pairs()[i];
            const SurfaceScene::Ground& ground = scene.ground(i);
            const Body &a = scene.others.bodies[pair.a], &b = scene.others.bodies[pair.b];
            const bool is_plane = a.shape.kind() == ShapeKind::halfspace,
                       meets_all = ground.sides == MeshSides::both || is_plane;
            const oracle::Vec3d centre = meets_all ? oracle::Vec3d{} : scene.centre_of(i);
            speeds.push_back(speed_between(a, ends[pair.a], is_plane ? 8 : 2, b, ends[pair.b], 8));
            for (const test::ScenePart& part : scene.others.parts[pair.a]) {
                const std::uint32_t first =
                    children.add(scene.others.convex.ids[part.solid], a, ends[pair.a], part.position, part.orientation);
                for (std::size_t t = 0; t < ground.triangles.size(); ++t) {
                    const double front = meets_all ? 1 : scene.in_front(i, centre, t);
                    may[i] = may[i] || std::fabs(front) < 1e-5;
                    if (front < 0) continue;
                    const std::uint32_t second = children.add(hulls[scene.ground_of[i]][t], b, ends[pair.b], {}, {});
                    children.pairs.push_back({first, second});
                    children.owner.push_back(i);
                }
            }
        }
        NarrowPhase narrow;
        Casts whole, parts;
        const Bodies whole_ends[] = {ends}, part_ends[] = {children.ends};
        REQUIRE(narrow.cast(scene.others.frame(), {whole_ends}, whole));
        REQUIRE(narrow.cast({&scene.others.convex.shapes, children.bodies, children.pairs},
                            {part_ends, children.centers}, parts));
        check(compare(whole, parts, children, speeds, may, 2e-3));
        // The triangle is one that the answer's point is on.
        test::Count off;
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            if (!whole.hit(i)) continue;
            const Pair pair = scene.pairs()[i];
            const SurfaceScene::Ground& ground = scene.ground(i);
            const auto found = std::find(ground.input.begin(), ground.input.end(), whole.child_b[i]);
            REQUIRE(found != ground.input.end());
            const casts::Path path_a(scene.others.bodies[pair.a], ends[pair.a]),
                path_b(scene.others.bodies[pair.b], ends[pair.b]);
            const oracle::Vec3d on = path_a.at(whole.time[i]).position + oracle::Vec3d(whole.point_b[i]);
            off +=
                std::fabs(oracle::signed_distance_to_point(ground.triangles[std::size_t(found - ground.input.begin())],
                                                           path_b.at(whole.time[i]), on)) > 1e-4;
        }
        CHECK(off == 0);
    }
}
