// A query's figures as bars on a logarithmic scale: abut on each instruction set and the best right algorithm of each
// rival, row by row.
#pragma once

#include <string>

#include "table/report.hpp"

namespace abut::bench {

std::string chart_svg(const Report& report, Query query);

}  // namespace abut::bench
