// Shapes of one's own, a lens and a coin, keep the promises, with each other and with every kind. No oracle knows them:
// an answer is checked by what proves it. Points of both shapes that far apart bound a distance from above, support
// planes along the normal from below; a depth is compared with that of many directions.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <cstring>

#include "world.hpp"

using namespace custom;

namespace {

std::vector<Isa> usable_isas() {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(isa);
    return isas;
}

#ifdef NDEBUG
constexpr std::size_t kPairs = 10000;
#else
constexpr std::size_t kPairs = 1000;
#endif

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("custom: distances are proved by points and by planes", "[custom]") {
    World world(kPairs);
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance(world.frame(), d));
    CHECK(narrow.counters().exact < kPairs / 20);
    std::size_t hits = 0;
    test::Count wrong;
    double worst = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const double smaller = std::min(world.solid(world.pairs[i].a).size(), world.solid(world.pairs[i].b).size());
        const double larger = std::max(world.solid(world.pairs[i].a).size(), world.solid(world.pairs[i].b).size());
        const double tolerance = 1e-5 * smaller + 1e-6 * std::max(larger, double(d.signed_distance[i]));
        const Vec3d n = to_double(d.normal[i]), a = to_double(d.point_a[i]), b = to_double(d.point_b[i]);
        double off = std::fabs(world.gap(i, n) - d.signed_distance[i]);
        off = std::max(off, std::fabs(dot(b - a, n) - d.signed_distance[i]));
        off = std::max(off, world.outside(world.pairs[i].a, a, i, n * -1));
        off = std::max(off, world.outside(world.pairs[i].b, b, i, n));
        hits += d.signed_distance[i] <= 0;
        worst = std::max(worst, off / tolerance);
        // No direction is shallower.
        for (int k = 0; k < 200 && d.signed_distance[i] <= 0; ++k) {
            Vec3d m = k % 2 == 0 ? world.direction() : n + world.direction() * 0.1;
            m = m * (1 / length(m));
            off = std::max(off, world.gap(i, m) - d.signed_distance[i]);
        }
        wrong += off > tolerance || d.status[i] != Status::ok;
    }
    INFO("worst " << worst);
    CHECK(wrong == 0);
    CHECK(hits > kPairs / 3);
    CHECK(hits < kPairs * 9 / 10);
}

TEST_CASE("custom: overlaps and contacts agree with distances", "[custom]") {
    const World world(kPairs);
    NarrowPhase narrow({.speculative_margin = 0.02f});
    Distances d;
    Overlaps o;
    Manifolds m;
    REQUIRE(narrow.distance(world.frame(), d));
    REQUIRE(narrow.overlap(world.frame(), o));
    REQUIRE(narrow.collide(world.frame(), m));
    test::Count wrong;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const float distance = d.signed_distance[i];
        const bool has = m.first_manifold[i + 1] > m.first_manifold[i];
        if (std::fabs(distance) > 2e-5f) wrong += o.hit(i) != (distance < 0);
        if (std::fabs(distance - 0.02f) > 2e-5f) wrong += has != (distance < 0.02f);
        if (has)
            wrong +=
                std::fabs(m.contacts[m.manifolds[m.first_manifold[i]].first_contact].separation - distance) > 2e-5f;
    }
    CHECK(wrong == 0);
}

TEST_CASE("custom: the same bits on every instruction set, mirrored and scaled", "[custom]") {
    const World world(kPairs / 2), twice(kPairs / 2, 1024);
    World mirrored(kPairs / 2);
    for (Pair& pair : mirrored.pairs) std::swap(pair.a, pair.b);
    Distances first;
    for (const Isa isa : usable_isas()) {
        NarrowPhase narrow({.isa = isa});
        Distances d, scaled, turned;
        REQUIRE(narrow.distance(world.frame(), d));
        REQUIRE(narrow.distance(twice.frame(), scaled));
        REQUIRE(narrow.distance(mirrored.frame(), turned));
        if (first.signed_distance.empty()) first = d;
        CHECK((same(first.signed_distance, d.signed_distance) && same(first.normal, d.normal) &&
               same(first.point_a, d.point_a)));
        test::Count other;
        for (std::size_t i = 0; i < d.signed_distance.size(); ++i) {
            other += d.signed_distance[i] * 1024 != scaled.signed_distance[i] || d.normal[i] != scaled.normal[i];
            other += d.signed_distance[i] != turned.signed_distance[i] || d.normal[i].x != -turned.normal[i].x;
        }
        CHECK(other == 0);
    }
}

