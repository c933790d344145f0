// What does a frame of a real engine cost? The embedded capture of a pile, frame by frame, each query on each
// instruction set.
#include "harness/gbench.hpp"
#include "harness/pile.hpp"

namespace abut::bench {
namespace {

void register_all() {
    static const std::vector<Row> frames = pile_frames();
    for (const Row& row : frames) {
        for (const Query query : kQueries) {
            for (const Isa isa : usable_isas()) {
                add({"what_does_a_frame_cost", row.name, to_string(query), to_string(isa)},
                    [&row, query, isa](benchmark::State& state) { time_abut(state, row, query, on_one_core(isa)); });
            }
        }
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
