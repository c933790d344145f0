// Promises 4 and 6 in the plane: scaled scenes have scaled answers, and a warm call allocates nothing. All queries on
// all families of hard pairs.
#include <abut/d2.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/failing_memory.hpp"
#include "support/families_2d.hpp"

using namespace abut;
using plane::Family;

namespace {

constexpr std::size_t kPairs = 150;
constexpr float kMargin = 0.02f, kSlack = 0.005f;

d2::Vec2 times(d2::Vec2 v, float factor) { return {v.x * factor, v.y * factor}; }

plane::ShapeSpec scaled(plane::ShapeSpec spec, float factor) {
    for (d2::Vec2& p : spec.points) p = times(p, factor);
    spec.half_extents = times(spec.half_extents, factor);
    spec.radius *= factor, spec.offset *= factor, spec.options.rounding *= factor;
    spec.options.pose.position = times(spec.options.pose.position, factor);
    for (plane::ShapeSpec& child : spec.children) child = scaled(child, factor);
    for (d2::Pose& pose : spec.poses) pose.position = times(pose.position, factor);
    return spec;
}

// A family's pairs, as moving bodies, as rays along A's motion and as points, in other units.
struct Scene {
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies, ends;
    std::vector<Pair> pairs, of_items;
    std::vector<d2::Vec2> origins, directions;
    std::vector<Bounds> bounds, swept;
    d2::Overlaps overlaps;
    d2::Distances distances;
    d2::Manifolds manifolds;
    d2::Casts casts, first_casts;
    d2::RayHits hits, first_hits;
    d2::PointDistances points;

    Scene(Family family, float factor) {
        for (const plane::HardPair& pair : plane::hard_pairs(family, kPairs, 11)) {
            const auto a = *plane::add_to(shapes, scaled(pair.a, factor)),
                       b = *plane::add_to(shapes, scaled(pair.b, factor));
            const auto at = static_cast<std::uint32_t>(bodies.size()),
                       item = static_cast<std::uint32_t>(origins.size());
            bodies.push_back({times(pair.position_a, factor), pair.rotation_a, a});
            bodies.push_back({times(pair.position_b, factor), pair.rotation_b, b});
            const d2::Vec2 from = bodies[at].position, to = bodies[at + 1].position,
                           way = {2 * (to.x - from.x) + 0.25f * factor, 2 * (to.y - from.y)};
            ends.push_back({{from.x + way.x, from.y + way.y}, pair.rotation_b, a}), ends.push_back(bodies[at + 1]);
            pairs.push_back({at, at + 1}), pairs.push_back({at + 1, at});
            origins.push_back(from), directions.push_back(way);
            of_items.push_back({item, at + 1}), of_items.push_back({item, at});
        }
        bounds.resize(bodies.size()), swept.resize(bodies.size());
    }
    bool ask(d2::NarrowPhase& narrow) {
        const d2::Frame frame = {&shapes, bodies, pairs}, items = {&shapes, bodies, of_items};
        const d2::Motions motions = {ends};
        d2::Rays rays;
        rays.origins = origins, rays.directions = directions;
        d2::Points at;
        at.positions = origins;
        CastOptions first_cast;
        first_cast.reduction = CastReduction::first_of_body;
        RayOptions first_hit;
        first_hit.reduction = RayReduction::first_of_ray;
        return narrow.overlap(frame, overlaps) && narrow.distance(frame, distances) &&
               narrow.collide(frame, manifolds) && narrow.cast(frame, motions, casts) &&
               narrow.cast(frame, motions, first_casts, first_cast) && narrow.raycast(items, rays, hits) &&
               narrow.raycast(items, rays, first_hits, first_hit) && narrow.measure(items, at, points) &&
               d2::world_bounds(shapes, bodies, bounds) && d2::swept_bounds(shapes, bodies, ends, swept);
    }
};

Settings in_units(float factor) {
    Settings settings;
    settings.executor = serial_executor();
    settings.speculative_margin = kMargin * factor, settings.contact_slack = kSlack * factor;
    return settings;
}

bool same(float a, float b, float factor) {
    const bool is_below_range = a == 0 && std::fabs(b) < factor * std::numeric_limits<float>::min();
    return a * factor == b || is_below_range;
}
bool same(d2::Vec2 a, d2::Vec2 b, float factor) { return same(a.x, b.x, factor) && same(a.y, b.y, factor); }
bool same(const Bounds& a, const Bounds& b, float factor) {
    return same(a.min.x, b.min.x, factor) && same(a.min.y, b.min.y, factor) && same(a.max.x, b.max.x, factor) &&
           same(a.max.y, b.max.y, factor);
}
bool same(const d2::Manifold& a, const d2::Manifold& b, float factor) {
    bool all = a.pair == b.pair && a.child_a == b.child_a && a.child_b == b.child_b && a.normal == b.normal &&
               a.contact_count == b.contact_count;
    for (std::uint32_t k = 0; k < a.contact_count; ++k)
        all = all && same(a.contacts[k].position, b.contacts[k].position, factor) &&
              same(a.contacts[k].separation, b.contacts[k].separation, factor) &&
              a.contacts[k].feature == b.contacts[k].feature;
    return all;
}
template <class T>
std::size_t differing(const std::vector<T>& a, const std::vector<T>& b, float factor) {
    std::size_t count = a.size() != b.size();
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) count += !same(a[i], b[i], factor);
    return count;
}

}  // namespace

