// WarmTable on ground of triangles: whose id a contact has is whose point it is, or it is no match.
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "catch.hpp"
#include "oracle/oracle.hpp"
#include "scenes/random.hpp"
#include "surface_scenes.hpp"

using namespace abut;
using oracle::Vec3d;

namespace {

constexpr float kDistance = 0.02f;
constexpr double kStep = 1.0 / 60;

struct Slid {
    std::size_t contacts = 0, by_id = 0, by_place = 0;
    std::size_t wrong_ids = 0;    // matched by id, and the point has gone on both bodies
    std::size_t refused_ids = 0;  // the id was there in the frame before, and was no match
};

// A point in a body's frame.
Vec3d on_body(const Body& body, const Vec3d& point) { return oracle::rotation_of(body.orientation).back(point - Vec3d(body.position)); }

// Boxes that slide along x and yaw slowly over a mesh, at `height`; the other contacts of their pairs are on body 0.
Slid slide(const test::TestMesh& mesh, double height, double speed) {
    ShapeStore store;
    const auto ground = store.add_mesh(mesh.vertices, mesh.triangles), box = store.add_box({0.2f, 0.15f, 0.3f});
    REQUIRE(ground);
    REQUIRE(box);
    std::vector<Body> bodies = {{{}, *ground, {}}};
    std::vector<Pair> pairs;
    for (std::uint32_t i = 1; i <= 8; ++i) {
        bodies.push_back({{1, float(height + 0.15), 0.8f * float(i)}, *box, {}});
        pairs.push_back(i % 2 ? Pair{0, i} : Pair{i, 0});
    }
    NarrowPhase narrow;
    WarmTable table;
    Manifolds before, now;
    std::vector<Body> bodies_before;
    Slid out;
    for (int f = 0; f < 120; ++f) {
        for (std::uint32_t i = 1; i < bodies.size(); ++i) {
            const double yaw = 0.3 * i + 0.01 * f;
            bodies[i].position.x = float(1 + 0.1 * i + kStep * speed * f);
            bodies[i].orientation = {0, float(std::sin(yaw / 2)), 0, float(std::cos(yaw / 2))};
        }
        Frame frame{&store, bodies, pairs};
        frame.caches = table.begin(frame.pairs);
        std::swap(before, now);
        REQUIRE(narrow.collide(frame, now));
        REQUIRE(table.carry_over(frame, now, {.match_distance = kDistance}));
        for (const Manifold& m : now.manifolds) {
            if (f == 0) break;
            const Pair pair = pairs[m.pair];
            const auto goes = [&](const Contact& old, const Contact& contact) {  // least on both bodies
                const Vec3d p = Vec3d(bodies_before[pair.a].position) + Vec3d(old.position),
                            q = Vec3d(bodies[pair.a].position) + Vec3d(contact.position);
                return std::min(length(on_body(bodies[pair.a], q) - on_body(bodies_before[pair.a], p)),
                                length(on_body(bodies[pair.b], q) - on_body(bodies_before[pair.b], p)));
            };
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
                ++out.contacts;
                const CarriedBy by = table.carried_by()[k];
                out.by_id += by == CarriedBy::id;
                out.by_place += by == CarriedBy::place;
                if (by == CarriedBy::id) {
                    const Contact& old = before.contacts[std::size_t(std::lround(table.impulses()[k].normal)) - 1];
                    CHECK(old.feature == now.contacts[k].feature);
                    out.wrong_ids += goes(old, now.contacts[k]) > double(kDistance) + kStep * speed + 1e-3;
                    continue;
                }
                for (std::uint32_t i = before.first_manifold[m.pair]; i < before.first_manifold[m.pair + 1]; ++i)
                    for (std::uint32_t j = 0; j < before.manifolds[i].contact_count; ++j)
                        out.refused_ids += before.contacts[before.manifolds[i].first_contact + j].feature == now.contacts[k].feature;
            }
        }
        for (std::size_t k = 0; k < now.contacts.size(); ++k) table.impulses()[k] = {float(k + 1), {}};
        bodies_before = bodies;
    }
    return out;
}

}  // namespace

TEST_CASE("warm table: bodies that slide over flat triangles keep their ids at any speed", "[warm][surfaces]") {
    const test::TestMesh mesh = test::flat_mesh(40, 140, 0.23f);
    for (const double speed : {0.5, 4.0, 13.0}) {
        const Slid found = slide(mesh, -0.002, speed);
        CAPTURE(speed, found.contacts, found.by_id, found.by_place);
        CHECK(found.contacts > 3000);
        CHECK(double(found.by_id) >= 0.99 * double(found.contacts));
        CHECK(found.wrong_ids == 0);
    }
}

