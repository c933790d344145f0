// What a start within the target means, of bodies that rotate: its points approach each other or not, by closed forms
// in double.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <cmath>
#include <vector>

#include "queries/casts/routes.hpp"

using namespace abut;
using namespace abut::casts;

namespace {

#ifdef NDEBUG
constexpr std::uint32_t kPairs = 1000;
#else
constexpr std::uint32_t kPairs = 100;
#endif
constexpr double kRounding = 2e-5;

}  // namespace

TEST_CASE("casts: of rotating bodies a start counts if it closes, else once the pair has separated", "[casts][right]") {
    for (const std::size_t parts : {1u, 2u}) {
        const RodScene scene = make_rod_scene(kPairs, parts, 90 + parts, 0.8);
        const std::vector<Bodies> ends = scene.ends();
        Random random(parts);
        std::vector<float> targets;
        std::vector<double> starts;
        std::vector<Route> routes;
        for (std::uint32_t body = 0; body < 2 * kPairs; ++body) routes.push_back(scene.route(body));
        const auto distance = [&](std::size_t i, double time) {
            const Pair pair = scene.pairs[i];
            return distance_of(scene.rods[pair.a], routes[pair.a].at(time), scene.rods[pair.b],
                               routes[pair.b].at(time));
        };
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            starts.push_back(distance(i, 0));
            targets.push_back(float(std::max(0.0, starts[i] + random.uniform(0.001, 0.1))));
        }
        NarrowPhase narrow;
        Casts out, ignored;
        CastOptions options;
        options.targets = targets, options.start = CastStart::closing_only;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, out, options));
        options.start = CastStart::ignore;
        REQUIRE(narrow.cast(scene.frame(), {ends, scene.centres}, ignored, options));
        std::size_t closing = 0, opening = 0, later = 0, never = 0;
        test::Count wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            REQUIRE(out.status[i] == Status::ok);
            CHECK(!ignored.hit(i));
            // Rods that cross have no depth of their own.
            if (starts[i] < -0.04) continue;
            const double rate = (distance(i, 1e-5) - starts[i]) / 1e-5;
            if (std::fabs(rate) < 0.1) continue;
            const Pair pair = scene.pairs[i];
            const double speed =
                routes[pair.a].speed(reach_of(scene.rods[pair.a])) + routes[pair.b].speed(reach_of(scene.rods[pair.b]));
            INFO(parts << " " << i << " starts at " << starts[i] << " target " << targets[i] << " rate " << rate
                       << " time " << out.time[i]);
            if (rate < 0) {
                ++closing;
                CHECK((out.hit(i) && out.time[i] == 0));
                wrong += std::fabs(out.signed_distance[i] - starts[i]) > kRounding;
                continue;
            }
            // A compound's nearest child may open while another one closes.
            const bool is_convex = scene.rods[pair.a].size() == 1 && scene.rods[pair.b].size() == 1;
            if (!is_convex && out.hit(i) && out.time[i] == 0) continue;
            ++opening;
            // The smaller body has less than 3 m.
            constexpr double kTolerance = 3e-4;
            double separated = 0;
            while (separated < 1 && distance(i, separated) < targets[i] + 2 * kTolerance) separated += 1e-3;
            const double end = out.hit(i) ? out.time[i] : 1.0;
            const auto surely = [&](double level, double from) {
                return first_time([&](double time) { return distance(i, time); }, level, speed, from, end);
            };
            if (separated < end) CHECK(surely(targets[i], separated) > end - 1e-12);
            CHECK(surely(starts[i] - 2 * kTolerance, 0) > end - 1e-12);
            (out.hit(i) ? later : never) += 1;
            if (!out.hit(i)) continue;
            CHECK(out.time[i] > 0);
            const double found = distance(i, out.time[i]);
            CHECK(found < (separated < end || !is_convex ? targets[i] + kTolerance : starts[i]) + kRounding);
            // Ignored children do not count.
            CHECK(out.signed_distance[i] > found - kRounding);
            if (is_convex) CHECK(out.signed_distance[i] < found + kRounding);
        }
        CHECK(wrong == 0);
        CHECK(closing > kPairs / 10);
        CHECK(opening > kPairs / 20);
        CHECK(later > kPairs / 50);
        CHECK(never > kPairs / 50);
    }
}
