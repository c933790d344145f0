// What the benchmarks have in common: answers checked before timing, pairs as the unit.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "harness/abut_runner.hpp"
#include "harness/row.hpp"

namespace abut::bench {

// pairs_per_second, ns_per_pair.
void count_pairs(benchmark::State& state, std::size_t pairs);
// Runs abut once and checks every answer; false after SkipWithError where one is wrong or the call is refused.
bool is_right(benchmark::State& state, const Row& row, Query query, AbutRunner& runner);
// The usual benchmark: checked, then timed.
void time_abut(benchmark::State& state, const Row& row, Query query, const Settings& settings);

// A benchmark program: registers (after static initialisation, so that the library may be asked), then runs what the
// command line selects.
int run_benchmarks(int argc, char** argv, void (*register_all)());

// Registers run(state) under the parts as name, a slash between them.
using Run = std::function<void(benchmark::State&)>;
benchmark::internal::Benchmark* add(std::initializer_list<std::string_view> name, Run run);

}  // namespace abut::bench
