// Promise 5, "Contained", of magnitudes: an answer is finite, or there is none.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "scenes/random.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kMax = std::numeric_limits<float>::max();

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

// From the least denormal to the largest float, of either sign.
float any_float(scenes::Random& random) {
    const float magnitude = float(std::pow(10.0, random.uniform(-45, 38.53)));
    return random.chance(0.1) ? 0.0f : random.chance(0.5) ? magnitude : -magnitude;
}
// Mostly of one order, so that pairs meet.
float any_length(scenes::Random& random, double order) {
    return std::fabs(random.chance(0.2) ? any_float(random) : float(std::pow(10.0, order + random.uniform(-2, 2))));
}
Vec3 any_lengths(scenes::Random& random, double order) {
    return {any_length(random, order), any_length(random, order), any_length(random, order)};
}

Expected<ShapeId> add_any(ShapeStore& store, scenes::Random& random, double order, const std::vector<ShapeId>& others) {
    const InstanceOptions options = {.rounding = random.chance(0.5) ? 0.0f : any_length(random, order)};
    const auto length = [&] { return any_length(random, order); };
    switch (random.below(9)) {
        case 0: return store.add_sphere(length(), options);
        case 1: return store.add_capsule(length(), length(), options);
        case 2: return store.add_box(any_lengths(random, order), options);
        case 3: return store.add_cylinder(length(), length(), options);
        case 4: return store.add_cone(length(), length(), options);
        case 5: return store.add_ellipsoid(any_lengths(random, order), options);
        case 6: {
            std::vector<Vec3> points(8);
            for (Vec3& p : points) {
                const Vec3 l = any_lengths(random, order);
                p = {random.chance(0.5) ? l.x : -l.x, random.chance(0.5) ? l.y : -l.y, random.chance(0.5) ? l.z : -l.z};
            }
            return store.add_hull(points, options);
        }
        case 7:
            return store.add_halfspace({any_float(random), any_float(random), any_float(random)}, any_float(random),
                                       options);
        default: {
            std::vector<CompoundChild> children;
            for (int i = 0; i < 3 && !others.empty(); ++i)
                children.push_back({others[random.below(std::uint32_t(others.size()))], any_lengths(random, order),
                                    random.orientation()});
            return store.add_compound(children, options);
        }
    }
}

struct Extremes {
    ShapeStore store;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::size_t refused = 0;

    explicit Extremes(std::uint64_t seed, std::size_t count) {
        scenes::Random random(seed);
        while (bodies.size() < count) {
            const double order = random.uniform(-44, 37);
            std::vector<ShapeId> shapes;
            for (int i = 0; i < 16; ++i) {
                const Expected<ShapeId> id = add_any(store, random, order, shapes);
                refused += !id;
                if (id) shapes.push_back(*id);
            }
            const auto first = std::uint32_t(bodies.size());
            for (const ShapeId id : shapes) {
                const oracle::Vec3d p = random.direction() * std::pow(10.0, order + random.uniform(-1, 1));
                const Vec3 at = random.chance(0.2) ? Vec3{any_float(random), any_float(random), any_float(random)}
                                                   : Vec3{float(p.x), float(p.y), float(p.z)};
                bodies.push_back({at, id, random.chance(0.2) ? Quat{} : random.orientation()});
            }
            for (auto i = first; i < bodies.size(); ++i)
                for (auto k = first; k < bodies.size(); ++k) pairs.push_back({i, k});
        }
    }
    Frame frame() const { return {.shapes = &store, .bodies = bodies, .pairs = pairs}; }
};

