// Warm-started walks: frame after frame with the caches carried on, the answers stay right.
#include "support/catch.hpp"

#include <string_view>

#include <string>

#include "scenes/resting.hpp"
#include "support/count.hpp"
#include "support/walked.hpp"
#include "support/warm_calls.hpp"

using namespace abut;
using test::Caches, test::check_right, test::Still;

namespace {

constexpr std::size_t kPairs = test::kWarmPairs;
#ifdef NDEBUG
constexpr std::size_t kFrames = 1000;
#else
constexpr std::size_t kFrames = 100;
#endif

void check_walk(const scenes::Scene& start, const scenes::Walk& walk) {
    const scenes::Scene scene = scenes::make_walk(start, walk);
    check_right(scene, test::judge_walk(scene, start.pairs.size(), {}));
}

// Of the pairs in contact, those that were answered from their caches alone.
std::size_t kept(const Still& still) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < still.traces.size(); ++i) count += still.touches(i) && still.traces[i].count == 0;
    return count;
}

// Of the pairs that overlap, how many there are, and whose depth the vertices in their caches proved without separating
// axes.
struct Overlapping {
    std::size_t all = 0, proved = 0;

    void add(const Still& still) {
        for (const Manifold& manifold : still.manifolds.manifolds) {
            const PairTrace& trace = still.traces[manifold.pair];
            const bool overlaps = still.manifolds.contacts[manifold.first_contact].separation < 0;
            all += overlaps;
            proved += overlaps && trace.count == 2 && trace.states[0] == PairState::warm_search &&
                      trace.states[1] == PairState::manifold;
        }
    }
};

}  // namespace

TEST_CASE("warm: random walks stay right", "[warm]") {
    const ShapeKind kinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull};
    for (const ShapeKind a : kinds)
        for (const ShapeKind b : kinds)
            if (a <= b) check_walk(scenes::make_resting(a, b, 4, 7), {.frames = kFrames});
}

TEST_CASE("warm: walks of large steps and tiny ones, over teleports, stay right", "[warm]") {
    const scenes::Scene start = scenes::make_resting_medley(40, 11);
    check_walk(start, {.frames = kFrames / 5, .step = 0.3, .teleport_every = 3});
    check_walk(start, {.frames = kFrames / 5, .step = 1e-2, .teleport_every = 20});
    check_walk(start, {.frames = kFrames / 5, .step = 1e-6, .teleport_every = 20});
    check_walk(start, {.frames = 20, .step = 0});
}

TEST_CASE("warm: far pairs are answered from their caches while these prove it", "[warm]") {
    const std::size_t slots = kPairs / 4;
    const scenes::Scene walk =
        scenes::make_walk(scenes::make_resting_medley(slots, 19), {.frames = 40, .step = 0.05, .teleport_every = 10});
    Caches caches(slots);
    std::vector<Pair> pairs(slots);
    NarrowPhase narrow;
    Manifolds manifolds;
    std::size_t kept = 0;
    test::Count wrong;
    for (std::size_t first = 0; first < walk.pairs.size(); first += slots) {
        Frame frame = walk.frame();
        frame.pairs = {&walk.pairs[first], slots};
        frame.margins = std::span(walk.margins).subspan(first, slots);
        frame.caches = caches;
        const Caches before = caches;
        REQUIRE(narrow.collide(frame, manifolds));
        for (std::size_t i = 0; i < slots; ++i) {
            const bool touches = manifolds.first_manifold[i + 1] > manifolds.first_manifold[i];
            const double excess = walk.reference[first + i] - walk.margins[first + i],
                         bound = walk.tolerance(first + i);
            wrong += (touches && excess > bound) || (!touches && excess < -bound);
            // A search leaves other bytes behind than those of the frame before.
            kept += !touches && first != 0 && test::same(before[i], caches[i]);
        }
    }
    CHECK(wrong == 0);
    CHECK(kept > walk.pairs.size() / 20);
}

TEST_CASE("warm: walks of a solver's noise stay right", "[warm]") {
    for (const double step : {0.0, 1e-7, 1e-6, 4e-6}) {
        INFO(step);
        check_walk(scenes::make_resting_medley(kPairs / 40, 29), {.frames = 40, .step = step, .teleport_every = 15});
    }
}

