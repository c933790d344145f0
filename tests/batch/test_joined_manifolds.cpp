// Settings::manifold_angle and Settings::ground_contacts: fewer manifolds, or more contacts in each.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/mirrored.hpp"
#include "support/surface_scenes.hpp"

using namespace abut;
using scenes::Random;

namespace {

// A turn about a random direction.
Quat tilted(Random& random, double angle) {
    const double half = 0.5 * random.uniform(0, angle);
    const oracle::Vec3d axis = random.direction() * std::sin(half);
    return {float(axis.x), float(axis.y), float(axis.z), float(std::sqrt(1 - dot(axis, axis)))};
}

// Bodies that lie on ground of several kinds, uneven by some centimetres. In every second pair the ground is A.
struct Rubble {
    static constexpr std::uint32_t kPairs = 400;

    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;

    explicit Rubble(std::uint64_t seed) {
        Random random(seed);
        const auto noise = [&](float, float) { return float(random.uniform(-0.02, 0.02)); };
        const test::TestMesh mesh = test::grid_mesh(16, 16, 0.25f, noise);
        std::vector<float> heights(17 * 17);
        for (float& h : heights) h = float(random.uniform(-0.02, 0.02));
        std::vector<CompoundChild> tiles, legs;
        const ShapeId tile = *shapes.add_box({0.25f, 0.1f, 0.25f});
        for (int i = 0; i < 64; ++i)
            tiles.push_back(
                {tile,
                 {float(i % 8) * 0.5f + 0.25f, float(random.uniform(-0.11, -0.09)), float(i / 8) * 0.5f + 0.25f},
                 tilted(random, 0.05)});
        const ShapeId box = *shapes.add_box({0.3f, 0.1f, 0.4f}), capsule = *shapes.add_capsule(0.15f, 0.3f),
                      cylinder = *shapes.add_cylinder(0.3f, 0.1f);
        legs.push_back({box, {0, 0.1f, 0}, {}});
        legs.push_back({capsule, {0, 0, 0.2f}, {}});
        const HeightfieldOptions field = {.spacing_x = 0.25f, .spacing_z = 0.25f};
        const ShapeId grounds[] = {*shapes.add_mesh(mesh.vertices, mesh.triangles),
                                   *shapes.add_heightfield(heights, 17, 17, {}, field), *shapes.add_compound(tiles)};
        const ShapeId movers[] = {box, capsule, cylinder, *shapes.add_compound(legs)};
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            const Vec3 at = {float(random.uniform(0.8, 3.2)), float(random.uniform(0.05, 0.15)),
                             float(random.uniform(0.8, 3.2))};
            bodies.push_back({at, movers[i % 4], tilted(random, 0.1)});
            bodies.push_back({{}, grounds[i / 4 % 3], {}});
            pairs.push_back(i % 2 == 0 ? Pair{2 * i, 2 * i + 1} : Pair{2 * i + 1, 2 * i});
        }
    }
    Frame frame() const { return {&shapes, bodies, pairs}; }
    std::vector<Pair> swapped() const {
        std::vector<Pair> out;
        for (const Pair& p : pairs) out.push_back({p.b, p.a});
        return out;
    }
};

Manifolds collide(const Frame& frame, const Settings& settings) {
    NarrowPhase narrow(settings);
    Manifolds out;
    REQUIRE(narrow.collide(frame, out));
    return out;
}

std::span<const Manifold> manifolds_of(const Manifolds& m, std::size_t pair) {
    return std::span(m.manifolds).subspan(m.first_manifold[pair], m.first_manifold[pair + 1] - m.first_manifold[pair]);
}
std::span<const Contact> contacts_of(const Manifolds& m, const Manifold& manifold) {
    return std::span(m.contacts).subspan(manifold.first_contact, manifold.contact_count);
}
double cosine(Vec3 n, Vec3 m) { return double(n.x) * m.x + double(n.y) * m.y + double(n.z) * m.z; }

// Contacts in caches are computed again from their features, so they differ by roundings.
bool are_same(const Manifolds& m, const Manifolds& n) {
    const auto is_near = [](float x, float y) { return std::fabs(x - y) <= 1e-5f; };
    return m.first_manifold == n.first_manifold && std::ranges::equal(m.contacts, n.contacts,
                                                                      [&](const Contact& c, const Contact& d) {
        return c.feature == d.feature && is_near(c.separation, d.separation) && is_near(c.position.x, d.position.x) &&
               is_near(c.position.y, d.position.y) && is_near(c.position.z, d.position.z);
           });
}