// Whether an answer that is there is all numbers. Without a limit no distance is infinite.
bool is_sound(const judge::Answers& answers, std::size_t pair) {
    for (const Distances* d : {&answers.distances, &answers.separations})
        if (!std::isfinite(d->signed_distance[pair]) || !is_finite(d->normal[pair]) || !is_finite(d->point_a[pair]) ||
            !is_finite(d->point_b[pair]))
            return false;
    const Manifolds& m = answers.manifolds;
    for (std::uint32_t i = m.first_manifold[pair]; i < m.first_manifold[pair + 1]; ++i) {
        if (!is_finite(m.manifolds[i].normal)) return false;
        for (std::uint32_t k = 0; k < m.manifolds[i].contact_count; ++k) {
            const Contact& contact = m.contacts[m.manifolds[i].first_contact + k];
            if (!is_finite(contact.position) || !std::isfinite(contact.separation)) return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("finite: whatever was accepted has a finite answer, or a status", "[finite]") {
    const Extremes extremes(11, test::kPairsAKind / 4);
    CHECK(extremes.refused > 20);
    for (const Isa isa : test::usable_isas()) {
        for (const DepthPath depth : {DepthPath::automatic, DepthPath::exact}) {
            const judge::Answers answers = judge::ask(
                extremes.frame(),
                {.speculative_margin = depth == DepthPath::exact ? kMax : 0.02f, .isa = isa, .depth = depth});
            std::size_t answered = 0, bad_poses = 0;
            test::Count unsound;
            for (std::size_t i = 0; i < extremes.pairs.size(); ++i) {
                answered += answers.distances.status[i] == Status::ok;
                bad_poses += answers.distances.status[i] == Status::bad_pose;
                if (is_sound(answers, i)) continue;
                const Body &a = extremes.bodies[extremes.pairs[i].a], &b = extremes.bodies[extremes.pairs[i].b];
                if (++unsound <= 5)
                    UNSCOPED_INFO(to_string(isa)
                                  << ": " << to_string(a.shape.kind()) << " at " << a.position.x << ", "
                                  << to_string(b.shape.kind()) << " at " << b.position.x << ": "
                                  << answers.distances.signed_distance[i] << ", sizes "
                                  << extremes.store.view(a.shape).size << ", " << extremes.store.view(b.shape).size);
            }
            CHECK(unsound == 0);
            CHECK(answered > extremes.pairs.size() / 4);
            CHECK(bad_poses > extremes.pairs.size() / 100);
        }
    }
}

TEST_CASE("finite: world bounds are, but those of half-spaces", "[finite]") {
    const Extremes extremes(12, test::kPairsAKind / 2);
    std::vector<Bounds> bounds(extremes.bodies.size());
    REQUIRE(world_bounds(extremes.store, extremes.bodies, bounds));
    std::size_t empty = 0;
    test::Count unsound;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (extremes.bodies[i].shape.kind() == ShapeKind::halfspace) continue;
        const bool is_empty = bounds[i] == Bounds{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
        empty += is_empty;
        unsound += !is_empty && !(is_finite(bounds[i].min) && is_finite(bounds[i].max));
    }
    CHECK(unsound == 0);
    CHECK(empty > 10);
}

TEST_CASE("finite: positions past the range are bad poses", "[finite]") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1});
    for (const float x : {3e38f, kMax, 1.001f * kFarthestMetres}) {
        const std::vector<Body> bodies = {{{x, 0, 0}, box, {}}, {{0, -x, 0}, box, {}}, {{0, 0, kMostMetres}, box, {}}};
        const std::vector<Pair> pairs = {{0, 1}, {0, 0}, {2, 1}, {2, 2}};
        const judge::Answers answers = judge::ask({.shapes = &store, .bodies = bodies, .pairs = pairs}, {});
        CHECK(answers.distances.status ==
              std::vector<Status>{Status::bad_pose, Status::bad_pose, Status::bad_pose, Status::ok});
        std::vector<Bounds> bounds(3);
        REQUIRE(world_bounds(store, bodies, bounds));
        CHECK(bounds[0].min.x == kInf);
        CHECK(is_finite(bounds[2].max));
    }
}

TEST_CASE("finite: shapes past the range are refused by name", "[finite]") {
    ShapeStore store;
    const auto refused = [](const Expected<ShapeId>& id, const char* what) {
        REQUIRE_FALSE(id);
        INFO(id.error().message.c_str());
        CHECK(id.error().code == ErrorCode::bad_shape);
        CHECK(id.error().message.contains(what));
        CHECK(id.error().message.contains("1e+27"));
    };
    refused(store.add_halfspace({1e-40f, 0, 0}, 1e38f), "halfspace's plane");
    refused(store.add_halfspace({0, 1, 0}, 1e30f), "halfspace's plane");
    refused(store.add_halfspace({0, 1, 0}, 1e26f, {.scale = {100, 100, 100}}), "halfspace's plane");
    refused(store.add_halfspace({0, 1, 0}, 0, {.rounding = 1e28f}), "halfspace's plane");
    refused(store.add_sphere(1e28f), "sphere's bounds");
    refused(store.add_box({1e27f, 1e27f, 1}), "box's bounds");
    const Vec3 far[] = {{9e26f, 0, 0}, {9e26f, 9e26f, 1}, {8e26f, 0, 9e26f}};
    refused(store.add_hull(far, {.scale = {1, 1, 2}}), "hull's bounds");
    CHECK(store.add_halfspace({1e-40f, 0, 0}, 1e-20f));
    CHECK(store.add_sphere(1e27f));
}
