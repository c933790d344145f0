// A row a part, as a table and as JSON.
#include "cook_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "printable.hpp"

namespace abut::tools {
namespace {

using nlohmann::ordered_json;

CookedPart sum_of(const std::vector<CookedPart>& parts) {
    CookedPart all;
    all.name = "all";
    all.report.vertices = all.report.faces = 0;
    all.mesh_volume = 0.0;
    for (const CookedPart& part : parts) {
        all.input_vertices += part.input_vertices;
        all.triangles += part.triangles;
        all.report.vertices += part.report.vertices;
        all.report.faces += part.report.faces;
        all.report.dropped_points += part.report.dropped_points;
        all.report.deviation = std::max(all.report.deviation, part.report.deviation);
        all.milliseconds += part.milliseconds;
        all.volume += part.volume;
        if (all.mesh_volume && part.mesh_volume)
            *all.mesh_volume += *part.mesh_volume;
        else
            all.mesh_volume.reset();
    }
    return all;
}

void append_row(std::string& out, const CookedPart& part, std::size_t width, bool sum) {
    const bool is_closed = part.mesh_volume.value_or(0.0) > 0.0;
    fmt::format_to(std::back_inserter(out),
                   "{:<{}} {:>10} {:>10} {:>8} {:>7} {:>10} {:>12.4g} {:>9} {:>11.4g} {:>8} {:>9.2f}\n",
                   printable(part.name), width, part.input_vertices, part.triangles, part.report.vertices,
                   part.report.faces, part.report.dropped_points, part.report.deviation,
                   sum ? "" : fmt::format("{:.3g}%", part.deviation_percent()), part.volume,
                   is_closed ? fmt::format("{:.4g}%", 100.0 * part.volume / *part.mesh_volume) : "", part.milliseconds);
}

ordered_json part_json(const CookedPart& part) {
    ordered_json json;
    json["name"] = part.name;
    json["input_vertices"] = part.input_vertices;
    json["triangles"] = part.triangles;
    json["vertices"] = part.report.vertices;
    json["faces"] = part.report.faces;
    json["edges"] = part.report.edges;
    json["dimension"] = part.report.dimension;
    json["dropped"] = part.report.dropped_points;
    json["deviation"] = part.report.deviation;
    json["deviation_percent"] = part.deviation_percent();
    json["overshoot"] = part.report.overshoot;
    json["size"] = part.size;
    json["volume"] = part.volume;
    json["mesh_volume"] = part.mesh_volume ? ordered_json(*part.mesh_volume) : ordered_json(nullptr);
    json["milliseconds"] = part.milliseconds;
    return json;
}

void append_decomposition(std::string& out, const DecompositionReport& report) {
    const UnionDeviation& d = report.deviation;
    fmt::format_to(std::back_inserter(out), "\ndecomposed at a concavity of {:.4g} m in {:.1f} ms",
                   report.made.concavity, report.milliseconds);
    if (report.made.weld > 0)
        fmt::format_to(std::back_inserter(out), ", with vertices within {:.4g} m of each other as one",
                       report.made.weld);
    fmt::format_to(std::back_inserter(out),
                   "\nthe mesh reaches at most {:.4g} m out of the hulls, at {} points up to {:.4g} m apart\n",
                   d.mesh_outside, d.mesh_points, d.mesh_spacing);
    fmt::format_to(std::back_inserter(out), "the hulls reach at most {:.4g} m {}, at {} points up to {:.4g} m apart\n",
                   d.hulls_outside, d.is_solid ? "out of the mesh" : "away from the mesh, which is not closed",
                   d.hulls_points, d.hulls_spacing);
}

ordered_json decomposition_json(const DecompositionReport& report) {
    const UnionDeviation& d = report.deviation;
    ordered_json json;
    json["max_parts"] = report.most_hulls;
    json["concavity"] = report.made.concavity;
    json["weld"] = report.made.weld;
    json["mesh_volume"] = report.made.mesh_volume ? ordered_json(*report.made.mesh_volume) : ordered_json(nullptr);
    json["closed"] = d.is_solid;
    json["mesh_outside"] = d.mesh_outside;
    json["mesh_points"] = d.mesh_points;
    json["mesh_spacing"] = d.mesh_spacing;
    json["hulls_outside"] = d.hulls_outside;
    json["hulls_points"] = d.hulls_points;
    json["hulls_spacing"] = d.hulls_spacing;
    json["milliseconds"] = report.milliseconds;
    return json;
}

}  // namespace

std::string cook_table(const CookReport& report) {
    std::size_t width = 4;
    for (const CookedPart& part : report.parts) width = std::max(width, printable(part.name).size());
    std::string out = fmt::format("{}: {}{} hull{} by {}, read in {:.1f} ms\n\n", printable(report.file),
                                  report.is_compound ? "a compound of " : "", report.parts.size(),
                                  report.parts.size() == 1 ? "" : "s", report.by, report.read_milliseconds);
    fmt::format_to(std::back_inserter(out), "{:<{}} {:>10} {:>10} {:>8} {:>7} {:>10} {:>12} {:>9} {:>11} {:>8} {:>9}\n",
                   "part", width, "vertices", "triangles", "cooked", "faces", "dropped", "deviation m", "of size",
                   "volume m3", "of mesh", "ms");
    for (const CookedPart& part : report.parts) append_row(out, part, width, false);
    if (report.parts.size() > 1) {
        CookedPart all = sum_of(report.parts);
        if (report.decomposition) all.mesh_volume = report.decomposition->made.mesh_volume;
        append_row(out, all, width, true);
    }
    if (report.decomposition) append_decomposition(out, *report.decomposition);
    return out;
}

std::string cook_json(const CookReport& report) {
    ordered_json json;
    json["file"] = report.file;
    json["by"] = report.by;
    json["read_milliseconds"] = report.read_milliseconds;
    json["parts"] = ordered_json::array();
    for (const CookedPart& part : report.parts) json["parts"].push_back(part_json(part));
    if (report.decomposition) json["decomposition"] = decomposition_json(*report.decomposition);
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace abut::tools
