// ManifoldColumns::triangles: each contact on a surface names a triangle that it is on.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "support/catch.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;
using test::SurfaceScene;

namespace {

// Contacts that are farther from the triangle they name than `share` of the body's size, of pairs (body, surface).
struct Named {
    std::size_t contacts = 0, off = 0, other_than_deepest = 0;
};

Named named_triangles(const SurfaceScene& scene, const Manifolds& m, bool is_swapped, double share) {
    Named named;
    for (const Manifold& manifold : m.manifolds) {
        const SurfaceScene::Ground& ground = scene.ground(manifold.pair);
        const Pair pair = scene.pairs()[manifold.pair];
        const std::uint32_t body = is_swapped ? pair.b : pair.a, surface = is_swapped ? pair.a : pair.b;
        const oracle::Pose at = oracle::pose_of(scene.others.bodies[surface]);
        const oracle::Vec3d a(scene.others.bodies[pair.a].position),
            towards_surface = oracle::Vec3d(manifold.normal) * (is_swapped ? -0.5 : 0.5);
        const std::uint32_t child = is_swapped ? manifold.child_a : manifold.child_b;
        CHECK(m.triangles[manifold.first_contact] == child);  // the deepest contact's
        for (std::uint32_t k = manifold.first_contact; k < manifold.first_contact + manifold.contact_count; ++k) {
            const auto found = std::find(ground.input.begin(), ground.input.end(), m.triangles[k]);
            REQUIRE(found != ground.input.end());
            const oracle::Solid& triangle = ground.triangles[std::size_t(found - ground.input.begin())];
            const oracle::Vec3d on_surface =
                a + oracle::Vec3d(m.contacts[k].position) + towards_surface * double(m.contacts[k].separation);
            const bool is_plane = scene.others.bodies[body].shape.kind() == ShapeKind::halfspace;
            const double size = is_plane ? ground.size : scene.others.solid(body, 0).reach;
            ++named.contacts;
            named.off += std::fabs(oracle::signed_distance_to_point(triangle, at, on_surface)) > share * size;
            named.other_than_deepest += m.triangles[k] != child;
        }
    }
    return named;
}

}  // namespace

TEST_CASE("surfaces: each contact names a triangle that it is on", "[surfaces]") {
    constexpr std::uint32_t kPairs = 600;
    for (const bool is_swapped : {false, true}) {
        SurfaceScene scene = test::make_surface_scene(kPairs, 61);
        if (is_swapped)
            for (Pair& pair : scene.others.pairs) std::swap(pair.a, pair.b);
        NarrowPhase narrow;
        Manifolds m;
        REQUIRE(narrow.collide(scene.frame(), m));
        REQUIRE(m.triangles.size() == m.contacts.size());
        const Named named = named_triangles(scene, m, is_swapped, 0.01);
        INFO(named.contacts << " contacts, " << named.off << " off their triangle");
        CHECK(named.contacts > 400);
        CHECK(named.other_than_deepest > named.contacts / 10);
        CHECK(named.off <= named.contacts / 50);  // deep ones of planes that are flat to within the slack
    }
}

TEST_CASE("surfaces: a box across triangles of two materials has contacts on both", "[surfaces]") {
    ShapeStore shapes;
    const std::vector<Vec3> vertices = {{-1, 0, -1}, {-1, 0, 1}, {0, 0, -1}, {0, 0, 1}, {1, 0, -1}, {1, 0, 1}};
    const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{2, 1, 3}}, {{2, 3, 4}}, {{4, 3, 5}}};
    const std::vector<std::uint32_t> materials = {7, 7, 9, 9};
    const auto mesh = shapes.add_mesh(vertices, triangles, {}, {.user_values = materials});
    const auto box = shapes.add_box({0.5f, 0.2f, 0.5f});
    REQUIRE((mesh && box));
    const std::vector<Body> bodies = {{{0, 0.199f, 0}, *box, {}}, {{0, 0, 0}, *mesh, {}}, {{0.9f, 0.3f, 0}, *box, {}}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}};  // the second pair has no surface
    NarrowPhase narrow;
    Manifolds m;
    std::vector<WarmCache> caches(pairs.size());
    Frame frame{&shapes, bodies, pairs};
    frame.caches = caches;
    for (int call = 0; call < 4; ++call) {  // from the third on the contacts are the cache's
        INFO(call);
        REQUIRE(narrow.collide(frame, m));
        REQUIRE(m.manifolds.size() == 2);
        REQUIRE(m.manifolds[0].contact_count == 4);
        for (std::uint32_t k = 0; k < 4; ++k)
            CHECK(shapes.triangle_user_value(*mesh, m.triangles[k]) == (m.contacts[k].position.x < 0 ? 7u : 9u));
        for (std::uint32_t k = 4; k < m.contacts.size(); ++k) CHECK(m.triangles[k] == 0);
    }
}

TEST_CASE("surfaces: the column of triangles is optional, and of the contacts' length", "[surfaces]") {
    const SurfaceScene scene = test::make_surface_scene(60, 62);
    NarrowPhase narrow;
    Manifolds m;
    REQUIRE(narrow.collide(scene.frame(), m));
    REQUIRE(m.contacts.size() > 8);

    Manifolds own = m;
    own.triangles.assign(own.triangles.size(), 0xabcdu);
    ManifoldColumns columns{own.first_manifold, own.manifolds, own.contacts, own.status};
    REQUIRE(narrow.collide(scene.frame(), columns));
    CHECK(own.triangles == std::vector<std::uint32_t>(own.triangles.size(), 0xabcdu));
    columns.triangles = own.triangles;
    REQUIRE(narrow.collide(scene.frame(), columns));
    CHECK(own.triangles == m.triangles);
    columns.triangles = std::span(own.triangles).first(own.triangles.size() - 1);
    CHECK(narrow.collide(scene.frame(), columns).error().code == ErrorCode::bad_size);

    // A container of the caller's without the column.
    struct {
        std::vector<std::uint32_t> first_manifold;
        std::vector<Manifold> manifolds;
        std::vector<Contact> contacts;
        std::vector<Status> status;
    } plain;
    REQUIRE(narrow.collide(scene.frame(), plain));
    CHECK(plain.contacts.size() == m.contacts.size());

    // Where contacts do not fit, nothing is written past their end.
    std::vector<Contact> few(m.contacts.size() / 2);
    std::vector<std::uint32_t> triangles(few.size() + 8, 0xabcdu);
    ManifoldColumns less{own.first_manifold, own.manifolds, few, own.status};
    less.triangles = std::span(triangles).first(few.size());
    REQUIRE(narrow.collide(scene.frame(), less));
    CHECK(less.contact_count <= few.size());
    CHECK(std::all_of(triangles.begin() + std::ptrdiff_t(few.size()), triangles.end(),
                      [](std::uint32_t t) { return t == 0xabcdu; }));
}
