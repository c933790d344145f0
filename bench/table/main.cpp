// abut_table: abut against its rivals, row by row, in one run; signed against signed.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "harness/abut_runner.hpp"
#include "harness/machine.hpp"
#include "harness/rows.hpp"
#include "rivals/rival.hpp"
#include "scenes/environment.hpp"
#include "table/measure.hpp"
#include "table/report.hpp"

namespace abut::bench {
namespace {

struct Options {
    std::vector<std::string> rows, queries, isas;
    std::size_t pairs = 0;  // 0: as the row has them
    bool quick = false, no_rivals = false, list = false;
    bool json = false, markdown = false, csv = false;
};

bool chosen(const std::vector<std::string>& wanted, const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

void describe(CLI::App& app, Options& options) {
    std::vector<std::string> queries, isas;
    for (const Query query : kQueries) queries.push_back(to_string(query));
    for (const Isa isa : usable_isas()) isas.push_back(to_string(isa));
    app.add_option("--rows", options.rows, "only these rows, comma separated")->delimiter(',')->check(CLI::IsMember(row_names()));
    app.add_option("--queries", options.queries, "only these queries")->delimiter(',')->check(CLI::IsMember(queries));
    app.add_option("--isa", options.isas, "abut on these instruction sets only")->delimiter(',')->check(CLI::IsMember(isas));
    app.add_option("--pairs", options.pairs, "at most so many pairs a row");
    app.add_flag("--quick", options.quick, "fewer pairs and rounds: a look, not a measurement");
    app.add_flag("--no-rivals", options.no_rivals, "abut alone");
    app.add_flag("--list", options.list, "print the rows and the rivals, and measure nothing");
    CLI::Option* json = app.add_flag("--json", options.json, "one JSON object");
    CLI::Option* markdown = app.add_flag("--markdown", options.markdown, "tables for a page");
    CLI::Option* csv = app.add_flag("--csv", options.csv, "a line a contestant");
    json->excludes(markdown)->excludes(csv);
    markdown->excludes(csv);
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

int run(const Options& options, const std::string& command) {
    Report report;
    report.machine = this_machine();
    report.command = command;
    for (const Isa isa : usable_isas()) {
        if (chosen(options.isas, to_string(isa))) report.isas.push_back(isa);
    }
    if (!options.no_rivals) {
        for (const char* note : rival_notes()) report.notes.push_back(note);
        for (const Rival& rival : rivals()) {
            if (report.libraries.empty() || report.libraries.back() != rival.library) report.libraries.push_back(rival.library);
        }
    }
    measure_all(options, report);
    const std::string text = options.json ? to_json(report) : options.markdown ? to_markdown(report) : options.csv ? to_csv(report) : to_text(report);
    std::fputs(text.c_str(), stdout);
    for (const std::string& trouble : troubles(report)) std::fputs((trouble + "\n").c_str(), stderr);
    return troubles(report).empty() ? 0 : 1;
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_table")) return 2;
    using namespace abut::bench;
    CLI::App app(
        "Times abut and its rivals on the same pairs, in turn, and prints ns per pair and the ratios.\n"
        "Exit code 1 where an answer of abut is wrong.");
    Options options;
    describe(app, options);
    CLI11_PARSE(app, argc, argv);
    if (options.list) {
        list_all();
        return 0;
    }
    return run(options, command_line(argc, argv));
}
