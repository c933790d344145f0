// WarmTable on ground of triangles: whose id a contact has is whose point it is, or it is no match.
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/catch.hpp"
#include "support/oracle/oracle.hpp"
#include "support/surface_scenes.hpp"

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
Vec3d on_body(const Body& body, const Vec3d& point) {
    return oracle::rotation_of(body.orientation).back(point - Vec3d(body.position));
}

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
                        out.refused_ids +=
                            before.contacts[before.manifolds[i].first_contact + j].feature == now.contacts[k].feature;
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
    const test::TestMesh mesh =
        test::grid_mesh(40, 140, 0.23f, [&](float, float) { return float(random.uniform(0, 0.05)); });
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
