// The table for readers.
#include <algorithm>

#include <fmt/format.h>

#include "table/figures.hpp"
#include "table/markdown.hpp"
#include "table/report.hpp"

namespace abut::bench {
namespace {

constexpr const char* kQuestions[] = {
    "overlap: hit or not",
    "separation: gap and witness points, 0 on overlap",
    "distance: signed, gap or depth, and witness points",
    "collide: contacts, cold",
    "collide-warm: contacts, with the caches of the frame before",
};

// A figure, and where it needs one a word about it.
struct Entry {
    std::string figure, word;
    std::string whole() const { return word.empty() ? figure : figure + " " + word; }
};
using Line = std::vector<Entry>;

Entry abut_entry(const Cell& cell, Isa isa) {
    if (const Contestant* c = cell.abut_on(isa)) return {figure(c->ns_min), ""};
    for (const Contestant& c : cell.contestants) {
        if (c.is_abut() && c.variant == to_string(isa) && !c.trouble.empty()) return {"WRONG", ""};
    }
    return {"-", ""};
}

Entry rival_entry(const Cell& cell, const std::string& library) {
    if (const Contestant* c = cell.best_rival(library)) {
        return {figure(c->ns_min), c->error_p99 > kRoughError ? c->variant + "~" : c->variant};
    }
    const double share = cell.best_wrong_share(library);
    if (share == 0) return {"crashed", ""};
    return share < 0 ? Entry{"-", ""} : Entry{"wrong", fmt::format("({:.1f}% right)", 100 * share)};
}

// Those that answered the query on some row.
std::vector<std::string> libraries_of(const Report& report, Query query) {
    std::vector<std::string> libraries = report.libraries;
    std::erase_if(libraries, [&](const std::string& library) {
        return std::none_of(report.cells.begin(), report.cells.end(),
                            [&](const Cell& cell) { return cell.query == query && cell.has(library); });
    });
    return libraries;
}

Line header(const Report& report, const std::vector<std::string>& libraries) {
    Line line = {{"row", ""}, {"hits", ""}};
    for (const Isa isa : report.isas) line.push_back({std::string("abut ") + to_string(isa), ""});
    for (const std::string& library : libraries) line.push_back({library, ""});
    if (!libraries.empty()) line.push_back({"ahead", ""});
    return line;
}

Line entries(const Report& report, const std::vector<std::string>& libraries, const Cell& cell) {
    Line line = {{cell.row, ""}, {cell.hit_rate < 0 ? "-" : fmt::format("{:.0f}%", 100 * cell.hit_rate), ""}};
    for (const Isa isa : report.isas) line.push_back(abut_entry(cell, isa));
    for (const std::string& library : libraries) line.push_back(rival_entry(cell, library));
    if (!libraries.empty()) line.push_back({cell.ahead() > 0 ? fmt::format("{:.1f}x", cell.ahead()) : "-", ""});
    return line;
}

std::vector<Line> lines_of(const Report& report, Query query) {
    const std::vector<std::string> libraries = libraries_of(report, query);
    std::vector<Line> lines;
    for (const Cell& cell : report.cells) {
        if (cell.query == query) lines.push_back(entries(report, libraries, cell));
    }
    if (!lines.empty()) lines.insert(lines.begin(), header(report, libraries));
    return lines;
}

// Names to the left, figures to the right, the words after them to the left.
std::string aligned(const std::vector<Line>& lines) {
    struct Widths {
        std::size_t figure = 0, word = 0;
    };
    std::vector<Widths> widest(lines[0].size());
    for (const Line& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            widest[i].figure = std::max(widest[i].figure, line[i].figure.size());
            widest[i].word = std::max(widest[i].word, line[i].word.size());
        }
    }
    std::string out;
    for (const Line& line : lines) {
        std::string text = fmt::format("  {:<{}}", line[0].figure, widest[0].figure);
        for (std::size_t i = 1; i < line.size(); ++i) {
            text += fmt::format("  {:>{}}", line[i].figure, widest[i].figure);
            if (widest[i].word > 0) text += fmt::format(" {:<{}}", line[i].word, widest[i].word);
        }
        out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

std::string as_markdown(const std::vector<Line>& lines) {
    std::vector<std::vector<std::string>> cells;
    for (const Line& line : lines) {
        cells.emplace_back();
        for (const Entry& entry : line) cells.back().push_back(entry.whole());
    }
    return markdown_table(cells);
}

}  // namespace

std::string figure(double ns) {
    return ns < 10 ? fmt::format("{:.2f}", ns) : ns < 100 ? fmt::format("{:.1f}", ns) : fmt::format("{:.0f}", ns);
}

std::string page_figure(double ns) {
    if (ns < 20) return fmt::format("{:.1f}", ns);
    std::string digits = fmt::format("{:.0f}", ns);
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
    return digits;
}

std::string to_text(const Report& report) {
    std::string out;
    for (const std::string& fact : facts(report)) out += fact + "\n";
    for (const Query query : kQueries) {
        const std::vector<Line> lines = lines_of(report, query);
        if (!lines.empty()) out += fmt::format("\n{}\n{}", kQuestions[std::size_t(query)], aligned(lines));
    }
    out += "\n";
    for (const Bar& bar : bars(report)) out += fmt::format("[{}] {}\n", bar.met ? "met" : "NOT MET", bar.text);
    for (const std::string& trouble : troubles(report)) out += trouble + "\n";
    return out;
}

std::string to_markdown(const Report& report, Query query) { return as_markdown(lines_of(report, query)); }

std::string to_markdown(const Report& report) {
    std::string out;
    for (const Query query : kQueries) {
        if (report.has(query))
            out += fmt::format("**{}**\n\n{}\n", kQuestions[std::size_t(query)], to_markdown(report, query));
    }
    for (const Bar& bar : bars(report)) out += fmt::format("- {}{}\n", bar.met ? "" : "NOT MET: ", bar.text);
    for (const std::string& trouble : troubles(report)) out += "- " + trouble + "\n";
    out += "\n";
    for (const std::string& fact : facts(report)) out += "- " + fact + "\n";
    return out;
}

}  // namespace abut::bench
