// `abut cook`: meshes to hulls, or to meshes as such.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <abut/properties.hpp>

#include "capture.hpp"
#include "capture_json.hpp"
#include "commands.hpp"
#include "cook_report.hpp"
#include "decompose.hpp"
#include "files.hpp"
#include "hacd.hpp"
#include "parts.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "union_deviation.hpp"

namespace abut::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct CookOptions {
    std::string input, output;
    std::string as, by, sides;  // empty: the default
    std::uint32_t max_vertices = 0;
    std::optional<double> tolerance, weld, concavity;
    double scale = 1.0;
    bool decompose = false, json = false;
    std::uint32_t max_parts = 0;  // 0: the default
};

constexpr const char* kMeshEnding = ".abutmesh";  // of cooked bytes

double milliseconds(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

// The file's name without folders and ending.
std::string stem_of(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    return name.substr(0, name.find_last_of('.'));
}

CookedPart cook(const Part& part, const CookOptions& options) {
    const Clock::time_point start = Clock::now();
    ShapeStore store;
    const std::uint32_t most = options.max_vertices != 0 ? options.max_vertices : ShapeStore::kMaxHullVertices;
    const auto id = store.add_hull(part.points, {}, {most, float(options.tolerance.value_or(0.0))});
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
    if (const auto mass = mass_properties(store, *id)) cooked.volume = mass->volume;
    if (const auto volume = signed_volume(part)) cooked.mesh_volume = std::fabs(*volume);
    return cooked;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

struct CookedMeshShape {
    CookedMeshPart part;
    CookedMesh cooked;
    ShapeSpec shape;
};

// What was kept of the triangles, in their order: cooked again it is the same mesh.
ShapeSpec kept_of(const CookedMesh& cooked, MeshSides sides) {
    ShapeStore store;
    const auto id = store.add_mesh(cooked);
    if (!id) throw InputError(std::string(id.error().message.view()));
    const MeshReport report = cooked.report();
    ShapeSpec shape;
    shape.kind = ShapeKind::mesh;
    shape.sides = sides;
    shape.vertices.resize(report.vertices);
    store.mesh_vertices(*id, shape.vertices);
    shape.triangles.resize(report.input_triangles);
    store.mesh_triangles(*id, shape.triangles);
    std::erase_if(shape.triangles, [](const MeshTriangle& t) { return t.corners[0] == t.corners[1]; });
    return shape;
}

CookedMeshShape made_of(CookedMesh&& cooked, const std::string& name, std::size_t input_vertices, double milliseconds) {
    CookedMeshShape made;
    made.part = {name, input_vertices, cooked.report(), milliseconds, cooked.byte_count()};
    made.shape = kept_of(cooked, cooked.report().sides);
    made.cooked = std::move(cooked);
    return made;
}

// CAD programs write one corner with several roundings: a weld of a billionth of the size may close the surface. 0
// where it does not.
float closing_weld(const Part& part, std::span<const MeshTriangle> triangles, MeshOptions options) {
    Vec3 low = part.points[0], high = low;
    for (const Vec3 p : part.points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    options.weld_tolerance = 1e-9f * std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    const auto welded = cook_mesh(part.points, triangles, options);
    return welded && welded->report().open_edges == 0 ? options.weld_tolerance : 0.0f;
}

CookedMeshShape cook_mesh_part(const Part& part, const CookOptions& options) {
    std::vector<MeshTriangle> triangles;
    for (const auto& [a, b, c] : part.faces) triangles.push_back({{a, b, c}});
    MeshOptions wanted;
    wanted.sides = options.sides == "both" ? MeshSides::both : MeshSides::front;
    wanted.weld_tolerance = float(options.weld.value_or(0.0));
    const Clock::time_point start = Clock::now();
    auto cooked = cook_mesh(part.points, triangles, wanted);
    if (!cooked)
        throw InputError(fmt::format("{}: part \"{}\": {}", options.input, part.name, cooked.error().message.view()));
    CookedMeshShape made = made_of(std::move(*cooked), part.name, part.points.size(), milliseconds(start));
    if (made.part.report.open_edges > 0 && !options.weld)
        made.part.closing_weld = closing_weld(part, triangles, wanted);
    return made;
}

void write_shapes(OutputFile& out, std::span<const ShapeSpec> shapes) {
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

void write_bytes(OutputFile& out, const CookedMesh& mesh) {
    std::vector<std::byte> bytes(mesh.byte_count());
    mesh.write(bytes);
    out.write(bytes);
    out.commit();
}

void measure_deviation(std::span<const ShapeSpec> hulls, DecompositionReport& report) {
    std::vector<std::vector<Vec3>> vertices;
    for (const ShapeSpec& hull : hulls) vertices.push_back(hull.vertices);
    report.deviation = measure_union(report.made.mesh, vertices);
}

// Each returns the report's text.
std::string cook_hulls(const std::vector<Part>& parts, const CookOptions& options, double read_milliseconds,
                       std::optional<OutputFile>& file, std::optional<DecompositionReport> decomposition = {}) {
    CookReport report{options.input, options.by, read_milliseconds, {}, std::move(decomposition)};
    std::vector<ShapeSpec> shapes;
    Progress progress("cooking, parts", parts.size());
    for (const Part& part : parts) {
        report.parts.push_back(cook(part, options));
        shapes.push_back(report.parts.back().shape);
        progress.step();
    }
    if (report.decomposition) measure_deviation(shapes, *report.decomposition);
    if (options.as == "compound") {
        report.is_compound = true;
        ShapeSpec compound;
        compound.kind = ShapeKind::compound;
        for (ShapeSpec& hull : shapes) compound.children.push_back({std::move(hull), {}, {}});
        shapes.assign(1, std::move(compound));
    }
    if (file) write_shapes(*file, shapes);
    return options.json ? cook_json(report) : cook_table(report);
}

std::string decompose_and_cook(const std::vector<Part>& parts, const CookOptions& options, double read_milliseconds,
                               std::optional<OutputFile>& file) {
    const Clock::time_point start = Clock::now();
    DecomposeOptions wanted;
    if (options.max_parts > 0) wanted.most_hulls = options.max_parts;
    wanted.concavity = options.concavity;
    try {
        DecompositionReport report{decompose(parts, wanted), wanted.most_hulls, milliseconds(start), {}};
        const std::vector<Part> pieces = cut_into_parts(report.made.mesh, By::object, stem_of(options.input), true);
        return cook_hulls(pieces, options, read_milliseconds, file, std::move(report));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", options.input, error.what()));
    }
}

std::string write_meshes(std::vector<CookedMeshShape>&& made, const CookOptions& options, double read_milliseconds,
                         std::optional<OutputFile>& file) {
    MeshCookReport report{options.input, options.by, read_milliseconds, {}};
    const bool as_bytes = ends_with(options.output, kMeshEnding);
    std::vector<ShapeSpec> shapes;
    for (CookedMeshShape& mesh : made) {
        if (as_bytes) write_bytes(*file, mesh.cooked);
        report.parts.push_back(std::move(mesh.part));
        shapes.push_back(std::move(mesh.shape));
    }
    if (file && !as_bytes) write_shapes(*file, shapes);
    return options.json ? cook_json(report) : cook_table(report);
}

std::string cook_meshes(const std::vector<Part>& parts, const CookOptions& options, double read_milliseconds,
                        std::optional<OutputFile>& file) {
    if (ends_with(options.output, kMeshEnding) && parts.size() != 1)
        throw InputError(fmt::format("{}: a file of cooked bytes holds one mesh, but {} has {}: try --by all",
                                     options.output, options.input, parts.size()));
    std::vector<CookedMeshShape> made;
    Progress progress("cooking, parts", parts.size());
    for (const Part& part : parts) {
        made.push_back(cook_mesh_part(part, options));
        progress.step();
    }
    return write_meshes(std::move(made), options, read_milliseconds, file);
}

// Cooked bytes as they are: what `abut cook NAME.abutmesh` shows.
std::string show_mesh(CookedMesh&& mesh, const CookOptions& options, double read_milliseconds,
                      std::optional<OutputFile>& file) {
    const MeshReport report = mesh.report();
    const std::size_t input_vertices = std::size_t(report.vertices) + report.welded_vertices + report.unused_vertices;
    std::vector<CookedMeshShape> made;
    made.push_back(made_of(std::move(mesh), stem_of(options.input), input_vertices, 0.0));
    return write_meshes(std::move(made), options, read_milliseconds, file);
}

// Before anything is read.
void check(const CookOptions& options) {
    const bool is_mesh = options.as == "mesh";
    const auto refuse = [](const char* option, const char* as) {
        throw InputError(fmt::format("{} is for --as {}", option, as));
    };
    if (options.decompose && options.as != "compound") refuse("--decompose", "compound");
    if (options.decompose && !can_decompose())
        throw InputError(
            "--decompose: this abut was built without HACD, which decomposes meshes; install libbullet-extras-dev and "
            "build it again");
    if (!options.decompose && options.max_parts > 0) throw InputError("--max-parts is for --decompose");
    if (!options.decompose && options.concavity) throw InputError("--concavity is for --decompose");
    if (is_mesh && options.max_vertices != 0) refuse("--max-vertices", "hull");
    if (is_mesh && options.tolerance) refuse("--tolerance", "hull");
    if (!is_mesh && options.weld) refuse("--weld", "mesh");
    if (!is_mesh && !options.sides.empty()) refuse("--sides", "mesh");
    if (!is_mesh && ends_with(options.output, kMeshEnding)) refuse("an output of cooked bytes (.abutmesh)", "mesh");
}

// Reads the file, cooks it and writes what was asked for. Returns the report's text.
std::string cook_file(CookOptions& options, Clock::time_point start, std::optional<OutputFile>& file) {
    const bool is_mesh = options.as == "mesh", is_cooked = ends_with(options.input, kMeshEnding);
    Mesh mesh;
    if (is_cooked) {
        CookedMesh cooked = read_cooked_mesh(options.input);
        const bool is_changed = options.by != "all" || options.scale != 1.0 || options.weld || !options.sides.empty();
        if (is_mesh && !is_changed) return show_mesh(std::move(cooked), options, milliseconds(start), file);
        if (is_mesh && options.sides.empty())
            options.sides = cooked.report().sides == MeshSides::both ? "both" : "front";
        mesh = mesh_of(cooked, options.scale, options.input);
    } else {
        mesh = read_mesh(options.input, options.scale);
    }
    const By by = options.by == "all" ? By::all : options.by == "object" ? By::object : By::part;
    const std::vector<Part> parts = cut_into_parts(mesh, by, stem_of(options.input), true);
    if (is_mesh) return cook_meshes(parts, options, milliseconds(start), file);
    if (options.decompose) return decompose_and_cook(parts, options, milliseconds(start), file);
    return cook_hulls(parts, options, milliseconds(start), file);
}

int run_cook(CookOptions options) {
    const Clock::time_point start = Clock::now();
    if (options.as.empty() && options.decompose) options.as = "compound";
    if (options.as.empty()) options.as = ends_with(options.input, kMeshEnding) ? "mesh" : "hull";
    check(options);
    if (options.by.empty()) options.by = options.as == "mesh" ? "all" : "part";
    const NamedFile inputs[] = {named_file(options.input)};
    std::optional<OutputFile> shapes_file;
    if (!options.output.empty()) shapes_file.emplace(options.output, inputs);
    const std::string text = cook_file(options, start, shapes_file);
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
    auto options = std::make_shared<CookOptions>();
    Arguments command = program.subcommand("cook",
                                           "Turn a mesh (OBJ, STL, PLY, OFF, Collada, 3MF, glTF) into hulls or a "
                                           "triangle mesh, and say what became of it");
    command
        .add("MESH", options->input,
             "A .obj, .stl, .ply, .off, .dae, .3mf, .gltf or .glb file, or cooked bytes, .abutmesh, which it shows")
        .required();
    command.add("-o,--output", options->output,
                "Where to write the shapes: a capture if it ends in .abut, the cooked bytes of a mesh if in .abutmesh, "
                "else JSON\n"
                "lines for `abut pack`; - for standard output");
    command
        .add("--as", options->as,
             "What it becomes: convex hulls (the default), one compound of them, or triangle meshes")
        .one_of_described({"hull", "compound", "mesh"})
        .type_name("hull|compound|mesh");
    command
        .add("--by", options->by,
             "What becomes a shape: each connected part (the default for hulls), each object or group, or all together "
             "(the\n"
             "default for meshes)")
        .one_of_described({"part", "object", "all"})
        .type_name("part|object|all");
    command.add_flag(
        "--decompose", options->decompose,
        "Divide each part further, into pieces that are nearly convex, and make one compound of their hulls");
    command.add("--max-parts", options->max_parts, "Of --decompose: at most so many hulls in all; 32 by default")
        .in_range(1u, 1024u)
        .type_name("N");
    command
        .add("--concavity", options->concavity,
             "Of --decompose: how far the surface of a piece may be inside its hull, as HACD estimates it; by default "
             "5% of\n"
             "half the longest side of the mesh's bounds")
        .check(check_positive)
        .type_name("METRES");
    command
        .add("--max-vertices", options->max_vertices,
             "Of hulls: at most so many vertices each; 4,096 by default, the most that a hull can have")
        .in_range(1u, std::numeric_limits<std::uint32_t>::max())
        .type_name("N");
    command
        .add("--tolerance", options->tolerance,
             "Of hulls: leave out vertices this near to the hull of the rest; 0 by default")
        .check(check_not_negative)
        .type_name("METRES");
    command.add("--weld", options->weld, "Of meshes: a vertex this near to another one is that one; 0 by default")
        .check(check_not_negative)
        .type_name("METRES");
    command.add("--sides", options->sides, "Of meshes: the sides that bodies collide with; front by default")
        .one_of_described({"front", "both"})
        .type_name("front|both");
    command
        .add("--scale", options->scale, "Metres per unit of the file: 0.001 where it is in millimetres; 1 by default")
        .check(check_positive)
        .type_name("METRES");
    command.add_flag("--json", options->json, "One JSON object instead of the table");
    command.footer(
        "The deviation is the distance from the hull to the vertex farthest outside it, measured and rounded up; size "
        "is half the longest\n"
        "side of the bounds; the hull's volume is compared with that of a closed part. Of a mesh the table counts what "
        "was dropped and edges that do "
        "not join two triangles.\n"
        "--decompose divides parts by HACD, and reports how far the mesh and the hulls reach out of each other; hulls "
        "that overlap count twice in "
        "the "
        "sum of volumes. It takes seconds, also of large meshes, of which HACD sees a coarse copy.\n"
        "Examples:\n"
        "  abut cook chair.obj --max-vertices 32 -o chair.jsonl\n"
        "  abut cook gear.stl --scale 0.001 --by all --tolerance 0.0005\n"
        "  abut cook level.obj --as mesh -o level.abut\n"
        "  abut cook level.obj --as mesh --weld 0.001 -o level.abutmesh\n"
        "  abut cook robot.obj --as compound --by object -o robot.abut\n"
        "  abut cook chair.obj --decompose --max-parts 12 --max-vertices 32 -o chair.abut\n"
        "  abut cook level.abutmesh         # what is in it\n"
        "  abut cook dragon.ply --max-vertices 64 --json | python3 -m json.tool\n"
        "docs/formats.md describes what is written.");
    return [options] { return run_cook(*options); };
}

}  // namespace abut::tools