// The deepest contact of a pair, +infinity if it has none.
float deepest(const Manifolds& m, std::size_t pair) {
    float least = INFINITY;
    for (const Manifold& manifold : manifolds_of(m, pair))
        least = std::min(least, contacts_of(m, manifold)[0].separation);
    return least;
}
// Whether the deepest of chosen contacts is that of all, to within a quarter of the contact slack of a body of 0.5 m.
bool is_as_deep(float chosen, float all) {
    return chosen == all || (chosen > all && chosen - all < 0.25 * 0.004 * 0.5);
}
// Whether a pair has a manifold with this normal that is at least so deep.
bool has_deep(const Manifolds& m, std::size_t pair, Vec3 normal, float separation) {
    return std::ranges::any_of(manifolds_of(m, pair), [&](const Manifold& one) {
        return one.normal == normal && contacts_of(m, one)[0].separation <= separation;
    });
}
// Whether a pair has a contact at this place with this separation, in a manifold with a normal within `angle`.
bool has(const Manifolds& m, std::size_t pair, const Contact& contact, Vec3 normal, double angle) {
    for (const Manifold& manifold : manifolds_of(m, pair))
        for (const Contact& c : contacts_of(m, manifold))
            if (c.position == contact.position && c.separation == contact.separation &&
                cosine(manifold.normal, normal) >= std::cos(angle) - 1e-6)
                return true;
    return false;
}

}  // namespace

TEST_CASE("collide: manifolds with normals within the angle are one", "[join]") {
    const Rubble rubble(48);
    const Manifolds apart = collide(rubble.frame(), {.speculative_margin = 0.05f});
    for (const float angle : {0.05f, 0.3f, 1.0f}) {
        CAPTURE(angle);
        const Manifolds joined = collide(rubble.frame(), {.speculative_margin = 0.05f, .manifold_angle = angle});
        std::size_t fewer = 0;
        for (std::size_t pair = 0; pair < Rubble::kPairs; ++pair) {
            CAPTURE(pair);
            const std::span<const Manifold> manifolds = manifolds_of(joined, pair);
            fewer += manifolds_of(apart, pair).size() - manifolds.size();
            CHECK(is_as_deep(deepest(joined, pair), deepest(apart, pair)));
            for (std::size_t i = 0; i < manifolds.size(); ++i) {
                const std::span<const Contact> contacts = contacts_of(joined, manifolds[i]);
                CHECK(contacts.size() <= 4);
                CHECK(has_deep(apart, pair, manifolds[i].normal, contacts[0].separation));
                for (std::size_t k = 0; k < i; ++k)
                    CHECK(cosine(manifolds[i].normal, manifolds[k].normal) < std::cos(angle) + 1e-6);
                for (std::size_t k = 0; k < contacts.size(); ++k) {
                    CHECK(has(apart, pair, contacts[k], manifolds[i].normal, angle));
                    CHECK((k == 0 || contacts[k - 1].separation <= contacts[k].separation));
                    for (std::size_t other = 0; other < k; ++other)
                        CHECK(contacts[k].feature != contacts[other].feature);
                }
            }
        }
        CHECK(fewer > 50);
    }
}

// The legs' corners have equal names.
TEST_CASE("collide: a table's joined manifold has the outer corners of its legs", "[join]") {
    ShapeStore shapes;
    const ShapeId leg = *shapes.add_box({0.05f, 0.4f, 0.05f});
    std::vector<CompoundChild> legs;
    for (const float x : {-0.5f, 0.5f})
        for (const float z : {-0.3f, 0.3f}) legs.push_back({leg, {x, 0.4f, z}, {}});
    const std::vector<Body> bodies = {{{0, -0.001f, 0}, *shapes.add_compound(legs), {}},
                                      {{0, -1, 0}, *shapes.add_box({2, 1, 2}), {}}};
    const Pair pairs[] = {{0, 1}};
    const Manifolds m = collide({&shapes, bodies, pairs}, {.manifold_angle = 0.1f});
    REQUIRE(m.manifolds.size() == 1);
    REQUIRE(m.contacts.size() == 4);
    for (const Contact& c : m.contacts) {
        CHECK(std::fabs(c.position.x) == Approx(0.55));
        CHECK(std::fabs(c.position.z) == Approx(0.35));
    }
}

