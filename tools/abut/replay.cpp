// `abut replay`: run a capture's frames, time them, and check that every repetition gives the same bits.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.hpp"
#include "embedded.hpp"
#include "files.hpp"
#include "printable.hpp"
#include "program.hpp"
#include "replay_report.hpp"
#include "replay_run.hpp"
#include "run_options.hpp"

namespace abut::tools {
namespace {

struct ReplayOptions {
    RunOptions run;
    std::optional<double> follow;
    std::string file, query = "collide";
    unsigned repeat = 0;  // 0: the default
    bool warm = false, json = false, stages = false, checksum = false;
};

ReplaySettings replay_settings(const ReplayOptions& options) {
    ReplaySettings settings;
    settings.library = make_settings(options.run);
    if (options.follow) settings.library.follow_distance = float(*options.follow);
    for (const Query query : {Query::overlap, Query::distance, Query::collide}) {
        if (options.query == to_string(query)) settings.query = query;
    }
    settings.has_margin = options.run.margin.has_value();
    if (options.run.margin) settings.distance.max_distance = float(*options.run.margin);
    settings.repeat = options.repeat != 0 ? options.repeat : options.checksum ? 1 : 5;
    settings.warm = options.warm;
    settings.stages = options.stages;
    return settings;
}

int run_replay(const ReplayOptions& options) {
    const ReplaySettings settings = replay_settings(options);
    std::optional<CaptureFile> file;
    Capture embedded;
    if (options.file.empty())
        embedded = read_capture(embedded_capture(), kEmbeddedName);
    else
        file.emplace(options.file);
    const ReportHead head{options.file.empty() ? kEmbeddedName : options.file, thread_count(options.run)};

    const Replay result = replay(file ? file->capture() : embedded, head.file, settings);
    if (!result.difference.empty()) {
        fmt::print(stderr, "abut: {}\n", printable(fmt::format("{}: {}", head.file, result.difference)));
        return 1;
    }
    std::vector<NamedFile> inputs;
    if (file) inputs.push_back(file->file());
    TextWriter out("-", inputs);
    out.buffer() = options.checksum ? report_checksum(result)
                   : options.json   ? report_json(result, settings, head)
                                    : report_table(result, settings, head);
    out.finish();
    return 0;
}

}  // namespace

Command add_replay(Arguments& program) {
    auto options = std::make_shared<ReplayOptions>();
    Arguments command =
        program.subcommand("replay", "Run the frames of a capture: counts, time, a checksum of all result bits");
    command.add("FILE.abut", options->file,
                "The capture; without one, a recorded pile of 2,000 bodies that is built in");
    command.add("--query", options->query, "overlap, distance or collide, the default")
        .one_of_described({"overlap", "distance", "collide"})
        .type_name("NAME");
    add_run_options(
        command, options->run,
        "collide: contacts up to this far apart, by default the capture's own margins or 0.02; distance: pairs farther "
        "apart are left out");
    command
        .add("--repeat", options->repeat, "Timed repetitions, after one that is not; 5 by default, with --checksum 1")
        .in_range(1u, 1000000u)
        .type_name("R");
    command.add_flag("--warm", options->warm,
                     "Carry the warm-start caches from frame to frame; the first frame does not figure");
    command
        .add("--follow", options->follow,
             "With --warm: contacts follow their bodies so far, and err by up to twice that; 0 by default")
        .check(check_not_negative)
        .type_name("METRES");
    command.add_flag("--stages", options->stages,
                     "The time of each stage, too; for a library built with -D ABUT_STAGE_TIMES=ON");
    command.add_flag("--json", options->json, "One JSON object instead of tables");
    command.add_flag("--checksum", options->checksum, "The checksum of all frames alone, to compare machines");
    command.footer(
        "Times are of whole calls: checking, sorting, computing, writing. The first is the best, the second the median "
        "repetition.\n"
        "Examples:\n"
        "  abut replay --threads 1\n"
        "  abut replay frames.abut --query distance --isa avx2 --repeat 20\n"
        "  abut replay frames.abut --warm --follow 0.005\n"
        "  abut replay --json | python3 -m json.tool\n"
        "  abut replay --checksum --isa sse2 --threads 7\n"
        "docs/formats.md says how the checksum is made and what the JSON holds.");
    return [options] { return run_replay(*options); };
}

}  // namespace abut::tools
