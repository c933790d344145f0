#include "table/folder.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "table/chart.hpp"
#include "table/page.hpp"

namespace abut::bench {
namespace {

void put(tools::OutputFile& file, const std::string& text) {
    file.write(text);
    file.commit();
}

}  // namespace

ReportFolder::ReportFolder(const std::string& path, const std::vector<Query>& queries,
                           const std::vector<tools::NamedFile>& inputs)
    : path_(path.ends_with('/') ? path : path + '/') {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error) && !std::filesystem::create_directory(path, error))
        throw tools::InputError(
            fmt::format("{}: cannot be made: {}", path, error ? error.message() : "it is no folder"));
    const tools::NamedFile results = tools::named_file(path_ + "results.json");
    const bool is_read = std::any_of(inputs.begin(), inputs.end(),
                                     [&](const tools::NamedFile& input) { return results.is_same(input); });
    if (!is_read) results_.emplace(path_ + "results.json", inputs);
    page_.emplace(page(), inputs);
    for (const Query query : queries)
        charts_.push_back({query, std::make_unique<tools::OutputFile>(path_ + chart_name(query), inputs)});
}

void ReportFolder::write(const Report& report, const Report* elsewhere) {
    if (results_) put(*results_, to_json(report));
    for (const Chart& chart : charts_) {
        if (report.has(chart.query)) put(*chart.file, chart_svg(report, chart.query));
    }
    put(*page_, report_page(report, elsewhere));
}

std::string ReportFolder::page() const { return path_ + "report.md"; }

}  // namespace abut::bench
