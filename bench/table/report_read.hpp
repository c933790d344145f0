// A report read back from the JSON that to_json writes, or from figures of other programs in the same form
// (bench/README.md has it).
#pragma once

#include <string>
#include <vector>

#include "output_file.hpp"
#include "table/report.hpp"

namespace abut::bench {

// Adds the file to `inputs`; "-" is standard input. Throws tools::InputError, which names the file and the place in it,
// where it cannot be read or is no report.
Report read_report(const std::string& path, std::vector<tools::NamedFile>& inputs);
// `name` stands for the file in messages. `text` may be changed.
Report parse_report(std::string& text, const std::string& name);

}  // namespace abut::bench
