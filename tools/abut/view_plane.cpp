// Questions of the plane with their answers, for the page of `abut view --2d`.
#include <vector>

#include <fmt/format.h>

#include "json_string.hpp"
#include "json_text.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "query_answer.hpp"
#include "query_batch.hpp"
#include "view_page.hpp"

namespace abut::tools {
namespace {

constexpr std::size_t kBatch = std::size_t(1) << 14;

// A line that is not JSON becomes a string.
void append_pair(std::string& out, const std::string& line, const Batch<Plane>& batch, const Row& row,
                 QuestionKind kind) {
    std::string text = line;
    const bool is_json = parse_json(text).error.empty();
    fmt::format_to(std::back_inserter(out), "{}{{\"question\": {}, \"answer\": ", out.ends_with('[') ? "" : ",\n",
                   is_json ? line : json_string(line));
    append_row(out, batch, row, kind);
    out.back() = '}';  // instead of the end of the line
    check_size(out.size());
}

}  // namespace

std::string plane_scene(LineReader& lines, const std::string& title, const Settings& settings,
                        const std::string& query) {
    const QuestionKind kind = question_kind(query);
    std::string out =
        fmt::format("{{\"title\": {}, \"version\": \"{}\", \"query\": \"{}\", \"margin\": ", json_string(title),
                    ABUT_VERSION, query);
    append_number(out, settings.speculative_margin);
    out += ", \"pairs\": [";
    d2::NarrowPhase narrow(settings);
    SharedShapes<Plane> shapes;
    Batch<Plane> batch;
    std::vector<std::string> asked;
    Progress progress("reading, lines");
    std::string line;
    for (bool more = true; more;) {
        batch.clear();
        asked.clear();
        shapes.make_room();
        while (batch.rows.size() < kBatch && shapes.has_room() && (more = lines.next(line))) {
            asked.push_back(line);
            add_row(batch, shapes, read_question<Plane>(line, kind), kind, lines.line_number());
            progress.step();
        }
        ask(batch, shapes, narrow, kind, false);
        for (std::size_t i = 0; i < asked.size(); ++i) append_pair(out, asked[i], batch, batch.rows[i], kind);
    }
    if (out.ends_with('['))
        throw InputError(fmt::format("{}: is empty; it must hold questions of abut query --2d", lines.name()));
    return out + "]}";
}

}  // namespace abut::tools
