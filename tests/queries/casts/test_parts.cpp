// Casts of bodies that touch something at the start, and of shapes of many parts: which part stops them, and with which
// answer.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <abut/abut.hpp>

#include "queries/casts/motions.hpp"
#include "scenes/random.hpp"

using namespace abut;
using scenes::Random;

namespace {

constexpr double kTolerance = 1e-4;  // of the smaller size: CastOptions::tolerance

Quat about_z(double angle) { return {0, 0, float(std::sin(angle / 2)), float(std::cos(angle / 2))}; }
Vec3 plus(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

// The cast of one body against another that stays.
struct OneCast {
    explicit OneCast(const ShapeStore& store) : shapes(store) {}

    const ShapeStore& shapes;
    NarrowPhase narrow;
    Casts casts;

    // The time of the hit, or -1.
    double operator()(const Body& from, const Body& to, const Body& other, const CastOptions& options) {
        const Body now[] = {from, other}, then[] = {to, other};
        const Pair pair[] = {{0, 1}};
        const Bodies ends[] = {then};
        REQUIRE(narrow.cast({&shapes, now, pair}, {ends}, casts, options));
        REQUIRE(casts.status[0] == Status::ok);
        return casts.hit(0) ? casts.time[0] : -1;
    }
    double moved(const Body& from, Vec3 way, const Body& other, const CastOptions& options) {
        Body to = from;
        to.position = plus(to.position, way);
        return (*this)(from, to, other, options);
    }
};

CastOptions closing() {
    CastOptions options;
    options.start = CastStart::closing_only;
    return options;
}

// A grid of a flat floor at y = 0, x and z within 8 m, with corners moved within it, and a wall at x = 5 if asked for.
ShapeId add_floor(ShapeStore& shapes, std::uint32_t cells, Random& random, bool has_wall) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    const float cell = 16.0f / float(cells);
    for (std::uint32_t i = 0; i <= cells; ++i)
        for (std::uint32_t k = 0; k <= cells; ++k) {
            const bool is_inner = i % cells != 0 && k % cells != 0;
            const auto off = [&] { return is_inner ? float(random.uniform(-0.3, 0.3)) * cell : 0.0f; };
            vertices.push_back({float(i) * cell - 8 + off(), 0, float(k) * cell - 8 + off()});
        }
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t k = 0; k < cells; ++k) {
            const std::uint32_t at = (cells + 1) * i + k;
            triangles.push_back({{at, at + 1, at + cells + 2}});
            triangles.push_back({{at, at + cells + 2, at + cells + 1}});
        }
    if (has_wall) {
        const auto at = static_cast<std::uint32_t>(vertices.size());
        for (const Vec3 v : {Vec3{5, 0, -8}, Vec3{5, 4, -8}, Vec3{5, 4, 8}, Vec3{5, 0, 8}}) vertices.push_back(v);
        triangles.push_back({{at, at + 2, at + 1}}), triangles.push_back({{at, at + 3, at + 2}});
    }
    const auto mesh = shapes.add_mesh(vertices, triangles);
    REQUIRE(mesh);
    return *mesh;
}

// The same of boxes of 1 m thickness.
ShapeId add_tiles(ShapeStore& shapes, std::uint32_t cells, bool has_wall) {
    const float half = 8.0f / float(cells);
    const auto tile = shapes.add_box({half, 0.5f, half}), wall = shapes.add_box({0.5f, 2, 8});
    REQUIRE((tile && wall));
    std::vector<CompoundChild> children;
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t k = 0; k < cells; ++k)
            children.push_back({*tile, {half * float(2 * i + 1) - 8, -0.5f, half * float(2 * k + 1) - 8}, {}});
    if (has_wall) children.push_back({*wall, {5.5f, 2, 0}, {}});
    const auto compound = shapes.add_compound(children);
    REQUIRE(compound);
    return *compound;
}

std::vector<ShapeId> add_kinds(ShapeStore& shapes) {
    std::vector<Vec3> corners;
    Random random(5);
    for (int i = 0; i < 30; ++i) {
        const oracle::Vec3d at = random.direction() * 0.4;
        corners.push_back({float(at.x), float(at.y), float(at.z)});
    }
    const auto sphere = shapes.add_sphere(0.3f), capsule = shapes.add_capsule(0.25f, 0.3f),
               box = shapes.add_box({0.3f, 0.4f, 0.2f}), cylinder = shapes.add_cylinder(0.3f, 0.4f),
               cone = shapes.add_cone(0.3f, 0.4f), hull = shapes.add_hull(corners),
               ellipsoid = shapes.add_ellipsoid({0.3f, 0.4f, 0.2f});
    REQUIRE((sphere && capsule && box && cylinder && cone && hull && ellipsoid));
    return {*sphere, *capsule, *box, *cylinder, *cone, *hull, *ellipsoid};
}

}  // namespace

