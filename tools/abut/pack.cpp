// `abut pack`: JSON lines to a capture.
#include <memory>

#include "capture_json.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace abut::tools {
namespace {

struct PackOptions {
    std::string input, output;
};

int run_pack(const PackOptions& options) {
    LineReader lines(options.input);
    const NamedFile inputs[] = {lines.file()};
    OutputFile out(options.output, inputs);
    CaptureWriter writer;
    Progress progress("packing, frames");
    pack_lines(lines, writer, [&] { progress.step(); });
    out.write(file_bytes(writer));
    out.commit();
    return 0;
}

}  // namespace

Command add_pack(Arguments& program) {
    auto options = std::make_shared<PackOptions>();
    Arguments command = program.subcommand("pack", "Turn JSON lines into a capture");
    command
        .add("IN.jsonl", options->input, "JSON lines: {\"shapes\": [...]}, then a line a frame; - for standard input")
        .required();
    command.add("OUT.abut", options->output, "The capture to write").required();
    command.footer(
        "Examples:\n"
        "  abut pack frames.jsonl frames.abut\n"
        "  abut dump frames.abut | sed 's/falling/dropped/' | abut pack - renamed.abut\n"
        "docs/formats.md describes both formats.");
    return [options] { return run_pack(*options); };
}

}  // namespace abut::tools
