// `abut view`: a capture or questions as a page for a browser.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "capture_json.hpp"
#include "commands.hpp"
#include "json_text.hpp"
#include "progress.hpp"
#include "run_options.hpp"
#include "view_page.hpp"

namespace abut::tools {
namespace {

struct ViewOptions {
    RunOptions run;
    std::string input, output, query = "distance";
    bool plane = false;
};

bool is_capture(const std::string& path) {
    if (path.ends_with(".abut")) return true;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;  // reading from a pipe would use its bytes up
    char head[8] = {};
    std::ifstream(path, std::ios::binary).read(head, sizeof head);
    return std::string_view(head + 4, 4) == "ABUT";  // file_identifier of capture.fbs
}

// The first line of a capture as JSON lines.
bool holds_shapes(std::string line) {
    if (line.find("\"shapes\"") == line.npos) return false;
    const JsonText parsed = parse_json(line);
    return parsed.value.is_object() && parsed.value.contains("shapes");
}

NamedFile read_lines(const std::string& path, ViewScene& scene) {
    LineReader lines(path);
    Progress progress("reading, lines");
    std::string line;
    while (lines.next(line)) {
        if (lines.line_number() == 1 && holds_shapes(line)) {
            if (path == "-")
                throw InputError("standard input: is a capture as JSON lines, which abut view reads from a file");
            LineReader again(path);
            CaptureWriter writer;
            pack_lines(again, writer, [&] { progress.step(); });
            scene.add_capture(read_capture(file_bytes(writer), path), path);
            return again.file();
        }
        scene.add_question(read_question<Space3D>(line), lines.line_number());
        progress.step();
    }
    if (scene.frames().empty())
        throw InputError(fmt::format("{}: is empty; it must hold questions of abut query, or a capture", lines.name()));
    return lines.file();
}

NamedFile read_scene(const std::string& path, ViewScene& scene) {
    if (!is_capture(path)) return read_lines(path, scene);
    const CaptureFile file(path);
    scene.add_capture(file.capture(), path);
    return file.file();
}

NamedFile read_plane(const ViewOptions& options, const std::string& title, const Settings& settings,
                     std::string& scene) {
    LineReader lines(options.input);
    scene = plane_scene(lines, title, settings, options.query);
    return lines.file();
}

std::string output_of(const ViewOptions& options) {
    if (!options.output.empty()) return options.output;
    if (options.input == "-") throw InputError("standard input has no name: say with -o where to write the page");
    return std::filesystem::path(options.input).replace_extension(".html").string();
}

// A page that this command wrote may be replaced, and what is no file may be written to.
void check_replaceable(const std::string& path) {
    std::error_code error;
    if (path == "-" || path.starts_with("/dev/") || !std::filesystem::is_regular_file(path, error)) return;
    std::string head(kPageMark.size(), '\0');
    std::ifstream(path, std::ios::binary).read(head.data(), std::streamsize(head.size()));
    if (head != kPageMark)
        throw InputError(
            fmt::format("{}: is not a page of abut view, and is not replaced; name another file with -o", path));
}

int run_view(const ViewOptions& options) {
    const Settings settings = make_settings(options.run);
    const std::string output = output_of(options);
    const std::string title =
        options.input == "-" ? "questions" : std::filesystem::path(options.input).filename().string();
    ViewScene scene(!options.run.margin);
    std::string plane;
    const NamedFile inputs[] = {options.plane ? read_plane(options, title, settings, plane)
                                              : read_scene(options.input, scene)};
    TextWriter out(output, inputs);
    check_replaceable(output);
    out.buffer() = options.plane ? make_plane_page(plane) : make_page(scene_bytes(scene, title, settings));
    out.finish();
    if (options.output.empty()) fmt::print("{}\n", output);
    return 0;
}

}  // namespace

Command add_view(Arguments& program) {
    auto options = std::make_shared<ViewOptions>();
    Arguments command =
        program.subcommand("view", "Write a page that shows a capture, or questions of `abut query`, in a browser");
    add_run_options(command, options->run,
                    "Contacts are shown up to this far apart; by default the capture's own margins, else 0.02");
    command
        .add("FILE", options->input, "A capture, or JSON lines: questions or frames; - is standard input (questions)")
        .required();
    command
        .add("-o,--output", options->output,
             "Where to write; by default beside the input, its name with .html. Only a page of abut view is replaced")
        .type_name("PAGE.html");
    command.add_flag("--2d", options->plane, "The lines are questions of `abut query --2d`");
    command.add("--query", options->query, "With --2d: what the lines ask, as of `abut query`")
        .one_of_described({"distance", "cast", "ray", "point"});
    command.footer(
        "The page is one file that asks the network for nothing. It runs abut itself, as WebAssembly.\n"
        "Examples:\n"
        "  abut view frames.abut                       # writes frames.html; open it in a browser\n"
        "  abut view questions.jsonl -o wrong.html     # one question per frame\n"
        "  tail -n 1 questions.jsonl | abut view - -o last.html\n"
        "  abut view --2d plane.jsonl -o plane.html    # a page with the answers of abut query --2d");
    return [options] {
        if (!options->plane && options->query != "distance") throw InputError("--query: is for the plane (--2d)");
        return run_view(*options);
    };
}

}  // namespace abut::tools
