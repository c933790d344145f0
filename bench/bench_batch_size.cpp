// How many pairs must a call have before abut is at its best, what does a call for few pairs cost, and how does it grow
// to ten million?
#include "harness/gbench.hpp"
#include "harness/rows.hpp"

namespace abut::bench {
namespace {

// And how much memory of its own a narrow phase takes for the pairs.
void grow(benchmark::State& state, const char* name, std::size_t pairs, Query query, Isa isa) {
    const Settings settings = on_one_core(isa);
    time_abut(state, kept_tiles(name, pairs), query, settings);
    NarrowPhase narrow(settings);
    state.counters["scratch_per_pair"] = double(narrow.reserve(pairs)) / double(pairs);
}

void register_all() {
    for (const char* name : {"box-box", "hull32-hull32", "mixed"}) {
        for (const Query query : {Query::overlap, Query::distance}) {
            for (const std::size_t pairs : {1u, 4u, 16u, 64u, 256u, 1024u, 16384u, 262144u}) {
                add({"how_large_a_batch", name, to_string(query), std::to_string(pairs)}, [=](benchmark::State& state) {
                    time_abut(state, kept_tiles(name, pairs), query, on_one_core(Isa::best));
                });
            }
        }
    }
    for (const char* name : {"box-box", "mixed"})
        for (const Query query : {Query::overlap, Query::distance, Query::collide})
            for (const std::size_t pairs : {10000u, 100000u, 1000000u, 10000000u})
                add({"how_does_it_grow", name, to_string(query), std::to_string(pairs)},
                    [=](benchmark::State& state) { grow(state, name, pairs, query, Isa::avx2); });
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
