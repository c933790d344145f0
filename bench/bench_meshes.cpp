// How long does cooking a mesh take, how long reading its bytes, and how much memory does it need? What does the walk
// down its tree cost?
#include <cmath>
#include <string>

#include "harness/gbench.hpp"
#include "scenes/random.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"

namespace abut::bench {
namespace {

struct Triangles {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
};

// Hills of 0.25 m triangles, `side` cells on a side; the vertices shared.
Triangles terrain(std::uint32_t side) {
    Triangles mesh;
    for (std::uint32_t r = 0; r <= side; ++r) {
        for (std::uint32_t c = 0; c <= side; ++c) {
            const float x = 0.25f * float(c), z = 0.25f * float(r);
            mesh.vertices.push_back({x, 3 * std::sin(0.1f * x) * std::cos(0.13f * z) + 0.05f * std::sin(5 * x + z), z});
        }
    }
    for (std::uint32_t r = 0; r < side; ++r) {
        for (std::uint32_t c = 0; c < side; ++c) {
            const std::uint32_t a = r * (side + 1) + c, b = a + side + 1;
            mesh.triangles.push_back({{a, b, b + 1}});
            mesh.triangles.push_back({{a, b + 1, a + 1}});
        }
    }
    return mesh;
}

// The same, each triangle with three vertices of its own, in random order.
Triangles unjoined(std::uint32_t side) {
    const Triangles joined = terrain(side);
    scenes::Random random(3);
    Triangles mesh;
    std::vector<MeshTriangle> order = joined.triangles;
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(std::uint32_t(i + 1))]);
    for (const MeshTriangle& triangle : order) {
        const auto n = std::uint32_t(mesh.vertices.size());
        for (const std::uint32_t corner : triangle.corners) mesh.vertices.push_back(joined.vertices[corner]);
        mesh.triangles.push_back({{n, n + 1, n + 2}});
    }
    return mesh;
}

// As many triangles that share nothing, each about as far from the next as it is long.
Triangles soup(std::uint32_t count) {
    scenes::Random random(4);
    Triangles mesh;
    const double size = 1 / std::cbrt(double(count));
    for (std::uint32_t i = 0; i < count; ++i) {
        const double at[3] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        for (int k = 0; k < 3; ++k) {
            const auto near = [&](int axis) { return float(at[axis] + size * random.uniform(-1, 1)); };
            const float x = near(0), y = near(1);
            mesh.vertices.push_back({x, y, near(2)});
        }
        mesh.triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
    }
    return mesh;
}

void time_cooking(benchmark::State& state, const Triangles& mesh) {
    MeshReport report;
    for (auto _ : state) {
        const auto cooked = cook_mesh(mesh.vertices, mesh.triangles);
        if (!cooked) return state.SkipWithError(cooked.error().message.c_str());
        report = cooked->report();
    }
    const auto count = double(mesh.triangles.size());
    state.counters["triangles_per_second"] =
        benchmark::Counter(count * double(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["bytes_per_triangle"] = double(report.bytes) / double(report.triangles);
}

void time_reading(benchmark::State& state, const Triangles& mesh) {
    const auto cooked = cook_mesh(mesh.vertices, mesh.triangles);
    if (!cooked) return state.SkipWithError(cooked.error().message.c_str());
    std::vector<std::byte> bytes(cooked->byte_count());
    (void)cooked->write(bytes);
    for (auto _ : state)
        if (const auto read = CookedMesh::read(bytes); !read) return state.SkipWithError(read.error().message.c_str());
    const auto count = double(mesh.triangles.size());
    state.counters["triangles_per_second"] =
        benchmark::Counter(count * double(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["bytes_per_triangle"] = double(bytes.size()) / count;
}

// A box of `half` metres somewhere on the ground.
void time_walk(benchmark::State& state, const Surface& surface, float side, float half) {
    scenes::Random random(5);
    std::vector<Volume> volumes;
    for (int i = 0; i < 1024; ++i) {
        const auto x = float(random.uniform(0, side)), z = float(random.uniform(0, side));
        const float y = 3 * std::sin(0.1f * x) * std::cos(0.13f * z);
        Volume volume;
        const float at[3] = {x, y, z};
        for (int axis = 0; axis < 3; ++axis) volume.low[axis] = at[axis] - half, volume.high[axis] = at[axis] + half;
        volumes.push_back(volume);
    }
    std::size_t found = 0;
    for (auto _ : state) {
        for (const Volume& volume : volumes) {
            walk(surface, volume, 0.02, [&](std::uint32_t triangle) {
                benchmark::DoNotOptimize(triangle);
                ++found;
                return true;
            });
        }
    }
    const double all = double(volumes.size()) * double(state.iterations());
    state.counters["ns_per_walk"] =
        benchmark::Counter(all * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["triangles_found"] = double(found) / all;
}

void register_walks(const ShapeStore& shapes, ShapeId id, const std::string& name, float side) {
    const Surface surface = surface_of(tables_of(shapes), id);
    for (const float half : {0.1f, 0.5f, 2.0f})
        add({"what_does_the_walk_cost", name, std::to_string(half).substr(0, 3)},
            [surface, side, half](benchmark::State& state) { time_walk(state, surface, side, half); });
}

void register_all() {
    static ShapeStore shapes;
    for (const std::uint32_t side : {22u, 224u, 708u}) {
        static std::vector<Triangles> meshes;
        meshes.reserve(9);
        const std::string count = std::to_string(2 * side * side);
        const Triangles& joined = meshes.emplace_back(terrain(side));
        const Triangles& apart = meshes.emplace_back(unjoined(side));
        const Triangles& loose = meshes.emplace_back(soup(2 * side * side));
        for (const auto& [name, mesh] : {std::pair("terrain", &joined), {"unjoined", &apart}, {"soup", &loose}}) {
            const Triangles& given = *mesh;
            add({"how_long_does_cooking_take", name, count},
                [&given](benchmark::State& state) { time_cooking(state, given); });
            add({"how_long_does_reading_take", name, count},
                [&given](benchmark::State& state) { time_reading(state, given); });
        }
        register_walks(shapes, *shapes.add_mesh(joined.vertices, joined.triangles), "mesh/" + count,
                       0.25f * float(side));
        std::vector<float> heights;
        for (const Vec3 v : joined.vertices) heights.push_back(v.y);
        const ShapeId field =
            *shapes.add_heightfield(heights, side + 1, side + 1, {}, {.spacing_x = 0.25f, .spacing_z = 0.25f});
        register_walks(shapes, field, "heightfield/" + count, 0.25f * float(side));
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
