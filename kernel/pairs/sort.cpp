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

constexpr std::uint32_t bit_of(ShapeKind kind) { return 1u << static_cast<std::uint32_t>(kind); }
// Kinds up to the compound; a custom shape where the build has one.
constexpr std::uint32_t kAnswered = ((bit_of(ShapeKind::compound) << 1) - 1) & ~(kHasCustomShape ? 0 : bit_of(ShapeKind::custom));

Checked refuse(ShapeKind a, ShapeKind b) {
    const bool is_missing = a == ShapeKind::none || b == ShapeKind::none;
    return {SortedPairs::kNoKind, false, is_missing ? Status::bad_index : Status::unsupported};
}

// A copy of its own in every block's loop, out of reach of the bytes written there: bytes may alias anything.
struct Checker {
    decltype(Frame::bodies) bodies;
    Generations generations;
    const ShapeKind* known = nullptr;  // of every body, where they were looked up beforehand

    ShapeKind look_up(std::size_t body) const { return generations.kind_of(reinterpret_cast<const Body*>(bodies.address(body))->shape); }
    ShapeKind living_kind(std::uint32_t body) const {
        if (body >= bodies.size()) return ShapeKind::none;
        return known != nullptr ? known[body] : look_up(body);
    }
    Checked check(Pair pair) const;
};

inline Checked Checker::check(Pair pair) const {
    const ShapeKind a = living_kind(pair.a), b = living_kind(pair.b);
    const auto kind_a = static_cast<std::uint32_t>(a), kind_b = static_cast<std::uint32_t>(b);
    if ((kAnswered >> kind_a & (kAnswered >> kind_b) & 1) == 0) return refuse(a, b);
    // Back to back or not: there is no deepest point.
    if (a == ShapeKind::halfspace && b == ShapeKind::halfspace) return refuse(a, b);
    // One comparison of (kind, body) and no branch: which comes first is a coin's toss.
    const std::uint64_t key_a = std::uint64_t(kind_a) << 32 | pair.a, key_b = std::uint64_t(kind_b) << 32 | pair.b;
    const std::uint32_t low = std::min(kind_a, kind_b), high = std::max(kind_a, kind_b);
    const bool has_compound = high == static_cast<std::uint32_t>(ShapeKind::compound);
    const auto kind = has_compound ? SortedPairs::kWithCompound : static_cast<std::uint8_t>(low * kKindCount + high);
    return {kind, key_a > key_b, Status::ok};
}

}  // namespace

namespace {

// Bodies are fewer than pairs as a rule, and met in random order by those: their kinds are looked up once, in order.
void look_up_bodies(Checker& checker, const Executor& executor, std::size_t pairs, std::vector<ShapeKind>& kinds) {
    const std::size_t bodies = checker.bodies.size();
    if (bodies > pairs) return;
    if (kinds.size() < bodies) kinds.resize(bodies);
    parallel_for(executor, (bodies + kBlockPairs - 1) / kBlockPairs, [&](std::size_t block) {
        const Checker look = checker;
        ShapeKind* const out = kinds.data();
        const std::size_t end = std::min(bodies, (block + 1) * kBlockPairs);
        for (std::size_t i = block * kBlockPairs; i < end; ++i) out[i] = look.look_up(i);
    });
    checker.known = kinds.data();
}

}  // namespace

void SortedPairs::reserve(std::size_t pairs) {
    entries.reserve(pairs);
    kind.reserve(pairs);
    body_kind.reserve(pairs);
    swapped.reserve(pairs);
    counts.reserve((pairs + kBlockPairs - 1) / kBlockPairs);
    chunks.reserve(pairs / kChunkPairs + kPairKinds);
}

std::size_t SortedPairs::bytes() const {
    return entries.capacity() * sizeof(Entry) + kind.capacity() + swapped.capacity() + body_kind.capacity() +
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
    Checker shared = {frame.bodies, Generations(frame.shapes->tables())};
    look_up_bodies(shared, executor, pairs, sorted.body_kind);

    parallel_for(executor, blocks, [&](std::size_t block) {
        const Checker checker = shared;
        const auto view = frame.pairs;
        std::uint8_t *const kind = sorted.kind.data(), *const swapped = sorted.swapped.data();
        Status* const statuses = status;
        std::array<std::uint32_t, kPairKinds> counts = {};
        const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
        for (std::size_t i = block * kBlockPairs; i < end; ++i) {
            const Checked checked = checker.check(view[i]);
            kind[i] = checked.kind;
            swapped[i] = checked.swapped;
            statuses[i] = checked.status;
            if (checked.kind != SortedPairs::kNoKind) ++counts[checked.kind];
        }
        sorted.counts[block] = counts;
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
