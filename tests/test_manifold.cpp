// What `collide` promises of a manifold, against the independent oracle: contacts on both shapes, deepest first, within the margin,
// none twice, and spanning the contact patch.
#include "catch.hpp"

#include <algorithm>
#include <string>

#include "pair_answer.hpp"
#include "scenes/random.hpp"
#include "scenes/resting.hpp"

using namespace abut;
using test::kPairsAKind;

namespace {

constexpr float kMargin = 0.02f;

std::string lines(const scenes::Scene& scene, const std::vector<judge::Failure>& failures) {
    std::string text;
    for (const judge::Failure& failure : failures)
        text += std::string("\n") + scene.family[failure.pair] + ": " + failure.why + "\n" + scene.query_line(failure.pair);
    return text;
}

judge::Report check_scene(const scenes::Scene& scene, Settings settings = {}) {
    settings.speculative_margin = kMargin;
    NarrowPhase narrow(settings);
    Manifolds manifolds;
    REQUIRE(narrow.collide(scene.frame(), manifolds));
    const judge::Report report = judge::judge_manifolds(scene, manifolds, kMargin);
    INFO(scene.name << ": " << report.contacts << " contacts in " << report.manifolds << " manifolds; " << report.wrong << " of "
                    << report.pairs << " pairs wrong, the worst " << report.worst << " of the tolerance (" << report.worst_what << "); "
                    << report.short_patches << " of " << report.patches << " patches fall short, the worst spans " << report.least_share
                    << lines(scene, report.failures) << lines(scene, report.shortest));
    CHECK(report.wrong == 0);
    CHECK(report.short_patches == 0);
    return report;
}

// Resting pairs touch; and where neither is round on all sides most of their patches have an extent.
void check_resting(ShapeKind a, ShapeKind b) {
    const judge::Report report = check_scene(scenes::make_resting(a, b, kPairsAKind));
    CHECK(double(report.manifolds) > 0.9 * double(report.pairs));
    CHECK(double(report.hits) > 0.3 * double(report.pairs));
    CHECK(double(report.hits) < 0.7 * double(report.pairs));
    if (a == ShapeKind::sphere) {
        CHECK(report.patches == 0);
        CHECK(report.contacts == report.manifolds);
    } else if (a != ShapeKind::capsule || b != ShapeKind::capsule) {
        CHECK(double(report.patches) > 0.8 * double(report.manifolds));
    } else {
        CHECK(report.patches > 0);
    }
}

}  // namespace

// Random pairs seldom have a patch; hard ones lie in every way there is.
#define ABUT_KIND(a, b)                                                                                                               \
    TEST_CASE("manifold: random pairs of " #a " and " #b, "[manifold]") { check_scene(scenes::make_row(#a "-" #b, kPairsAKind)); }      \
    TEST_CASE("manifold: hard pairs of " #a " and " #b, "[manifold]") {                                                               \
        check_scene(scenes::make_hard(ShapeKind::a, ShapeKind::b, kPairsAKind));                                                      \
    }                                                                                                                                 \
    TEST_CASE("manifold: resting pairs of " #a " and " #b, "[manifold]") { check_resting(ShapeKind::a, ShapeKind::b); }

ABUT_KIND(sphere, sphere)
ABUT_KIND(sphere, capsule)
ABUT_KIND(sphere, box)
ABUT_KIND(sphere, hull)
ABUT_KIND(capsule, capsule)
ABUT_KIND(capsule, box)
ABUT_KIND(capsule, hull)
ABUT_KIND(box, box)
ABUT_KIND(box, hull)
ABUT_KIND(hull, hull)

TEST_CASE("manifold: the exact path alone", "[manifold]") {
    check_scene(scenes::make_resting_medley(kPairsAKind / 5), {.depth = DepthPath::exact});
    check_scene(scenes::make_medley(kPairsAKind / 5), {.depth = DepthPath::exact});
}
