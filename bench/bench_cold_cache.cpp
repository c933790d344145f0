// What does a cold cache cost? The same call, straight after itself and after other work has taken all caches, as in an
// engine's frame.
#include <algorithm>
#include <string>
#include <vector>

#include <unistd.h>

#include "harness/gbench.hpp"
#include "harness/rows.hpp"
#include "harness/timing.hpp"

namespace abut::bench {
namespace {

constexpr int kCalls = 51;

// Larger than any cache, and written to, so that nothing else stays in the caches: bodies, shapes, code, address
// translations.
class Eviction {
public:
    Eviction() : bytes_(2 * largest_cache()) {}
    void run() {
        constexpr std::size_t kLine = 64;
        for (std::size_t i = 0; i < bytes_.size(); i += kLine) ++bytes_[i];
        benchmark::ClobberMemory();
    }

private:
    // Some virtual machines report no cache.
    static std::size_t largest_cache() {
        constexpr long kLeast = 64L << 20;
        return std::size_t(std::max({kLeast, ::sysconf(_SC_LEVEL3_CACHE_SIZE), ::sysconf(_SC_LEVEL2_CACHE_SIZE)}));
    }

    std::vector<unsigned char> bytes_;
};

// Each call after an eviction is followed by one that finds all in the caches, so that a slow phase of the machine
// affects both.
void time_calls(benchmark::State& state, const Row& row, Query query) {
    static Eviction eviction;
    AbutRunner runner(row.frame(), query, on_one_core(Isa::best));
    if (!is_right(state, row, query, runner)) return;
    Samples evicted, cached;
    const auto call = [&] { runner.run(); };
    for (auto _ : state) {
        eviction.run();
        evicted.ns.push_back(time_call(1, call));
        cached.ns.push_back(time_call(1, call));
        state.SetIterationTime(evicted.ns.back() * 1e-9);
    }
    const double pairs = double(row.pairs.size());
    state.counters["ns_per_pair_evicted"] = evicted.minimum() / pairs;
    state.counters["ns_per_pair_cached"] = cached.minimum() / pairs;
}

void register_all() {
    const std::vector<std::string> known = row_names();  // a build without tools has no pile
    for (const char* name : {"sphere-sphere", "box-box", "hull32-hull32", "mixed", "pile"}) {
        if (std::find(known.begin(), known.end(), name) == known.end()) continue;
        for (const Query query : {Query::overlap, Query::collide, Query::collide_warm}) {
            for (const std::size_t pairs : {64u, 1024u, 16384u}) {
                const auto run = [=](benchmark::State& state) { time_calls(state, kept_tiles(name, pairs), query); };
                add({"what_does_a_cold_cache_cost", name, to_string(query), std::to_string(pairs)}, run)
                    ->UseManualTime()
                    ->Iterations(kCalls);
            }
        }
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