TEST_CASE("warm table: an id that another point of uneven ground has taken is no match", "[warm][surfaces]") {
    scenes::Random random(41);
    const test::TestMesh mesh = test::grid_mesh(40, 140, 0.23f, [&](float, float) { return float(random.uniform(0, 0.05)); });
    std::size_t refused = 0;
    for (const double speed : {0.2, 2.0, 8.0}) {
        const Slid found = slide(mesh, 0.02, speed);
        CAPTURE(speed, found.contacts, found.by_id, found.by_place, found.refused_ids);
        CHECK(found.contacts > 3000);
        CHECK(found.by_id > found.contacts / 10);
        CHECK(found.wrong_ids == 0);
        refused += found.refused_ids;
    }
    CHECK(refused > 0);
}

TEST_CASE("warm, ground: ids are found in any manifold of the same normal") {
    // Six contacts along one normal in two manifolds, and one manifold of another normal; in the next frame the second one has lost a contact, and one of
    // the first has gone there.
    const bool is_swapped = GENERATE(false, true);
    CAPTURE(is_swapped);
    const ShapeId mesh = ShapeId::make(ShapeKind::mesh, 0, 0), box = ShapeId::make(ShapeKind::box, 0, 0);
    const std::vector<Body> bodies = {{{}, box, {}}, {{}, mesh, {}}};
    const auto id = [&](std::uint32_t n, bool swaps) { return swaps ? n << 16 | 7 : n | 7u << 16; };
    const auto contact = [&](std::uint32_t n, bool swaps) { return Contact{{float(n), 0, 0}, 0, id(n, swaps)}; };
    const std::vector<Pair> pairs_before = {{0, 1}}, pairs_now = {is_swapped ? Pair{1, 0} : Pair{0, 1}};
    const std::vector<std::uint32_t> firsts = {0, 3};
    const std::vector<Manifold> before = {{0, 0, 5, {0, -1, 0}, 0, 4}, {0, 0, 9, {0, -1, 0}, 4, 2}, {0, 0, 6, {-1, 0, 0}, 6, 1}};
    const Vec3 down = is_swapped ? Vec3{0, 1, 0} : Vec3{0, -1, 0}, aside = is_swapped ? Vec3{1, 0, 0} : Vec3{-1, 0, 0};
    const auto manifold = [&](std::uint32_t triangle, Vec3 normal, std::uint32_t first, std::uint32_t count) {
        return is_swapped ? Manifold{0, triangle, 0, normal, first, count} : Manifold{0, 0, triangle, normal, first, count};
    };
    const std::vector<Manifold> now = {manifold(9, down, 0, 4), manifold(5, down, 4, 1), manifold(6, aside, 5, 1)};
    std::vector<Contact> contacts_before, contacts_now;
    for (const std::uint32_t n : {1, 2, 3, 4, 5, 6, 1}) contacts_before.push_back(contact(n, false));
    for (const std::uint32_t n : {5, 2, 6, 4, 1, 1}) contacts_now.push_back(contact(n, is_swapped));
    const FrameContacts old = {bodies, pairs_before, firsts, before, contacts_before}, next = {bodies, pairs_now, firsts, now, contacts_now};
    const std::vector<PreviousPair> previous = {{0, is_swapped}};
    Carried carried;
    REQUIRE(carry_over(old, next, previous, carried));
    CHECK(carried.previous == std::vector<std::uint32_t>{4, 1, 5, 3, 0, 6});
    CHECK(carried.next_manifolds == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(carried.manifolds == std::vector<PreviousManifold>{{0, is_swapped}, {1, is_swapped}, {2, is_swapped}});
    const std::vector<float> impulses = {1, 2, 3, 4, 5, 6, 7};
    std::vector<float> moved(6);
    REQUIRE(carry_impulses(old, next, columns_of(carried), impulses, moved, 1));
    CHECK(moved == std::vector<float>{5, 2, 6, 4, 1, 7});
    // What is new has what was lost, whichever manifold had it.
    contacts_now[0].feature = id(8, is_swapped), contacts_now[0].position.x = 50;
    REQUIRE(carry_over(old, next, previous, carried));
    REQUIRE(carry_impulses(old, next, columns_of(carried), impulses, moved, 1));
    CHECK(moved == std::vector<float>{8, 2, 6, 4, 1, 7});
}
