// `abut cook`: meshes to hulls.
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "capture.hpp"
#include "capture_json.hpp"
#include "commands.hpp"
#include "cook_report.hpp"
#include "files.hpp"
#include "parts.hpp"
#include "program.hpp"
#include "progress.hpp"

namespace abut::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::string input, output, by = "part";
    std::uint32_t max_vertices = 0;
    double tolerance = 0.0, scale = 1.0;
    bool json = false;
};

double milliseconds(Clock::time_point since) { return std::chrono::duration<double, std::milli>(Clock::now() - since).count(); }

// The file's name without folders and ending.
std::string stem_of(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    return name.substr(0, name.find_last_of('.'));
}

CookedPart cook(const Part& part, const Options& options) {
    const Clock::time_point start = Clock::now();
    ShapeStore store;
    const auto id = store.add_hull(part.points, {}, {options.max_vertices, float(options.tolerance)});
    if (!id) throw InputError(fmt::format("{}: part \"{}\": {}", options.input, part.name, id.error().message.view()));
    CookedPart cooked;
    cooked.name = part.name;
    cooked.input_vertices = part.points.size();
    cooked.triangles = part.triangles;
    const ShapeView view = store.view(*id);
    cooked.report = view.hull;
    cooked.size = view.size;
    cooked.shape.kind = ShapeKind::hull;
    cooked.shape.vertices.resize(view.hull.vertices);
    store.hull_vertices(*id, cooked.shape.vertices);
    cooked.milliseconds = milliseconds(start);
    return cooked;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void write_shapes(OutputFile& out, const std::vector<CookedPart>& parts) {
    std::vector<ShapeSpec> shapes;
    for (const CookedPart& part : parts) shapes.push_back(part.shape);
    if (ends_with(out.name(), ".abut")) {
        CaptureWriter writer;
        add_shapes(writer, shapes);
        out.write(file_bytes(writer));
    } else {
        std::string line;
        append_shapes_line(line, shapes);
        out.write(line);
    }
    out.commit();
}

int run(const Options& options) {
    const Clock::time_point start = Clock::now();
    const NamedFile inputs[] = {named_file(options.input)};
    std::optional<OutputFile> shapes_file;
    if (!options.output.empty()) shapes_file.emplace(options.output, inputs);
    const Mesh mesh = read_mesh(options.input, options.scale);
    const By by = options.by == "all" ? By::all : options.by == "object" ? By::object : By::part;
    const std::vector<Part> parts = cut_into_parts(mesh, by, stem_of(options.input));
    CookReport report{options.input, options.by, milliseconds(start), {}};
    Progress progress("cooking, parts", parts.size());
    for (const Part& part : parts) {
        report.parts.push_back(cook(part, options));
        progress.step();
    }
    if (shapes_file) write_shapes(*shapes_file, report.parts);
    const std::string text = options.json ? cook_json(report) : cook_table(report);
    if (options.output == "-") {  // where the shapes went
        fmt::print(stderr, "{}", text);
        return 0;
    }
    TextWriter out("-", inputs);
    out.buffer() = text;
    out.finish();
    return 0;
}

}  // namespace

Command add_cook(Arguments& program) {
    auto options = std::make_shared<Options>();
    Arguments command = program.subcommand("cook", "Turn a mesh (OBJ, STL, PLY) into hulls, and say how far they are from it");
    command.add("MESH", options->input, "A .obj, .stl or .ply file").required();
    command.add("-o,--output", options->output,
                "Where to write the shapes: a capture if it ends in .abut, else JSON lines for `abut pack`; - for standard\n"
                "output");
    command.add("--by", options->by, "What becomes a hull: each connected part (the default), each object or group, or all together")
        .one_of({"part", "object", "all"})
        .type_name("part|object|all");
    command.add("--max-vertices", options->max_vertices, "At most so many vertices a hull; a hull can have 4,096")
        .in_range(1u, std::numeric_limits<std::uint32_t>::max())
        .type_name("N");
    command.add("--tolerance", options->tolerance, "Leave out vertices this near to the hull of the rest; 0 by default")
        .check(check_not_negative)
        .type_name("METRES");
    command.add("--scale", options->scale, "Metres per unit of the file: 0.001 where it is in millimetres; 1 by default")
        .check(check_positive)
        .type_name("METRES");
    command.add_flag("--json", options->json, "One JSON object instead of the table");
    command.footer(
        "The deviation is the distance from the hull to the vertex farthest outside it, measured and rounded up; size is half the longest\n"
        "side of the bounds.\n"
        "Examples:\n"
        "  abut cook chair.obj --max-vertices 32 -o chair.jsonl\n"
        "  abut cook gear.stl --scale 0.001 --by all --tolerance 0.0005\n"
        "  abut cook dragon.ply --max-vertices 64 --json | python3 -m json.tool\n"
        "docs/formats.md describes what is written.");
    return [options] { return run(*options); };
}

}  // namespace abut::tools
