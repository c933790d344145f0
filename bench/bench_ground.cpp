// What do bodies on ground of triangles cost, as they arrive and at rest, beside Bullet and FCL?
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include <fmt/format.h>

#include "harness/gbench.hpp"
#include "rivals/rival.hpp"
#include "scenes/random.hpp"

namespace abut::bench {
namespace {

constexpr std::uint32_t kBodies = 1024;
constexpr float kCell = 0.5f;

float height_at(float x, float z) { return 3 * std::sin(0.1f * x) * std::cos(0.13f * z) + 0.05f * std::sin(2 * x + z); }

struct Ground {
    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;

    Frame frame() const { return {&shapes, bodies, pairs}; }
};

ShapeId add_terrain(ShapeStore& shapes, std::uint32_t side) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (std::uint32_t r = 0; r <= side; ++r)
        for (std::uint32_t c = 0; c <= side; ++c)
            vertices.push_back({kCell * float(c), height_at(kCell * float(c), kCell * float(r)), kCell * float(r)});
    for (std::uint32_t r = 0; r < side; ++r) {
        for (std::uint32_t c = 0; c < side; ++c) {
            const std::uint32_t a = r * (side + 1) + c, b = a + side + 1;
            triangles.push_back({{a, b, b + 1}});
            triangles.push_back({{a, b + 1, a + 1}});
        }
    }
    return *shapes.add_mesh(vertices, triangles);
}

ShapeId add_body(ShapeStore& shapes, const std::string& kind, scenes::Random& random) {
    if (kind == "box") return *shapes.add_box({0.4f, 0.25f, 0.3f});
    if (kind == "capsule") return *shapes.add_capsule(0.25f, 0.4f);
    std::vector<Vec3> points;
    for (int i = 0; i < 16; ++i) {
        const auto p = random.direction();
        points.push_back({float(0.4 * p.x), float(0.25 * p.y), float(0.3 * p.z)});
    }
    return *shapes.add_hull(points);
}

// Bodies that touch the ground: a centimetre deep, to a centimetre above it.
void make(Ground& ground, const std::string& kind, std::uint32_t side) {
    scenes::Random random(7);
    const ShapeId terrain = add_terrain(ground.shapes, side), body = add_body(ground.shapes, kind, random);
    ground.bodies.push_back({{}, terrain, {}});
    const float length = kCell * float(side);
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        const double yaw = random.uniform(0, 3);
        const Quat turned = random.chance(0.5) ? Quat{0, float(std::sin(yaw)), 0, float(std::cos(yaw))} : random.orientation();
        const auto x = float(random.uniform(0.1, 0.9) * length), z = float(random.uniform(0.1, 0.9) * length);
        ground.bodies.push_back({{x, height_at(x, z) + 1.5f, z}, body, turned});
        ground.pairs.push_back({0, i + 1});
    }
    NarrowPhase narrow;
    for (int round = 0; round < 3; ++round) {
        Distances d;
        if (!narrow.distance(ground.frame(), d)) return;
        for (std::uint32_t i = 0; i < kBodies; ++i) ground.bodies[i + 1].position.y -= d.signed_distance[i] - float(random.uniform(-0.01, 0.01));
    }
}

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

void register_all() {
    static std::map<std::string, Ground> grounds;
    for (const std::uint32_t side : {22u, 70u, 224u, 708u}) {
        for (const char* kind : {"box", "capsule", "hull"}) {
            const std::string name = fmt::format("{}/{}", kind, 2 * side * side);
            Ground& ground = grounds[name];
            make(ground, kind, side);
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
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
