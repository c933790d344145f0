// A shape of one's own, a lens, keeps the promises. No oracle knows it: an answer is checked by what proves it. Points of both shapes that
// far apart bound a distance from above, support planes along the normal from below; a depth is compared with that of many directions.
#include "catch.hpp"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <abut/abut.hpp>

#include "lens.hpp"

using namespace abut;

namespace {

struct Vec3d {
    double x, y, z;
};
Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(Vec3d a) { return std::sqrt(dot(a, a)); }
Vec3d to_double(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

Vec3d rotate(Quat q, Vec3d v) {
    const double s = 1 / std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    const Vec3d u = {q.x * s, q.y * s, q.z * s};
    const Vec3d t = cross(u, v) * 2;
    return v + t * (q.w * s) + cross(u, t);
}
Vec3d rotate_back(Quat q, Vec3d v) { return rotate({-q.x, -q.y, -q.z, q.w}, v); }

// A lens or a box.
struct Solid {
    bool is_lens;
    Vec3 lengths;
    float rounding;

    double size() const { return std::max({lengths.x, lengths.y, lengths.z}) + rounding; }
    double support(Vec3d d) const {
        double core = lengths.x * std::fabs(d.x) + lengths.y * std::fabs(d.y) + lengths.z * std::fabs(d.z);
        if (is_lens) {
            const Point<double> p = CustomShape::support(Point<double>{lengths.x, lengths.y, lengths.z}, Point<double>{d.x, d.y, d.z});
            core = p.x * d.x + p.y * d.y + p.z * d.z;
        }
        return core + rounding * length(d);
    }
    // How far a point is outside the core, at most.
    double outside(Vec3d p) const {
        if (is_lens) {
            const double radius = (double(lengths.x) * lengths.x + double(lengths.y) * lengths.y) / (2.0 * lengths.y);
            const Vec3d from_upper = {p.x, p.y - (lengths.y - radius), p.z}, from_lower = {p.x, p.y + (lengths.y - radius), p.z};
            return std::max({0.0, length(from_upper) - radius, length(from_lower) - radius});
        }
        const Vec3d out = {std::max(0.0, std::fabs(p.x) - lengths.x), std::max(0.0, std::fabs(p.y) - lengths.y),
                           std::max(0.0, std::fabs(p.z) - lengths.z)};
        return length(out);
    }
};

struct World {
    ShapeStore shapes;
    std::vector<Solid> solids;
    std::vector<ShapeId> ids;
    std::vector<std::uint32_t> solid_of;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::mt19937 random{7};

    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
    Quat orientation() {
        std::normal_distribution<double> normal;
        const double x = normal(random), y = normal(random), z = normal(random), w = normal(random), s = 1 / std::sqrt(x * x + y * y + z * z + w * w);
        return {float(x * s), float(y * s), float(z * s), float(w * s)};
    }
    Vec3d direction() { return rotate(orientation(), {0, 0, 1}); }

    explicit World(std::size_t count, double scale = 1) {
        for (int i = 0; i < 40; ++i) {
            const bool is_lens = i % 4 != 3;
            const double rim = uniform(0.3, 1), half = i % 8 == 0 ? rim : i % 8 == 1 ? 0.05 * rim : uniform(0.1, 0.9) * rim;
            const auto length_of = [&](double x) { return float(float(x) * scale); };
            const Solid solid = {
                is_lens, is_lens ? Vec3{length_of(rim), length_of(half), 0} : Vec3{length_of(rim), length_of(half), length_of(uniform(0.2, 1))},
                i % 5 == 0 ? length_of(0.125) : 0.0f};
            const auto id = is_lens ? shapes.add_custom(solid.lengths, {.rounding = solid.rounding})
                                    : shapes.add_box(solid.lengths, {.rounding = solid.rounding});
            REQUIRE(id);
            solids.push_back(solid);
            ids.push_back(*id);
        }
        for (std::size_t i = 0; i < count; ++i) {
            for (int side = 0; side < 2; ++side) {
                std::uint32_t solid = std::uint32_t(random() % solids.size());
                if (side == 0) solid -= std::uint32_t(!solids[solid].is_lens);
                solid_of.push_back(solid);
                const Vec3d at = side == 0 ? Vec3d{0, 0, 0} : direction() * uniform(0.2, 2);
                bodies.push_back({{float(float(at.x) * scale), float(float(at.y) * scale), float(float(at.z) * scale)}, ids[solid], orientation()});
            }
            pairs.push_back({std::uint32_t(2 * i), std::uint32_t(2 * i + 1)});
        }
    }
    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
    const Solid& solid(std::uint32_t body) const { return solids[solid_of[body]]; }
    // The separation of the support planes along unit n, from A to B.
    double gap(std::size_t pair, Vec3d n) const {
        const Body &a = bodies[pairs[pair].a], &b = bodies[pairs[pair].b];
        return dot(n, to_double(b.position) - to_double(a.position)) - solid(pairs[pair].a).support(rotate_back(a.orientation, n)) -
               solid(pairs[pair].b).support(rotate_back(b.orientation, n * -1));
    }
    double outside(std::uint32_t body, Vec3d from_a, std::size_t pair, Vec3d inwards) const {
        const Vec3d p = from_a + to_double(bodies[pairs[pair].a].position) - to_double(bodies[body].position) + inwards * solid(body).rounding;
        return solid(body).outside(rotate_back(bodies[body].orientation, p));
    }
};

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

TEST_CASE("custom: distances of a lens are proved by its points and its planes", "[custom]") {
    World world(kPairs);
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance(world.frame(), d));
    CHECK(narrow.counters().exact < kPairs / 20);
    std::size_t hits = 0, wrong = 0;
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

TEST_CASE("custom: overlaps and contacts of a lens agree with its distances", "[custom]") {
    const World world(kPairs);
    NarrowPhase narrow({.speculative_margin = 0.02f});
    Distances d;
    Overlaps o;
    Manifolds m;
    REQUIRE(narrow.distance(world.frame(), d));
    REQUIRE(narrow.overlap(world.frame(), o));
    REQUIRE(narrow.collide(world.frame(), m));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const float distance = d.signed_distance[i];
        const bool has = m.first_manifold[i + 1] > m.first_manifold[i];
        if (std::fabs(distance) > 2e-5f) wrong += o.hit(i) != (distance < 0);
        if (std::fabs(distance - 0.02f) > 2e-5f) wrong += has != (distance < 0.02f);
        if (has) wrong += std::fabs(m.contacts[m.manifolds[m.first_manifold[i]].first_contact].separation - distance) > 2e-5f;
    }
    CHECK(wrong == 0);
}

TEST_CASE("custom: a lens has the same bits on every instruction set, mirrored and scaled", "[custom]") {
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
        CHECK((same(first.signed_distance, d.signed_distance) && same(first.normal, d.normal) && same(first.point_a, d.point_a)));
        std::size_t other = 0;
        for (std::size_t i = 0; i < d.signed_distance.size(); ++i) {
            other += d.signed_distance[i] * 1024 != scaled.signed_distance[i] || d.normal[i] != scaled.normal[i];
            other += d.signed_distance[i] != turned.signed_distance[i] || d.normal[i].x != -turned.normal[i].x;
        }
        CHECK(other == 0);
    }
}

