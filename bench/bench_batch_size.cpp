// How many pairs must a call have before abut is at its best, and what does a call for few pairs cost?
#include "harness/gbench.hpp"
#include "harness/rows.hpp"

namespace abut::bench {
namespace {

void register_all() {
    for (const char* name : {"box-box", "hull32-hull32", "mixed"}) {
        for (const Query query : {Query::overlap, Query::distance}) {
            for (const std::size_t pairs : {1u, 4u, 16u, 64u, 256u, 1024u, 16384u, 262144u}) {
                add({"how_large_a_batch", name, to_string(query), std::to_string(pairs)},
                    [=](benchmark::State& state) { time_abut(state, kept_tiles(name, pairs), query, on_one_core(Isa::best)); });
            }
        }
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
