// Promise 4, "Scale-free": the same answers at every scale, bit for bit under powers of two.
#include "support/catch.hpp"

#include <cmath>

#include "scenes/resting.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

// What the caller gives in metres.
constexpr float kMargin = 0.02f, kSlack = 0.005f;

Vec3 times(Vec3 v, float factor) { return {v.x * factor, v.y * factor, v.z * factor}; }

// What the answers would be in other units.
judge::Answers scaled(judge::Answers answers, float factor) {
    for (Distances* d : {&answers.distances, &answers.separations}) {
        for (float& distance : d->signed_distance) distance *= factor;
        for (Vec3& p : d->point_a) p = times(p, factor);
        for (Vec3& p : d->point_b) p = times(p, factor);
    }
    for (Contact& contact : answers.manifolds.contacts) {
        contact.separation *= factor;
        contact.position = times(contact.position, factor);
    }
    return answers;
}

std::size_t differing(const scenes::Scene& scene, const judge::Answers& expected, const judge::Answers& actual) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        if (test::words_of(expected, i) == test::words_of(actual, i)) continue;
        if (count++ == 0) UNSCOPED_INFO("the first: " << scene.family[i] << ", " << scene.query_line(i));
    }
    return count;
}

}  // namespace

TEST_CASE("scale free: powers of two change no bit", "[scale_free]") {
    const scenes::Scene medley = scenes::make_medley(test::kPairsAKind / 2),
                        row = scenes::make_row("mixed", test::kPairsAKind / 2),
                        resting = scenes::make_resting_medley(test::kPairsAKind / 2);
    for (const scenes::Scene* scene : {&medley, &row, &resting}) {
        const judge::Answers unit =
            judge::ask(scene->frame(), {.speculative_margin = kMargin, .contact_slack = kSlack});
        for (const int exponent : {-40, -33, -10, -7, -3, -1, 1, 2, 5, 10, 33, 40}) {
            const float factor = std::ldexp(1.0f, exponent);
            const scenes::Scene other = scenes::scaled(*scene, factor);
            const judge::Answers answers =
                judge::ask(other.frame(), {.speculative_margin = kMargin * factor, .contact_slack = kSlack * factor});
            INFO("2^" << exponent);
            CHECK(differing(other, scaled(unit, factor), answers) == 0);
        }
    }
}

TEST_CASE("scale free: right in millimetres and kilometres", "[scale_free]") {
    const scenes::Scene unit = scenes::make_row("mixed", test::kPairsAKind / 5);
    for (const float factor : {1e-4f, 1e-3f, 0.3f, 7.0f, 1e3f, 1e4f}) {
        scenes::Scene scene = scenes::scaled(unit, factor);
        scene.compute_reference();
        const judge::Report report =
            judge::judge(scene, judge::ask(scene.frame(), {.speculative_margin = 0.02f * factor}), 0.02f * factor);
        INFO(factor << ": the worst is " << report.worst << " of the tolerance, " << report.worst_what);
        CHECK(report.wrong == 0);
        CHECK(double(report.hits) > 0.3 * double(report.pairs));
        CHECK(double(report.hits) < 0.7 * double(report.pairs));
    }
}
