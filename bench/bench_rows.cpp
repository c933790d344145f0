// How many nanoseconds does a pair of each row cost: each query, abut on each instruction set, every rival?
#include "harness/check.hpp"
#include "harness/gbench.hpp"
#include "harness/rows.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

void time_rival(benchmark::State& state, const Row& row, Query query, const Rival& rival) {
    RivalWorld world(rival, row.frame(), query);
    if (!world) return state.SkipWithError("a shape of this row has no counterpart there");
    Answers answers(row.pairs.size());
    world.run(answers);
    const RivalCheck check = check_rival(row, query, answers);
    if (!check.counts()) {
        return state.SkipWithError(
            ("hit or no hit right on " + std::to_string(100 * check.hit_share) + "% only").c_str());
    }
    for (auto _ : state) world.run(answers);
    count_pairs(state, row.pairs.size());
    state.counters["right"] = check.hit_share;
    state.counters["error_p99"] = check.error_p99;
}

void register_all() {
    for (const std::string& name : row_names()) {
        for (const Query query : kQueries) {
            for (const Isa isa : usable_isas()) {
                add({name, to_string(query), to_string(isa)},
                    [=](benchmark::State& state) { time_abut(state, kept_row(name), query, on_one_core(isa)); });
            }
            for (const Rival& rival : rivals()) {
                if (!rival.answers(query)) continue;
                add({name, to_string(query), rival.name()},
                    [=](benchmark::State& state) { time_rival(state, kept_row(name), query, rival); });
            }
        }
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
