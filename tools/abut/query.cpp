// `abut query`: pairs in, answers out, one JSON object a line.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "files.hpp"
#include "progress.hpp"
#include "query_answer.hpp"
#include "query_batch.hpp"
#include "run_options.hpp"

namespace abut::tools {
namespace {

// Lines answered in one call: bounds memory on endless input; answers do not depend on it.
constexpr std::size_t kBatch = std::size_t(1) << 16;

struct QueryOptions {
    RunOptions run;
    std::string input = "-", output = "-";
    std::string query = "distance";
    bool stream = false, trace = false, plane = false;

    QuestionKind kind() const { return question_kind(query); }
};

template <class Space>
int run_query(const QueryOptions& options) {
    typename Space::NarrowPhase narrow(make_settings(options.run));
    LineReader lines(options.input);
    const NamedFile inputs[] = {lines.file()};
    TextWriter out(options.output, inputs);
    if (options.stream && !out.file().is_direct()) {
        throw InputError(
            fmt::format("--stream: {} is a file, which changes only once everything is written; answer to a pipe",
                        out.file().name()));
    }
    // A trace counts the rounds of a group of lanes: a pair on its own has its own.
    const std::size_t most_rows = options.stream || options.trace ? 1 : kBatch;
    Progress progress("answering, lines");
    SharedShapes<Space> shapes;
    Batch<Space> batch;
    std::string line;
    for (bool more = true; more;) {
        batch.clear();
        shapes.make_room();
        while (batch.rows.size() < most_rows && shapes.has_room() && (more = lines.next(line))) {
            add_row(batch, shapes, read_question<Space>(line, options.kind()), options.kind(), lines.line_number());
            progress.step();
        }
        ask(batch, shapes, narrow, options.kind(), options.trace);
        for (const Row& row : batch.rows) {
            append_row(out.buffer(), batch, row, options.kind());
            out.flush_if_large();
        }
        if (options.stream) out.flush();
    }
    out.finish();
    return 0;
}

}  // namespace

Command add_query(Arguments& program) {
    auto options = std::make_shared<QueryOptions>();
    Arguments command =
        program.subcommand("query", "Answer pairs of shapes: one JSON object per line in, one per line out");
    add_run_options(command, options->run, "Contacts are reported up to this far apart; 0.02 by default");
    command.add("FILE", options->input, "Questions; - or nothing is standard input");
    command.add("-o,--output", options->output, "Where to write; standard output by default").type_name("FILE");
    command
        .add("--query", options->query,
             "distance, with contacts; cast: the first time at which moving shapes meet; ray: where a ray meets a "
             "shape; point: how far a point is "
             "from one")
        .one_of_described({"distance", "cast", "ray", "point"});
    command.add_flag("--stream", options->stream,
                     "Answer each line before the next is read, for a program that asks through pipes");
    command.add_flag("--trace", options->trace,
                     "Add to each answer the states that the pair went through, the iterations, and the state that "
                     "certified the answer");
    command.add_flag("--2d", options->plane, "Questions are in the plane: two numbers per vector, angles in radians");
    command.footer(
        "A question:\n"
        "  {\"id\": \"q1\", \"a\": {\"shape\": \"sphere\", \"radius\": 0.5}, \"a_pos\": [0,0,0], \"a_quat\": "
        "[0,0,0,1],\n"
        "                \"b\": {\"shape\": \"box\", \"half_extents\": [1,1,1]}, \"b_pos\": [0,1.4,0], \"b_quat\": "
        "[0,0,0,1]}\n"
        "Of --query cast it may also have \"a_end_pos\", \"a_end_quat\", \"b_end_pos\", \"b_end_quat\" (poses at time "
        "1), \"target\" (metres) and\n"
        "\"start\" (\"stop\", \"closing_only\" or \"ignore\").\n"
        "A question of --query ray:\n"
        "  {\"id\": \"r1\", \"origin\": [0,3,0], \"direction\": [0,-9,0], \"b\": {\"shape\": \"sphere\", \"radius\": "
        "0.5}, \"b_pos\": [0,0,0],\n"
        "                \"b_quat\": [0,0,0,1]}\n"
        "A question of --query point has \"point\" instead of \"origin\" and \"direction\".\n"
        "A question of --2d:\n"
        "  {\"id\": \"p1\", \"a\": {\"shape\": \"circle\", \"radius\": 0.5}, \"a_pos\": [0,1.4], \"a_angle\": 0,\n"
        "                \"b\": {\"shape\": \"chain\", \"vertices\": [[3,0],[0,1],[-3,0]], \"loop\": false}, "
        "\"b_pos\": "
        "[0,0], \"b_angle\": 0}\n"
        "With --query cast, ray and point as above; angles instead of quaternions, also at the ends: \"a_end_angle\".\n"
        "Every line is answered in its place; a bad one gets a status and a message, and harms no other.\n"
        "Examples:\n"
        "  abut query questions.jsonl -o answers.jsonl\n"
        "  head -n 1 questions.jsonl | abut query --isa sse2 --threads 1\n"
        "  abut query --trace wrong.jsonl | jq .trace\n"
        "  abut query --query cast motions.jsonl\n"
        "  abut query --2d plane.jsonl\n"
        "  abut query --2d --query cast motions.jsonl\n"
        "  coproc ABUT { abut query --stream; }         # bash: write to ${ABUT[1]}, read from ${ABUT[0]}\n"
        "docs/formats.md describes the shapes' fields and the answers.");
    return [options] {
        if (options->plane && options->trace) throw InputError("--trace: there are no traces in the plane (--2d)");
        return options->plane ? run_query<Plane>(*options) : run_query<Space3D>(*options);
    };
}

}  // namespace abut::tools