TEST_CASE("collide: joined manifolds are those of the swapped pair, mirrored", "[join]") {
    const Rubble rubble(49);
    const Settings settings = {.speculative_margin = 0.05f, .ground_contacts = 8, .manifold_angle = 0.3f};
    Frame other = rubble.frame();
    const std::vector<Pair> swapped = rubble.swapped();
    other.pairs = swapped;
    const Manifolds m = collide(rubble.frame(), settings), n = collide(other, settings);
    for (std::size_t pair = 0; pair < Rubble::kPairs; ++pair) {
        CAPTURE(pair);
        const Vec3 a = rubble.bodies[rubble.pairs[pair].a].position, b = rubble.bodies[rubble.pairs[pair].b].position;
        CHECK(test::mirrored(m, pair, n, pair, test::plus(b, test::negated(a))));
    }
}

TEST_CASE("collide: uneven ground has up to ground_contacts contacts, caches or none", "[join]") {
    const Rubble rubble(50);
    std::size_t more = 0;
    for (const float angle : {0.0f, 0.3f}) {
        const Settings settings = {.speculative_margin = 0.05f, .ground_contacts = 8, .manifold_angle = angle};
        const Manifolds cold = collide(rubble.frame(), settings),
                        four = collide(rubble.frame(), {.speculative_margin = 0.05f, .manifold_angle = angle});
        for (const Manifold& manifold : cold.manifolds) {
            more += manifold.contact_count > 4;
            CHECK(manifold.contact_count <= 8);
            const std::span<const Contact> contacts = contacts_of(cold, manifold);
            CHECK(std::ranges::is_sorted(contacts, {}, &Contact::separation));
            for (std::size_t k = 0; k < contacts.size(); ++k)
                for (std::size_t other = 0; other < k; ++other) CHECK(contacts[k].feature != contacts[other].feature);
        }
        for (std::size_t pair = 0; pair < Rubble::kPairs; ++pair)
            CHECK(is_as_deep(deepest(four, pair), deepest(cold, pair)));
        std::vector<WarmCache> caches(Rubble::kPairs);
        Frame warm = rubble.frame();
        warm.caches = caches;
        NarrowPhase narrow(settings);
        Manifolds m;
        for (int call = 0; call < 4; ++call) {
            REQUIRE(narrow.collide(warm, m));
            CHECK(are_same(m, cold));
        }
        // Caches that were written for eight contacts hold nothing for four.
        NarrowPhase with_four({.speculative_margin = 0.05f, .manifold_angle = angle});
        REQUIRE(with_four.collide(warm, m));
        CHECK(are_same(m, four));
    }
    CHECK(more > 50);
}

TEST_CASE("collide: settings of joined manifolds are checked", "[join]") {
    for (const std::uint32_t contacts : {0u, 3u, 9u}) {
        const CallResult usable = NarrowPhase({.ground_contacts = contacts}).usable();
        CHECK(!usable);
        CHECK(usable.error().message.view().starts_with("Settings::ground_contacts is " + std::to_string(contacts)));
    }
    for (const float angle : {-0.1f, 1.6f, NAN, INFINITY}) CHECK(!NarrowPhase({.manifold_angle = angle}).usable());
    CHECK(NarrowPhase({.ground_contacts = 8, .manifold_angle = 1.57f}).usable());
}

// The child that a joined manifold names changes as the body slides, but it is the same manifold to the solver.
TEST_CASE("carry over: a joined manifold is found again under another child", "[join]") {
    ShapeStore shapes;
    const ShapeId tile = *shapes.add_box({0.5f, 0.1f, 2}), box = *shapes.add_box({0.4f, 0.1f, 0.4f});
    std::vector<CompoundChild> tiles;
    for (int i = 0; i < 8; ++i) tiles.push_back({tile, {float(i), -0.1f, 0}, {}});
    std::vector<Body> bodies = {{{0.5f, 0.105f, 0}, box, {}}, {{}, *shapes.add_compound(tiles), {}}};
    const Pair pairs[] = {{0, 1}};
    NarrowPhase narrow({.manifold_angle = 1.57f});
    Manifolds before, now;
    std::size_t renamed = 0;
    for (int step = 0; step < 60; ++step) {
        std::vector<Body> last = bodies;
        bodies[0].position.x += 0.047f;
        bodies[0].position.y = 0.105f + 0.0005f * float(step % 3);
        REQUIRE(narrow.collide({&shapes, bodies, pairs}, now));
        REQUIRE(now.manifolds.size() == 1);
        if (step > 0) {
            Carried carried;
            const PreviousPair same[] = {{0, false}};
            REQUIRE(carry_over(frame_contacts({&shapes, last, pairs}, before),
                               frame_contacts({&shapes, bodies, pairs}, now), same, carried, {.joined = true}));
            renamed += before.manifolds[0].child_b != now.manifolds[0].child_b;
            CHECK(carried.manifolds[0].index == 0);
        }
        std::swap(before, now);
    }
    CHECK(renamed > 2);
}
