#include "table/page.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "table/figures.hpp"
#include "table/markdown.hpp"

namespace abut::bench {
namespace {

using Lines = std::vector<std::vector<std::string>>;

bool any_cell(const Report& report, Query query, const std::function<bool(const Cell&)>& holds) {
    return std::any_of(report.cells.begin(), report.cells.end(),
                       [&](const Cell& cell) { return cell.query == query && holds(cell); });
}

// A column of README's table.
struct Column {
    Query query = Query::overlap;
    std::string title;
    std::function<std::string(const Cell&)> entry;
};

std::string abut_entry(const Cell& cell, Isa isa) {
    if (const Contestant* c = cell.abut_on(isa)) return page_figure(c->ns_min);
    const auto is_wrong = [&](const Contestant& c) { return c.is_abut() && c.variant == to_string(isa) && !c.counts; };
    return std::any_of(cell.contestants.begin(), cell.contestants.end(), is_wrong) ? "WRONG" : "-";
}

std::string rival_entry(const Report& report, const Cell& cell) {
    const Contestant* rival = cell.best_rival();
    if (!rival) return "none";
    const double ratio = ahead_of_first(report, cell);
    const char* mark = ratio > 0 && ratio < 1 ? "**" : "";
    return fmt::format("{0}{1} {2}{0}", mark, page_figure(rival->ns_min), rival->library);
}

// The first column of a query names it.
std::vector<Column> columns_of(const Report& report) {
    std::vector<Column> columns;
    const auto add = [&](Query query, const std::string& name, std::function<std::string(const Cell&)> entry) {
        const bool is_first = columns.empty() || columns.back().query != query;
        columns.push_back({query, is_first ? fmt::format("{}: {}", spelled(query), name) : name, std::move(entry)});
    };
    for (const Query query : kQueries) {
        for (const Isa isa : report.isas) {
            if (any_cell(report, query, [&](const Cell& cell) { return abut_entry(cell, isa) != "-"; }))
                add(query, spelled(isa), [isa](const Cell& cell) { return abut_entry(cell, isa); });
        }
        if (any_cell(report, query, [](const Cell& cell) { return cell.best_rival() != nullptr; }))
            add(query, "rival", [&report](const Cell& cell) { return rival_entry(report, cell); });
    }
    return columns;
}

std::string entry_of(const Report& report, const std::string& row, const Column& column) {
    for (const Cell& cell : report.cells) {
        if (cell.row == row && cell.query == column.query) return column.entry(cell);
    }
    return "";
}

std::string figures_table(const Report& report) {
    const std::vector<Column> columns = columns_of(report);
    Lines lines = {{"row"}};
    for (const Column& column : columns) lines[0].push_back(column.title);
    for (const std::string& row : report.rows()) {
        lines.push_back({row});
        for (const Column& column : columns) lines.back().push_back(entry_of(report, row, column));
    }
    return markdown_table(lines);
}

std::string mean_entry(const std::vector<Mean>& all, const std::string& library, Query query) {
    for (const Mean& mean : all) {
        if (mean.library == library && mean.query == query) return fmt::format("{:.1f}x", mean.ratio);
    }
    return "-";
}

std::string means_table(const Report& report) {
    const std::vector<Mean> all = means(report);
    if (all.empty() || report.isas.empty()) return "";
    std::vector<std::string> libraries;
    for (const Mean& mean : all) {
        if (std::find(libraries.begin(), libraries.end(), mean.library) == libraries.end())
            libraries.push_back(mean.library);
    }
    Lines lines = {{fmt::format("rival / abut on {}, geometric mean", spelled(report.isas.front()))}};
    for (const std::string& library : libraries) lines.push_back({library});
    for (const Query query : kQueries) {
        if (!has_mean(all, query)) continue;
        lines[0].push_back(spelled(query));
        for (std::size_t i = 0; i < libraries.size(); ++i) lines[i + 1].push_back(mean_entry(all, libraries[i], query));
    }
    return markdown_table(lines);
}

std::string provenance(const Report& report) {
    std::string out = fmt::format("{}; {}; {}", report.machine.cpu, report.machine.compiler, report.machine.date);
    return out + (report.command.empty() ? ".\n" : fmt::format("; `{}`.\n", report.command));
}

std::string list_of(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += "- " + line + "\n";
    return out;
}

std::string verdict(const Report& report) {
    std::string out = means_table(report);
    if (!out.empty()) out += "\n";
    for (const Bar& bar : bars(report)) out += fmt::format("- {}{}\n", bar.met ? "" : "NOT MET: ", bar.text);
    return out + list_of(troubles(report));
}

}  // namespace

std::string chart_name(Query query) { return std::string(to_string(query)) + ".svg"; }

std::string readme_page(const Report& report) {
    const std::string table = means_table(report);
    return fmt::format("{}\n{}{}{}", figures_table(report), table, table.empty() ? "" : "\n", provenance(report));
}

std::string report_page(const Report& report, const Report* elsewhere) {
    std::string out = "# abut beside other libraries\n\nNanoseconds per pair, whole calls on one core. " +
                      provenance(report) + "\n" + verdict(report);
    for (const Query query : kQueries) {
        if (!report.has(query)) continue;
        const std::string name = spelled(query);
        out += fmt::format("\n## {}{}\n\n![{}: nanoseconds per pair]({})\n\n{}", char(name[0] - 'a' + 'A'),
                           name.substr(1), name, chart_name(query), to_markdown(report, query));
    }
    if (elsewhere) out += "\n## Measured elsewhere\n\n" + readme_page(*elsewhere) + "\n" + list_of(elsewhere->notes);
    return out + "\n## What was timed\n\n" + list_of(facts(report));
}

}  // namespace abut::bench