TEST_CASE("casts: a body that is sunk in a floor stops at a wall and at the next floor", "[casts][right]") {
    ShapeStore shapes;
    OneCast cast(shapes);
    const auto ball = shapes.add_sphere(0.3f), plate = shapes.add_box({0.01f, 0.4f, 0.3f}),
               block = shapes.add_box({0.7f, 0.3f, 0.3f}), slab = shapes.add_box({1, 0.5f, 1});
    REQUIRE((ball && plate && block && slab));
    Random random(1);
    for (const std::uint32_t cells : {1u, 2u, 7u, 40u})
        for (const bool is_mesh : {true, false}) {
            const Body floor = {
                {}, is_mesh ? add_floor(shapes, cells, random, true) : add_tiles(shapes, cells, true), {}};
            INFO((is_mesh ? "mesh of " : "compound of ") << cells);
            const double by_ball = cast.moved({{0.1f, 0.25f, 0.1f}, *ball, {}}, {8, 0, 0.3f}, floor, closing());
            CHECK(std::fabs(by_ball - 4.6 / 8) < 1e-4);
            CHECK(cast.casts.normal[0].x > 0.999f);
            const double by_plate = cast.moved({{0.1f, 0.38f, 0.1f}, *plate, {}}, {8, 0, 0.3f}, floor, closing());
            CHECK(std::fabs(by_plate - 4.89 / 8) < 1e-4);
            CHECK(cast.casts.normal[0].x > 0.999f);
        }
    const CompoundChild floors[] = {{*slab, {-2, -0.5f, 0}, {}}, {*slab, {2, -0.5f, 0}, {}}};
    const auto two = shapes.add_compound(floors);
    REQUIRE(two);
    const double time = cast.moved({{-2, 0.2f, 0}, *block, {}}, {4, 0, 0}, {{}, *two, {}}, closing());
    CHECK(std::fabs(time - 0.575) < 1e-4);
    CHECK(cast.casts.child_b[0] == 1);
}

TEST_CASE("casts: seams of coplanar parts do not stop a body that slides", "[casts][right]") {
#ifdef NDEBUG
    constexpr std::uint32_t kBodies = 500;
#else
    constexpr std::uint32_t kBodies = 60;
#endif
    ShapeStore shapes;
    Random random(2);
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    const auto ground = shapes.add_halfspace({0, 1, 0}, -10);
    REQUIRE(ground);
    NarrowPhase narrow;
    for (const std::uint32_t cells : {9u, 31u})
        for (const bool is_mesh : {true, false}) {
            const ShapeId floor = is_mesh ? add_floor(shapes, cells, random, false) : add_tiles(shapes, cells, false);
            std::vector<Body> now;
            std::vector<Pair> pairs;
            for (std::uint32_t i = 0; i < kBodies; ++i) {
                now.push_back({{}, kinds[i % kinds.size()], random.orientation()});
                pairs.push_back({i, kBodies});
            }
            now.push_back({{}, *ground, {}});
            Distances heights;
            REQUIRE(narrow.distance({&shapes, now, pairs}, heights));
            std::vector<Body> ends;
            for (std::uint32_t i = 0; i < kBodies; ++i) {
                const double height = 10 - heights.signed_distance[i];
                // Deep corners within a tile are nearer to its side than to its top.
                const double sunk = random.uniform(0, is_mesh ? 0.1 : 1e-4);
                now[i].position = {float(random.uniform(-4, 4)), float(height - sunk), float(random.uniform(-4, 4))};
                ends.push_back(now[i]);
                const double angle = random.uniform(0, 2 * std::numbers::pi), far = random.uniform(0, 3);
                ends[i].position =
                    plus(now[i].position, {float(far * std::cos(angle)), 0, float(far * std::sin(angle))});
                if (i % 2 != 0)
                    ends[i].orientation = casts::rotated(now[i].orientation, {0, 1, 0}, random.uniform(-1, 1));
            }
            now[kBodies] = {{}, floor, {}}, ends.push_back(now[kBodies]);
            Casts out;
            const Bodies path[] = {ends};
            REQUIRE(narrow.cast({&shapes, now, pairs}, {path}, out, closing()));
            for (const std::uint32_t i : out.hits)
                UNSCOPED_INFO(to_string(now[i].shape.kind())
                              << " " << i << " hits at " << out.time[i] << ", " << out.signed_distance[i] << " part "
                              << out.child_b[i] << " of " << (is_mesh ? "a mesh of " : "tiles, ") << cells);
            CHECK(out.hits.empty());
        }
}

