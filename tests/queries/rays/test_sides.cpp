// From which side a ray meets triangles: a choice of each call or each ray, whatever the surface was cooked for.
#include "support/catch.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <abut/abut.hpp>
#include <abut/d2.hpp>

#include "queries/rays/rays.hpp"
#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

using namespace abut;
using oracle::Vec3d;

namespace {

constexpr std::uint32_t kRays = 1500;

// Surfaces cooked for the front, for both sides and, with the other winding, for the back.
struct Cooked {
    ShapeStore shapes;
    ShapeId front, both, back;
    std::vector<Vec3> origins, directions;

    explicit Cooked(const Vec3& scale, std::uint64_t seed) {
        const rays::MeshData mesh = rays::make_ball_mesh(16, 20, 0.4, seed);
        std::vector<MeshTriangle> reversed = mesh.triangles;
        for (MeshTriangle& t : reversed) std::swap(t.corners[1], t.corners[2]);
        const InstanceOptions options = {.scale = scale};
        const auto ids = {shapes.add_mesh(mesh.vertices, mesh.triangles, options),
                          shapes.add_mesh(mesh.vertices, mesh.triangles, options, {.sides = MeshSides::both}),
                          shapes.add_mesh(mesh.vertices, reversed, options)};
        for (const auto& id : ids) REQUIRE(id);
        front = **ids.begin(), both = **(ids.begin() + 1), back = **(ids.begin() + 2);
        scenes::Random random(seed);
        for (std::uint32_t i = 0; i < kRays; ++i) {
            const Vec3d from = random.direction() * (i % 3 == 0 ? 0.3 : 3.0), to = random.direction() * 0.9;
            origins.push_back({float(from.x), float(from.y), float(from.z)});
            const Vec3d along = (to - from) * random.uniform(0.5, 3.0);
            directions.push_back({float(along.x), float(along.y), float(along.z)});
        }
    }
    RayHits cast(ShapeId shape, const RayOptions& options = {}, std::span<const QuerySides> sides = {}) const {
        const std::vector<Body> bodies = {{{}, shape, {}}};
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < kRays; ++i) pairs.push_back({i, 0});
        NarrowPhase narrow;
        RayHits hits;
        REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions, .sides = sides},
                               hits, options));
        return hits;
    }
};

void check_same(const RayHits& x, const RayHits& y) {
    CHECK(x.bits == y.bits);
    CHECK(x.fraction == y.fraction);
    CHECK(x.point == y.point);
    CHECK(x.normal == y.normal);
    CHECK(x.child == y.child);
    CHECK(x.hits.size() > kRays / 4);
}

}  // namespace

TEST_CASE("rays: the sides of a call have the answers of a mesh cooked so", "[rays][surfaces]") {
    for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{1.5f, -0.5f, 1}}) {
        const Cooked cooked(scale, 3);
        const RayHits front = cooked.cast(cooked.front), both = cooked.cast(cooked.both),
                      back = cooked.cast(cooked.back);
        CHECK(front.bits != both.bits);
        CHECK(front.bits != back.bits);
        for (const ShapeId shape : {cooked.front, cooked.both}) {
            check_same(cooked.cast(shape, {.sides = QuerySides::front}), front);
            check_same(cooked.cast(shape, {.sides = QuerySides::both}), both);
            const RayHits behind = cooked.cast(shape, {.sides = QuerySides::back});
            CHECK(behind.bits == back.bits);
            for (const std::uint32_t i : back.hits) {
                CHECK(std::fabs(behind.fraction[i] - back.fraction[i]) < 1e-12);
                CHECK(dot(Vec3d(behind.normal[i]), Vec3d(cooked.directions[i])) < 0);  // it faces the ray
            }
        }
    }
}

TEST_CASE("rays: each ray may have sides of its own", "[rays][surfaces]") {
    const Cooked cooked({1, 1, 1}, 4);
    std::vector<QuerySides> sides;
    for (std::uint32_t i = 0; i < kRays; ++i) sides.push_back(QuerySides((i / 7) % 4));
    const RayHits all[] = {cooked.cast(cooked.front), cooked.cast(cooked.front, {.sides = QuerySides::front}),
                           cooked.cast(cooked.front, {.sides = QuerySides::back}),
                           cooked.cast(cooked.front, {.sides = QuerySides::both})};
    // The column counts, not the option.
    const RayHits mixed = cooked.cast(cooked.front, {.sides = QuerySides::back}, sides);
    for (std::uint32_t i = 0; i < kRays; ++i) {
        const RayHits& expected = all[std::size_t(sides[i])];
        REQUIRE(mixed.hit(i) == expected.hit(i));
        REQUIRE(mixed.fraction[i] == expected.fraction[i]);
        REQUIRE(mixed.normal[i] == expected.normal[i]);
    }
}

