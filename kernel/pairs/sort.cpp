// Stable counting sort of a frame's pairs by kind.
#include "pairs/sort.hpp"

#include <algorithm>
#include <array>

#include "parallel/parallel_for.hpp"
#include "shapes/custom_shape.hpp"

namespace abut {

namespace {

constexpr std::size_t kBlockPairs = 8192;

struct Checked {
    std::uint8_t kind;
    bool swapped;
    Status status;
};

// Where a kind's generations are, flat: the check is the one stage that meets every body of every pair cold.
struct Generations {
    const std::uint8_t* of_slot[16] = {};
    std::uint32_t slots[16] = {};

    explicit Generations(const ShapeStore::Tables& tables) {
        for (std::uint32_t kind = 0; kind < kKindCount; ++kind) {
            of_slot[kind] = tables.kinds[kind].generations.data();
            slots[kind] = static_cast<std::uint32_t>(tables.kinds[kind].generations.size());
        }
    }

    // ShapeKind::none where the id names no living instance.
    ShapeKind kind_of(ShapeId id) const {
        const auto kind = static_cast<std::uint32_t>(id.kind());
        if (id.slot() >= slots[kind] || of_slot[kind][id.slot()] != id.generation()) return ShapeKind::none;
        if (id.generation() == kDeadGeneration) return ShapeKind::none;  // forged: it would match a dead slot
        return id.kind();
    }
};

ShapeKind living_kind(const Frame& frame, const Generations& generations, std::uint32_t body) {
    if (body >= frame.bodies.size()) return ShapeKind::none;
    return generations.kind_of(reinterpret_cast<const Body*>(frame.bodies.address(body))->shape);
}

constexpr bool is_answered(ShapeKind kind) { return kind <= ShapeKind::compound && (kHasCustomShape || kind != ShapeKind::custom); }

Checked check(const Frame& frame, const Generations& generations, Pair pair) {
    const ShapeKind a = living_kind(frame, generations, pair.a), b = living_kind(frame, generations, pair.b);
    if (a == ShapeKind::none || b == ShapeKind::none) return {SortedPairs::kNoKind, false, Status::bad_index};
    if (!is_answered(a) || !is_answered(b)) return {SortedPairs::kNoKind, false, Status::unsupported};
    // Back to back or not: there is no deepest point.
    if (a == ShapeKind::halfspace && b == ShapeKind::halfspace) return {SortedPairs::kNoKind, false, Status::unsupported};
    const bool swapped = a != b ? a > b : pair.a > pair.b;
    const ShapeKind low = swapped ? b : a, high = swapped ? a : b;
    if (high == ShapeKind::compound) return {SortedPairs::kWithCompound, swapped, Status::ok};
    return {static_cast<std::uint8_t>(static_cast<std::uint32_t>(low) * kKindCount + static_cast<std::uint32_t>(high)), swapped,
            Status::ok};
}

}  // namespace

void SortedPairs::reserve(std::size_t pairs) {
    entries.reserve(pairs);
    kind.reserve(pairs);
    swapped.reserve(pairs);
    counts.reserve((pairs + kBlockPairs - 1) / kBlockPairs);
    chunks.reserve(pairs / kChunkPairs + kPairKinds);
}

std::size_t SortedPairs::bytes() const {
    return entries.capacity() * sizeof(Entry) + kind.capacity() + swapped.capacity() +
           counts.capacity() * sizeof(counts[0]) + chunks.capacity() * sizeof(Chunk);
}

void sort_pairs(const Frame& frame, const Executor& executor, SortedPairs& sorted, Status* status) {
    const std::size_t pairs = frame.pairs.size(), blocks = (pairs + kBlockPairs - 1) / kBlockPairs;
    sorted.reserve(pairs);
    // Grown, never shrunk: resizing back up would clear what is about to be overwritten.
    if (sorted.entries.size() < pairs) sorted.entries.resize(pairs);
    if (sorted.kind.size() < pairs) sorted.kind.resize(pairs);
    if (sorted.swapped.size() < pairs) sorted.swapped.resize(pairs);
    if (sorted.counts.size() < blocks) sorted.counts.resize(blocks);
    const Generations generations(frame.shapes->tables());

    parallel_for(executor, blocks, [&](std::size_t block) {
        std::array<std::uint32_t, kPairKinds>& counts = sorted.counts[block];
        counts.fill(0);
        const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
        for (std::size_t i = block * kBlockPairs; i < end; ++i) {
            const Checked checked = check(frame, generations, frame.pairs[i]);
            sorted.kind[i] = checked.kind;
            sorted.swapped[i] = checked.swapped;
            status[i] = checked.status;
            if (checked.kind != SortedPairs::kNoKind) ++counts[checked.kind];
        }
    });

    // Histograms become places: kinds in order, and within a kind the blocks in order.
    std::uint32_t next = 0;
    sorted.chunks.clear();
    for (std::uint32_t kind = 0; kind < kPairKinds; ++kind) {
        const std::uint32_t first = next;
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::uint32_t count = sorted.counts[block][kind];
            sorted.counts[block][kind] = next;
            next += count;
        }
        if (kind == SortedPairs::kWithCompound) {
            sorted.compounds = {sorted.entries.data() + first, next - first};
            break;
        }
        for (std::uint32_t at = first; at < next; at += kChunkPairs) {
            Chunk chunk = {};
            chunk.kind_a = static_cast<ShapeKind>(kind / kKindCount);
            chunk.kind_b = static_cast<ShapeKind>(kind % kKindCount);
            chunk.count = std::min(kChunkPairs, next - at);
            chunk.entries = sorted.entries.data() + at;
            sorted.chunks.push_back(chunk);
        }
    }

    parallel_for(executor, blocks, [&](std::size_t block) {
        std::array<std::uint32_t, kPairKinds>& places = sorted.counts[block];
        const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
        for (std::size_t i = block * kBlockPairs; i < end; ++i) {
            if (sorted.kind[i] == SortedPairs::kNoKind) continue;
            const Pair pair = frame.pairs[i];
            const bool swapped = sorted.swapped[i] != 0;
            sorted.entries[places[sorted.kind[i]]++] = {static_cast<std::uint32_t>(i) | (swapped ? Entry::kSwapped : 0),
                                                        swapped ? pair.b : pair.a, swapped ? pair.a : pair.b};
        }
    });
}

}  // namespace abut
