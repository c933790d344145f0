// Pairs: checked, put into canonical order, and sorted by kind into chunks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <abut/frame.hpp>
#include <abut/host.hpp>

#include "base/memory.hpp"
#include "convex/contract/chunk.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "shapes/kinds.hpp"

namespace abut {

inline constexpr std::uint32_t kPairKinds = kConvexKinds * (kConvexKinds + 1) / 2;

// The pairs of one chunk, all of one kind: the `count` pairs from position `first` of the sorted order
// (SortedPairs::for_each).
struct KindRange {
    ShapeKind kind_a, kind_b;
    std::uint32_t first, count;
};

// The treatment of a pair of two kinds.
struct PairKind {
    std::uint8_t number;  // as in SortedPairs::kind, except kSwapped for two bodies of one kind
    Status status;
};
struct TwoKinds {
    ShapeKind a, b;
};
// The tables of the sort for the kinds of 3D or of the plane.
struct PairKinds {
    std::array<PairKind, kIdKinds * kIdKinds> of;                // by the kind of body a * kIdKinds + that of body b
    std::array<std::uint32_t, kIdKinds* kIdKinds> numbers = {};  // as `of`, for lanes
    std::array<TwoKinds, kPairKinds> by_number = {};             // in canonical order throughout
};

// By kind: first the number of a block's pairs, then the position of the next pair. The last four kinds are the special
// numbers of SortedPairs.
struct BlockCounts {
    std::array<std::uint32_t, kPairKinds + 4> of;  // undefined for kinds that the block does not have
    std::uint64_t kinds;                           // the kinds that the block has, one bit per kind

    bool has(std::uint32_t kind) const { return (kinds >> kind & 1) != 0; }
};
static_assert(kPairKinds + 4 <= 64);

// Scratch and result of one frame's sort; keeps its memory.
struct SortedPairs {
    // Stably sorted by kind: a pair's index, with Entry::kSwapped if its bodies' kinds are not in canonical order
    // (entry_of orders two bodies of one kind). Not written if the pairs are in order already.
    Vector<std::uint32_t> order;
    bool is_in_order = false;
    bool has_refused = false;  // some pair has a status other than ok
    // The number of a pair's two kinds (PairKinds::by_number), plus kSwapped. Special numbers: kTwoSurfaces for two
    // meshes or height fields, kWithSurface for one; otherwise kWithCompound if there is a compound; kNoKind for pairs
    // without an answer. This column and body_kind have kIntakeRoom more entries than items.
    Vector<std::uint8_t> kind;
    Vector<std::uint8_t>
        body_kind;  // ShapeKind::none if a body's id names no living instance. Not filled if pairs are few
    Vector<BlockCounts> counts;
    Vector<KindRange> ranges;     // kinds in order, each cut into kChunkPairs
    Vector<Entry> compounds;      // pairs with a compound, in the order of the frame's pairs; in no range
    Vector<Entry> surfaces;       // likewise pairs with one mesh or height field
    Vector<Entry> surface_pairs;  // likewise pairs with two meshes or height fields

    static constexpr std::uint8_t kWithCompound = kPairKinds, kWithSurface = kPairKinds + 1,
                                  kTwoSurfaces = kPairKinds + 2, kNoKind = kPairKinds + 3;
    static constexpr std::uint8_t kSwapped = 0x80;
    static_assert(kNoKind < kSwapped);

    // Calls visit(i, pair_and_swap) for the pairs of a range, i from 0.
    template <class Visit>
    void for_each(const KindRange& range, Visit&& visit) const {
        static_assert(Entry::kSwapped == std::uint32_t(kSwapped) << 24);
        const std::uint32_t first = range.first, count = range.count;
        if (is_in_order) {
            const std::uint8_t* const kinds = kind.data() + first;
            for (std::uint32_t i = 0; i < count; ++i) visit(i, (first + i) | std::uint32_t(kinds[i] & kSwapped) << 24);
        } else {
            const std::uint32_t* const some = order.data() + first;
            for (std::uint32_t i = 0; i < count; ++i) visit(i, some[i]);
        }
    }

    void reserve(std::size_t pairs);
    void make_room(std::size_t pairs);  // before elements are written
    void clear();                       // ranges and entries
    // Adds the chunks of the pairs of one kind, from position `first` of the order to `end`.
    void add_ranges(TwoKinds kinds, std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t at = first; at < end; at += kChunkPairs)
            ranges.push_back({kinds.a, kinds.b, at, std::min(kChunkPairs, end - at)});
    }
    std::size_t bytes() const;
};

// A pair of the frame in canonical order; of two bodies of one kind, the one with the lower index is A.
inline Entry entry_of(const Strided<Pair>& pairs, std::uint32_t pair_and_swap, bool are_of_one_kind) {
    const Pair pair = pairs[pair_and_swap & ~Entry::kSwapped];
    pair_and_swap |= static_cast<std::uint32_t>(are_of_one_kind & (pair.a > pair.b)) << 31;
    // The order of the two cannot be predicted, so no branch depends on it.
    const std::uint32_t exchange = (pair.a ^ pair.b) & (0 - (pair_and_swap >> 31));
    return {pair_and_swap, pair.a ^ exchange, pair.b ^ exchange};
}

// The pairs of a frame, and the shape ids of its bodies. The kinds are those of 3D, or those of the plane by their
// numbers.
struct PairsToSort {
    const Strided<Pair>& pairs;
    const std::byte* ids;  // the first body's id
    std::size_t bodies, stride;
    LivingIds living;
    const PairKinds& kinds;
};

// The living ids of a store's tables, one table for each kind.
template <class Tables>
LivingIds living_ids(const Tables& kinds) {
    static constexpr std::uint32_t kNothing = ~0u;
    LivingIds living;
    for (std::uint32_t kind = 0; kind < kIdKinds; ++kind) {
        const bool is_empty = kind >= kinds.size() || kinds[kind].ids.empty();
        living.of_slot[kind] = is_empty ? static_cast<const void*>(&kNothing) : kinds[kind].ids.data();
        living.slots[kind] = is_empty ? 0 : static_cast<std::uint32_t>(kinds[kind].ids.size());
    }
    return living;
}

// Fills `sorted` and the status of each pair: ok, bad_index or unsupported. A stable counting sort: blocks of a fixed
// size are counted and written independently, so the order does not depend on the executor.
void sort_pairs(const PairsToSort& of, const Kernels& kernels, const Executor& executor, SortedPairs& sorted,
                Status* status);

// Sorts the pairs of a frame. Unsupported pairs with a bad pose get bad_pose instead.
void sort_pairs(const Frame& frame, const Kernels& kernels, const Executor& executor, SortedPairs& sorted,
                Status* status);

extern const PairKinds kSolidPairKinds;  // of 3D

// Sorts convex pairs in canonical order. Precondition: `sorted.kind` is filled.
void sort_by_kind(std::size_t pairs, const Executor& executor, SortedPairs& sorted);

// Sets the status of pairs without an answer: bad_pose, or otherwise unsupported.
void report_bad_pairs(const Frame& frame, std::span<const Entry> entries, Status* status);

}  // namespace abut
