// Markdown pages made of reports: the report itself, and the tables of README.md.
#pragma once

#include <string>

#include "table/report.hpp"

namespace abut::bench {

// One line per row: per query abut's columns and the best right rival, in bold where it is faster than abut on the
// first instruction set. Below it the means, then machine, compiler, date and command.
std::string readme_page(const Report& report);
// The charts are files beside the page: chart_name. `elsewhere`: figures of another machine, or null.
std::string report_page(const Report& report, const Report* elsewhere);
std::string chart_name(Query query);

}  // namespace abut::bench