TEST_CASE("casts: the seams of very large triangles do not stop a small round body", "[casts][right]") {
    // The distance of the next triangle errs by 18 micrometres where the body comes to the seam, and its point by a
    // millimetre.
    ShapeStore shapes;
    const float edge = 151.328949f, wall = 0.0925937593f;
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (const float x : {-edge, 0.0f, edge})
        for (const float z : {-edge, 0.0f, edge}) vertices.push_back({x, 0, z});
    for (const std::uint32_t at : {0u, 1u, 3u, 4u})
        triangles.push_back({{at, at + 1, at + 4}}), triangles.push_back({{at, at + 4, at + 3}});
    for (const Vec3 v : {Vec3{wall, -20, -edge}, Vec3{wall, 20, -edge}, Vec3{wall, 20, edge}, Vec3{wall, -20, edge}})
        vertices.push_back(v);
    triangles.push_back({{9, 11, 10}}), triangles.push_back({{9, 12, 11}});
    const auto level = shapes.add_mesh(vertices, triangles),
               egg = shapes.add_ellipsoid({0.0297641568f, 0.0316051878f, 0.0131133571f});
    REQUIRE((level && egg));
    OneCast cast(shapes);
    const Body from = {{-0.0740744695f, 0.0239399392f, 0.00486274948f},
                       *egg,
                       {0.304941356f, 0.845489562f, -0.43190223f, -0.0749575645f}};
    const double time = cast.moved(from, {0.184609696f, 0, -0.0444931886f}, {{}, *level, {}}, closing());
    CHECK(std::fabs(time - 0.749576) < 1e-4);
    CHECK(cast.casts.normal[0].x > 0.9999f);
}

TEST_CASE("casts: a wall has its own normal where the floor below it has a seam", "[casts][right]") {
    // The other triangle of the floor is 0.02 mm away at the time of the hit, the wall 0.04 mm.
    ShapeStore shapes;
    const float edge = 288.655151f, wall = 0.353679299f;
    const std::vector<Vec3> vertices = {{-edge, 0, -edge},  {-edge, 0, edge},  {edge, 0, -edge}, {edge, 0, edge},
                                        {wall, -20, -edge}, {wall, 20, -edge}, {wall, 20, edge}, {wall, -20, edge}};
    const std::vector<MeshTriangle> triangles = {{{0, 1, 3}}, {{0, 3, 2}}, {{4, 6, 5}}, {{4, 7, 6}}};
    const auto level = shapes.add_mesh(vertices, triangles), capsule = shapes.add_capsule(0.0505455956f, 0.0563832186f);
    REQUIRE((level && capsule));
    OneCast cast(shapes);
    const Body from = {{-0.332916588f, 0.0504676551f, 0.0972669721f},
                       *capsule,
                       {0.671853662f, -0.367382199f, 0.0820245594f, -0.637898862f}};
    Body to = from;
    to.position = {0.89625144f, 0.0504676551f, 0.482661515f};
    const double time = cast(from, to, {{}, *level, {}}, closing());
    CHECK(std::fabs(time - 0.4996) < 1e-4);
    CHECK(cast.casts.normal[0].x > 0.9999f);
}

TEST_CASE("casts: a part that has separated counts again", "[casts][right]") {
    ShapeStore shapes;
    OneCast cast(shapes);
    const auto capsule = shapes.add_capsule(0.1f, 1), ground = shapes.add_halfspace({0, 1, 0}, 0);
    REQUIRE((capsule && ground));
    for (const double sunk : {0.0, 0.01, 0.05}) {
        INFO(sunk);
        // One end is on the ground and lifts off; the other one comes down.
        constexpr double kTilt = 0.2, kTurn = -0.6;
        const double height = 0.1 + std::sin(kTilt) - sunk;
        const Body from = {{0, float(height), 0}, *capsule, about_z(std::numbers::pi / 2 + kTilt)};
        const Body to = {{0, float(height + 0.1), 0}, *capsule, about_z(std::numbers::pi / 2 + kTilt + kTurn)};
        double lands = 0.5;  // beyond it the other end is the lower one
        while (height + 0.1 * lands - 0.1 + std::sin(kTilt + kTurn * lands) > 0) lands += 1e-5;
        CHECK(std::fabs(cast(from, to, {{}, *ground, {}}, closing()) - lands) < 3e-4);
    }
}

