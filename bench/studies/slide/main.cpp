// abut_slide: bodies that are pushed across flat ground of triangles, or across a model. Exit codes: 0 done; 1 abut or
// the model's reader refused something; 2 bad arguments.
#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "arguments.hpp"
#include "mesh.hpp"
#include "scenes/environment.hpp"
#include "slide.hpp"

namespace abut::slide {
namespace {

struct Options {
    std::string model, isa = "auto";
    double metres = 10, size = 0.2, z = 0;
    std::uint32_t steps = 1000;
};

void print_head() {
    fmt::print("{:<12} {:>9} {:<9} {:>6} {:>6} {:>9} {:>9} {:>10} {:>12} {:>5}\n", "ground", "triangles", "body",
               "size,m", "touch%", "contacts", "kept,%", "deepest,m", "off +Y, rad", "odd,%");
}

void print_row(const std::string& name, const Ground& ground, BodyKind kind, const Path& path,
               const Settings& settings) {
    const Found f = slide(ground, kind, path, settings);
    fmt::print("{:<12} {:>9} {:<9} {:>6.3f} {:>6.1f} {:>9.2f} {:>9.2f} {:>10.2g} {:>12.2g} {:>5.2f}\n", name,
               ground.triangles.size(), name_of(kind), path.size, 100.0 * f.touching / f.steps,
               double(f.contacts) / f.steps, 100.0 * double(f.old) / double(std::max<std::size_t>(1, f.followed)),
               f.deepest, f.off_level, 100.0 * double(f.odd) / double(std::max<std::size_t>(1, f.manifolds)));
    std::fflush(stdout);
}

// Triangles of 1 mm to 1 m, bodies of four to some hundred cells or a part of one.
void run_flat(const Options& options, const Settings& settings) {
    const struct {
        float cell, size;
    } kRows[] = {{0.001f, 0.004f}, {0.02f, 0.15f}, {0.1f, 0.3f}, {0.25f, 0.1f}, {1.0f, 0.5f}};
    for (const auto& row : kRows) {
        const float width = std::max(8 * row.size, 3 * row.cell);
        const Ground ground = flat_strip(row.cell, float(options.metres) + 8 * row.size, width);
        Path path = {4 * row.size, 4 * row.size + float(options.metres), 0.5f * ground.high.z, options.steps, row.size};
        for (const BodyKind kind : kBodyKinds)
            print_row(fmt::format("flat {} m", row.cell), ground, kind, path, settings);
    }
}

// Scaled so that it is `metres` long.
void run_model(const Options& options, const Settings& settings) {
    const tools::Mesh model = tools::read_mesh(options.model, 1);
    Ground ground;
    ground.vertices = model.positions;
    for (const auto& t : model.triangles) ground.triangles.push_back({{t[0], t[1], t[2]}});
    ground.find_bounds();
    const float scale = float(options.metres) / (ground.high.x - ground.low.x);
    for (Vec3& v : ground.vertices) v = {v.x * scale, v.y * scale, v.z * scale};
    ground.find_bounds();
    const Path path = {ground.low.x, ground.high.x, 0.5f * (ground.low.z + ground.high.z) + float(options.z),
                       options.steps, float(options.size)};
    const std::string name = options.model.substr(options.model.find_last_of('/') + 1);
    for (const BodyKind kind : kBodyKinds) print_row(name, ground, kind, path, settings);
}

int parse_and_run(int argc, char** argv) {
    Options options;
    abut::tools::CommandLine app(
        "Pushes a box, a cylinder, a lying capsule and a hull along x across ground of triangles, without turning "
        "them, at a height where they\n"
        "just overlap it, and prints what their contacts do: the steps that have any, how many, the share that "
        "WarmTable finds again from step\n"
        "to step, the deepest, the farthest normal from +Y, and how many manifolds are odd: their normal is none that "
        "a triangle about the\n"
        "deepest contact has or allows.",
        "abut_slide");
    app.add("model", options.model, "OBJ, STL or PLY file; flat ground of triangles of 1 mm to 1 m without it")
        .type_name("FILE");
    app.add("--metres", options.metres, "Length of the way; a model is scaled to it")
        .in_range(0.01, 1000.0)
        .show_default();
    app.add("--steps", options.steps, "Steps of the way").in_range(2u, 10000000u).show_default();
    app.add("--size", options.size, "Of the bodies on a model, metres: about half their length")
        .in_range(1e-4, 100.0)
        .show_default();
    app.add("--z", options.z, "How far beside a model's middle, metres").show_default();
    app.add("--isa", options.isa, "Instruction set").show_default();
    app.footer(
        "Examples:\n"
        "  abut_slide                                  # flat ground\n"
        "  abut_slide build/dragon/dragon.ply          # after bash tools/fetch_dragon.sh\n"
        "  abut_slide bunny.obj --size 0.05 --steps 500");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    const Expected<Isa> isa = parse_isa(options.isa);
    if (!isa || !is_supported(*isa)) {
        fmt::print(stderr, "abut_slide: --isa {}: not an instruction set of this machine\n", options.isa);
        return 2;
    }
    Settings settings;
    settings.isa = *isa;
    print_head();
    options.model.empty() ? run_flat(options, settings) : run_model(options, settings);
    return 0;
}

}  // namespace
}  // namespace abut::slide

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_slide")) return 2;
    try {
        return abut::slide::parse_and_run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "abut_slide: {}\n", error.what());
        return 1;
    }
}
