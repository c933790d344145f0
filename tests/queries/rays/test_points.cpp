// Points against the oracle, and the inside of closed meshes against the shapes that they were made from.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "queries/rays/insides.hpp"
#include "queries/rays/rays.hpp"
#include "support/compound_scene.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using oracle::Vec3d;
using scenes::Random;

namespace {

#ifdef NDEBUG
constexpr std::size_t kPoints = 1000;
#else
constexpr std::size_t kPoints = 100;
#endif

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};

PointDistances measure(const Frame& frame, const Points& points, const PointOptions& options = {},
                       const Settings& settings = {}) {
    NarrowPhase narrow(settings);
    PointDistances out;
    REQUIRE(narrow.measure(frame, points, out, options));
    return out;
}

// The distance of the nearest triangle that counts.
double least_of_all(const rays::MeshData& mesh, const Vec3& scale, MeshSides sides, const Vec3d& point) {
    double least = INFINITY;
    const bool is_mirrored = scale.x * scale.y * scale.z < 0;
    for (const MeshTriangle& t : mesh.triangles) {
        rays::Corners corners;
        for (int k = 0; k < 3; ++k) {
            const Vec3 v = mesh.vertices[t.corners[is_mirrored && k != 0 ? 3 - k : k]];
            corners.at[k] = {double(v.x * scale.x), double(v.y * scale.y), double(v.z * scale.z)};
        }
        const Vec3d normal = cross(corners.at[1] - corners.at[0], corners.at[2] - corners.at[0]);
        if (sides == MeshSides::both || dot(normal, point - corners.at[0]) >= 0)
            least = std::fmin(least, rays::distance_to(corners, point));
    }
    return least;
}

}  // namespace

TEST_CASE("points: the oracle's signed distance, a normal along which it grows, and the nearest point",
          "[points][right]") {
    for (const ShapeKind kind : kKinds) {
        for (const bool hard : {false, true}) {
            // The rays' origins and ends.
            const rays::RayScene scene = rays::make_rays(kind, hard ? kPoints / 4 : kPoints, 13, hard);
            std::vector<Vec3> points;
            for (std::size_t i = 0; i < scene.origins.size(); ++i) {
                const Vec3 o = scene.origins[i], d = scene.directions[i];
                const float share = i % 2 == 0 ? 0.0f : 0.4f;
                points.push_back({o.x + share * d.x, o.y + share * d.y, o.z + share * d.z});
            }
            const PointDistances found = measure(scene.frame(), {.positions = points});
            std::size_t inside = 0;
            test::Count wrong;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const rays::Line line = {
                    Vec3d(points[i]), {0, 0, 0}, &scene.solid(i), oracle::pose_of(scene.bodies[i])};
                const double exact = rays::distance_at(line, 0), size = scene.solid(i).size;
                const double allowed =
                    1e-5 * size + 1e-6 * std::fabs(exact) + 0x1p-21 * length(Vec3d(points[i]) - line.pose.position);
                bool is_right = found.status[i] == Status::ok && std::fabs(found.signed_distance[i] - exact) <= allowed;
                const Vec3d normal(found.normal[i]), nearest(found.nearest[i]);
                is_right &= std::fabs(length(normal) - 1) < 1e-5;
                is_right &= length(line.pose.position + nearest + normal * double(found.signed_distance[i]) -
                                   Vec3d(points[i])) <= allowed;
                rays::Line at_nearest = line;
                at_nearest.origin = line.pose.position + nearest;
                // The oracle's search stops early in curved shapes of 1e-8 m.
                if (size == 0 || size > 1e-6) is_right &= std::fabs(rays::distance_at(at_nearest, 0)) <= 2 * allowed;
                wrong += !is_right;
                if (!is_right && wrong < 4)
                    UNSCOPED_INFO(to_string(kind)
                                  << " " << i << " found " << found.signed_distance[i] << " exact " << exact << " size "
                                  << size << " normal " << length(normal) << " status " << int(found.status[i])
                                  << " at nearest " << rays::distance_at(at_nearest, 0));
                inside += exact < 0;
            }
            INFO(to_string(kind) << (hard ? ", hard" : ""));
            CHECK(wrong == 0);
            CHECK(inside > points.size() / 20);
        }
    }
}

