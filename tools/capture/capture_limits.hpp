// What the format of captures allows, for its reader and its writer.
#pragma once

#include <cstdint>

namespace abut::tools {

// The second if a shape has a pose, the third if a height field has flags of cells, the fourth if a surface is solid,
// the fifth if a frame has margins.
inline constexpr std::uint32_t kCaptureVersion = 1, kPosesVersion = 2, kCellsVersion = 3, kSolidsVersion = 4,
                               kMarginsVersion = 5;
// A file of this size or more is refused before it is mapped (FlatBuffers' offsets are signed 32 bits).
inline constexpr std::uint64_t kCaptureLimit = (std::uint64_t(1) << 31) - 1;
// Compounds of compounds deeper than this are refused, in JSON and in captures, so that no input can exhaust the stack.
inline constexpr int kMaxCompoundDepth = 16;

}  // namespace abut::tools