TEST_CASE("casts: what many calls let pass stays within the tolerance", "[casts][right]") {
#ifdef NDEBUG
    constexpr int kCalls = 20000;
#else
    constexpr int kCalls = 3000;
#endif
    ShapeStore shapes;
    OneCast cast(shapes);
    const auto capsule = shapes.add_capsule(0.3f, 0.6f), wall = shapes.add_box({5, 2, 0.1f}),
               long_wall = shapes.add_box({500, 2, 0.1f});
    REQUIRE((capsule && wall && long_wall));
    constexpr double kMost = kTolerance * 0.9 + 1e-6;  // the capsule's size is 0.9
    for (const float target : {0.0f, 0.01f}) {
        CastOptions options = closing();
        options.target = target;
        // Towards the wall.
        for (const float step : {1e-5f, 3e-5f, 6e-5f, 1e-4f}) {
            INFO("creeps by " << step << ", target " << target);
            Body body = {{0, 0, -0.405f - target}, *capsule, {}};
            for (int call = 0; call < kCalls; ++call) {
                const double time = cast.moved(body, {0, 0, step}, {{}, *wall, {}}, options);
                body.position.z += step * float(time < 0 ? 1 : time);
            }
            CHECK(-0.4 - body.position.z > target - kMost);
        }
        // Along it, leaning on it, to and fro.
        for (const ShapeId along : {*wall, *long_wall})
            for (const double degrees : {0.02, 0.2}) {
                INFO("leans by " << degrees << ", target " << target);
                Body body = {{0, 0, -0.401f - target}, *capsule, {}};
                float direction = 1;
                for (int call = 0; call < kCalls; ++call) {
                    if (std::fabs(body.position.x) > 4) direction = body.position.x > 0 ? -1.0f : 1.0f;
                    Vec3 way = {direction / 20, 0, float(std::tan(degrees * std::numbers::pi / 180) / 20)};
                    for (int slide = 0; slide < 2; ++slide) {
                        const double time = cast.moved(body, way, {{}, along, {}}, options);
                        const auto share = float(time < 0 ? 1 : time);
                        body.position = plus(body.position, {way.x * share, 0, way.z * share});
                        way = {way.x * (1 - share), 0, 0};
                    }
                }
                CHECK(-0.4 - body.position.z > target - kMost);
            }
    }
}

TEST_CASE("casts: the tolerance is of the smaller body, however large the other one is", "[casts][right]") {
    ShapeStore shapes;
    OneCast cast(shapes);
    for (const float half : {5.0f, 500.0f, 5000.0f})
        for (const float radius : {0.005f, 0.3f}) {
            INFO("a ball of " << radius << " over a box of " << half);
            const auto ball = shapes.add_sphere(radius), ground = shapes.add_box({half, 1, half});
            REQUIRE((ball && ground));
            const Body below = {{0, -1, 0}, *ground, {}};
            const double time = cast.moved({{3, 1, 4}, *ball, {}}, {0, -2, 0}, below, {});
            const double touch = (1.0 - radius) / 2;
            CHECK((time <= touch && 2 * (touch - time) < kTolerance * radius + 1e-6));
            // Just above the ground, and rising.
            CHECK(cast.moved({{3, radius * 1.003f, 4}, *ball, {}}, {0, 1, 0}, below, {}) == -1);
        }
}

