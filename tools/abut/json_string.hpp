// Strings as JSON, for files that need not know nlohmann's trees. Defined in json_text.cpp, which does.
#pragma once

#include <string>
#include <string_view>

namespace abut::tools {

// Quotes included; bytes that are not UTF-8 are replaced.
std::string json_string(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace abut::tools
