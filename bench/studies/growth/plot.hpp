// Cost against size as an SVG: both axes logarithmic, a line a query and instruction set.
#pragma once

#include <string>
#include <vector>

namespace abut::bench {

struct GrowthLine {
    std::string name;
    std::vector<double> vertices, ns;  // of each point; ns per pair
};

std::string growth_svg(const std::vector<GrowthLine>& lines, const std::string& caption);

}  // namespace abut::bench
