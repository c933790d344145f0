// Tables for Markdown pages.
#pragma once

#include <string>
#include <vector>

namespace abut::bench {

// The first line is the header; the first column is to the left, figures are to the right. All lines are as long as the
// first one.
inline std::string markdown_table(const std::vector<std::vector<std::string>>& lines) {
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (const std::string& cell : lines[i]) out += "| " + cell + " ";
        out += "|\n";
        if (i != 0) continue;
        out += "|---";
        for (std::size_t k = 1; k < lines[0].size(); ++k) out += "|---:";
        out += "|\n";
    }
    return out;
}

}  // namespace abut::bench
