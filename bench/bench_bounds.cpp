// What do the world's bounds of a body cost, kind by kind?
#include <abut/properties.hpp>

#include "harness/gbench.hpp"
#include "scenes/random.hpp"

namespace abut::bench {
namespace {

constexpr std::size_t kBodies = 4096;

ShapeId add_hull(ShapeStore& shapes, int vertices) {
    scenes::Random random(2);
    std::vector<Vec3> points;
    for (int i = 0; i < vertices; ++i) {
        const oracle::Vec3d p = random.direction();
        points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    return *shapes.add_hull(points);
}

void time(benchmark::State& state, const ShapeStore& shapes, ShapeId id) {
    scenes::Random random(1);
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < kBodies; ++i) {
        const oracle::Vec3d p = random.direction() * 10;
        bodies.push_back({{float(p.x), float(p.y), float(p.z)}, id, random.orientation()});
    }
    std::vector<Bounds> bounds(kBodies);
    for (auto _ : state) {
        if (!world_bounds(shapes, bodies, bounds)) return state.SkipWithError("refused");
        benchmark::DoNotOptimize(bounds.data());
    }
    const double all = double(kBodies) * double(state.iterations());
    state.counters["ns_per_body"] =
        benchmark::Counter(all * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void register_all() {
    static ShapeStore shapes;
    const ShapeId box = *shapes.add_box({1, 1, 1});
    std::vector<CompoundChild> children;
    for (int i = 0; i < 12; ++i) children.push_back({box, {float(i), 0, 0}, {0, 0.6f, 0, 0.8f}});
    const std::pair<const char*, ShapeId> kinds[] = {{"sphere", *shapes.add_sphere(1)},
                                                     {"capsule", *shapes.add_capsule(1, 1)},
                                                     {"box", box},
                                                     {"cylinder", *shapes.add_cylinder(1, 1)},
                                                     {"cone", *shapes.add_cone(1, 1)},
                                                     {"ellipsoid", *shapes.add_ellipsoid({1, 2, 3})},
                                                     {"hull16", add_hull(shapes, 16)},
                                                     {"hull64", add_hull(shapes, 64)},
                                                     {"compound12", *shapes.add_compound(children)}};
    for (const auto& [name, id] : kinds)
        add({"what_do_bounds_cost", name}, [id = id](benchmark::State& state) { time(state, shapes, id); });
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
