// Casts against the oracle: none late, none missed, none early by more than the tolerance.
#include "support/catch.hpp"

#include <abut/narrow_phase.hpp>

#include "queries/casts/motions.hpp"

using namespace abut;

namespace {

#ifdef NDEBUG
constexpr std::size_t kPairs = 1000;
#else
constexpr std::size_t kPairs = 100;
#endif

Casts answers_of(const casts::MotionScene& motions) {
    const Bodies ends[] = {motions.ends};
    CastOptions options;
    options.targets = motions.targets;
    NarrowPhase narrow;
    Casts answers;
    REQUIRE(narrow.cast(motions.scene.frame(), {ends}, answers, options));
    return answers;
}

void check_kinds(ShapeKind a, ShapeKind b, std::size_t pairs, std::uint64_t seed, bool hard) {
    const casts::MotionScene motions = casts::make_motions(a, b, pairs, seed, hard);
    const Casts answers = answers_of(motions);
    const casts::Tally tally = casts::judge(motions, answers, CastOptions().tolerance);
    INFO(motions.scene.name << (hard ? ", hard" : ""));
    for (const std::string& example : tally.examples) UNSCOPED_INFO(example);
    // A pair that is not decided says so: in hard poses alone.
    const std::size_t not_decided = tally.by_fault[int(casts::Fault::status)];
    CHECK(tally.wrong == not_decided);
    CHECK(not_decided <= (hard ? 1 + pairs / 100 : 0));
    CHECK(tally.undecided <= pairs / 100);
    if (hard) return;
    CHECK(double(tally.hits) > 0.3 * double(tally.pairs));
    CHECK(double(tally.hits) < 0.95 * double(tally.pairs));
    CHECK(double(tally.starts) < 0.5 * double(tally.hits));
}

}  // namespace

TEST_CASE("casts: every pair of kinds meets when the oracle says so", "[casts][right]") {
    constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                    ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};
    for (std::size_t a = 0; a < std::size(kKinds); ++a) {
        for (std::size_t b = a; b < std::size(kKinds); ++b) {
            if (kKinds[a] == ShapeKind::halfspace && kKinds[b] == ShapeKind::halfspace) continue;
            check_kinds(kKinds[a], kKinds[b], kPairs, 3, false);
            check_kinds(kKinds[a], kKinds[b], kPairs / 10, 4, true);
        }
    }
}

TEST_CASE("casts: a worse answer is found out", "[casts]") {
    const casts::MotionScene motions = casts::make_motions(ShapeKind::box, ShapeKind::hull, 200, 9, false);
    const Casts answers = answers_of(motions);
    std::size_t late = 0, early = 0, missed = 0, tried = 0;
    for (std::size_t i = 0; i < answers.time.size(); ++i) {
        if (!answers.hit(i) || answers.time[i] < 0.05 || answers.time[i] > 0.9) continue;
        ++tried;
        Casts worse = answers;
        worse.time[i] = answers.time[i] + 0.02;
        late += casts::judge_pair(motions, worse, i, CastOptions().tolerance).fault != casts::Fault::none;
        worse.time[i] = answers.time[i] - 0.04;
        early += casts::judge_pair(motions, worse, i, CastOptions().tolerance).fault == casts::Fault::early;
        worse.bits[i / 32] &= ~(1u << (i % 32));
        missed += casts::judge_pair(motions, worse, i, CastOptions().tolerance).fault == casts::Fault::missed;
    }
    CHECK(tried > 50);
    CHECK(late > tried * 9 / 10);
    CHECK(early > tried * 9 / 10);
    CHECK(missed > tried * 9 / 10);
}
