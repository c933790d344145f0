// Pairs: checked, put into canonical order, and sorted by kind into chunks.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <abut/executor.hpp>
#include <abut/frame.hpp>

#include "frame/chunk.hpp"
#include "host/memory.hpp"

namespace abut {

inline constexpr std::uint32_t kPairKinds = kKindCount * (kKindCount + 1) / 2;

// Scratch and result of one frame's sort; keeps its memory.
struct SortedPairs {
    Vector<Entry> entries;  // sorted by kind, stable
    // The number of a pair's two kinds (kKindsOfPair in sort.cpp); kWithCompound with whatever else, and kNoKind where it cannot be answered. Plus kSwapped.
    Vector<std::uint8_t> kind;
    Vector<ShapeKind> body_kind;  // a body's; none where its id names no living instance. Not looked up where bodies outnumber pairs
    Vector<std::array<std::uint32_t, kPairKinds + 1>> counts;  // a block's histogram, then where its entries go
    Vector<Chunk> chunks;                                      // kinds in order, each cut into kChunkPairs
    std::span<const Entry> compounds;                          // pairs with a compound, in the order of the frame's pairs; in no chunk

    static constexpr std::uint8_t kWithCompound = kPairKinds - 1, kNoKind = kPairKinds, kSwapped = 0x80;
    static_assert(kNoKind < kSwapped);

    void reserve(std::size_t pairs);
    std::size_t bytes() const;
};

// Fills `sorted`; status gets ok, bad_index, unsupported or, of pairs that are, bad_pose. Stable counting sort in blocks of a fixed size, each block
// counted and placed on its own: the order is that of the pairs whatever the executor does.
void sort_pairs(const Frame& frame, const Executor& executor, SortedPairs& sorted, Status* status);

}  // namespace abut
