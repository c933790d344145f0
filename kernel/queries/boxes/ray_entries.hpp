// One ray against eight boxes [Kay, Kajiya 1986], whose intervals are widened [Ize 2013]. Each operation is monotone,
// so that a ray which meets a box meets every box around it, whatever the rounding.
#pragma once

#include "queries/boxes/block_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Widens an interval by its rounding errors: three of half an ulp at either end.
inline constexpr float kRayExcess = 1.0f + 0x1p-21f;

// Returns a bit for each box of the block that the ray meets up to `length`. `bounds`, of kRayBounds floats, gets lower
// bounds, at least 0, on the distances of entry.
inline constexpr std::uint32_t kRayBounds = kBlock + static_cast<std::uint32_t>(kLanes);
ABUT_INLINE std::uint32_t met(const BoxBlock& block, const RayLine& ray, float length, float* bounds) {
    std::uint32_t bits = 0;
    for (std::uint32_t first = 0; first < kBlock; first += kLanes) {
        FloatW near = 0.0f, far = HUGE_VALF;
        MaskW all = MaskW::from_bits(kAllLanes);
        for (int axis = 0; axis < 3; ++axis) {
            const FloatW low = row_of(block.low[axis], first), high = row_of(block.high[axis], first);
            if (ray.inverse[axis] == 0.0f) {
                all &= (low <= FloatW(ray.high[axis])) & (high >= FloatW(ray.low[axis]));
                continue;
            }
            const FloatW inverse = ray.inverse[axis];
            const FloatW at_low = (low - FloatW(ray.high[axis])) * inverse,
                         at_high = (high - FloatW(ray.low[axis])) * inverse;
            // NaN boxes fill up a block; minimum and maximum then return the second operand.
            near = max(near, min(at_low, at_high));
            far = min(far, max(at_low, at_high));
        }
        abs(near).store_unaligned(bounds + first);  // -0 would not compare as an integer
        all &= (near <= far * FloatW(kRayExcess)) & (near <= FloatW(length)) & (far >= FloatW(0.0f));
        bits |= all.bits() << first;
    }
    return bits & kAllBoxes;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
