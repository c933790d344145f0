// any_overlap of paths: the rule of PathOverlapColumns, from the overlaps of all pairs in all configurations.
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <abut/abut.hpp>

#include "queries/configurations/arms.hpp"
#include "scenes/random.hpp"
#include "support/configuration_checks.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

struct PathAnswer {
    std::uint32_t configuration = kNoPair, pair = kNoPair, unanswered = 0;
};

// Every `stride`th of a path from an offset on, offsets in the order in which they halve the gaps that are left.
std::vector<std::uint32_t> offsets_of(std::uint32_t stride) {
    std::vector<std::uint32_t> all = {0};
    const std::uint32_t rounds = std::bit_ceil(stride);
    for (std::uint32_t half = rounds / 2; half > 0; half /= 2) {
        const std::vector<std::uint32_t> before = all;
        for (const std::uint32_t offset : before) all.push_back(offset + half);
    }
    for (std::uint32_t& offset : all) offset ^= rounds / 2;
    std::erase_if(all, [&](std::uint32_t offset) { return offset >= stride; });
    return all;
}

PathAnswer expected_of(const Overlaps& all, std::size_t pairs, std::uint32_t begin, std::uint32_t end) {
    PathAnswer out;
    const std::uint32_t stride = std::max<std::uint32_t>((end - begin + 7) / 8, 1);
    for (const std::uint32_t offset : offsets_of(stride)) {
        std::uint32_t found = 0;
        for (std::uint32_t pair = 0; pair < pairs; ++pair) {
            for (std::uint32_t c = begin + offset; c < end; c += stride) {
                if (all.hit(c * pairs + pair)) {
                    out.configuration = c, out.pair = pair, out.unanswered += found;
                    return out;
                }
                found += !test::is_answered(all.status[c * pairs + pair]);
            }
        }
        out.unanswered += found;
    }
    return out;
}

}  // namespace

TEST_CASE("paths: the answer is that of all overlaps, on every instruction set", "[configurations]") {
    scenes::Random random(3);
    for (const bool has_links : {false, true}) {
        robots::Arms arms = robots::make_planner(600, 21, has_links, 5);
        // Bad poses, and some pairs of one body and of none.
        for (std::size_t i = 7; i < arms.orientations.size(); i += 1013) arms.orientations[i] = {0, 0, 0, 1.5f};
        arms.pairs.insert(arms.pairs.begin() + 9, {Pair{3, 3}, Pair{1, 100000}});
        std::vector<std::uint32_t> ends = {0, 1, 1, 8, 17, 49};
        while (ends.back() < 560) ends.push_back(ends.back() + std::uint32_t(random.below(50)));
        ends.back() = std::min<std::uint32_t>(ends.back(), 600);
        const ConfigurationPaths paths = {arms.all(), ends};
        Overlaps all;
        NarrowPhase plain;
        REQUIRE(plain.overlap_configurations(arms.all(), all));
        for (const Isa isa : test::usable_isas()) {
            for (const unsigned threads : {1u, 3u}) {
                NarrowPhase narrow({.threads = threads, .isa = isa});
                PathOverlaps out;
                REQUIRE(narrow.any_overlap(paths, out));
                test::Count wrong;
                std::size_t free = 0;
                for (std::size_t i = 0; i < ends.size(); ++i) {
                    const PathAnswer one = expected_of(all, arms.pairs.size(), i == 0 ? 0 : ends[i - 1], ends[i]);
                    wrong += out.configuration[i] != one.configuration || out.pair[i] != one.pair ||
                             out.unanswered[i] != one.unanswered;
                    free += one.pair == kNoPair;
                }
                CHECK(wrong == 0);
                CHECK(free > ends.size() / 20);
                CHECK(free < ends.size() / 2);
            }
        }
    }
}

TEST_CASE("paths: a hit ends a path", "[configurations][quick]") {
    const robots::Arms arms = robots::make_arms(512, robots::Samples::random, 6);
    const std::uint32_t end = 512;
    NarrowPhase narrow;
    PathOverlaps path;
    AnyOverlaps each;
    REQUIRE(narrow.any_overlap(arms.all(), each));
    const std::uint64_t of_all = narrow.counters().pairs;
    REQUIRE(narrow.any_overlap({arms.all(), Strided<std::uint32_t>(&end, 1)}, path));
    CHECK(path.pair[0] != kNoPair);
    CHECK(each.pair[path.configuration[0]] == path.pair[0]);
    CHECK(narrow.counters().pairs < of_all / 8);
}

TEST_CASE("paths: ends that descend or lie beyond the configurations are refused", "[configurations][contained]") {
    const robots::Arms arms = robots::make_arms(3, robots::Samples::random, 1);
    NarrowPhase narrow;
    PathOverlaps out;
    const auto message = [&](std::vector<std::uint32_t> ends) {
        const CallResult result = narrow.any_overlap({arms.all(), ends}, out);
        return result ? std::string() : std::string(result.error().message.c_str());
    };
    CHECK(message({0, 2, 3}).empty());
    CHECK(message({2, 1}).find("ends[1] is 1, expected 2 to 3") != std::string::npos);
    CHECK(message({4}).find("ends[0] is 4, expected 0 to 3") != std::string::npos);
    CHECK(message({}).empty());
    const std::uint32_t end = 3;
    CHECK(narrow.any_overlap({arms.all(), {&end, 1, 1}}, out).error().message.contains("ends"));
    std::vector<std::uint32_t> none;
    PathOverlapColumns columns{none};
    CHECK(narrow.any_overlap({arms.all(), Strided<std::uint32_t>(&end, 1)}, columns).error().code ==
          ErrorCode::bad_size);
}
