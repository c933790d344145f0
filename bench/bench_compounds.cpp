// What does a compound cost? Chairs of twelve boxes on boxes and among each other, and grids of a thousand balls: ns
// per pair of bodies, and how many pairs of children each needed.
#include <cmath>

#include "harness/gbench.hpp"
#include "scenes/random.hpp"

namespace abut::bench {
namespace {

constexpr std::uint32_t kPairs = 4096;

ShapeId add_chair(ShapeStore& shapes) {
    const ShapeId leg = *shapes.add_box({0.02f, 0.22f, 0.02f}), seat = *shapes.add_box({0.24f, 0.02f, 0.24f});
    const ShapeId rail = *shapes.add_box({0.02f, 0.02f, 0.2f});
    std::vector<CompoundChild> children = {{seat, {0, 0.46f, 0}, {}}};
    for (const float x : {-0.2f, 0.2f})
        for (const float z : {-0.2f, 0.2f}) children.push_back({leg, {x, 0.22f, z}, {}});
    for (const float x : {-0.2f, -0.07f, 0.07f, 0.2f}) children.push_back({leg, {x, 0.7f, -0.22f}, {}});
    for (const float x : {-0.22f, 0.22f}) children.push_back({rail, {x, 0.65f, 0}, {}});
    children.push_back({rail, {0, 0.15f, 0.2f}, {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)}});
    return *shapes.add_compound(children);
}

ShapeId add_grid(ShapeStore& shapes) {
    const ShapeId ball = *shapes.add_sphere(0.04f);
    std::vector<CompoundChild> children;
    for (int i = 0; i < 1000; ++i)
        children.push_back(
            {ball,
             {0.1f * float(i % 10) - 0.45f, 0.1f * float(i / 10 % 10) - 0.45f, 0.1f * float(i / 100) - 0.45f},
             {}});
    return *shapes.add_compound(children);
}

struct Company {
    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;

    // Pairs as a broad phase finds them: up to `apart` from centre to centre.
    Company(ShapeId (*a)(ShapeStore&), ShapeId (*b)(ShapeStore&), double apart) {
        const ShapeId id_a = a(shapes), id_b = b(shapes);
        scenes::Random random(1);
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            const oracle::Vec3d p = random.direction() * (apart * random.uniform(0.3, 1));
            bodies.push_back({{}, id_a, random.orientation()});
            bodies.push_back({{float(p.x), float(p.y), float(p.z)}, id_b, random.orientation()});
            pairs.push_back({2 * i, 2 * i + 1});
        }
    }
    Frame frame() const { return {&shapes, bodies, pairs, {}, {}}; }
};

void time(benchmark::State& state, const Company& company, Query query) {
    AbutRunner runner(company.frame(), query, on_one_core(Isa::best));
    if (!runner.run()) return state.SkipWithError(runner.refusal().c_str());
    for (auto _ : state) runner.run();
    count_pairs(state, kPairs);
    state.counters["child_pairs"] = double(runner.counters().child_pairs) / kPairs;
}

void register_all() {
    const auto box = [](ShapeStore& shapes) { return *shapes.add_box({0.3f, 0.3f, 0.3f}); };
    static const Company companies[] = {
        {add_chair, box, 1.0}, {add_chair, add_chair, 1.0}, {add_grid, box, 1.2}, {add_grid, add_grid, 1.5}};
    const char* const names[] = {"chair-box", "chair-chair", "grid1000-box", "grid1000-grid1000"};
    for (int i = 0; i < 4; ++i)
        for (const Query query : {Query::overlap, Query::distance, Query::collide})
            add({"what_does_a_compound_cost", names[i], to_string(query)},
                [=](benchmark::State& state) { time(state, companies[i], query); });
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
