#include "harness/gbench.hpp"

#include <utility>

#include "harness/check.hpp"
#include "scenes/environment.hpp"

namespace abut::bench {

void count_pairs(benchmark::State& state, std::size_t pairs) {
    using benchmark::Counter;
    const double all = double(pairs) * double(state.iterations());
    state.counters["pairs_per_second"] = Counter(all, Counter::kIsRate);
    state.counters["ns_per_pair"] = Counter(all * 1e-9, Counter::kIsRate | Counter::kInvert);
}

bool is_right(benchmark::State& state, const Row& row, Query query, AbutRunner& runner) {
    if (!runner.run()) {
        state.SkipWithError(runner.refusal().c_str());
        return false;
    }
    const AbutCheck check = check_abut(row, query, runner.answers(), runner.margin());
    if (!check.right()) state.SkipWithError((std::to_string(check.wrong) + " wrong; " + check.first_wrong).c_str());
    return check.right();
}

void time_abut(benchmark::State& state, const Row& row, Query query, const Settings& settings) {
    AbutRunner runner(row.frame(), query, settings);
    if (!is_right(state, row, query, runner)) return;
    for (auto _ : state) runner.run();
    count_pairs(state, row.pairs.size());
    state.counters["exact_share"] = double(runner.counters().exact) / double(row.pairs.size());
}

benchmark::internal::Benchmark* add(std::initializer_list<std::string_view> name, Run run) {
    std::string joined;
    for (const std::string_view part : name) {
        if (!joined.empty()) joined += '/';
        joined += part;
    }
    return benchmark::RegisterBenchmark(joined.c_str(), std::move(run));
}

int run_benchmarks(int argc, char** argv, void (*register_all)()) {
    if (!scenes::obey_environment("benchmarks")) return 2;
    register_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

}  // namespace abut::bench
