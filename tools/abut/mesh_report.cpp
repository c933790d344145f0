// A row for each mesh, as a table and as JSON: what was dropped, and how the edges that are left meet.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cook_report.hpp"
#include "printable.hpp"

namespace abut::tools {
namespace {

using nlohmann::ordered_json;

// The report's counts. `column` is null where the table has none.
struct Count {
    const char *json, *column;
    std::uint32_t MeshReport::*field;
};
constexpr Count kCounts[] = {
    {"input_triangles", "triangles", &MeshReport::input_triangles},
    {"vertices", "vertices", &MeshReport::vertices},
    {"triangles", "kept", &MeshReport::triangles},
    {"welded_vertices", "welded", &MeshReport::welded_vertices},
    {"unused_vertices", nullptr, &MeshReport::unused_vertices},
    {"degenerate_triangles", "degenerate", &MeshReport::degenerate_triangles},
    {"duplicate_triangles", "duplicate", &MeshReport::duplicate_triangles},
    {"needles", "needles", &MeshReport::needles},
    {"convex_edges", nullptr, &MeshReport::convex_edges},
    {"flat_edges", nullptr, &MeshReport::flat_edges},
    {"concave_edges", nullptr, &MeshReport::concave_edges},
    {"open_edges", "open", &MeshReport::open_edges},
    {"nonmanifold_edges", "nonmanifold", &MeshReport::nonmanifold_edges},
    {"inconsistent_edges", "inconsistent", &MeshReport::inconsistent_edges},
    {"t_junctions", "T-junctions", &MeshReport::t_junctions},
};

CookedMeshPart sum_of(const std::vector<CookedMeshPart>& parts) {
    CookedMeshPart all;
    all.name = "all";
    for (const CookedMeshPart& part : parts) {
        for (const Count& count : kCounts) all.report.*count.field += part.report.*count.field;
        all.report.bytes += part.report.bytes;
        all.milliseconds += part.milliseconds;
    }
    return all;
}

int width_of(const char* column) { return std::max(9, int(std::string_view(column).size())); }

void append_row(std::string& out, const CookedMeshPart& part, std::size_t width) {
    fmt::format_to(std::back_inserter(out), "{:<{}}", printable(part.name), width);
    for (const Count& count : kCounts)
        if (count.column != nullptr)
            fmt::format_to(std::back_inserter(out), " {:>{}}", part.report.*count.field, width_of(count.column));
    fmt::format_to(std::back_inserter(out), " {:>10} {:>9.2f}\n", part.report.bytes, part.milliseconds);
}

ordered_json part_json(const CookedMeshPart& part) {
    ordered_json json;
    json["name"] = part.name;
    json["input_vertices"] = part.input_vertices;
    for (const Count& count : kCounts) json[count.json] = part.report.*count.field;
    json["sides"] = part.report.sides == MeshSides::both ? "both" : "front";
    json["closing_weld"] = part.closing_weld;
    json["inside_out"] = part.report.inside_out;
    json["front_area"] = {part.report.front_area.x, part.report.front_area.y, part.report.front_area.z};
    json["bytes"] = part.report.bytes;
    json["file_bytes"] = part.file_bytes;
    json["milliseconds"] = part.milliseconds;
    return json;
}

}  // namespace

std::string cook_table(const MeshCookReport& report) {
    std::size_t width = 4;
    for (const CookedMeshPart& part : report.parts) width = std::max(width, printable(part.name).size());
    std::string out =
        fmt::format("{}: {} mesh{} by {}, read in {:.1f} ms\n\n", printable(report.file), report.parts.size(),
                    report.parts.size() == 1 ? "" : "es", report.by, report.read_milliseconds);
    fmt::format_to(std::back_inserter(out), "{:<{}}", "part", width);
    for (const Count& count : kCounts)
        if (count.column != nullptr)
            fmt::format_to(std::back_inserter(out), " {:>{}}", count.column, width_of(count.column));
    fmt::format_to(std::back_inserter(out), " {:>10} {:>9}\n", "bytes", "ms");
    for (const CookedMeshPart& part : report.parts) append_row(out, part, width);
    if (report.parts.size() > 1) append_row(out, sum_of(report.parts), width);
    for (const CookedMeshPart& part : report.parts)
        if (part.closing_weld > 0)
            fmt::format_to(std::back_inserter(out), "\n{} is open by rounding alone: --weld {:.3g} closes it\n",
                           printable(part.name), part.closing_weld);
    for (const CookedMeshPart& part : report.parts)
        if (part.report.inside_out)
            fmt::format_to(std::back_inserter(out),
                           "\n{} is closed, but its fronts are inside: exchange two corners of every triangle\n",
                           printable(part.name));
    return out;
}

std::string cook_json(const MeshCookReport& report) {
    ordered_json json;
    json["file"] = report.file;
    json["by"] = report.by;
    json["read_milliseconds"] = report.read_milliseconds;
    json["parts"] = ordered_json::array();
    for (const CookedMeshPart& part : report.parts) json["parts"].push_back(part_json(part));
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace abut::tools
