// Files that come with the program, linked in.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace abut::tools {

inline constexpr const char* kEmbeddedName = "pile.abut (built in)";

// The capture tools/demo/pile.abut.
std::span<const std::byte> embedded_capture();

// The page of `abut view` without its data, and the module that it runs: bindings/web/dist/.
std::string_view embedded_page();
std::span<const std::byte> embedded_module();

}  // namespace abut::tools
