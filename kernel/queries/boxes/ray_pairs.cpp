// Pairs of rays and the boxes that they meet: one ray against eight boxes [Kay, Kajiya 1986], whose intervals are
// widened [Ize 2013]. Each operation is monotone, so that a ray which meets a box meets every box around it, whatever
// the rounding.
#include "queries/boxes/block_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// Widens an interval by its rounding errors: three of half an ulp at either end.
constexpr float kExcess = 1.0f + 0x1p-21f;

ABUT_INLINE std::uint32_t met(const BoxBlock& block, const RayLine& ray) {
    return block_bits([&](std::uint32_t first) {
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
            // The boxes that fill up a block are NaN; minimum and maximum are then the second operand.
            near = max(near, min(at_low, at_high));
            far = min(far, max(at_low, at_high));
        }
        return all & (near <= far * FloatW(kExcess)) & (near <= FloatW(ray.length)) & (far >= FloatW(0.0f));
    });
}

// The stack has nodes to visit: the index of each, and in the lowest bits its level.
constexpr std::uint32_t kLevelBits = 4;
static_assert(kMaxLevels < 1u << kLevelBits);

}  // namespace

// The task is copied, because the compiler cannot know that the stores do not change it.
void find_ray_pairs(const RayPairsTask& wanted, PairBuffer& buffer) {
    const RayPairsTask task = wanted;
    const BoxTree& in = *task.in;
    PairBuffer out = buffer;
    for (std::uint32_t r = task.first; r < task.end; ++r) {
        RayLine ray = task.rays[r];
        ray.length *= kExcess;
        std::uint32_t stack[kMaxLevels * kBlock], size = 1;
        stack[0] = in.top;
        while (size > 0) {
            const std::uint32_t top = stack[--size], level = top & ((1u << kLevelBits) - 1), node = top >> kLevelBits;
            const std::uint32_t bits = met(in.levels[level][node], ray);
            if (level == 0) {
                if (out.room - out.size < kLeastPairRoom) out.grow(out);
                if (bits != 0) add_pairs<false>(task.ids[r], in.ids + node * kBlock, bits, out);
                continue;
            }
            for_each_lane(bits, [&](int child) {
                stack[size++] = (node * kBlock + static_cast<std::uint32_t>(child)) << kLevelBits | (level - 1);
            });
        }
    }
    buffer = out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