TEST_CASE("custom: a lens has tight bounds", "[custom]") {
    ShapeStore shapes;
    const auto lens = shapes.add_custom(custom_shape<Lens>, {2, 0.5f, 0}, {.rounding = 0.25f});
    REQUIRE(lens);
    const ShapeView view = shapes.view(*lens);
    CHECK((view.kind == ShapeKind::custom && view.custom == &custom_shape<Lens> &&
           view.half_extents == Vec3{2, 0.5f, 0}));
    const auto near = [](float value, double wanted) { return std::fabs(value - wanted) < 1e-6; };
    CHECK((near(view.bounds_max.x, 2.25) && near(view.bounds_max.y, 0.75) && near(view.bounds_min.z, -2.25) &&
           near(view.size, 2.25)));
}

TEST_CASE("a lens has the mass of its two caps, to a thousandth") {
    ShapeStore store;
    for (const Vec3 lengths : {Vec3{1, 1, 0}, {1, 0.5f, 0}, {1, 0.05f, 0}}) {
        const double rim = lengths.x, half = lengths.y, radius = (rim * rim + half * half) / (2 * half),
                     pi = 3.14159265358979323846;
        // Slices of a cap at height y: radius^2 - (y + radius - half)^2.
        double volume = 0, along = 0, across = 0;
        const int n = 20000;
        for (int i = 0; i < n; ++i) {
            const double y = (i + 0.5) * half / n, square = radius * radius - (y + radius - half) * (y + radius - half),
                         slice = 2 * pi * square * half / n;
            volume += slice, along += slice * square / 2, across += slice * (square / 4 + y * y);
        }
        const auto lens = mass_properties(store, *store.add_custom(custom_shape<Lens>, lengths), 2);
        REQUIRE(lens);
        CAPTURE(half, lens->volume, volume, lens->iyy, along);
        CHECK(std::abs(lens->volume - volume) < 1e-3 * volume);
        CHECK(lens->mass == 2 * lens->volume);
        CHECK(std::abs(lens->iyy - 2 * along) < 1e-3 * 2 * along);
        CHECK((std::abs(lens->ixx - 2 * across) < 1e-3 * 2 * across && std::abs(lens->ixy) < 1e-3 * along));
        CHECK((std::abs(lens->centre[0]) < 1e-3 && std::abs(lens->centre[1]) < 1e-3));
    }
    // Two half balls are a ball, swept by another one a larger ball.
    const auto ball = mass_properties(
        store, *store.add_custom(custom_shape<Lens>, {1, 1, 0}, {.rounding = 0.5f, .scale = {2, 2, 2}}));
    REQUIRE(ball);
    CHECK(std::abs(ball->volume / (4.0 / 3 * 3.14159265358979323846 * 2.5 * 2.5 * 2.5) - 1) < 1e-3);
}

