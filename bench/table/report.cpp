#include "table/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut::bench {
namespace {

const Cell* find(const Report& report, const std::string& row, Query query) {
    for (const Cell& cell : report.cells) {
        if (cell.row == row && cell.query == query) return &cell;
    }
    return nullptr;
}

Bar least_ahead(const Report& report) {
    const Cell* least = nullptr;
    for (const Cell& cell : report.cells) {
        if (cell.ahead() > 0 && (!least || cell.ahead() < least->ahead())) least = &cell;
    }
    if (!least) return {"no row in which both abut and a rival are right", false};
    const Contestant& rival = *least->best_rival();
    return {fmt::format("ahead of the best right rival in every row: least {:.1f}x, on {}/{} against {}/{}",
                        least->ahead(), least->row, to_string(least->query), rival.library, rival.variant),
            least->ahead() > 1};
}

// Null: no ratio of this cell.
const Contestant* rival_of(const Cell& cell, const std::string& library) {
    return library == kBestRival ? cell.best_rival() : cell.best_rival(library);
}

double mean_ratio(const Report& report, const std::string& library, Query query) {
    double logs = 0;
    int rows = 0;
    for (const Cell& cell : report.cells) {
        if (cell.query != query) continue;
        const Contestant *ours = cell.abut_on(report.isas.front()), *theirs = rival_of(cell, library);
        if (ours && theirs) logs += std::log(theirs->ns_min / ours->ns_min), ++rows;
    }
    return rows ? std::exp(logs / rows) : 0;
}

}  // namespace

bool Report::has(Query query) const {
    return std::any_of(cells.begin(), cells.end(), [=](const Cell& cell) { return cell.query == query; });
}

std::vector<std::string> Report::rows() const {
    std::vector<std::string> names;
    for (const Cell& cell : cells) {
        if (std::find(names.begin(), names.end(), cell.row) == names.end()) names.push_back(cell.row);
    }
    return names;
}

std::vector<Isa> avx2_first(std::vector<Isa> isas) {
    std::stable_partition(isas.begin(), isas.end(), [](Isa isa) { return isa == Isa::avx2; });
    return isas;
}

const char* spelled(Isa isa) {
    switch (isa) {
        case Isa::sse2: return "SSE2";
        case Isa::avx2: return "AVX2";
        case Isa::avx512: return "AVX-512";
        case Isa::neon: return "NEON";
        default: return to_string(isa);
    }
}

const char* spelled(Query query) {
    constexpr const char* kNames[] = {"overlap", "separation", "signed distance", "contacts", "warm contacts"};
    return kNames[std::size_t(query)];
}

std::vector<Mean> means(const Report& report) {
    std::vector<Mean> out = report.given_means;
    if (report.isas.empty()) return out;
    std::vector<std::string> libraries = report.libraries;
    libraries.insert(libraries.begin(), kBestRival);
    for (const Query query : kQueries) {
        if (has_mean(report.given_means, query)) continue;
        for (const std::string& library : libraries) {
            if (const double ratio = mean_ratio(report, library, query); ratio > 0)
                out.push_back({library, query, ratio});
        }
    }
    return out;
}

bool has_mean(const std::vector<Mean>& means, Query query) {
    return std::any_of(means.begin(), means.end(), [=](const Mean& mean) { return mean.query == query; });
}

double ahead_of_first(const Report& report, const Cell& cell) {
    const Contestant* ours = report.isas.empty() ? nullptr : cell.abut_on(report.isas.front());
    const Contestant* theirs = cell.best_rival();
    return ours && theirs ? theirs->ns_min / ours->ns_min : 0;
}

std::vector<Bar> bars(const Report& report) {
    std::vector<Bar> out;
    if (!report.libraries.empty() && !report.cells.empty()) out.push_back(least_ahead(report));
    if (const Cell* cell = find(report, "hull32-hull32", Query::distance); cell && cell->ahead() > 0) {
        out.push_back(
            {fmt::format("hull32-hull32 signed distance: {:.1f}x the best signed rival (promised: 5x)", cell->ahead()),
             cell->ahead() >= 5});
    }
    if (const Cell* cell = find(report, "box-box", Query::overlap)) {
        const Contestant *best = cell->best_abut(), *sse2 = cell->abut_on(Isa::sse2);
        if (best && sse2 && best != sse2) {
            const double ratio = sse2->ns_min / best->ns_min;
            const bool is_promised = best->variant == to_string(Isa::avx512);
            out.push_back(
                {fmt::format("box-box overlap: {} is {:.2f}x sse2 of the same kernel (promised: 3.5x on avx512)",
                             best->variant, ratio),
                 !is_promised || ratio >= 3.5});
        }
    }
    return out;
}

std::vector<std::string> facts(const Report& report) {
    std::vector<std::string> lines = {
        "machine:  " + report.machine.cpu + (report.machine.isas.empty() ? "" : "; abut runs " + report.machine.isas),
        "compiler: " + report.machine.compiler,
        "date:     " + report.machine.date,
        "command:  " + (report.command.empty() ? "of a program that is not here" : report.command),
        "figures:  ns per pair on one core, minimum over rounds taken in turn; ahead: the best right rival's over "
        "abut's best",
    };
    if (!report.libraries.empty()) {
        lines.push_back(
            "rivals:   of each library the fastest that tells hit from no hit on 99% of a row's pairs; "
            "~: its distance or depth is off by over 1% of the smaller size on 1% of them");
    }
    for (const std::string& note : report.notes) lines.push_back("note:     " + note);
    return lines;
}

std::vector<std::string> troubles(const Report& report) {
    std::vector<std::string> lines;
    for (const Cell& cell : report.cells) {
        for (const Contestant& c : cell.contestants) {
            if (!c.is_abut() || c.trouble.empty()) continue;
            lines.push_back(fmt::format("abut/{} on {}/{}: {}", c.variant, cell.row, to_string(cell.query), c.trouble));
        }
    }
    return lines;
}

}  // namespace abut::bench
