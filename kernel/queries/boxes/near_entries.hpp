// Stacks of items to visit, the nearest last. The high bits of an entry are its bound, a float that is not negative,
// the low bits the item, so that entries compare like their bounds.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

ABUT_INLINE std::uint64_t entry_of(float bound, std::uint32_t item) {
    std::uint32_t bits;
    std::memcpy(&bits, &bound, sizeof bits);
    return std::uint64_t(bits) << 32 | item;
}
ABUT_INLINE float bound_of(std::uint64_t entry) {
    const auto bits = static_cast<std::uint32_t>(entry >> 32);
    float bound;
    std::memcpy(&bound, &bits, sizeof bound);
    return bound;
}

// Writes entry(lane) for the lanes of `met`, the nearest last; returns their number.
template <class Entry>
ABUT_INLINE std::uint32_t add_nearest_last(std::uint32_t met, std::uint64_t* to, const Entry& entry) {
    std::uint32_t size = 0;
    for (; met != 0; met &= met - 1) {
        const std::uint64_t next = entry(static_cast<std::uint32_t>(lowest_bit(met)));
        std::uint32_t at = size++;
        for (; at > 0 && to[at - 1] < next; --at) to[at] = to[at - 1];
        to[at] = next;
    }
    return size;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
