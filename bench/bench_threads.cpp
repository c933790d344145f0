// Do threads pay, and from how many pairs on? The built-in oneTBB executor at 1, 2, 4, ... threads against the serial
// one.
#include <thread>

#include "harness/gbench.hpp"
#include "harness/rows.hpp"

namespace abut::bench {
namespace {

Settings on_threads(unsigned threads) {
    Settings settings;
    settings.threads = threads;
    return settings;
}

void register_all() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    for (const Query query : {Query::overlap, Query::distance}) {
        for (const std::size_t pairs : {256u, 1024u, 4096u, 16384u, 131072u}) {
            const auto add_with = [&](const std::string& how, const Settings& settings) {
                add({"do_threads_pay", to_string(query), std::to_string(pairs), how}, [=](benchmark::State& state) {
                    time_abut(state, kept_tiles("mixed", pairs), query, settings);
                })->UseRealTime();
            };
            add_with("serial", on_one_core(Isa::best));
            for (unsigned threads = 1; threads < 2 * cores; threads *= 2) {
                const unsigned used = std::min(threads, cores);
                add_with(std::to_string(used).insert(0, "threads:"), on_threads(used));
            }
        }
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
