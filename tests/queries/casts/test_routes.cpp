// Casts of rods on paths of several parts, with poses, children and centres of rotation of their own, against closed
// forms in double.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "queries/casts/routes.hpp"

using namespace abut;
using namespace abut::casts;

namespace {

#ifdef NDEBUG
constexpr std::uint32_t kPairs = 400;
#else
constexpr std::uint32_t kPairs = 60;
#endif
// Metres: what the float32 of poses and answers loses.
constexpr double kRounding = 2e-5;

struct Pursuit {
    Route a, b;
    const std::vector<Rod>&rods_a, &rods_b;
    double speed;

    Pursuit(const RodScene& scene, std::size_t pair)
        : a(scene.route(scene.pairs[pair].a)),
          b(scene.route(scene.pairs[pair].b)),
          rods_a(scene.rods[scene.pairs[pair].a]),
          rods_b(scene.rods[scene.pairs[pair].b]),
          speed(a.speed(reach_of(rods_a)) + b.speed(reach_of(rods_b))) {}
    double distance(double time) const { return distance_of(rods_a, a.at(time), rods_b, b.at(time)); }
    double first(double level, double latest, double from = 0) const {
        return first_time([&](double time) { return distance(time); }, level, speed, from, latest);
    }
};

// The distance of a point from a body's surface.
double surface_distance(const std::vector<Rod>& rods, const oracle::Pose& pose, const Vec3d& point) {
    double least = INFINITY;
    for (const Rod& rod : rods)
        least = std::min(least, distance_to_segment(point, placed(pose, rod.from), placed(pose, rod.to)) - rod.radius);
    return least;
}

// The hit's distance, points and normal are those of the bodies at its time.
std::size_t wrong_values(const Pursuit& of, const Casts& out, std::size_t i) {
    const double time = out.time[i], there = of.distance(time);
    const oracle::Pose a = of.a.at(time), b = of.b.at(time);
    const Vec3d normal(out.normal[i]), on_a = a.position + Vec3d(out.point_a[i]),
                                       on_b = a.position + Vec3d(out.point_b[i]);
    const Rod &rod_a = of.rods_a[out.child_a[i]], &rod_b = of.rods_b[out.child_b[i]];
    std::size_t wrong = std::fabs(out.signed_distance[i] - there) > kRounding;
    wrong += std::fabs(rod_distance(rod_a, a, rod_b, b) - there) > kRounding;
    wrong += std::fabs(surface_distance({rod_a}, a, on_a)) > kRounding;
    wrong += std::fabs(surface_distance({rod_b}, b, on_b)) > kRounding;
    wrong += length(on_b - on_a - normal * there) > kRounding || std::fabs(length(normal) - 1) > 1e-5;
    // Against the normal from the point of A the rod is at its radius.
    wrong += std::fabs(surface_distance({{rod_a.from, rod_a.to, 0}}, a, on_a - normal * rod_a.radius)) > 1e-4;
    return wrong;
}

}  // namespace

TEST_CASE("casts: rods with poses and children follow every part of their path about their centres", "[casts][right]") {
    for (const std::size_t parts : {1u, 2u, 3u, 7u}) {
        const RodScene scene = make_rod_scene(kPairs, parts, 50 + parts, 3);
        const std::vector<Bodies> ends = scene.ends();
        NarrowPhase narrow;
        Casts out;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, out, {.target = 0.03f}));
        std::size_t later_parts = 0, misses = 0;
        test::Count late, early, wrong;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            REQUIRE(out.status[i] == Status::ok);
            const Pursuit of(scene, i);
            const double before = out.hit(i) ? out.time[i] : 1.0;
            late += before > 0 && of.first(0.03 - kRounding, before) <= before;
            misses += !out.hit(i);
            if (!out.hit(i)) continue;
            later_parts += out.time[i] > 1.0 / double(parts);
            early += out.time[i] > 0 && of.distance(out.time[i]) > 0.03 + 2e-4;
            wrong += wrong_values(of, out, i);
        }
        INFO(parts);
        CHECK(late == 0);
        CHECK(early == 0);
        CHECK(wrong == 0);
        CHECK(misses > kPairs / 20);
        CHECK(later_parts + misses < kPairs);
        CHECK((parts == 1 || later_parts > kPairs / 6));
    }
}

