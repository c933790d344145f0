// The folder of a report: results.json, report.md and a chart per query.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"
#include "table/report.hpp"

namespace abut::bench {

class ReportFolder {
public:
    // Makes the folder where there is none and opens its files, so that a long measurement does not end with one that
    // cannot be written. A file that is among `inputs` is an error, except that a results.json that is read stays as it
    // is. Throws tools::InputError.
    ReportFolder(const std::string& path, const std::vector<Query>& queries,
                 const std::vector<tools::NamedFile>& inputs);
    // Throws tools::OutputError. Files that are there are replaced; charts of other queries stay.
    void write(const Report& report, const Report* elsewhere);
    std::string page() const;

private:
    std::string path_;
    std::optional<tools::OutputFile> results_, page_;
    struct Chart {
        Query query = Query::overlap;
        std::unique_ptr<tools::OutputFile> file;
    };
    std::vector<Chart> charts_;
};

}  // namespace abut::bench