TEST_CASE("points: of a compound the least of its children", "[points][right]") {
    const test::CompoundScene scene = test::make_compounds(150, 12, 6);
    Random random(3);
    std::vector<Vec3> points;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec3 p = scene.bodies[i].position;
        const double apart = random.uniform(0, 1.5);
        const Vec3d out = random.direction() * apart;
        points.push_back({float(p.x + out.x), float(p.y + out.y), float(p.z + out.z)});
        pairs.push_back({i, i});
    }
    const Frame frame = {&scene.convex.shapes, scene.bodies, pairs};
    const PointDistances found = measure(frame, {.positions = points}),
                         near = measure(frame, {.positions = points}, {.max_distance = 0.25f});
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        double least = INFINITY;
        for (std::size_t k = 0; k < scene.parts[i].size(); ++k)
            least = std::min(least,
                             rays::distance_at({Vec3d(points[i]), {0, 0, 0}, &scene.solid(i, k), scene.pose(i, k)}, 0));
        INFO(i);
        CHECK(std::fabs(found.signed_distance[i] - least) < 1e-5);
        // The child that is named is as near; along the normal the distance from it grows, from the nearest point on.
        const std::size_t named = scene.parts[i].size() > 1 ? found.child[i] : 0;
        REQUIRE(named < scene.parts[i].size());
        const auto from_named = [&](const Vec3d& p) {
            return rays::distance_at({p, {0, 0, 0}, &scene.solid(i, named), scene.pose(i, named)}, 0);
        };
        const Vec3d normal(found.normal[i]), nearest = Vec3d(scene.bodies[i].position) + Vec3d(found.nearest[i]);
        CHECK(std::fabs(from_named(Vec3d(points[i])) - least) < 1e-5);
        CHECK(std::fabs(from_named(nearest)) < 2e-5);
        CHECK(length(nearest + normal * least - Vec3d(points[i])) < 2e-5);
        CHECK(std::fabs(from_named(nearest + normal * 1e-3) - 1e-3) < 2e-5);
        if (least < 0.249) CHECK(near.signed_distance[i] == found.signed_distance[i]);
        if (least > 0.251) CHECK(near.signed_distance[i] == std::numeric_limits<float>::infinity());
    }
}

TEST_CASE("points: closed meshes know their inside", "[points][solid][right]") {
    for (const rays::Inside& subject : rays::make_insides()) {
        const rays::InsideTally tally = rays::judge_insides(subject, kPoints * 2, 5);
        INFO(subject.name);
        CHECK(tally.is_closed);
        CHECK(tally.wrong == 0);
        CHECK(tally.inside > 4);
        CHECK(tally.outside > 20);
    }
}

TEST_CASE("points: of a mesh the nearest of all its triangles, of any size, as thin as it may be",
          "[points][surfaces][right]") {
    const rays::MeshData ball = rays::make_ball_mesh(12, 30, 0.3, 3);
    for (const double size : {1e-12, 1e-8, 1e-3, 1.0, 1e4, 1e12})
        for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{1, 1e-4f, 1}, Vec3{-0.5f, 1, 2}})
            for (const MeshSides sides : {MeshSides::front, MeshSides::both}) {
                rays::MeshData mesh = ball;
                for (Vec3& v : mesh.vertices) v = {float(v.x * size), float(v.y * size), float(v.z * size)};
                ShapeStore shapes;
                const auto id = shapes.add_mesh(mesh.vertices, mesh.triangles, {.scale = scale}, {.sides = sides});
                REQUIRE(id);
                Random random(9);
                std::vector<Vec3> points;
                std::vector<Pair> pairs;
                for (std::uint32_t i = 0; i < kPoints / 4; ++i) {
                    const Vec3d p = random.direction() * (size * random.uniform(0, 1.5) * (i % 4 == 0 ? 100 : 1));
                    points.push_back({float(p.x), float(p.y), float(p.z)});
                    pairs.push_back({i, 0});
                }
                const std::vector<Body> bodies = {{{}, *id, {}}};
                const PointDistances found = measure({&shapes, bodies, pairs}, {.positions = points});
                std::size_t behind = 0;
                test::Count wrong;
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const double least = least_of_all(mesh, scale, sides, Vec3d(points[i])),
                                 is = double(found.signed_distance[i]);
                    behind += least == INFINITY;
                    wrong += !(is == least || std::fabs(is - least) <= 1e-6 * (size + least));
                }
                INFO(size << " " << scale.y << " " << int(sides));
                CHECK(wrong == 0);
                CHECK((sides == MeshSides::both ? behind == 0 : behind < points.size()));
            }
}