TEST_CASE("casts: no pair is looked at after its latest time, and every one until then", "[casts][right]") {
    for (const std::size_t parts : {1u, 3u, 4u}) {
        const RodScene scene = make_rod_scene(kPairs, parts, 70 + parts, 2);
        Random random(parts);
        std::vector<float> latest, targets;
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            latest.push_back(i % 10 == 0   ? 1.0f
                             : i % 10 == 1 ? float(1 + random.below(std::uint32_t(parts))) / float(parts)
                                           : float(random.uniform()));
            targets.push_back(random.chance(0.3) ? 0.0f : float(random.uniform(0, 0.2)));
        }
        latest[20] = 0;
        const std::vector<Bodies> ends = scene.ends();
        NarrowPhase narrow;
        Casts all, out;
        CastOptions options;
        options.targets = targets;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, all, options));
        options.latest = latest;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, out, options));
        std::size_t hits = 0, cut = 0;
        test::Count wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            const Pursuit of(scene, i);
            const double until = latest[i], target = targets[i];
            INFO(parts << " " << i << " " << until << " " << out.time[i] << " " << all.time[i]);
            CHECK(out.status[i] == Status::ok);
            if (out.hit(i)) {
                ++hits;
                CHECK(out.time[i] <= until);
                const bool is_early = out.time[i] > 0 && of.distance(out.time[i]) > target + 2e-4;
                wrong += is_early || (out.time[i] > 0 && of.first(target - kRounding, out.time[i]) <= out.time[i]);
                CHECK(std::fabs(out.time[i] - all.time[i]) * of.speed < 1e-3);
            } else {
                CHECK(out.time[i] == until);
                CHECK(out.signed_distance[i] == std::numeric_limits<float>::infinity());
                wrong += of.first(target - kRounding, until) <= until;
                cut += of.first(target, 1) <= 1;
            }
        }
        CHECK(wrong == 0);
        CHECK(hits > kPairs / 12);
        CHECK(cut > kPairs / 12);
    }
}

TEST_CASE("casts: of each body A the first hit counts, of equal ones the lowest pair", "[casts]") {
    for (const std::size_t parts : {1u, 3u}) {
        RodScene scene = make_rod_scene(20, parts, 110 + parts, 2);
        Random random(parts);
        // Any body with any other one, in either order, and some pairs twice.
        scene.pairs.clear();
        while (scene.pairs.size() < 400) {
            const std::uint32_t a = random.below(40), b = random.below(40);
            if (a != b) scene.pairs.push_back({a, b});
            if (a != b && random.chance(0.3))
                scene.pairs.push_back(scene.pairs[random.below(std::uint32_t(scene.pairs.size()))]);
        }
        const std::vector<Bodies> ends = scene.ends();
        NarrowPhase narrow;
        Casts all, first;
        CastOptions options;
        options.start = CastStart::ignore;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, all, options));
        options.reduction = CastReduction::first_of_body;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, first, options));
        std::size_t counted = 0, lost = 0;
        for (std::uint32_t body = 0; body < 40; ++body) {
            std::size_t best = scene.pairs.size();
            for (std::size_t i = 0; i < scene.pairs.size(); ++i)
                if (scene.pairs[i].a == body && all.hit(i) &&
                    (best == scene.pairs.size() || all.time[i] < all.time[best]))
                    best = i;
            for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
                if (scene.pairs[i].a != body) continue;
                INFO(parts << " " << body << " " << i << " " << best);
                CHECK(first.hit(i) == (i == best));
                lost += all.hit(i) && i != best;
                if (i != best)
                    CHECK((first.time[i] == 1 && std::isinf(first.signed_distance[i]) && first.normal[i] == Vec3{}));
                if (i != best || first.time[i] == 0) continue;
                ++counted;
                CHECK(first.time[i] == all.time[i]);
                CHECK((first.normal[i] == all.normal[i] && first.point_a[i] == all.point_a[i] &&
                       first.child_b[i] == all.child_b[i]));
            }
        }
        CHECK(counted > 20);
        CHECK(lost > 60);
    }
}

TEST_CASE("casts: a bad pose at the end of any part of a path gets a status and harms no other pair",
          "[casts][contained]") {
    RodScene scene = make_rod_scene(20, 3, 130, 2);
    NarrowPhase narrow;
    Casts good, bad;
    REQUIRE(narrow.cast(scene.frame(), {scene.ends(), scene.centres}, good));
    for (std::uint32_t part = 0; part <= 3; ++part)
        scene.poses[part][4 * part + part % 2].position.y = std::numeric_limits<float>::quiet_NaN();
    REQUIRE(narrow.cast(scene.frame(), {scene.ends(), scene.centres}, bad));
    for (std::uint32_t i = 0; i < 20; ++i) {
        INFO(i);
        const bool is_bad = i % 2 == 0 && i <= 6;
        CHECK(bad.status[i] == (is_bad ? Status::bad_pose : Status::ok));
        CHECK(bad.hit(i) == (!is_bad && good.hit(i)));
        CHECK(bad.time[i] == (is_bad ? 0 : good.time[i]));
    }
}