TEST_CASE("casts: the answer of a shape of parts is that of distance at the time of the hit", "[casts][right]") {
    ShapeStore shapes;
    Random random(3);
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    NarrowPhase narrow;
    for (const double half : {6.0, 500.0, 2000.0}) {
        const auto s = float(half);
        const Vec3 corners[] = {{-s, 0, -s}, {s, 0, -s}, {s, 0, s}, {-s, 0, s}};
        const MeshTriangle two[] = {{{0, 2, 1}}, {{0, 3, 2}}};
        const auto mesh = shapes.add_mesh(corners, two), slab = shapes.add_box({s / 2, 1, s});
        REQUIRE((mesh && slab));
        const CompoundChild slabs[] = {{*slab, {-s / 2, -1, 0}, {}}, {*slab, {s / 2, -1, 0}, {}}};
        const auto compound = shapes.add_compound(slabs);
        REQUIRE(compound);
        for (const ShapeId ground : {*mesh, *compound}) {
            // Descents of 0.01 to 2 degrees near the seam.
            std::vector<Body> now, ends;
            std::vector<Pair> pairs;
            constexpr std::uint32_t kBodies = 300;
            for (std::uint32_t i = 0; i < kBodies; ++i) {
                const double slope = std::tan(std::pow(10.0, random.uniform(-2, 0.3)) * std::numbers::pi / 180);
                const double far = half * random.uniform(0.05, 0.2), beside = random.uniform(-0.5, 0.5);
                const Quat turned = random.orientation();
                now.push_back(
                    {{float(-far), float(0.6 + far * slope), float(-far + beside)}, kinds[i % kinds.size()], turned});
                ends.push_back(now.back());
                ends.back().position = {float(far), float(0.1 - far * slope), float(far + beside)};
                pairs.push_back({i, kBodies});
            }
            now.push_back({{}, ground, {}}), ends.push_back(now.back());
            Casts out;
            const Bodies path[] = {ends};
            REQUIRE(narrow.cast({&shapes, now, pairs}, {path}, out));
            std::vector<Body> there = now;
            for (std::uint32_t i = 0; i < kBodies; ++i) {
                const auto along = [&](float from, float to) {
                    return float(from + (double(to) - from) * out.time[i]);
                };
                const Vec3 from = now[i].position, to = ends[i].position;
                there[i].position = {along(from.x, to.x), along(from.y, to.y), along(from.z, to.z)};
            }
            Distances distances;
            REQUIRE(narrow.distance({&shapes, there, pairs}, distances));
            for (std::uint32_t i = 0; i < kBodies; ++i) {
                INFO(to_string(now[i].shape.kind()) << " " << i << " on " << (ground == *mesh ? "a mesh" : "a compound")
                                                    << " of " << half << " at " << out.time[i]);
                REQUIRE(out.hit(i));
                CHECK(out.normal[i].y < -0.9999f);
                // The position that distance gets is rounded to float.
                CHECK(std::fabs(out.signed_distance[i] - distances.signed_distance[i]) < 1e-6 + 2e-7 * half);
                // Lanes have the coordinates of the larger body.
                CHECK(out.signed_distance[i] < 1e-4 + 2e-7 * half);
            }
        }
    }
}

TEST_CASE("casts: a body that starts inside a solid is in touch with it", "[casts][right]") {
    ShapeStore shapes;
    OneCast cast(shapes);
    const Vec3 v[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const MeshTriangle t[] = {{{0, 2, 1}}, {{0, 3, 2}}, {{4, 5, 6}}, {{4, 6, 7}}, {{0, 1, 5}}, {{0, 5, 4}},
                              {{2, 3, 7}}, {{2, 7, 6}}, {{1, 2, 6}}, {{1, 6, 5}}, {{3, 0, 4}}, {{3, 4, 7}}};
    MeshOptions solid, hollow;
    solid.solid = true;
    const auto full = shapes.add_mesh(v, t, {}, solid), empty = shapes.add_mesh(v, t, {}, hollow);
    REQUIRE((full && empty));
    CastOptions stop, ignore;
    ignore.start = CastStart::ignore;
    // A small body near the face y = 1, that no triangle touches.
    for (const ShapeId kind : add_kinds(shapes)) {
        InstanceOptions small;
        small.scale = {0.2f, 0.2f, 0.2f};
        const auto id = shapes.add_instance(kind, small);
        REQUIRE(id);
        INFO(to_string(kind.kind()));
        const Body inside = {{0.1f, 0.8f, 0.2f}, *id, {}}, block = {{}, *full, {}};
        CHECK(cast.moved(inside, {0, -1, 0}, {{}, *empty, {}}, stop) == -1);
        CHECK(cast.moved(inside, {0, -1, 0}, block, stop) == 0);
        CHECK(cast.casts.normal[0].y < -0.9999f);
        NarrowPhase narrow;
        Distances d;
        const Body both[] = {inside, block};
        const Pair pair[] = {{0, 1}};
        REQUIRE(narrow.distance({&shapes, both, pair}, d));
        CHECK(cast.casts.signed_distance[0] == Approx(d.signed_distance[0]).margin(1e-5));
        CHECK(std::fabs(cast.casts.point_b[0].y - 0.2f) < 1e-5f);
        CHECK(std::fabs(cast.casts.point_a[0].y - (0.2f + cast.casts.signed_distance[0])) < 1e-5f);
        CHECK(cast.moved(inside, {0, -1, 0}, block, ignore) == -1);
        CHECK(cast.moved(inside, {0, -1, 0}, block, closing()) == 0);
        CHECK(cast.moved(inside, {0, 2, 0}, block, closing()) == -1);
    }
}