TEST_CASE("points: meshes that are open or inside out have no inside", "[points][solid]") {
    rays::MeshData ball = rays::make_ball_mesh(8, 12, 0.1, 3);
    const auto closed = [](const rays::MeshData& mesh, Vec3 scale = {1, 1, 1}) {
        ShapeStore shapes;
        const auto id = shapes.add_mesh(mesh.vertices, mesh.triangles, {.scale = scale});
        REQUIRE(id);
        return has_inside(shapes, *id);
    };
    CHECK(closed(ball));
    CHECK(closed(ball, {1, -2, 1}));
    rays::MeshData open = ball;
    open.triangles.pop_back();
    CHECK(!closed(open));
    rays::MeshData inwards = ball;
    for (MeshTriangle& t : inwards.triangles) std::swap(t.corners[1], t.corners[2]);
    CHECK(!closed(inwards));
    rays::MeshData mixed = ball;
    std::swap(mixed.triangles[5].corners[1], mixed.triangles[5].corners[2]);
    CHECK(!closed(mixed));
    ShapeStore shapes;
    const auto sphere = shapes.add_sphere(1);
    CHECK(!has_inside(shapes, *sphere));
    CHECK(!has_inside(shapes, ShapeId()));
    // Not solid unless asked: behind all its triangles.
    const auto mesh = shapes.add_mesh(ball.vertices, ball.triangles);
    const std::vector<Body> bodies = {{{}, *mesh, {}}};
    const std::vector<Pair> pairs = {{0, 0}};
    const std::vector<Vec3> points = {{0.01f, 0.02f, 0.03f}};
    CHECK(measure({&shapes, bodies, pairs}, {.positions = points}).signed_distance[0] ==
          std::numeric_limits<float>::infinity());
    CHECK(measure({&shapes, bodies, pairs}, {.positions = points}, {.solid_meshes = true}).signed_distance[0] < -0.8f);
}

TEST_CASE("points: the same bits on any number of threads; bad ones get a status", "[points][same_bits][contained]") {
    rays::RayScene scene = rays::make_rays(ShapeKind::hull, 1200, 5, false);
    const PointDistances first = measure(scene.frame(), {.positions = scene.origins}, {}, {.threads = 1});
    const PointDistances other = measure(scene.frame(), {.positions = scene.origins}, {}, {.threads = 7});
    CHECK(first.signed_distance == other.signed_distance);
    CHECK(first.normal == other.normal);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    scene.origins[5].y = nan, scene.bodies[6].orientation = {0, 0, 0, 3}, scene.pairs[7].a = 5000,
    scene.pairs[8].b = 5000;
    const PointDistances bad = measure(scene.frame(), {.positions = scene.origins});
    CHECK((bad.status[5] == Status::bad_pose && bad.status[6] == Status::bad_pose));
    CHECK((bad.status[7] == Status::bad_index && bad.status[8] == Status::bad_index));
    for (const std::size_t i : {5u, 6u, 7u, 8u})
        CHECK((bad.signed_distance[i] == 0 && bad.normal[i] == Vec3{} && bad.nearest[i] == Vec3{}));
    for (std::size_t i = 9; i < 1200; ++i) CHECK(bad.signed_distance[i] == first.signed_distance[i]);
    NarrowPhase narrow;
    PointDistances out;
    CHECK(narrow.measure(scene.frame(), {.positions = scene.origins}, out, {.max_distance = -1}).error().code ==
          ErrorCode::bad_argument);
    const std::vector<DVec3> doubles(3);
    CHECK(narrow.measure(scene.frame(), {.positions = scene.origins, .double_positions = doubles}, out).error().code ==
          ErrorCode::bad_argument);
    CHECK(narrow.measure(scene.frame(), {}, out));
    CHECK(out.status[0] == Status::bad_index);
}

