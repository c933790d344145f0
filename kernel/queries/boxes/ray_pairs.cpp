// Pairs of rays and the boxes that they meet.
#include "queries/boxes/ray_entries.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// The stack has nodes to visit: the index of each node and, in the lowest bits, its level.
constexpr std::uint32_t kLevelBits = 4;
static_assert(kMaxLevels < 1u << kLevelBits);

}  // namespace

// The task is copied, because the compiler cannot know that the stores do not change it.
void find_ray_pairs(const RayPairsTask& wanted, PairBuffer& buffer) {
    const RayPairsTask task = wanted;
    const BoxTree& in = *task.in;
    PairBuffer out = buffer;
    for (std::uint32_t r = task.first; r < task.end; ++r) {
        const RayLine ray = task.rays[r];
        const float length = ray.length * kRayExcess;
        std::uint32_t stack[kMaxLevels * kBlock], size = 1;
        float bounds[kRayBounds];
        stack[0] = in.top;
        while (size > 0) {
            const std::uint32_t top = stack[--size], level = top & ((1u << kLevelBits) - 1), node = top >> kLevelBits;
            const std::uint32_t bits = met(in.levels[level][node], ray, length, bounds);
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
