// abut_plane_table: abut in the plane against its rivals, row by row, in one run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abut/host.hpp>

#include "arguments.hpp"
#include "harness/machine.hpp"
#include "harness/timing.hpp"
#include "plane/row.hpp"
#include "scenes/environment.hpp"
#include "table/markdown.hpp"

namespace abut::bench {
namespace {

struct Options {
    std::vector<std::string> rows, queries;
    std::size_t pairs = 8192;
    int rounds = 200;
    bool no_rivals = false, csv = false;
    std::string isa = to_string(Isa::best);
};

struct Check {
    std::size_t decided = 0, wrong = 0;  // pairs whose hit is not open
    double share() const { return decided ? 1 - double(wrong) / double(decided) : 1; }
};

// How near to 0 a signed distance leaves the hit open, in metres: abut's is what it promises. Rivals compute in floats
// at 100 m, and b2ShapeCast keeps skins of a centimetre and a tolerance.
double open_within(const PlaneRow& row, PlaneQuery query, bool is_abut, std::size_t pair, double exact) {
    const double promised = tolerance(row, pair, exact);
    if (query == PlaneQuery::cast) return is_abut ? promised + CastOptions().tolerance : 0.035;
    if (!is_abut) return 1e-4;
    return promised + (query == PlaneQuery::collide ? slack(row, pair) : 0.0);
}

Check check(const PlaneRow& row, PlaneQuery query, const std::vector<double>& exact, const PlaneContestant& of) {
    const PlaneAnswers answers = of.answers();
    Check out;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const bool is_open = std::abs(exact[i]) <= open_within(row, query, of.library == "abut", i, exact[i]);
        bool wrong = answers.hit.empty() || (!is_open && (answers.hit[i] != 0) != (exact[i] <= 0));
        if (!answers.signed_distance.empty())
            wrong |= !(std::abs(answers.signed_distance[i] - exact[i]) <= tolerance(row, i, exact[i]));
        out.decided += !is_open, out.wrong += wrong;
    }
    return out;
}

struct Figure {
    std::string row, library, call;
    PlaneQuery query;
    std::size_t pairs;
    double hits, right, ns;  // shares; nanoseconds per pair
};

void time_in_turn(const std::vector<PlaneContestant>& contestants, int rounds, std::span<Figure> figures) {
    std::vector<Samples> samples(contestants.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < contestants.size(); ++i) samples[i].ns.push_back(time_call(1, contestants[i].run));
    for (std::size_t i = 0; i < contestants.size(); ++i)
        figures[i].ns = samples[i].minimum() / double(figures[i].pairs);
}

// False where an answer of abut is wrong, or a rival does not agree with the exact answers.
bool measure(const Options& options, const PlaneRow& row, PlaneQuery query, std::vector<Figure>& figures) {
    constexpr double kRivalShare = 0.99, kDecided = 0.2;
    std::vector<PlaneContestant> contestants = {abut_contestant(row, query, *parse_isa(options.isa))};
    for (const PlaneRival rival : plane_rivals())
        if (auto contestant = options.no_rivals ? std::nullopt : rival(row, query)) contestants.push_back(*contestant);
    const std::vector<double> exact = exact_distances(row, query);
    const auto hits = std::count_if(exact.begin(), exact.end(), [](double d) { return d <= 0; });
    const std::size_t first = figures.size();
    bool good = true;
    for (const PlaneContestant& contestant : contestants) {
        contestant.run();
        const Check checked = check(row, query, exact, contestant);
        figures.push_back({row.name, contestant.library, contestant.call, query, row.pairs.size(),
                           double(hits) / double(exact.size()), checked.share(), 0});
        const bool right = contestant.library == "abut" ? checked.wrong == 0 : checked.share() >= kRivalShare;
        if (right && double(checked.decided) >= kDecided * double(exact.size())) continue;
        fmt::print(stderr, "{}, {}: {} {} is wrong on {} of {} pairs, {} of which are decided\n", row.name,
                   to_string(query), contestant.library, contestant.call, checked.wrong, exact.size(), checked.decided);
        good = false;
    }
    time_in_turn(contestants, options.rounds, std::span(figures).subspan(first));
    return good;
}

bool chosen(const std::vector<std::string>& wanted, const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

bool measure_all(const Options& options, std::vector<Figure>& figures) {
    bool good = true;
    for (const char* name : plane_row_names()) {
        if (!chosen(options.rows, name)) continue;
        for (const bool for_motions : {false, true}) {
            const auto row = make_plane_row(name, for_motions, options.pairs);
            for (const PlaneQuery query : kPlaneQueries)
                if (row && is_motion(query) == for_motions && chosen(options.queries, to_string(query)))
                    good &= measure(options, *row, query, figures);
        }
    }
    return good;
}

std::string csv(const std::vector<Figure>& figures) {
    std::string out = "row,query,library,call,pairs,hit_share,right_share,ns_per_pair\n";
    for (const Figure& f : figures)
        out += fmt::format("{},{},{},{},{},{:.3f},{:.4f},{:.2f}\n", f.row, to_string(f.query), f.library, f.call,
                           f.pairs, f.hits, f.right, f.ns);
    return out;
}

// Nanoseconds of abut, and each rival's as a multiple of it.
std::string table(const std::vector<Figure>& figures) {
    std::vector<std::string> columns, rows;
    std::map<std::pair<std::string, std::string>, std::string> cells;
    const auto add = [](std::vector<std::string>& to, const std::string& name) {
        if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
    };
    for (const PlaneQuery query : kPlaneQueries) {
        double ours = 0;
        for (const Figure& f : figures) {
            if (f.query != query) continue;
            const bool is_ours = f.library == "abut";
            const std::string column = to_string(query) + (is_ours ? "" : "/" + f.library);
            if (is_ours) ours = f.ns;
            add(rows, f.row), add(columns, column);
            cells[{f.row, column}] = is_ours ? fmt::format("{:.1f}", f.ns) : fmt::format("{:.1f}x", f.ns / ours);
        }
    }
    std::vector<std::vector<std::string>> lines = {{"row"}};
    for (const std::string& column : columns)
        lines[0].push_back(column.substr(column.find('/') == std::string::npos ? 0 : column.find('/') + 1));
    for (const std::string& row : rows) {
        lines.push_back({row});
        for (const std::string& column : columns) lines.back().push_back(cells[{row, column}]);
    }
    return markdown_table(lines);
}

int run(const Options& options) {
    std::vector<Figure> figures;
    const bool good = measure_all(options, figures);
    if (options.csv) {
        fmt::print("{}", csv(figures));
        return good ? 0 : 1;
    }
    const Machine machine = this_machine();
    fmt::print("{}, {}, {}, {}\n", machine.cpu, options.isa, machine.compiler, machine.date);
    for (const char* note : plane_rival_notes()) fmt::print("{}\n", note);
    fmt::print("\n{}", table(figures));
    return good ? 0 : 1;
}

void describe(tools::Arguments& app, Options& options) {
    std::vector<std::string> rows(plane_row_names().begin(), plane_row_names().end()), queries;
    for (const PlaneQuery query : kPlaneQueries) queries.push_back(to_string(query));
    const auto is_usable = [](const std::string& name) {
        const Expected<Isa> isa = parse_isa(name);
        return isa && is_supported(*isa) ? std::string() : name + " cannot be used here";
    };
    app.add("--rows", options.rows, "only these rows, comma separated").comma_separated().one_of(rows);
    app.add("--queries", options.queries, "only these queries").comma_separated().one_of(queries);
    app.add("--isa", options.isa, "instruction set of abut; auto is the widest").check(is_usable);
    app.add("--pairs", options.pairs, "at most so many pairs per row, bodies of the pile")
        .in_range(1, 1000000)
        .show_default();
    app.add("--rounds", options.rounds, "each contestant is timed so often, in turn; the minimum counts")
        .in_range(1, 10000)
        .show_default();
    app.add_flag("--no-rivals", options.no_rivals, "abut alone");
    app.add_flag("--csv", options.csv, "print one line per contestant");
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_plane_table")) return 2;
    abut::tools::CommandLine app(
        "Times abut in the plane and its rivals on the same pairs, in turn: nanoseconds of abut per pair, and the time "
        "of each rival as a multiple of it.\nExit code 1 if an answer of abut is wrong, or more than 1% of a rival's.");
    abut::bench::Options options;
    abut::bench::describe(app, options);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    return abut::bench::run(options);
}
