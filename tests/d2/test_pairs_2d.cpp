// d2::NarrowPhase against the oracle, on families of hard pairs: the promises in the plane.
#include <cstring>
#include <vector>

#include <abut/d2.hpp>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/judge_2d.hpp"

using namespace abut;
using plane::Family;

namespace {

constexpr std::size_t kPairs = 1500;

const std::vector<Isa> kIsas = [] {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(isa);
    return isas;
}();

// The cases of a scene that check() finds wrong; a failing test names the first mistake.
template <class Check>
test::Count wrong_cases(const plane::Scene& scene, Check check) {
    test::Count wrong;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const plane::Mistakes mistakes = check(plane::Case(scene.given[i]), i);
        if (!mistakes.empty() && wrong == 0) UNSCOPED_INFO(mistakes[0].what << ": " << mistakes[0].details);
        wrong += !mistakes.empty();
    }
    return wrong;
}

}  // namespace

TEST_CASE("plane: right: distances, normals and points of hard pairs", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const DepthPath depth = GENERATE(DepthPath::automatic, DepthPath::exact);
    const plane::Scene scene(family, kPairs, 1);
    const plane::Answers answers = ask(scene, Isa::best, 0, depth);
    CHECK(wrong_cases(scene, [&](const plane::Case& one, std::size_t i) { return check_distance(one, answers, i); }) ==
          0);
}

TEST_CASE("plane: right: contacts lie on both surfaces, the deepest at the distance", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const float slack = GENERATE(0.0f, Settings().contact_slack);
    const plane::Scene scene(family, kPairs, 2);
    const plane::Answers answers = ask(scene, Isa::best, slack);
    CHECK(wrong_cases(scene, [&](const plane::Case& one, std::size_t i) {
              return check_manifolds(one, answers, i, scene.margins[i]);
          }) == 0);
}

TEST_CASE("plane: same bits on every instruction set, symmetric, and alone as in a batch",
          "[d2][same-bits][symmetric]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const plane::Scene scene(family, kPairs, 3);
    const plane::Answers first = ask(scene, kIsas[0]);
    for (const Isa isa : kIsas) {
        INFO(to_string(isa));
        CHECK(same_bits(ask(scene, isa), first));
    }
    CHECK(wrong_cases(scene, [&](const plane::Case&, std::size_t i) { return check_mirrored(first, i, kPairs + i); }) ==
          0);
    Settings settings;
    settings.executor = serial_executor();
    d2::NarrowPhase phase(settings);
    test::Count alone;
    for (std::size_t i = 0; i < kPairs; i += 10) {
        d2::Frame frame = scene.frame();
        frame.pairs = frame.pairs.subspan(i, 1), frame.margins = {};
        d2::Distances out;
        REQUIRE(phase.distance(frame, out));
        alone += std::memcmp(&out.signed_distance[0], &first.distances.signed_distance[i], sizeof(float)) != 0;
    }
    CHECK(alone == 0);
}