TEST_CASE("custom: a coin is what a disc with rounding is", "[custom]") {
    ShapeStore shapes;
    World world(1);
    const auto coin = shapes.add_custom(custom_shape<Coin>, {0.75f, 0.25f, 0}),
               disc = shapes.add_cylinder(0.75f, 0, {.rounding = 0.25f});
    const auto lens = shapes.add_custom(custom_shape<Lens>, {1, 0.5f, 0}), ground = shapes.add_halfspace({0, 1, 0}, 0);
    REQUIRE((coin && disc && lens && ground));
    const auto mass = mass_properties(shapes, *coin, 1), mass_of_disc = mass_properties(shapes, *disc, 1);
    REQUIRE((mass && mass_of_disc));
    CHECK(std::abs(mass->volume - mass_of_disc->volume) < 1e-3 * mass_of_disc->volume);
    CHECK(std::abs(mass->ixx - mass_of_disc->ixx) < 1e-3 * mass_of_disc->ixx);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const Vec3d direction = world.direction(), at = direction * world.uniform(0.2, 2);
        const Vec3 place = {float(at.x), float(at.y), float(at.z)};
        const Quat turn = world.orientation();
        bodies.push_back({place, *coin, turn}), bodies.push_back({place, *disc, turn});
        bodies.push_back({{0, 0, 0}, i % 2 == 0 ? *lens : *ground, world.orientation()});
        pairs.push_back({3 * i, 3 * i + 2}), pairs.push_back({3 * i + 1, 3 * i + 2});
    }
    const Frame frame = {.shapes = &shapes, .bodies = bodies, .pairs = pairs};
    NarrowPhase narrow;
    Distances d;
    Manifolds m;
    REQUIRE(narrow.distance(frame, d));
    REQUIRE(narrow.collide(frame, m));
    test::Count wrong;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        wrong += std::fabs(d.signed_distance[i] - d.signed_distance[i + 1]) > 2e-5f;
        const bool has[2] = {m.first_manifold[i + 1] > m.first_manifold[i],
                             m.first_manifold[i + 2] > m.first_manifold[i + 1]};
        if (std::fabs(d.signed_distance[i]) > 0.021f || d.signed_distance[i] < 0) wrong += has[0] != has[1];
    }
    CHECK(wrong == 0);
    std::vector<Body> ends = bodies;
    for (std::size_t i = 0; i < ends.size(); i += 3) {
        const Quat turn = world.orientation();
        ends[i].position = ends[i + 1].position = {-bodies[i].position.x, -bodies[i].position.y, -bodies[i].position.z};
        ends[i].orientation = ends[i + 1].orientation = turn;
    }
    const Bodies at_end[] = {ends};
    Casts casts;
    REQUIRE(narrow.cast(frame, {at_end}, casts));
    std::size_t hits = 0;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        hits += casts.hit(i) && casts.time[i] > 0;
        wrong += casts.hit(i) && casts.time[i] > 0 && casts.signed_distance[i] < -1e-4f;  // late
        if (casts.hit(i) == casts.hit(i + 1))
            wrong += casts.hit(i) && std::fabs(casts.time[i] - casts.time[i + 1]) > 0.01;
        else  // a graze
            wrong += std::fabs(casts.signed_distance[casts.hit(i) ? i : i + 1]) > 1e-3f;
    }
    CHECK(hits > pairs.size() / 20);
    CHECK(wrong == 0);
    std::vector<Bounds> bounds(bodies.size());
    REQUIRE(world_bounds(shapes, bodies, bounds));
    for (std::size_t i = 0; i < bodies.size(); i += 3)
        wrong += std::fabs(bounds[i].max.x - bounds[i + 1].max.x) > 1e-6f;
    CHECK(wrong == 0);
}

TEST_CASE("custom: an instance keeps its shape, and a name has one shape", "[custom]") {
    ShapeStore shapes;
    const auto lens = shapes.add_custom(custom_shape<Lens>, {1, 0.5f, 0}),
               coin = shapes.add_custom(custom_shape<Coin>, {1, 0.5f, 0});
    REQUIRE((lens && coin));
    const auto larger = shapes.add_instance(*coin, {.scale = {2, 2, 2}});
    REQUIRE(larger);
    CHECK((shapes.view(*larger).custom == &custom_shape<Coin> && shapes.view(*larger).size == 3));
    REQUIRE(shapes.set_instance(*lens, {.rounding = 1}));
    CHECK((shapes.view(*lens).custom == &custom_shape<Lens> && shapes.view(*lens).size == 2));
    const CustomShape other = {"lens", custom_shape<Coin>.support_lanes, custom_shape<Coin>.support};
    const auto refused = shapes.add_custom(other, {1, 0.5f, 0});
    CHECK((!refused && refused.error().message.contains("'lens'")));
    CHECK(!shapes.add_custom(CustomShape{}, {1, 0.5f, 0}));
}
