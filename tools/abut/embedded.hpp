// Files that come with the program, linked in.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace abut::tools {

inline constexpr const char* kEmbeddedName = "pile.abut (built in)";

// The capture tools/demo/pile.abut.
std::span<const std::byte> embedded_capture();

// The pages of `abut view` without their data, of 3D and of the plane, and the module that the first one runs:
// bindings/web/dist/.
std::string_view embedded_page();
std::string_view embedded_plane();
std::span<const std::byte> embedded_module();

}  // namespace abut::tools
