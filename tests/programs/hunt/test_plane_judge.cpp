// What the judge of the plane notices: right answers pass, and each kind of wrong one is found.
#include "support/catch.hpp"

#include "programs/hunt/batch.hpp"
#include "support/judge_2d.hpp"

using namespace abut;

namespace {

std::size_t wrong_pairs(const plane::Scene& scene, const plane::Answers& answers) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scene.given.size(); ++i) {
        const plane::Case one(scene.given[i]);
        wrong += !check_distance(one, answers, i).empty() ||
                 !check_manifolds(one, answers, i, scene.margins[i]).empty() ||
                 !check_mirrored(answers, i, scene.given.size() + i).empty();
    }
    return wrong;
}

}  // namespace

TEST_CASE("the judge of the plane finds each kind of wrong answer") {
    const plane::Scene scene(plane::Family::mixed, 64, 5);
    const plane::Answers right = ask(scene, Isa::best);
    CHECK(wrong_pairs(scene, right) == 0);
    REQUIRE(right.manifolds.manifolds.size() > 64);
    const auto check = [&](const char* what, auto change) {
        INFO(what);
        plane::Answers wrong = right;
        change(wrong);
        CHECK(wrong_pairs(scene, wrong) > 0);
        CHECK(!same_bits(wrong, right));
    };
    check("distance", [](auto& a) { a.distances.signed_distance[3] += 1e-4f; });
    check("normal", [](auto& a) { a.distances.normal[3].x += 1e-3f; });
    check("point", [](auto& a) { a.distances.point_b[3].y += 1e-3f; });
    check("overlap", [](auto& a) { a.overlaps.bits[0] ^= 8; });
    check("status", [](auto& a) { a.distances.status[3] = Status::bad_pose; });
    check("separation", [](auto& a) { a.manifolds.manifolds[3].contacts[0].separation -= 1e-3f; });
    check("position", [](auto& a) { a.manifolds.manifolds[3].contacts[0].position.x += 0.1f; });
    check("feature", [](auto& a) { a.manifolds.manifolds[3].contacts[0].feature ^= 1; });
    check("manifold", [](auto& a) { a.manifolds.first_manifold.assign(a.manifolds.first_manifold.size(), 0); });
}

TEST_CASE("a batch of every family of the plane has no wrong answer") {
    hunt::Plan plan;
    plan.isas = {Isa::best}, plan.pairs = 96;
    for (const hunt::Game& game : hunt::plane_games()) {
        const hunt::Tally tally = game.run_batch(11, plan);
        INFO(game.name);
        CHECK(tally.pairs == 96);
        CHECK(tally.wrong == 0);
        CHECK(tally.quality.undecided <= 24);
    }
}