TEST_CASE("plane: scale free: powers of two change no bit", "[d2][scale_free]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    Scene unit(family, 1);
    d2::NarrowPhase narrow(in_units(1));
    REQUIRE(unit.ask(narrow));
    for (const int exponent : {-12, -7, -1, 1, 5, 20}) {
        INFO("2^" << exponent);
        const float factor = std::ldexp(1.0f, exponent);
        Scene other(family, factor);
        d2::NarrowPhase of_other(in_units(factor));
        REQUIRE(other.ask(of_other));
        CHECK(unit.overlaps.bits == other.overlaps.bits);
        CHECK(differing(unit.distances.signed_distance, other.distances.signed_distance, factor) == 0);
        CHECK(differing(unit.distances.normal, other.distances.normal, 1) == 0);
        CHECK(differing(unit.distances.point_a, other.distances.point_a, factor) == 0);
        CHECK(differing(unit.distances.point_b, other.distances.point_b, factor) == 0);
        CHECK(differing(unit.manifolds.manifolds, other.manifolds.manifolds, factor) == 0);
        CHECK(unit.casts.bits == other.casts.bits);
        CHECK(unit.casts.time == other.casts.time);
        CHECK(differing(unit.casts.signed_distance, other.casts.signed_distance, factor) == 0);
        CHECK(differing(unit.casts.normal, other.casts.normal, 1) == 0);
        CHECK(differing(unit.casts.point_a, other.casts.point_a, factor) == 0);
        CHECK(unit.hits.bits == other.hits.bits);
        CHECK(unit.hits.fraction == other.hits.fraction);
        CHECK(differing(unit.hits.point, other.hits.point, factor) == 0);
        CHECK(differing(unit.hits.normal, other.hits.normal, 1) == 0);
        CHECK(differing(unit.points.signed_distance, other.points.signed_distance, factor) == 0);
        CHECK(differing(unit.points.nearest, other.points.nearest, factor) == 0);
        CHECK(differing(unit.bounds, other.bounds, factor) == 0);
        CHECK(differing(unit.swept, other.swept, factor) == 0);
    }
}

TEST_CASE("plane: quiet: a second equal call allocates nothing", "[d2][quiet]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    Scene scene(family, 1);
    d2::NarrowPhase narrow(in_units(1));
    REQUIRE(scene.ask(narrow));
    const std::size_t before = test::allocations();
    const bool answered = scene.ask(narrow);
    CHECK(test::allocations() == before);
    CHECK(answered);
}