TEST_CASE("warm: depths that four vertices prove stay right while hulls walk", "[warm]") {
    constexpr std::size_t kSlots = 100;
    for (const ShapeKind other : {ShapeKind::box, ShapeKind::hull}) {
        const scenes::Scene start = scenes::make_resting(other, ShapeKind::hull, kSlots, 41);
        for (const double step : {1e-5, 1e-3, 1e-2}) {
            const scenes::Scene walk = scenes::make_walk(start, {.frames = 15, .step = step, .teleport_every = 6});
            Still still(kSlots);
            judge::Report report;
            Overlapping overlapping;
            for (std::size_t first = 0; first < walk.pairs.size(); first += kSlots) {
                Frame frame = walk.frame();
                frame.pairs = frame.pairs.subspan(first, kSlots);
                frame.margins = frame.margins.subspan(first, kSlots);
                judge::Answers answers = judge::ask(frame, {});
                still.collide(frame, {.contact_slack = 0});
                overlapping.add(still);
                Caches caches = still.caches;
                frame.caches = caches;
                REQUIRE(NarrowPhase().distance(frame, answers.distances));
                answers.manifolds = still.manifolds;
                report.add(judge::judge(walk, answers, Settings().speculative_margin, first));
            }
            INFO(to_string(other) << " and hull, steps of " << step << ": " << overlapping.proved << " of "
                                  << overlapping.all);
            check_right(walk, report);
            CHECK(overlapping.all > walk.pairs.size() / 5);
            CHECK(overlapping.proved > overlapping.all / 3);
        }
    }
}

TEST_CASE("warm: contacts that follow stay right while resting faces walk", "[warm]") {
    constexpr std::size_t kSlots = 60;
    for (const char* name :
         {"resting-boxes", "resting-boxes-yawed", "resting-prisms5", "resting-prisms12", "resting-cylinders"}) {
        scenes::Scene start = scenes::make_row(name, kSlots, 37, scenes::Keep::no);
        start.margins.assign(kSlots, Settings().speculative_margin);
        for (const double step : {1e-5, 1e-4, 1e-3, 1e-2}) {
            const scenes::Scene walk = scenes::make_walk(start, {.frames = 12, .step = step, .teleport_every = 5});
            Still still(kSlots);
            judge::Report report;
            std::size_t followed = 0;
            for (std::size_t first = 0; first < walk.pairs.size(); first += kSlots) {
                Frame frame = walk.frame();
                frame.pairs = frame.pairs.subspan(first, kSlots);
                frame.margins = frame.margins.subspan(first, kSlots);
                judge::Answers answers = judge::ask(frame, {});
                still.collide(frame);
                followed += kept(still);
                answers.manifolds = still.manifolds;
                report.add(judge::judge(walk, answers, Settings().speculative_margin, first));
            }
            INFO(name << ", steps of " << step);
            check_right(walk, report);
            // Bodies that lean by more than the slack keep what bears the load, which may span less.
            CHECK((report.short_patches == 0 || step > 1e-3 || std::string_view(name).ends_with("prisms5")));
            // The longest steps leave the slack. Caps, and pentagons of which one lies on the other's border, follow
            // for 1/32 of that.
            const bool has_laws =
                !std::string_view(name).ends_with("prisms5") && !std::string_view(name).ends_with("cylinders");
            CHECK((followed > walk.pairs.size() / 3 || step > (has_laws ? 1e-3 : 1e-5)));
        }
    }
}

// Boxes prefer faces to edges within the contact slack: what is kept of them must bound the distance, not the preferred
// axis's.
TEST_CASE("warm: boxes whose axis is short of their distance stay right", "[warm]") {
    constexpr std::size_t kSlots = 8, kLast = 8480,
                          kJudged = 80;  // about frame 8439 a kept bound that is too low gives wrong contacts
    const scenes::Scene start = scenes::make_resting(ShapeKind::box, ShapeKind::box, kSlots, 17);
    const scenes::Scene walk = scenes::make_walk(start, {.frames = kLast, .step = 1e-3, .teleport_every = 50});
    const test::Walked walked = test::ask_frames(walk, test::in_order(kSlots), {});
    judge::Report report;
    for (std::size_t f = kLast - kJudged; f < kLast; ++f)
        report.add(judge::judge(walk, walked.answers[f], Settings().speculative_margin, f * kSlots));
    check_right(walk, report);
}