TEST_CASE("custom: a lens has tight bounds", "[custom]") {
    ShapeStore shapes;
    const auto lens = shapes.add_custom({2, 0.5f, 0}, {.rounding = 0.25f});
    REQUIRE(lens);
    const ShapeView view = shapes.view(*lens);
    CHECK((view.kind == ShapeKind::custom && view.half_extents == Vec3{2, 0.5f, 0}));
    const auto near = [](float value, double wanted) { return std::fabs(value - wanted) < 1e-6; };
    CHECK((near(view.bounds_max.x, 2.25) && near(view.bounds_max.y, 0.75) && near(view.bounds_min.z, -2.25) && near(view.size, 2.25)));
}

TEST_CASE("a lens has the mass of its two caps, to a thousandth") {
    ShapeStore store;
    for (const Vec3 lengths : {Vec3{1, 1, 0}, {1, 0.5f, 0}, {1, 0.05f, 0}}) {
        const double rim = lengths.x, half = lengths.y, radius = (rim * rim + half * half) / (2 * half), pi = 3.14159265358979323846;
        // Slices of a cap at height y: radius^2 - (y + radius - half)^2.
        double volume = 0, along = 0, across = 0;
        const int n = 20000;
        for (int i = 0; i < n; ++i) {
            const double y = (i + 0.5) * half / n, square = radius * radius - (y + radius - half) * (y + radius - half),
                         slice = 2 * pi * square * half / n;
            volume += slice, along += slice * square / 2, across += slice * (square / 4 + y * y);
        }
        const auto lens = mass_properties(store, *store.add_custom(lengths), 2);
        REQUIRE(lens);
        CAPTURE(half, lens->volume, volume, lens->iyy, along);
        CHECK(std::abs(lens->volume - volume) < 1e-3 * volume);
        CHECK(lens->mass == 2 * lens->volume);
        CHECK(std::abs(lens->iyy - 2 * along) < 1e-3 * 2 * along);
        CHECK((std::abs(lens->ixx - 2 * across) < 1e-3 * 2 * across && std::abs(lens->ixy) < 1e-3 * along));
        CHECK((std::abs(lens->centre[0]) < 1e-3 && std::abs(lens->centre[1]) < 1e-3));
    }
    // Two half balls are a ball, swept by another one a larger ball.
    const auto ball = mass_properties(store, *store.add_custom({1, 1, 0}, {.rounding = 0.5f, .scale = {2, 2, 2}}));
    REQUIRE(ball);
    CHECK(std::abs(ball->volume / (4.0 / 3 * 3.14159265358979323846 * 2.5 * 2.5 * 2.5) - 1) < 1e-3);
}
