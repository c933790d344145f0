// Does sorting pay? The mixed row as a broad phase would give it (kinds in no order); the same pairs already sorted by
// kind, which leaves only the sort's own cost; and one call per kind, which is what a caller without the sort would
// have to do.
#include <algorithm>
#include <map>

#include "harness/gbench.hpp"
#include "harness/rows.hpp"

namespace abut::bench {
namespace {

constexpr Query kAsked = Query::overlap;  // the cheapest query: the sort's share is the largest

void unsorted(benchmark::State& state, std::size_t pairs) {
    time_abut(state, kept_tiles("mixed", pairs), kAsked, on_one_core(Isa::best));
}

void presorted(benchmark::State& state, std::size_t pairs) {
    time_abut(state, sorted_by_kind(kept_tiles("mixed", pairs)), kAsked, on_one_core(Isa::best));
}

// The pairs of each kind in a frame of their own.
void a_call_a_kind(benchmark::State& state, std::size_t pairs) {
    const Row row = sorted_by_kind(kept_tiles("mixed", pairs));
    std::vector<std::unique_ptr<AbutRunner>> runners;
    for (std::size_t begin = 0, end = 0; begin < row.pairs.size(); begin = end) {
        while (end < row.pairs.size() && kind_of(row, end) == kind_of(row, begin)) ++end;
        Frame frame = row.frame();
        frame.pairs = {row.pairs.data() + begin, end - begin};
        runners.push_back(std::make_unique<AbutRunner>(frame, kAsked, on_one_core(Isa::best)));
        if (!runners.back()->run()) return state.SkipWithError(runners.back()->refusal().c_str());
    }
    for (auto _ : state) {
        for (const auto& runner : runners) runner->run();
    }
    count_pairs(state, row.pairs.size());
}

void register_all() {
    for (const std::size_t pairs : {1024u, 16384u, 65536u, 524288u}) {
        const std::string size = std::to_string(pairs);
        add({"does_sorting_pay/mixed", size}, [=](benchmark::State& state) { unsorted(state, pairs); });
        add({"does_sorting_pay/mixed_presorted", size}, [=](benchmark::State& state) { presorted(state, pairs); });
        add({"does_sorting_pay/mixed_a_call_a_kind", size},
            [=](benchmark::State& state) { a_call_a_kind(state, pairs); });
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
