// The candidate pairs of a frame: world AABBs that overlap once each is widened.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capture.hpp"

namespace abut::tools {

// Pairs (a < b) whose boxes come within 2 * `widening` of each other on every axis, sorted; none between two of the
// first `fixed` bodies. Throws InputError for a shape that a store refuses.
std::vector<Pair> candidate_pairs(std::span<const ShapeSpec> shapes, std::span<const CaptureBody> bodies,
                                  std::uint32_t fixed, double widening);

}  // namespace abut::tools
