// Pairs: checked, put into canonical order, and sorted by kind into chunks.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <abut/executor.hpp>
#include <abut/frame.hpp>

#include "frame/chunk.hpp"
#include "geometry/kinds.hpp"
#include "host/memory.hpp"
#include "isa/kernels.hpp"

namespace abut {

inline constexpr std::uint32_t kPairKinds = kConvexKinds * (kConvexKinds + 1) / 2;

// Pairs of one kind, as many as a chunk holds: places in SortedPairs.
struct KindRange {
    ShapeKind kind_a, kind_b;
    std::uint32_t first, count;
};

// The number of pairs of each kind in a block, then the position of its next one; the last four as in SortedPairs.
struct BlockCounts {
    std::array<std::uint32_t, kPairKinds + 4> of;  // anything of kinds that it does not have
    std::uint64_t kinds;                           // those that it has, a bit each

    bool has(std::uint32_t kind) const { return (kinds >> kind & 1) != 0; }
};
static_assert(kPairKinds + 4 <= 64);

// Scratch and result of one frame's sort; keeps its memory.
struct SortedPairs {
    // Sorted by kind, stable: a pair's index, and Entry::kSwapped where its bodies' kinds are in the other order (of two of one kind their indices
    // tell, see entry_of). Not written where all pairs are of one kind, which are in order as they come.
    Vector<std::uint32_t> order;
    bool is_one_kind = false;
    // The number of a pair's two kinds (kKindsOfPair in sort.cpp), plus kSwapped. Special numbers: kTwoSurfaces for two meshes or height fields,
    // kWithSurface for one, otherwise kWithCompound for a compound; kNoKind for pairs without an answer. This column and that of bodies have
    // kIntakeRoom more entries than items.
    Vector<std::uint8_t> kind;
    Vector<std::uint8_t> body_kind;  // ShapeKind::none where a body's id names no living instance. Not looked up where pairs are few
    Vector<BlockCounts> counts;
    Vector<KindRange> ranges;     // kinds in order, each cut into kChunkPairs
    Vector<Entry> compounds;      // pairs with a compound, in the order of the frame's pairs; in no range
    Vector<Entry> surfaces;       // likewise those with a mesh or a height field
    Vector<Entry> surface_pairs;  // ... with two of these

    static constexpr std::uint8_t kWithCompound = kPairKinds, kWithSurface = kPairKinds + 1, kTwoSurfaces = kPairKinds + 2, kNoKind = kPairKinds + 3;
    static constexpr std::uint8_t kSwapped = 0x80;
    static_assert(kNoKind < kSwapped);

    // Calls visit(i, pair_and_swap) for the pairs of a range, i from 0.
    template <class Visit>
    void for_each(const KindRange& range, Visit&& visit) const {
        static_assert(Entry::kSwapped == std::uint32_t(kSwapped) << 24);
        const std::uint32_t first = range.first, count = range.count;
        if (is_one_kind) {
            const std::uint8_t* const kinds = kind.data() + first;
            for (std::uint32_t i = 0; i < count; ++i) visit(i, (first + i) | std::uint32_t(kinds[i] & kSwapped) << 24);
        } else {
            const std::uint32_t* const some = order.data() + first;
            for (std::uint32_t i = 0; i < count; ++i) visit(i, some[i]);
        }
    }

    void reserve(std::size_t pairs);
    void make_room(std::size_t pairs);  // to write
    std::size_t bytes() const;
};

// A pair of the frame in canonical order; of two bodies of one kind the lower is the first.
inline Entry entry_of(const Strided<Pair>& pairs, std::uint32_t pair_and_swap, bool are_of_one_kind) {
    const Pair pair = pairs[pair_and_swap & ~Entry::kSwapped];
    pair_and_swap |= static_cast<std::uint32_t>(are_of_one_kind & (pair.a > pair.b)) << 31;
    // Which of two comes first cannot be predicted, and no branch depends on it.
    const std::uint32_t exchange = (pair.a ^ pair.b) & (0 - (pair_and_swap >> 31));
    return {pair_and_swap, pair.a ^ exchange, pair.b ^ exchange};
}

// Checked: shape ids may be stale or forged. Trusted: ids of child pairs, and of triangles, which are not in the store.
enum class Ids : std::uint8_t { checked, trusted };

// Fills `sorted`; status gets ok, bad_index, unsupported or, of pairs that are, bad_pose. Stable counting sort in blocks of a fixed size, each block
// counted and placed on its own: the order is that of the pairs whatever the executor does.
void sort_pairs(const Frame& frame, const Kernels& kernels, const Executor& executor, SortedPairs& sorted, Status* status, Ids ids = Ids::checked);

// The status of pairs that a query has no answer for: bad_pose, or else unsupported.
void refuse_pairs(const Frame& frame, std::span<const Entry> entries, Status* status);

}  // namespace abut