TEST_CASE("rays: sides of height fields, of any hit and of the first one of a ray", "[rays][surfaces]") {
    ShapeStore shapes;
    const std::vector<float> heights(9, 0.0f);
    const auto field = shapes.add_heightfield(heights, 3, 3, {.pose = {{-1, 0, -1}, {}}});
    const auto rounded = shapes.add_heightfield(heights, 3, 3, {.rounding = 0.125f, .pose = {{-1, 0, -1}, {}}});
    REQUIRE((field && rounded));
    const std::vector<Body> bodies = {{{}, *field, {}}, {{0, -1, 0}, *field, {}}, {{0, 8, 0}, *rounded, {}}};
    const std::vector<Vec3> origins = {{0.25f, 2, 0.25f}, {0.25f, -3, 0.25f}, {0.25f, 6, 0.25f}},
                            directions = {{0, -4, 0}, {0, 4, 0}, {0, 4, 0}};
    const std::vector<Pair> pairs = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}};
    const Frame frame = {&shapes, bodies, pairs};
    NarrowPhase narrow;
    const auto hits = [&](QuerySides sides, RayReduction reduction = RayReduction::every_pair) {
        RayHits out;
        REQUIRE(narrow.raycast(frame, {.origins = origins, .directions = directions}, out,
                               {.reduction = reduction, .sides = sides}));
        return out.hits;
    };
    using List = std::vector<std::uint32_t>;
    // A rounded triangle is met from everywhere.
    CHECK(hits(QuerySides::as_cooked) == List{0, 1, 4});
    CHECK(hits(QuerySides::front) == List{0, 1, 4});
    CHECK(hits(QuerySides::back) == List{2, 3, 4});
    CHECK(hits(QuerySides::both) == List{0, 1, 2, 3, 4});
    CHECK(hits(QuerySides::both, RayReduction::first_of_ray) == List{0, 3, 4});
    CHECK(hits(QuerySides::back, RayReduction::first_of_ray) == List{3, 4});
    CHECK(hits(QuerySides::both, RayReduction::any_of_ray).size() == 3);
}

TEST_CASE("rays: from the back a ray starts in no solid mesh and hits where it leaves", "[rays][surfaces]") {
    const rays::MeshData ball = rays::make_ball_mesh(12, 16, 0.0, 5);
    ShapeStore shapes;
    const auto mesh = shapes.add_mesh(ball.vertices, ball.triangles, {}, {.solid = true});
    const std::vector<float> heights(9, 0.0f);
    const auto field = shapes.add_heightfield(heights, 3, 3, {.pose = {{-1, 0, -1}, {}}}, {.thickness = 2.0f});
    REQUIRE((mesh && field));
    const std::vector<Body> bodies = {{{}, *mesh, {}}, {{}, *field, {}}};
    const std::vector<Vec3> origins = {{0.01f, 0.02f, 0.03f}, {0.25f, -1, 0.25f}}, directions = {{0, 4, 0}, {0, 4, 0}};
    const std::vector<Pair> pairs = {{0, 0}, {1, 1}};
    NarrowPhase narrow;
    for (const QuerySides sides : {QuerySides::as_cooked, QuerySides::front, QuerySides::both, QuerySides::back}) {
        RayHits hits;
        REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions}, hits,
                               {.sides = sides}));
        const bool leaves = sides == QuerySides::back;
        for (std::size_t i = 0; i < 2; ++i) {
            CHECK(hits.hit(i));
            CHECK(hits.inside[i] == !leaves);
            CHECK(std::fabs(hits.fraction[i] - (leaves ? 0.25 : 0.0)) < (i == 0 ? 0.02 : 1e-12));
        }
    }
}

TEST_CASE("rays: sides that do not exist are refused, in two dimensions all but the cooked ones", "[rays][contained]") {
    const Cooked cooked({1, 1, 1}, 6);
    const std::vector<Body> bodies = {{{}, cooked.front, {}}};
    const std::vector<Pair> pairs = {{0, 0}};
    const Frame frame = {&cooked.shapes, bodies, pairs};
    std::vector<QuerySides> sides(kRays, QuerySides::both);
    Rays rays = {.origins = cooked.origins, .directions = cooked.directions, .sides = sides};
    NarrowPhase narrow;
    RayHits hits;
    const auto refuses = [](const CallResult& result, const char* text) {
        REQUIRE(!result);
        INFO(std::string(result.error().message));
        CHECK(std::string(result.error().message).find(text) != std::string::npos);
    };
    refuses(narrow.raycast(frame, rays, hits, {.sides = QuerySides(4)}), "RayOptions::sides is 4");
    sides[7] = QuerySides(200);
    refuses(narrow.raycast(frame, rays, hits), "Rays::sides[7] is 200");
    sides[7] = QuerySides::front, rays.sides = std::span(sides).first(9);
    refuses(narrow.raycast(frame, rays, hits), "Rays::sides");
    const Bodies ends[] = {bodies};
    Casts casts;
    refuses(narrow.cast(frame, {.ends = ends}, casts, {.sides = QuerySides(4)}), "CastOptions::sides is 4");
    d2::NarrowPhase plane;
    d2::RayHits flat;
    d2::ShapeStore store;
    const auto circle = store.add_circle(1);
    REQUIRE(circle);
    const std::vector<d2::Body> flat_bodies = {{{}, {}, *circle}};
    const std::vector<d2::Vec2> from = {{0, 3}}, to = {{0, -4}};
    refuses(plane.raycast({&store, flat_bodies, pairs}, {.origins = from, .directions = to}, flat,
                          {.sides = QuerySides::both}),
            "RayOptions::sides is 3");
}
