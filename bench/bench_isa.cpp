// Do wider registers pay? Box-box, the kernel with the most arithmetic a byte, on each instruction set; then hulls,
// which wait for their slowest lane.
#include "harness/gbench.hpp"
#include "harness/rows.hpp"

namespace abut::bench {
namespace {

void register_all() {
    for (const char* row : {"box-box", "hull32-hull32", "mixed"}) {
        for (const Query query : {Query::overlap, Query::distance}) {
            for (const Isa isa : usable_isas()) {
                add({"do_wider_registers_pay", row, to_string(query), to_string(isa)},
                    [=](benchmark::State& state) { time_abut(state, kept_row(row), query, on_one_core(isa)); });
            }
        }
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
