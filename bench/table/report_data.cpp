// The table for programs: a line or an object a contestant.
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
            out += fmt::format("{},{},{:.4f},{},{},{},{},{:.5f},{:.3g},{:.3f},{:.3f},{}\n", cell.row, to_string(cell.query), cell.hit_rate, c.library,
                               c.variant, c.pairs, c.counts ? 1 : 0, c.hit_share, c.error_p99, c.ns_min, c.ns_median, c.rounds);
        }
    }
    return out;
}

std::string to_json(const Report& report) {
    using Json = nlohmann::ordered_json;
    Json root = {{"machine", report.machine.cpu}, {"isas", report.machine.isas}, {"compiler", report.machine.compiler},
                 {"date", report.machine.date},   {"command", report.command},   {"notes", report.notes}};
    root["rows"] = Json::array();
    for (const Cell& cell : report.cells) {
        Json entry = {{"row", cell.row}, {"query", to_string(cell.query)}, {"pairs", cell.pairs}, {"hit_rate", cell.hit_rate}};
        const Contestant *ours = cell.best_abut(), *theirs = cell.best_rival();
        entry["best_abut"] = ours ? Json(ours->variant) : Json();
        entry["best_rival"] = theirs ? Json(theirs->library + "/" + theirs->variant) : Json();
        entry["ahead"] = cell.ahead() > 0 ? Json(cell.ahead()) : Json();
        for (const Contestant& c : cell.contestants) {
            entry["contestants"].push_back({{"library", c.library},
                                            {"variant", c.variant},
                                            {"pairs", c.pairs},
                                            {"counts", c.counts},
                                            {"hit_share", c.hit_share},
                                            {"error", c.error_p99},
                                            {"ns_min", c.ns_min},
                                            {"ns_median", c.ns_median},
                                            {"rounds", c.rounds},
                                            {"trouble", c.trouble}});
        }
        root["rows"].push_back(std::move(entry));
    }
    root["bars"] = Json::array();
    for (const Bar& bar : bars(report)) root["bars"].push_back({{"text", bar.text}, {"met", bar.met}});
    return root.dump(2) + "\n";
}

}  // namespace abut::bench
