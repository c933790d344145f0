// abut_table: abut against its rivals, row by row, in one run; signed against signed.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "arguments.hpp"
#include "harness/abut_runner.hpp"
#include "harness/machine.hpp"
#include "harness/rows.hpp"
#include "rivals/rival.hpp"
#include "scenes/environment.hpp"
#include "table/folder.hpp"
#include "table/measure.hpp"
#include "table/page.hpp"
#include "table/report.hpp"
#include "table/report_read.hpp"

namespace abut::bench {
namespace {

struct Options {
    std::vector<std::string> rows, queries, isas;
    std::size_t pairs = 0;  // 0: as the row has them
    bool quick = false, no_rivals = false, list = false;
    bool json = false, markdown = false, csv = false, readme = false;
    std::string from, report, elsewhere;

    bool is_printed() const { return json || markdown || csv || readme || report.empty(); }
};

constexpr const char* kAbout =
    "Times abut and its rivals on the same pairs, in turn, and prints ns per pair and the ratios.\n"
    "Exit code 1 where an answer of abut is wrong.";
constexpr const char* kExamples =
    "Examples:\n"
    "  abut_table --quick\n"
    "  abut_table --report out                                   measures and writes out/results.json, out/report.md "
    "and charts\n"
    "  abut_table --from out/results.json --report out           the page and the charts again, from the same figures\n"
    "  abut_table --from out/results.json --readme --isa avx2    one line per row, as in README.md";

bool chosen(const std::vector<std::string>& wanted, const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

void describe(tools::Arguments& app, Options& options) {
    std::vector<std::string> queries, isas;
    for (const Query query : kQueries) queries.push_back(to_string(query));
    for (const Isa isa : kAllIsas) isas.push_back(to_string(isa));
    app.footer(kExamples);
    app.add("--rows", options.rows, "only these rows, comma separated").comma_separated();
    app.add("--queries", options.queries, "only these queries").comma_separated().one_of(queries);
    app.add("--isa", options.isas, "abut on these instruction sets only").comma_separated().one_of(isas);
    tools::Argument pairs = app.add("--pairs", options.pairs, "at most so many pairs per row");
    tools::Argument quick = app.add_flag("--quick", options.quick, "fewer pairs and rounds: a look, not a measurement");
    tools::Argument no_rivals = app.add_flag("--no-rivals", options.no_rivals, "abut alone");
    tools::Argument list = app.add_flag("--list", options.list, "print the rows and the rivals, and measure nothing");
    app.add("--from", options.from, "measure nothing: take the figures of this results.json")
        .excludes(pairs)
        .excludes(quick)
        .excludes(no_rivals)
        .excludes(list);
    tools::Argument report =
        app.add("--report", options.report, "write results.json, report.md and a chart per query into this folder")
            .excludes(list);
    app.add("--elsewhere", options.elsewhere,
            "figures of another machine or of other libraries, a JSON file as well: a table in the report")
        .needs(report);
    tools::Argument json = app.add_flag("--json", options.json, "print one JSON object");
    tools::Argument markdown = app.add_flag("--markdown", options.markdown, "print tables for a page");
    tools::Argument csv = app.add_flag("--csv", options.csv, "print one line per contestant");
    tools::Argument readme = app.add_flag("--readme", options.readme, "print one line per row, for README.md");
    json.excludes(markdown).excludes(csv).excludes(readme);
    markdown.excludes(csv).excludes(readme);
    csv.excludes(readme);
}

void list_all() {
    for (const std::string& name : row_names()) fmt::print("row   {}\n", name);
    for (const Rival& rival : rivals()) {
        fmt::print("rival {:<22}", rival.name());
        for (const Query query : kQueries) fmt::print(" {}", rival.answers(query) ? to_string(query) : "");
        fmt::print("\n");
    }
    for (const char* note : rival_notes()) fmt::print("note  {}\n", note);
}

Effort effort_of(const Options& options) {
    Effort effort;
    if (options.quick) {
        effort.cell_ns = 1e8;
        effort.max_rounds = 7;
    }
    effort.rivals = !options.no_rivals;
    return effort;
}

void show_progress(const std::string& row, Query query) {
    if (isatty(STDERR_FILENO)) std::fputs(fmt::format("\r\033[K{} {} ...", row, to_string(query)).c_str(), stderr);
}
void end_progress() {
    if (isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);
}

void measure_all(const Options& options, Report& report) {
    const std::size_t most_pairs = options.pairs ? options.pairs : options.quick ? 2048 : 0;
    for (const std::string& name : row_names()) {
        if (!chosen(options.rows, name)) continue;
        const Row row = make_row(name, most_pairs);
        if (row.pairs.empty()) continue;
        for (const Query query : kQueries) {
            if (!chosen(options.queries, to_string(query))) continue;
            show_progress(name, query);
            report.cells.push_back(measure(row, query, report.isas, effort_of(options)));
        }
    }
    end_progress();
}

// `--name value`: value must be among what there is.
void require_known(const char* name, const std::vector<std::string>& wanted, const std::vector<std::string>& known) {
    for (const std::string& value : wanted) {
        if (std::find(known.begin(), known.end(), value) == known.end())
            throw tools::InputError(fmt::format("{}: there is no {}, but {}", name, value, fmt::join(known, ", ")));
    }
}

std::vector<std::string> names_of(const std::vector<Isa>& isas) {
    std::vector<std::string> names;
    for (const Isa isa : isas) names.push_back(to_string(isa));
    return names;
}

std::vector<Isa> chosen_isas(const Options& options, const std::vector<Isa>& isas) {
    require_known("--isa", options.isas, names_of(isas));
    std::vector<Isa> out;
    for (const Isa isa : isas) {
        if (chosen(options.isas, to_string(isa))) out.push_back(isa);
    }
    return avx2_first(out);
}

// The chosen rows, queries and instruction sets of a report that was read.
void narrow(const Options& options, Report& report) {
    require_known("--rows", options.rows, report.rows());
    report.isas = chosen_isas(options, report.isas);
    std::erase_if(report.cells, [&](const Cell& cell) {
        return !chosen(options.rows, cell.row) || !chosen(options.queries, to_string(cell.query));
    });
    std::erase_if(report.given_means,
                  [&](const Mean& mean) { return !chosen(options.queries, to_string(mean.query)); });
    const auto is_left_out = [&](const Contestant& c) { return c.is_abut() && !chosen(options.isas, c.variant); };
    for (Cell& cell : report.cells) std::erase_if(cell.contestants, is_left_out);
}

Report measured(const Options& options, const std::string& command) {
    require_known("--rows", options.rows, row_names());
    Report report;
    report.machine = this_machine();
    report.command = command;
    report.isas = chosen_isas(options, usable_isas());
    if (!options.no_rivals) {
        for (const char* note : rival_notes()) report.notes.push_back(note);
        for (const Rival& rival : rivals()) {
            if (report.libraries.empty() || report.libraries.back() != rival.library)
                report.libraries.push_back(rival.library);
        }
    }
    measure_all(options, report);
    return report;
}

std::string printed(const Options& options, const Report& report) {
    if (options.json) return to_json(report);
    if (options.markdown) return to_markdown(report);
    if (options.csv) return to_csv(report);
    return options.readme ? readme_page(report) : to_text(report);
}

std::optional<ReportFolder> folder_of(const Options& options, const std::vector<tools::NamedFile>& inputs) {
    if (options.report.empty()) return std::nullopt;
    std::vector<Query> queries;
    for (const Query query : kQueries) {
        if (chosen(options.queries, to_string(query))) queries.push_back(query);
    }
    return std::optional<ReportFolder>(std::in_place, options.report, queries, inputs);
}

int run(const Options& options, const std::string& command) {
    std::optional<Report> elsewhere, report;
    std::vector<tools::NamedFile> inputs;
    if (!options.elsewhere.empty()) elsewhere = read_report(options.elsewhere, inputs);
    if (!options.from.empty()) {
        report = read_report(options.from, inputs);
        narrow(options, *report);
    }
    std::optional<ReportFolder> folder = folder_of(options, inputs);
    if (!report) report = measured(options, command);
    if (folder) folder->write(*report, elsewhere ? &*elsewhere : nullptr);
    std::fputs(options.is_printed() ? printed(options, *report).c_str() : (folder->page() + "\n").c_str(), stdout);
    if (std::fflush(stdout) != 0) throw tools::OutputError("standard output: cannot be written");
    for (const std::string& trouble : troubles(*report)) std::fputs((trouble + "\n").c_str(), stderr);
    return troubles(*report).empty() ? 0 : 1;
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_table")) return 2;
    using namespace abut::bench;
    abut::tools::CommandLine app(kAbout);
    Options options;
    describe(app, options);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    try {
        if (!options.list) return run(options, command_line(argc, argv));
        list_all();
        return 0;
    } catch (const abut::tools::OutputError& error) {
        std::fputs(fmt::format("abut_table: {}\n", error.what()).c_str(), stderr);
        return 1;
    } catch (const std::exception& error) {
        std::fputs(fmt::format("abut_table: {}\n", error.what()).c_str(), stderr);
        return 2;
    }
}
