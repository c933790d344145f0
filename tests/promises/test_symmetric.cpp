// Promise 3, "Symmetric": (b, a) gives (a, b)'s bits mirrored.
#include "support/catch.hpp"

#include "scenes/resting.hpp"
#include "support/count.hpp"
#include "support/mirrored.hpp"

using namespace abut;

namespace {

constexpr std::size_t kPairs = test::kPairsAKind;

void check_mirrored(const scenes::Scene& scene) {
    // Both orders within one frame, far enough apart to fall into different chunks and lanes.
    std::vector<Pair> pairs = scene.pairs;
    for (const Pair& pair : scene.pairs) pairs.push_back({pair.b, pair.a});
    std::vector<float> margins = scene.margins;
    margins.insert(margins.end(), scene.margins.begin(), scene.margins.end());
    Frame frame = scene.frame();
    frame.pairs = pairs;
    frame.margins = margins;
    for (const Isa isa : test::usable_isas()) {
        const judge::Answers answers = judge::ask(frame, {.isa = isa});
        test::Count distances, normals, points, hits, manifolds, statuses;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const Vec3 b_from_a = test::plus(scene.body_b(i).position, test::negated(scene.body_a(i).position));
            const test::Unmirrored u = test::unmirrored(answers, i, answers, i + scene.pairs.size(), b_from_a);
            distances += u.distance, normals += u.normal, points += u.points, hits += u.hit, manifolds += u.manifolds,
                statuses += u.status;
        }
        INFO(to_string(isa));
        CHECK(distances == 0);
        CHECK(normals == 0);
        CHECK(points == 0);
        CHECK(hits == 0);
        CHECK(manifolds == 0);
        CHECK(statuses == 0);
    }
}

}  // namespace

TEST_CASE("symmetric: swapping A and B mirrors every answer", "[symmetric]") {
    check_mirrored(scenes::make_medley(kPairs));
}

TEST_CASE("symmetric: swapping A and B mirrors manifolds of many contacts", "[symmetric]") {
    check_mirrored(scenes::make_resting_medley(kPairs));
}

TEST_CASE("symmetric: the mirrored pair alone gives the same as beside its twin", "[symmetric]") {
    const scenes::Scene scene = scenes::make_medley(kPairs / 4);
    std::vector<Pair> swapped, both;
    for (const Pair& pair : scene.pairs) {
        swapped.push_back({pair.b, pair.a});
        both.insert(both.end(), {pair, {pair.b, pair.a}});
    }
    Frame frame = scene.frame();
    frame.pairs = swapped;
    const judge::Answers alone = judge::ask(frame, {});
    frame.pairs = both;
    const judge::Answers beside = judge::ask(frame, {});
    test::Count different;
    for (std::size_t i = 0; i < swapped.size(); ++i)
        different += test::words_of(alone, i) != test::words_of(beside, 2 * i + 1);
    CHECK(different == 0);
}

TEST_CASE("symmetric: a body against itself is the deepest overlap", "[symmetric]") {
    const scenes::Scene medley = scenes::make_medley(kPairs / 4);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < medley.bodies.size(); ++i)
        if (medley.bodies[i].shape.kind() != ShapeKind::halfspace) pairs.push_back({i, i});
    Frame frame = medley.frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    test::Count wrong;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Distances& d = answers.distances;
        const oracle::Solid& solid = medley.solids[medley.solid_of[pairs[i].a]];
        const oracle::Pose pose = oracle::pose_of(medley.bodies[pairs[i].a]);
        const bool ok = d.status[i] == Status::ok && answers.overlaps.hit(i) &&
                        oracle::check_answer(solid, pose, solid, pose,
                                             {d.signed_distance[i], d.normal[i], d.point_a[i], d.point_b[i]})
                            .right();
        wrong += !ok;
    }
    CHECK(wrong == 0);
}
