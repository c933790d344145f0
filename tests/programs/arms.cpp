// abut_arms: robot arms in many configurations, by one call and by a call for each.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>

#include <fmt/format.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT
#endif

#include "arguments.hpp"
#include "queries/configurations/arms.hpp"

using namespace abut;

namespace {

template <class Call>
double nanoseconds_of(Call&& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

void require(const CallResult& result) {
    if (result) return;
    fmt::print(stderr, "abut_arms: {}\n", result.error().message.c_str());
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Times queries on robot arms: one call for all configurations against a call for each. `arms` are two of 7 "
        "joints and 15 shapes each; `spheres` and `links` one arm of 59 spheres among boxes, spheres and capsules, as "
        "bodies or as 11 compounds.\n\n"
        "Examples:\n"
        "  abut_arms\n"
        "  abut_arms --robot spheres --obstacles 21 --configurations 10000\n"
        "  abut_arms --samples path --configurations 1000 --rounds 20\n"
        "  valgrind --tool=callgrind --collect-atstart=no abut_arms --rounds 1 --only distance   instructions of one "
        "query\n");
    std::size_t configurations = 1000, rounds = 10, states = 32;
    std::uint32_t obstacles = 21, points = 0;
    std::string samples = "random", only, robot = "arms";
    app.add("--configurations", configurations, "of the joints").show_default();
    app.add("--rounds", rounds, "turns, of which the best counts").show_default();
    app.add("--robot", robot, "arms, spheres or links").show_default().one_of({"arms", "spheres", "links"});
    app.add("--obstacles", obstacles, "of spheres and links").show_default();
    app.add("--points", points, "of a cloud in place of these obstacles").show_default();
    app.add("--samples", samples, "random, or path").show_default().one_of({"random", "path"});
    app.add("--states", states, "in each path").in_range(1, 1 << 20).show_default();
    app.add("--only", only, "one column of the table alone; its second turn is counted by callgrind");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;

    const robots::Arms arms =
        robot == "arms"
            ? robots::make_arms(configurations, samples == "path" ? robots::Samples::path : robots::Samples::random, 1)
            : robots::make_planner(configurations, obstacles, robot == "links", 1, samples == "path" ? states : 1,
                                   points);
    const Configurations all = arms.all();
    const std::size_t pairs = arms.pairs.size();
    std::vector<std::vector<Body>> records;
    for (std::size_t c = 0; c < arms.size(); ++c) records.push_back(arms.records(c));
    NarrowPhase narrow({.executor = serial_executor()});
    Distances d, each;
    Overlaps o;
    AnyOverlaps any;
    LeastDistances least;
    PathOverlaps paths;
    std::vector<std::uint32_t> ends;
    for (std::size_t end = states; end <= arms.size(); end += states) ends.push_back(std::uint32_t(end));
    const auto frame = [&](std::size_t c) { return Frame{&arms.shapes, records[c], arms.pairs}; };
    const std::vector<std::pair<std::string, std::function<void()>>> rows =
        {
            {"distance, a call each",
             [&] {
        for (std::size_t c = 0; c < arms.size(); ++c) require(narrow.distance(frame(c), each));
             }},
            {"distance", [&] { require(narrow.distance_configurations(all, d)); }},
            {"overlap, a call each",
             [&] {
        for (std::size_t c = 0; c < arms.size(); ++c) require(narrow.overlap(frame(c), o));
             }},
                                                                     {"overlap",
                                                                      [&] {
        require(narrow.overlap_configurations(all, o));
                                                                      }},
        {"any_overlap", [&] { require(narrow.any_overlap(all, any)); }},
        {"any_overlap, paths",
         [&] {
        require(narrow.any_overlap({all, ends}, paths));
         }},
        {"least_distance", [&] { require(narrow.least_distance(all, least)); }},
        };
    std::vector<double> best(rows.size(), 1e300);
    for (std::size_t round = 0; round <= rounds; ++round) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!only.empty() && rows[i].first != only) continue;
            const bool counted = !only.empty() && round == 1;
            if (counted) CALLGRIND_TOGGLE_COLLECT;
            best[i] = std::min(best[i], nanoseconds_of(rows[i].second));
            if (counted) CALLGRIND_TOGGLE_COLLECT;
        }
    }
    fmt::print("{} configurations, {} pairs each, {}, {}, one thread: ns per pair, microseconds per configuration\n",
               arms.size(), pairs, robot == "arms" ? samples : robot, to_string(narrow.isa()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (best[i] < 1e300)
            fmt::print("{:<24} {:8.2f} {:9.3f}\n", rows[i].first, best[i] / double(arms.size() * pairs),
                       best[i] / double(arms.size()) / 1000);
    return 0;
}
