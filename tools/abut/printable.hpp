// Text of unknown origin, made safe to print: file names, names in files, lines that were refused.
#pragma once

#include <string>
#include <string_view>

namespace abut::tools {

// Control characters, marks that turn the direction of text, and bytes that are not UTF-8 become \xNN, a byte each.
std::string printable(std::string_view text);

}  // namespace abut::tools
