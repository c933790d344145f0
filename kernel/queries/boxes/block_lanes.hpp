// Tests of a block's eight boxes at once.
#pragma once

#include "queries/boxes/box_tree.hpp"
#include "simd/gather.hpp"
#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kAllBoxes = (1u << kBlock) - 1;

// One box in all lanes.
struct BoxW {
    FloatW low[3], high[3];
};

ABUT_INLINE BoxW box_of(const BoxBlock& block, std::uint32_t i) {
    BoxW box;
    for (int axis = 0; axis < 3; ++axis) box.low[axis] = block.low[axis][i], box.high[axis] = block.high[axis][i];
    return box;
}

// A register wider than a row also loads the next row; block_bits ignores those lanes.
ABUT_INLINE FloatW row_of(const float* row, std::uint32_t first) { return FloatW::load_unaligned(row + first); }

// Calls test(first) for each kLanes boxes of a block, which returns the mask of the boxes first .. first + kLanes - 1.
// Returns the bits of all boxes.
template <class Test>
ABUT_INLINE std::uint32_t block_bits(Test&& test) {
    std::uint32_t bits = 0;
    for (std::uint32_t first = 0; first < kBlock; first += kLanes) bits |= test(first).bits() << first;
    return bits & kAllBoxes;
}

// A bit mask of the block's boxes that overlap the box.
ABUT_INLINE std::uint32_t overlapping(const BoxBlock& block, const BoxW& box) {
    return block_bits([&](std::uint32_t first) {
        MaskW all = row_of(block.low[0], first) <= box.high[0];
        all &= box.low[0] <= row_of(block.high[0], first);
        for (int axis = 1; axis < 3; ++axis) {
            all &= row_of(block.low[axis], first) <= box.high[axis];
            all &= box.low[axis] <= row_of(block.high[axis], first);
        }
        return all;
    });
}

// A list of up to kRoom numbers for the next step of a search. Which numbers are added cannot be predicted, so no
// branch depends on it.
template <std::uint32_t kRoom>
struct NumberList {
    std::uint32_t at[kRoom + kBlock + kLanes];
    std::uint32_t size = 0;

    // Adds base + i for each set bit i.
    ABUT_INLINE void add_lanes(std::uint32_t base, std::uint32_t bits) {
        for (std::uint32_t first = 0; first < kBlock; first += kLanes) {
            const std::uint32_t some = (bits >> first) & kAllLanes;
            store_lanes(lane_numbers() + IntW(static_cast<std::int32_t>(base + first)), some,
                        reinterpret_cast<std::int32_t*>(at + size));
            size += static_cast<std::uint32_t>(bit_count(some));
        }
    }
};

// Adds the pairs of `id` with the ids whose bits are set. kSorted: the lower id of each pair comes first. Ids are below
// 2^30.
template <bool kSorted>
ABUT_INLINE void add_pairs(std::uint32_t id, const std::uint32_t* ids, std::uint32_t bits, PairBuffer& out) {
    const IntW one = static_cast<std::int32_t>(id);
    for (std::uint32_t first = 0; first < kBlock; first += kLanes) {
        const std::uint32_t some = (bits >> first) & kAllLanes;
        const IntW other = IntW::load_unaligned(reinterpret_cast<const std::int32_t*>(ids + first));
        // The bits in which the two ids differ if the other id is lower, else 0.
        const IntW swap = kSorted ? (one ^ other) & sign_of(other - one) : IntW(0);
        store_lanes(one ^ swap, some, reinterpret_cast<std::int32_t*>(out.a + out.size));
        store_lanes(other ^ swap, some, reinterpret_cast<std::int32_t*>(out.b + out.size));
        out.size += static_cast<std::size_t>(bit_count(some));
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
