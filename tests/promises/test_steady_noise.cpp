// What the steadiness of contacts is measured with: noise of the stated size, configurations that touch, shares counted
// as by hand.
#include "support/catch.hpp"

#include <numbers>

#include "scenes/turning.hpp"
#include "studies/steady/goals.hpp"

using namespace abut;
using namespace abut::steady;
using oracle::Vec3d;

namespace {

double angle_between(const Quat& p, const Quat& q) {
    const Quat turn = scenes::product(p, {-q.x, -q.y, -q.z, q.w});
    return 2 * length(Vec3d(turn.x, turn.y, turn.z));
}

const std::vector<Sighting> kSquare = {{1, {0, 0, 0}}, {2, {1, 0, 0}}, {3, {1, 0, 1}}, {4, {0, 0, 1}}};

}  // namespace

TEST_CASE("steady: ids kept, motion and patch are counted as by hand", "[steady]") {
    Tracker tracker({0, 1, 0}, 2, 0.1);
    tracker.see(kSquare);
    // One moves by a quarter of the size, out of reach; one has another id; one is another's.
    tracker.see({{1, {0.5, 0, 0}}, {2, {1, 0, 0}}, {7, {1, 0, 1}}, {2, {0, 0, 1.05}}});
    const Figures f = tracker.figures();
    CHECK(f.kept == 0.5);
    CHECK(f.worst_kept == 0.5);
    CHECK(f.worst_frame == 1);
    CHECK(f.by_distance == 0.75);
    CHECK(f.worst_motion == 0.25);
    CHECK(f.motion == 0.125);
    CHECK(std::fabs(f.patch - 0.7625) < 1e-12);  // corners (1/2, 0), (1, 0), (1, 1), (0, 1.05)
    CHECK(f.counts == 1);
    tracker.see({{2, {1, 0, 0}}});
    CHECK(tracker.figures().kept == 0.375);
    CHECK(tracker.figures().worst_kept == 0.25);
    CHECK(tracker.figures().worst_frame == 2);
    CHECK(tracker.figures().patch == 0);
    CHECK(tracker.figures().counts == 2);
    tracker.see({});
    CHECK(tracker.figures().worst_kept == 0);
    CHECK(tracker.figures().counts == 3);
}

TEST_CASE("steady: the patch of contacts on a line is its length", "[steady]") {
    Tracker tracker({0, 0, 1}, 1, 0.1);
    tracker.see({{1, {0, 0, 0}}, {2, {1, 0, 0}}});
    tracker.see({{1, {0, 0, 0}}, {2, {0.75, 1e-4, 0.3}}});
    CHECK(std::fabs(tracker.figures().patch - 0.75) < 1e-6);
}

TEST_CASE("steady: noise has the stated size and does not depend on what else is measured", "[steady]") {
    const std::vector<Row> rows = make_rows(5), some = choose(rows, "prism12 on box", "yaw 45,", 1);
    REQUIRE(some.size() == 1);
    REQUIRE(some[0].configurations.size() == 3);
    for (const Configuration& c : some[0].configurations) {
        for (std::size_t level = 0; level < kNoiseCount; ++level) {
            Noise noise(some[0], c, level, NoiseMode::independent, 5),
                again(rows[some[0].index], c, level, NoiseMode::independent, 5);
            for (int frame = 0; frame < 20; ++frame) {
                const Body body = noise.next();
                CHECK(std::fabs(angle_between(body.orientation, c.upper_body.orientation) - kNoises[level]) < 5e-7);
                CHECK(std::fabs(length(Vec3d(body.position) - Vec3d(c.upper_body.position)) - kNoises[level] * c.size) <
                      1e-6 * c.size);
                CHECK(body.position == again.next().position);
            }
        }
        Noise walk(some[0], c, 3, NoiseMode::walk, 5);
        double farthest = 0;
        for (int frame = 0; frame < 500; ++frame)
            farthest = std::max(farthest, angle_between(walk.next().orientation, c.upper_body.orientation));
        CHECK(farthest > 5 * kNoises[3]);
        CHECK(farthest < 10.1 * kNoises[3]);
    }
}

TEST_CASE("steady: every configuration touches at rest, and equal poses give equal contacts", "[steady]") {
    const std::vector<Row> rows = make_rows(3);
    const std::vector<RowOutcome> outcomes = measure(rows, {.frames = 3, .seed = 3, .bullet = false});
    std::size_t configurations = 0, flat = 0;
    for (const RowOutcome& row : outcomes) {
        REQUIRE(row.trouble.empty());
        for (std::size_t i = 0; i < row.outcomes.size(); ++i) {
            const Figures &cold = row.outcomes[i].abut[kCold][0], &noisy = row.outcomes[i].abut[kCold][kNoiseCount - 1];
            INFO(row.row.configurations[i].name);
            CHECK(cold.most_contacts > 0);
            CHECK(cold.kept == 1);
            CHECK(cold.worst_motion == 0);
            CHECK(cold.patch == 1);
            CHECK(noisy.most_contacts > 0);
            ++configurations;
            flat += cold.most_contacts >= 3;
        }
    }
    CHECK(configurations > 10000);
    CHECK(double(flat) > 0.8 * double(configurations));
}