TEST_CASE("points: closed meshes and boxes with poses of their own, many in one call, to a limit",
          "[points][solid][surfaces][right]") {
    // Boxes of twelve triangles, and boxes: the oracle has both as boxes.
    constexpr std::uint32_t kFaces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                             {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    Random random(17);
    ShapeStore shapes;
    std::vector<oracle::Solid> solids;
    std::vector<Body> bodies;
    std::vector<oracle::Pose> poses;
    for (std::uint32_t i = 0; i < 24; ++i) {
        const Vec3 half = {float(random.uniform(0.3, 1)), float(random.uniform(0.3, 1)), float(random.uniform(0.3, 1))};
        InstanceOptions options;
        options.rounding = i % 3 == 0 ? 0.15f : 0.0f;
        if (i % 4 != 0) {
            const Vec3d at = random.direction() * 0.6;
            options.pose = {{float(at.x), float(at.y), float(at.z)}, random.orientation()};
        }
        std::vector<Vec3> vertices;
        std::vector<MeshTriangle> triangles;
        // Corner k is on the upper side of x, y, z by its bits.
        for (std::uint32_t k = 0; k < 8; ++k)
            vertices.push_back({k & 4 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 1 ? half.z : -half.z});
        for (const auto& f : kFaces) {
            const Vec3d a(vertices[f[0]]), b(vertices[f[1]]), c(vertices[f[2]]);
            const bool is_outward = dot(cross(b - a, c - a), a + b + c) > 0;
            triangles.push_back(is_outward ? MeshTriangle{{f[0], f[1], f[2]}} : MeshTriangle{{f[0], f[2], f[1]}});
        }
        const auto id = i % 5 == 4 ? shapes.add_box(half, options) : shapes.add_mesh(vertices, triangles, options);
        REQUIRE(id);
        solids.push_back(oracle::box(half, options.rounding));
        const Vec3d at = random.direction() * 2.0;
        bodies.push_back({{float(at.x), float(at.y), float(at.z)}, *id, random.orientation()});
        const oracle::Pose whole = oracle::pose_of(bodies.back());
        const oracle::Rotation own = oracle::rotation_of(options.pose.orientation);
        const Vec3d x = whole.rotation * (own * Vec3d{1, 0, 0}), y = whole.rotation * (own * Vec3d{0, 1, 0}),
                    z = whole.rotation * (own * Vec3d{0, 0, 1});
        poses.push_back({whole.position + whole.rotation * Vec3d(options.pose.position),
                         {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}});
    }
    std::vector<Vec3> points;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const std::uint32_t body = random.below(24);
        const double apart = random.uniform(0, 1.6);
        const Vec3d p = poses[body].position + random.direction() * apart;
        points.push_back({float(p.x), float(p.y), float(p.z)}), pairs.push_back({i, body});
    }
    for (const float most : {std::numeric_limits<float>::infinity(), 0.25f, 0.0f}) {
        const PointDistances found =
            measure({&shapes, bodies, pairs}, {.positions = points}, {.max_distance = most, .solid_meshes = true});
        std::size_t inside = 0, beyond = 0;
        for (std::uint32_t i = 0; i < pairs.size(); ++i) {
            const std::uint32_t body = pairs[i].b;
            const auto distance = [&](const Vec3d& p) {
                return rays::distance_at({p, {0, 0, 0}, &solids[body], poses[body]}, 0);
            };
            const Vec3d point(points[i]), normal(found.normal[i]),
                nearest = Vec3d(bodies[body].position) + Vec3d(found.nearest[i]);
            const double expected = distance(point);
            INFO(i << " " << to_string(bodies[body].shape.kind()) << " " << most << " " << expected << " "
                   << found.signed_distance[i]);
            REQUIRE(found.status[i] == Status::ok);
            if (std::fabs(expected - most) < 1e-5) continue;
            if (expected > most) {
                ++beyond;
                CHECK(found.signed_distance[i] == std::numeric_limits<float>::infinity());
                CHECK((found.normal[i] == Vec3{} && found.nearest[i] == Vec3{} && found.child[i] == 0));
                continue;
            }
            inside += expected < 0;
            CHECK(std::fabs(found.signed_distance[i] - expected) < 1e-5);
            CHECK(std::fabs(distance(nearest)) < 2e-5);
            CHECK(length(nearest + normal * expected - point) < 2e-5);
            if (std::fabs(expected) > 1e-3) CHECK(std::fabs(distance(point + normal * 1e-3) - expected - 1e-3) < 2e-5);
        }
        CHECK(inside > 300);
        CHECK((beyond > 200) == (most < 1));
    }
}

TEST_CASE("points: on a triangle the normal is the triangle's own", "[points][surfaces]") {
    const std::vector<Vec3> vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    for (const bool is_down : {false, true})
        for (const MeshSides sides : {MeshSides::front, MeshSides::both})
            for (const float mirror : {1.0f, -1.0f}) {
                const std::vector<MeshTriangle> one = {is_down ? MeshTriangle{{0, 2, 1}} : MeshTriangle{{0, 1, 2}}};
                ShapeStore shapes;
                const auto id = shapes.add_mesh(vertices, one, {.scale = {mirror, 1, 1}}, {.sides = sides});
                REQUIRE(id);
                const std::vector<Body> bodies = {{{1, 2, 3}, *id, {}}};
                const std::vector<Vec3> points = {{1 + 0.25f * mirror, 2, 3.25f}, {1 + 0.5f * mirror, 2, 3}, {1, 2, 3}};
                const std::vector<Pair> pairs = {{0, 0}, {1, 0}, {2, 0}};
                const PointDistances found = measure({&shapes, bodies, pairs}, {.positions = points});
                for (std::size_t i = 0; i < points.size(); ++i) {
                    INFO(is_down << " " << mirror << " " << i);
                    CHECK(found.signed_distance[i] == 0);
                    CHECK(found.normal[i] == Vec3{0, is_down ? -1.0f : 1.0f, 0});
                }
            }
}
