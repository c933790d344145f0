// The boxes that a ray meets, from near to far: the children of a node are visited in the order of their distances.
#include "queries/boxes/near_entries.hpp"
#include "queries/boxes/ray_entries.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

std::uint32_t find_next_boxes(const BoxTree& in, BoxWalk& walk, std::uint32_t most, std::uint32_t* ids) {
    const RayLine ray = walk.line;  // a copy, because the compiler cannot know that stores do not change it
    const float limit = walk.limit;
    std::uint32_t size = walk.size, found = 0;
    while (size > 0 && found < most) {
        const std::uint64_t entry = walk.entries[--size];
        if (bound_of(entry) > limit) continue;
        const auto item = static_cast<std::uint32_t>(entry);
        if ((item & BoxWalk::kIsBox) != 0) {
            ids[found++] = in.ids[item & ~BoxWalk::kIsBox];
            continue;
        }
        const std::uint32_t level = item & ((1u << BoxWalk::kLevelBits) - 1), node = item >> BoxWalk::kLevelBits;
        float bounds[kRayBounds];
        const std::uint32_t bits = met(in.levels[level][node], ray, limit, bounds);
        const std::uint32_t shift = level == 0 ? 0 : BoxWalk::kLevelBits,
                            first = level == 0 ? BoxWalk::kIsBox | node * kBlock
                                               : (node * kBlock) << BoxWalk::kLevelBits | (level - 1);
        size += add_nearest_last(bits, walk.entries + size,
                                 [&](std::uint32_t lane) { return entry_of(bounds[lane], first + (lane << shift)); });
    }
    walk.size = size;
    return found;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
