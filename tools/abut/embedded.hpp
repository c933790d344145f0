// The capture that comes with the program: tools/demo/pile.abut, linked in.
#pragma once

#include <cstddef>
#include <span>

namespace abut::tools {

inline constexpr const char* kEmbeddedName = "pile.abut (built in)";

std::span<const std::byte> embedded_capture();

}  // namespace abut::tools
