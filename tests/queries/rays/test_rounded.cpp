// Rays and points at triangles swept by a sphere, inside and outside, against the distance of points from triangles, in
// double.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "queries/rays/insides.hpp"
#include "queries/rays/rays.hpp"
#include "scenes/random.hpp"

using namespace abut;
using oracle::Vec3d;
using scenes::Random;

namespace {

#ifdef NDEBUG
constexpr std::uint32_t kRays = 2000;
#else
constexpr std::uint32_t kRays = 200;
#endif

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

// A few triangles in the shape's frame, swept by a sphere.
struct Swept {
    std::vector<rays::Corners> triangles;
    double radius;

    double distance(const Vec3d& p) const {
        double least = INFINITY;
        for (const rays::Corners& t : triangles) least = std::min(least, rays::distance_to(t, p) - radius);
        return least;
    }
    // The share of the way at which a ray is on the surface: as far ahead as the distance says that nothing is met,
    // again and again; 2 for a miss.
    double meets(const Vec3d& from, const Vec3d& way) const {
        const double far = length(way);
        double at = 0;
        for (int i = 0; i < 20000; ++i) {
            const double free = distance(from + way * (at / far));
            if (free <= 1e-9) return at / far;
            at += free;
            if (at > far) return 2;
        }
        return at / far;
    }
};

}  // namespace

TEST_CASE("rays, points: a rounded triangle is a solid of its own, inside and outside",
          "[rays][points][surfaces][rounded][right]") {
    Random random(21);
    for (const std::uint32_t count : {1u, 1u, 1u, 4u, 30u})
        for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{2, 0.5f, -1}, Vec3{-1, -3, -1}}) {
            std::vector<Vec3> vertices;
            std::vector<MeshTriangle> triangles;
            Swept swept;
            swept.radius = float(random.uniform(0.05, 0.3));
            for (std::uint32_t i = 0; i < count; ++i) {
                const Vec3d middle = random.direction() * (count == 1 ? 0.0 : 2.0);
                for (int k = 0; k < 3; ++k) vertices.push_back(rounded(middle + random.direction() * 1.5));
                triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
                rays::Corners corners;
                for (std::uint32_t k = 0; k < 3; ++k) {
                    const Vec3 v = vertices[3 * i + k];
                    corners.at[k] = {double(v.x * scale.x), double(v.y * scale.y), double(v.z * scale.z)};
                }
                swept.triangles.push_back(corners);
            }
            ShapeStore shapes;
            const auto id = shapes.add_mesh(vertices, triangles, {.rounding = float(swept.radius), .scale = scale},
                                            {.sides = MeshSides::both});
            REQUIRE(id);
            const Body body = {rounded(random.direction() * 2.0), *id, random.orientation()};
            const oracle::Pose pose = oracle::pose_of(body);
            std::vector<Vec3> origins, directions;
            std::vector<Pair> pairs;
            for (std::uint32_t i = 0; i < kRays / 4; ++i) {
                // Over a triangle, away from its edges or not; up to three radii from it on either side; with any
                // direction.
                const rays::Corners& t = swept.triangles[random.below(count)];
                double u = random.uniform(), v = random.uniform();
                if (u + v > 1) u = 1 - u, v = 1 - v;
                const Vec3d normal = normalised(cross(t.at[1] - t.at[0], t.at[2] - t.at[0]));
                const double above = random.uniform(-3, 3) * swept.radius, far = random.uniform(0.2, 4);
                const Vec3d over = t.at[0] + (t.at[1] - t.at[0]) * u + (t.at[2] - t.at[0]) * v + normal * above;
                const Vec3d from = i % 5 == 0 ? over + random.direction() * 3.0 : over;
                Vec3d way = random.direction() * far;
                if (i % 5 == 0) way = (over - from) * random.uniform(0.8, 1.5);
                if (i % 5 == 1) way = normal * (random.chance(0.5) ? far : -far);
                origins.push_back(rounded(pose.position + pose.rotation * from)),
                    directions.push_back(rounded(pose.rotation * way));
                pairs.push_back({i, 0});
            }
            const std::vector<Body> bodies = {body};
            NarrowPhase narrow;
            RayHits hits;
            PointDistances found;
            REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions}, hits));
            REQUIRE(narrow.measure({&shapes, bodies, pairs}, {.positions = origins}, found));
            std::size_t inside = 0, met = 0;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const Vec3d from = pose.rotation.back(Vec3d(origins[i]) - pose.position),
                            way = pose.rotation.back(Vec3d(directions[i]));
                const double here = swept.distance(from);
                INFO(count << " " << scale.y << " " << i << " distance " << here << " radius " << swept.radius
                           << " fraction " << hits.fraction[i]);
                REQUIRE((hits.status[i] == Status::ok && found.status[i] == Status::ok));
                CHECK(std::fabs(found.signed_distance[i] - here) < 1e-5);
                const Vec3d nearest = pose.rotation.back(Vec3d(found.nearest[i])),
                            normal = pose.rotation.back(Vec3d(found.normal[i]));
                CHECK(length(nearest + normal * here - from) < 2e-5);
                const rays::Corners& own = swept.triangles[found.child[i]];
                CHECK(std::fabs(rays::distance_to(own, from) - swept.radius - here) < 1e-5);
                if (std::fabs(here + swept.radius) > 1e-4)
                    CHECK(std::fabs(rays::distance_to(own, from + normal * 1e-3) - swept.radius - here - 1e-3) < 1e-5);
                if (std::fabs(here) < 1e-4) continue;
                if (here < 0) {
                    ++inside;
                    CHECK((hits.hit(i) && hits.fraction[i] == 0 && hits.inside[i] == 1 && hits.normal[i] == Vec3{}));
                    CHECK(length(Vec3d(hits.point[i]) - (Vec3d(origins[i]) - pose.position)) < 1e-6);
                    CHECK(rays::distance_to(swept.triangles[hits.child[i]], from) < swept.radius + 1e-6);
                    continue;
                }
                const double expected = swept.meets(from, way);
                // Grazes may be either.
                const bool hit = hits.hit(i);
                if (hit != (expected <= 1)) {
                    const double least =
                        hit ? swept.distance(from + way * hits.fraction[i]) : swept.distance(from + way * expected);
                    CHECK(std::fabs(least) < 2e-5);
                    const Swept thin = {swept.triangles, swept.radius - 2e-5},
                                thick = {swept.triangles, swept.radius + 2e-5};
                    CHECK(((hit && thick.meets(from, way) <= 1) || (!hit && thin.meets(from, way) > 1)));
                    continue;
                }
                CHECK(hits.inside[i] == 0);
                if (!hit) continue;
                ++met;
                const Vec3d at = from + way * hits.fraction[i], out = pose.rotation.back(Vec3d(hits.normal[i]));
                CHECK(std::fabs(swept.distance(at)) < 1e-5);
                CHECK(swept.meets(from, way) <= hits.fraction[i] + 1e-6);
                // Outward, of the triangle that is named.
                const rays::Corners& one = swept.triangles[hits.child[i]];
                CHECK(std::fabs(rays::distance_to(one, at) - swept.radius) < 1e-5);
                CHECK(std::fabs(rays::distance_to(one, at + out * 1e-3) - swept.radius - 1e-3) < 1e-5);
            }
            CHECK(inside > pairs.size() / 8);
            CHECK(met > pairs.size() / 8);
        }
}
