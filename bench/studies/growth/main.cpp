// abut_growth: how a pair's cost grows with the hulls' vertices, as CSV and as a plot.
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "harness/abut_runner.hpp"
#include "harness/machine.hpp"
#include "harness/rows.hpp"
#include "output_file.hpp"
#include "scenes/environment.hpp"
#include "studies/growth/plot.hpp"
#include "table/measure.hpp"

namespace abut::bench {
namespace {

struct Options {
    std::vector<std::string> isas = {to_string(usable_isas().front())};
    std::vector<unsigned> vertices = {8, 16, 32, 64, 96, 128, 192, 256, 512, 1024};
    std::size_t pairs = 2048;
    double seconds = 1.0;
    std::string svg;
};

// Columns: vertices, query, isa, ns per pair (minimum and median over the rounds). False where an answer was wrong.
bool measure_size(unsigned vertices, const std::vector<Isa>& isas, const Options& options,
                  std::vector<GrowthLine>& lines) {
    const Row row = make_row(fmt::format("hull{0}-hull{0}", vertices), options.pairs);
    Effort effort;
    effort.cell_ns = options.seconds * 1e9;
    effort.rivals = false;
    bool right = true;
    std::size_t line = 0;
    for (const Query query : kQueries) {
        const Cell cell = measure(row, query, isas, effort);
        for (const Contestant& abut : cell.contestants) {
            fmt::print("{},{},{},{:.1f},{:.1f}\n", vertices, to_string(query), abut.variant, abut.ns_min,
                       abut.ns_median);
            if (!abut.counts)
                fmt::print(stderr, "{} {} {}: {}\n", row.name, to_string(query), abut.variant, abut.trouble);
            right = right && abut.counts;
            lines[line].vertices.push_back(vertices);
            lines[line++].ns.push_back(abut.ns_min);
        }
    }
    std::fflush(stdout);
    return right;
}

int run(const Options& options, const std::string& command) {
    std::optional<tools::OutputFile> svg;
    if (!options.svg.empty()) svg.emplace(options.svg);
    std::vector<Isa> isas;
    for (const std::string& name : options.isas) isas.push_back(*parse_isa(name));
    std::vector<GrowthLine> lines;
    for (const Query query : kQueries)
        for (const Isa isa : isas) lines.push_back({fmt::format("{}, {}", to_string(query), to_string(isa)), {}, {}});
    const Machine machine = this_machine();
    fmt::print("# {}; {}; {}; {}\nvertices,query,isa,ns_min,ns_median\n", machine.cpu, machine.compiler, machine.date,
               command);
    bool right = true;
    for (const unsigned vertices : options.vertices) right = measure_size(vertices, isas, options, lines) && right;
    if (svg) {
        svg->write(growth_svg(lines, fmt::format("{}, {}, {}", machine.cpu, machine.date, command)));
        svg->commit();
    }
    if (std::fflush(stdout) != 0) throw tools::OutputError("standard output: cannot be written");
    return right ? 0 : 1;
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_growth")) return 2;
    using namespace abut::bench;
    abut::tools::CommandLine app(
        "Times abut on pairs of hulls of 8 to 1,024 vertices and prints ns per pair as CSV.\n"
        "Exit code 1 where an answer of abut is wrong.");
    Options options;
    std::vector<std::string> isas;
    for (const abut::Isa isa : usable_isas()) isas.push_back(to_string(isa));
    app.add("--isa", options.isas, "these instruction sets, comma separated; the widest by default")
        .comma_separated()
        .one_of(isas);
    app.add("--vertices", options.vertices, "these sizes, comma separated")
        .comma_separated()
        .in_range(4u, abut::ShapeStore::kMaxHullVertices);
    app.add("--pairs", options.pairs, "so many pairs a size; 2048 by default").in_range(3u, 1u << 20);
    app.add("--seconds", options.seconds, "of timing for each size and query; 1 by default").in_range(1e-3, 3600.0);
    app.add("--svg", options.svg, "draw the plot into this file");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    try {
        return run(options, command_line(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "abut_growth: {}\n", error.what());
        return 2;
    }
}
