// How the comparison's scenes are put together, and what its verdict says.
#include <memory>
#include <string>
#include <vector>

#include "adapter.hpp"
#include "frustum.hpp"
#include "report.hpp"
#include "simulation.hpp"
#include "support/catch.hpp"

using abut::tools::Measured;
using abut::tools::NamedScene;
using abut::tools::NarrowPhaseKind;
using abut::tools::Outcome;
using abut::tools::SceneReport;

namespace {

constexpr NamedScene kStands = {"any", "", Outcome::stands, 0.25, nullptr};

// Two bodies of a kilogram each; abut's lines are equal.
SceneReport report_of(const Measured& own, const Measured& abut) {
    SceneReport report{&kStands, {{NarrowPhaseKind::bullet, own}, {NarrowPhaseKind::abut_cold, abut}}};
    for (SceneReport::Line& line : report.lines) {
        line.measured.bodies = 2;
        line.measured.mass = 2;
    }
    return report;
}

Measured at_rest(std::size_t stand, double energy, double drift) {
    Measured measured;
    measured.as_expected = stand;
    measured.mean_energy = measured.highest_energy = energy;
    measured.drift = drift;
    return measured;
}

bool mentions(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("no body of a scene that stands starts inside another") {
    for (const NamedScene& named : abut::tools::named_scenes()) {
        if (named.outcome != Outcome::stands) continue;
        INFO(named.name);
        // abut's depths: Bullet's own are off by more between some cylinders.
        abut::tools::Simulation simulation(named.make(), [](btCollisionConfiguration* configuration) {
            return std::make_unique<abut::bullet::Dispatcher>(configuration);
        });
        simulation.step(1e-5);                                        // nothing has moved yet
        const std::vector<double> overlaps = simulation.overlaps();   // ascending
        for (const double overlap : overlaps) CHECK(overlap < 5e-5);  // Bullet puts a margin of 1e-5 around each hull
    }
}

TEST_CASE("a frustum's origin is its centre of mass") {
    CHECK(abut::tools::frustum_centre(1, 2) == Approx(1));    // a prism
    CHECK(abut::tools::frustum_centre(0, 2) == Approx(0.5));  // a pyramid
    // A right triangle: its centroid is a third of the way along each leg.
    const abut::tools::Corner corners[] = {{0, 0}, {3, 0}, {0, 3}};
    const abut::tools::ShapeSpec spec = abut::tools::make_frustum(corners, 1, 2);
    REQUIRE(spec.vertices.size() == 6);
    CHECK(spec.vertices[0].x == Approx(-1));
    CHECK(spec.vertices[0].y == Approx(-1));
    CHECK(spec.vertices[0].z == Approx(-1));
    CHECK(spec.vertices[4].x == Approx(2));
    CHECK(spec.vertices[4].y == Approx(1));
}

TEST_CASE("the verdict names what is worse than with Bullet's own narrow phase") {
    const Measured own = at_rest(2, 0.1, 0.01);
    const std::string good = verdict_line(report_of(own, at_rest(2, 0.1, 0.01)));
    CHECK(!mentions(good, "worse"));
    const std::string falls = verdict_line(report_of(own, at_rest(1, 0.1, 0.01)));
    CHECK(mentions(falls, "worse than Bullet's own: outcome (abut cold)"));
    CHECK(!mentions(falls, "drift"));
    CHECK(mentions(verdict_line(report_of(own, at_rest(2, 0.2, 0.01))), "mean energy (abut cold)"));
    CHECK(mentions(verdict_line(report_of(own, at_rest(2, 0.1, 0.02))), "drift (abut cold)"));
    CHECK(shortcomings(report_of(own, at_rest(1, 0.2, 0.02))).size() == 4);  // the highest energy, too
}

TEST_CASE("where Bullet's own falls, nothing is asked") {
    const SceneReport report = report_of(at_rest(1, 0.1, 0.01), at_rest(0, 1, 1));
    CHECK(mentions(verdict_line(report), "not with Bullet's own narrow phase either"));
    CHECK(shortcomings(report).empty());
}

TEST_CASE("energy that nobody sees is no shortcoming, and bodies of a gram have less of it") {
    SceneReport report = report_of(at_rest(2, 0, 0), at_rest(2, 0.9e-6, 0));
    CHECK(shortcomings(report).empty());
    for (SceneReport::Line& line : report.lines) line.measured.mass = 0.01;
    CHECK(!shortcomings(report).empty());
}
