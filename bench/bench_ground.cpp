// What do bodies on ground of triangles cost, as they arrive and at rest, beside Bullet and FCL?
#include <map>
#include <string>

#include <fmt/format.h>

#include "harness/gbench.hpp"
#include "harness/ground.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

Settings settings_of_one_thread() {
    Settings settings;
    settings.executor = serial_executor();
    return settings;
}

void time_query(benchmark::State& state, const Ground& ground, Query query, bool is_warm) {
    NarrowPhase narrow(settings_of_one_thread());
    Overlaps overlaps;
    Distances distances;
    Manifolds manifolds;
    std::vector<WarmCache> caches(ground.pairs.size());
    Frame frame = ground.frame();
    if (is_warm) frame.caches = caches;
    const auto call = [&] {
        if (query == Query::overlap) return bool(narrow.overlap(frame, overlaps));
        if (query == Query::distance) return bool(narrow.distance(frame, distances));
        return bool(narrow.collide(frame, manifolds));
    };
    if (!call()) return state.SkipWithError("refused");
    for (auto _ : state) benchmark::DoNotOptimize(call());
    count_pairs(state, ground.pairs.size());
    state.counters["exact"] = double(narrow.counters().exact) / double(ground.pairs.size());
    state.counters["triangles"] = double(narrow.counters().child_pairs) / double(ground.pairs.size());
    if (query == Query::collide) {
        state.counters["contacts"] = double(manifolds.contacts.size()) / double(ground.pairs.size());
        state.counters["manifolds"] = double(manifolds.manifolds.size()) / double(ground.pairs.size());
    }
}

void time_rival(benchmark::State& state, const Ground& ground, const Rival& rival, Query query) {
    RivalWorld world(rival, ground.frame(), query);
    if (!world) return state.SkipWithError("has no such shape");
    Answers answers(ground.pairs.size());
    world.run(answers);
    for (auto _ : state) world.run(answers);
    count_pairs(state, ground.pairs.size());
    double contacts = 0;
    for (const std::uint16_t count : answers.contacts) contacts += count;
    state.counters["contacts"] = contacts / double(ground.pairs.size());
}

void add_all(const std::string& name, const Ground& ground) {
    for (const Query query : {Query::overlap, Query::distance, Query::collide})
        add({"what_does_ground_cost", name, to_string(query), "abut"},
            [&ground, query](benchmark::State& state) { time_query(state, ground, query, false); });
    add({"what_does_ground_cost", name, "collide-warm", "abut"},
        [&ground](benchmark::State& state) { time_query(state, ground, Query::collide, true); });
    for (const Rival& rival : ground_rivals())
        for (const Query query : {Query::collide, Query::collide_warm})
            if (rival.answers(query))
                add({"what_does_ground_cost", name, to_string(query), rival.name()},
                    [&ground, &rival, query](benchmark::State& state) { time_rival(state, ground, rival, query); });
}

void register_all() {
    static std::map<std::string, Ground> grounds;
    for (const std::uint32_t side : {22u, 70u, 224u, 708u}) {
        for (const char* kind : {"box", "capsule", "hull", "car"}) {
            const std::string name = fmt::format("{}/{}", kind, 2 * side * side);
            add_all(name, grounds[name] = make_ground(kind, side));
            if (side == 224) add_all("flat-" + name, grounds["flat-" + name] = make_ground(kind, side, Terrain::flat));
        }
    }
    for (const std::uint32_t triangles : {2000u, 8000u, 32000u}) {
        const std::string name = fmt::format("soup/{}", triangles);
        const Ground& ground = grounds[name] = make_soup(triangles);
        add({"what_does_ground_cost", name, to_string(Query::collide), "abut"},
            [&ground](benchmark::State& state) { time_query(state, ground, Query::collide, false); });
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
