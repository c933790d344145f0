// The table for programs: a line or an object a contestant.
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "table/report.hpp"

namespace abut::bench {

std::string to_csv(const Report& report) {
    std::string out;
    for (const std::string& fact : facts(report)) out += "# " + fact + "\n";
    out += "row,query,hit_rate,library,variant,pairs,counts,hit_share,error,ns_min,ns_median,rounds\n";
    for (const Cell& cell : report.cells) {
        for (const Contestant& c : cell.contestants) {
            out += fmt::format("{},{},{:.4f},{},{},{},{},{:.5f},{:.3g},{:.3f},{:.3f},{}\n", cell.row,
                               to_string(cell.query), cell.hit_rate, c.library, c.variant, c.pairs, c.counts ? 1 : 0,
                               c.hit_share, c.error_p99, c.ns_min, c.ns_median, c.rounds);
        }
    }
    return out;
}

namespace {

using Json = nlohmann::ordered_json;

// As many digits as mean something. JSON has no infinity: null stands for it.
Json rounded(double value, const char* format) {
    return std::isfinite(value) ? Json(std::strtod(fmt::format(fmt::runtime(format), value).c_str(), nullptr)) : Json();
}

Json entry_of(const Contestant& c) {
    Json entry = {{"library", c.library}, {"variant", c.variant}, {"pairs", c.pairs}, {"counts", c.counts}};
    entry["hit_share"] = rounded(c.hit_share, "{:.5f}");
    entry["error"] = rounded(c.error_p99, "{:.3g}");
    entry["ns_min"] = rounded(c.ns_min, "{:.3f}");
    entry["ns_median"] = rounded(c.ns_median, "{:.3f}");
    entry["rounds"] = c.rounds;
    entry["trouble"] = c.trouble;
    return entry;
}

Json head_of(const Cell& cell) {
    Json head = {{"row", cell.row}, {"query", to_string(cell.query)}, {"pairs", cell.pairs}};
    head["hit_rate"] = cell.hit_rate < 0 ? Json() : rounded(cell.hit_rate, "{:.4f}");
    const Contestant *ours = cell.best_abut(), *theirs = cell.best_rival();
    head["best_abut"] = ours ? Json(ours->variant) : Json();
    head["best_rival"] = theirs ? Json(theirs->library + "/" + theirs->variant) : Json();
    head["ahead"] = cell.ahead() > 0 ? rounded(cell.ahead(), "{:.2f}") : Json();
    return head;
}

// Without the brace that ends an object, so that members can follow.
std::string opened(const Json& object) {
    std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.pop_back();
    return text;
}

template <class Items, class Text>
std::string listed(const Items& items, const char* indent, Text&& text) {
    std::string out = "[";
    for (const auto& item : items) out += std::string(out.size() > 1 ? "," : "") + "\n" + indent + text(item);
    return out + "]";
}

std::string as_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

// One contestant per line, so that a comparison of two files shows which figures changed.
std::string to_json(const Report& report) {
    const Json head = {{"machine", report.machine.cpu},
                       {"isas", report.machine.isas},
                       {"compiler", report.machine.compiler},
                       {"date", report.machine.date},
                       {"command", report.command}};
    std::string out = opened(head);
    out += ",\n\"notes\": " + listed(report.notes, " ", [](const std::string& note) { return as_text(note); });
    if (!report.given_means.empty()) {
        out += ",\n\"means\": " + listed(report.given_means, " ", [](const Mean& m) {
                   return as_text({{"library", m.library}, {"query", to_string(m.query)}, {"ratio", m.ratio}});
               });
    }
    out += ",\n\"rows\": " + listed(report.cells, " ", [](const Cell& cell) {
               return opened(head_of(cell)) + ", \"contestants\": " +
                      listed(cell.contestants, "  ", [](const Contestant& c) { return as_text(entry_of(c)); }) + "}";
           });
    out += ",\n\"bars\": " + listed(bars(report), " ", [](const Bar& bar) {
               return as_text({{"text", bar.text}, {"met", bar.met}});
           });
    return out + "}\n";
}

}  // namespace abut::bench
