// `abut dump`: a capture to JSON lines.
#include <memory>

#include "capture_json.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace abut::tools {
namespace {

struct DumpOptions {
    std::string input, output = "-";
};

int run_dump(const DumpOptions& options) {
    const CaptureFile file(options.input);
    const NamedFile inputs[] = {file.file()};
    TextWriter out(options.output, inputs);
    append_shapes_line(out.buffer(), file.capture().shapes);
    Progress progress("dumping, frames");
    for (const CaptureFrame& frame : file.capture().frames) {
        append_frame_line(out.buffer(), frame);
        out.flush_if_large();
        progress.step();
    }
    out.finish();
    return 0;
}

}  // namespace

Command add_dump(Arguments& program) {
    auto options = std::make_shared<DumpOptions>();
    Arguments command = program.subcommand("dump", "Turn a capture into JSON lines");
    command.add("FILE.abut", options->input, "The capture to read").required();
    command.add("-o,--output", options->output, "Where to write; standard output by default");
    command.footer(
        "Examples:\n"
        "  abut dump frames.abut | head -n 1          # the shapes\n"
        "  abut dump frames.abut -o frames.jsonl      # packing it again gives the same bytes\n"
        "docs/formats.md describes both formats.");
    return [options] { return run_dump(*options); };
}

}  // namespace abut::tools
