// Contacts that rest keep their feature ids while noise of a solver's size moves the shapes: without caches and with
// them, on every instruction set. `abut_steady` prints the table and replays a configuration.
#include "support/catch.hpp"

#include <algorithm>
#include <string>

#include "studies/steady/goals.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using namespace abut::steady;

namespace {

#ifdef NDEBUG
constexpr double kSize = 0;  // all
#else
constexpr double kSize = 1;
#endif

// Noise chooses between two patches that are as good wherever a choice has a border; few configurations are on one.
constexpr double kOnBorder = 0.03;

void check_goals(std::string_view kind) {
    const std::vector<Row> rows = choose(make_rows(2), kind, "", kSize);
    REQUIRE(!rows.empty());
    std::size_t configurations = 0;
    for (const Row& row : rows) configurations += row.configurations.size();
    for (const Isa isa : test::usable_isas()) {
        const std::vector<RowOutcome> outcomes = measure(rows, {.frames = 40, .seed = 2, .isa = isa, .bullet = false});
        for (const RowOutcome& row : outcomes) REQUIRE(row.trouble == "");
        const std::vector<Shortfall> short_of = shortfalls(outcomes);
        INFO(to_string(isa) << to_text(short_of, outcomes, 10));
        for (const Start start : {kCold, kWarm}) {
            for (std::size_t level = 0; level < kNoiseCount; ++level) {
                const auto is_here = [&](const Shortfall& s) { return s.start == start && s.level == level; };
                const auto count = std::size_t(std::ranges::count_if(short_of, is_here));
                INFO("noise " << kNoises[level] << ", " << (start == kCold ? "cold" : "warm") << ": " << count << " of "
                              << configurations);
                CHECK(double(count) <= (level == 0 ? 0 : kOnBorder) * double(configurations));
            }
        }
    }
}

}  // namespace

TEST_CASE("steady: boxes keep their contact ids", "[steady]") {
    check_goals("box on");
    check_goals("box-hull on");
    check_goals("plank on");
}
TEST_CASE("steady: prisms keep their contact ids", "[steady]") { check_goals("prism"); }
TEST_CASE("steady: frusta and hulls of many faces keep their contact ids", "[steady]") {
    check_goals("frustum");
    check_goals("dome64 on");
}
TEST_CASE("steady: standing cylinders and cones keep their contact ids", "[steady]") {
    check_goals("cylinder on");
    check_goals("cone on");
}
TEST_CASE("steady: lying capsules and cylinders keep their contact ids", "[steady]") { check_goals("lying"); }
TEST_CASE("steady: compounds keep their contact ids", "[steady]") { check_goals("two-"); }
