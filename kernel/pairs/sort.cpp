// Stable counting sort of a frame's pairs by kind. Which of two bodies comes first, and which kind comes next, cannot be predicted: no branch
// depends on either.
#include "pairs/sort.hpp"

#include <algorithm>
#include <array>

#include "frame/good_pose.hpp"
#include "frame/pair_placer.hpp"
#include "geometry/kinds.hpp"
#include "host/memory.hpp"
#include "parallel/parallel_for.hpp"
#include "shapes/tables.hpp"

namespace abut {

namespace {

constexpr std::size_t kBlockPairs = 8192;
std::size_t blocks_of(std::size_t pairs) { return (pairs + kBlockPairs - 1) / kBlockPairs; }

// Where a kind's generations are, flat: the check is the one stage that meets every body of every pair cold.
struct Generations {
    const std::uint8_t* of_slot[16] = {};
    std::uint32_t slots[16] = {};

    explicit Generations(const ShapeTables& tables) {
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

// What becomes of a pair of two kinds.
struct PairKind {
    std::uint8_t kind;  // as in SortedPairs::kind, but for what the indices of two bodies of one kind decide
    Status status;
};

struct TwoKinds {
    ShapeKind a, b;
};
// By their number: those with the first kind, those with the second and so on, the canonical order throughout.
constexpr auto kKindsOfPair = [] {
    std::array<TwoKinds, kPairKinds> all = {};
    std::uint32_t next = 0;
    for (std::uint32_t a = 0; a < kKindCount; ++a)
        for (std::uint32_t b = a; b < kKindCount; ++b) all[next++] = {kKindsInOrder[a], kKindsInOrder[b]};
    return all;
}();

constexpr PairKind pair_kind(ShapeKind a, ShapeKind b) {
    if (a == ShapeKind::none || b == ShapeKind::none) return {SortedPairs::kNoKind, Status::bad_index};
    if (!is_kind(a) || !is_kind(b)) return {SortedPairs::kNoKind, Status::unsupported};
    // Back to back or not: there is no deepest point.
    if (a == ShapeKind::halfspace && b == ShapeKind::halfspace) return {SortedPairs::kNoKind, Status::unsupported};
    const bool is_swapped = place_of(a) > place_of(b);
    std::uint32_t kind = SortedPairs::kWithCompound;
    if (a != ShapeKind::compound && b != ShapeKind::compound) {
        const ShapeKind first = is_swapped ? b : a, second = is_swapped ? a : b;
        for (kind = 0; kKindsOfPair[kind].a != first || kKindsOfPair[kind].b != second;) ++kind;
    }
    return {static_cast<std::uint8_t>(kind | is_swapped * SortedPairs::kSwapped), Status::ok};
}

constexpr std::uint32_t kIdKinds = 16;  // that an id has bits for

constexpr auto kPairKindOf = [] {
    std::array<PairKind, kIdKinds* kIdKinds> table = {};
    for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = pair_kind(static_cast<ShapeKind>(i / kIdKinds), static_cast<ShapeKind>(i % kIdKinds));
    return table;
}();

struct Checked {
    std::uint8_t kind;  // as in SortedPairs::kind
    Status status;
};

// A copy of its own in every block's loop, out of reach of the bytes written there: bytes may alias anything.
struct Checker {
    Strided<ShapeId> shapes;  // of the bodies
    Generations generations;
    const ShapeKind* known = nullptr;  // of every body, where they were looked up beforehand

    ShapeKind look_up(std::size_t body) const { return generations.kind_of(*reinterpret_cast<const ShapeId*>(shapes.address(body))); }
    ShapeKind living_kind(std::uint32_t body) const {
        if (body >= shapes.size()) return ShapeKind::none;
        return known != nullptr ? known[body] : look_up(body);
    }
    Checked check(Pair pair) const;
    // No chunk looks at the poses of unsupported pairs.
    void check_poses(const Frame& frame, std::size_t first, std::size_t end, Status* status) const;
};

inline Checked Checker::check(Pair pair) const {
    const auto a = static_cast<std::uint32_t>(living_kind(pair.a)), b = static_cast<std::uint32_t>(living_kind(pair.b));
    const PairKind of = kPairKindOf[a * kIdKinds + b];
    const bool is_swapped = (a == b) & (pair.a > pair.b);
    return {static_cast<std::uint8_t>(of.kind | is_swapped * SortedPairs::kSwapped), of.status};
}

void Checker::check_poses(const Frame& frame, std::size_t first, std::size_t end, Status* status) const {
    const PairPlacer place(frame);
    for (std::size_t i = first; i < end; ++i) {
        if (status[i] != Status::unsupported) continue;
        const Pair pair = frame.pairs[i];
        const auto [a, b] = place({static_cast<std::uint32_t>(i), pair.a, pair.b});
        if (!is_good_pose(a) || !is_good_pose(b)) status[i] = Status::bad_pose;
    }
}

// Bodies are fewer than pairs as a rule, and met in random order by those: their kinds are looked up once, in order.
void look_up_bodies(Checker& checker, const Executor& executor, std::size_t pairs, Vector<ShapeKind>& kinds) {
    const std::size_t bodies = checker.shapes.size();
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
    counts.reserve(blocks_of(pairs));
    chunks.reserve(pairs / kChunkPairs + kPairKinds);
}

std::size_t SortedPairs::bytes() const {
    return entries.capacity() * sizeof(Entry) + kind.capacity() + body_kind.capacity() + counts.capacity() * sizeof(counts[0]) +
           chunks.capacity() * sizeof(Chunk);
}

namespace {

// A pair's kind and status, and how many of each kind a block has.
void count_block(const Frame& frame, const Checker& shared, std::size_t block, SortedPairs& sorted, Status* status) {
    // Copies: the compiler cannot tell that what is written below is none of these.
    const Checker checker = shared;
    const auto pairs = frame.pairs;
    std::uint8_t* const kind = sorted.kind.data();
    std::array<std::uint32_t, kPairKinds + 1> counts = {};
    const std::size_t end = std::min(pairs.size(), (block + 1) * kBlockPairs);
    for (std::size_t i = block * kBlockPairs; i < end; ++i) {
        const Checked checked = checker.check(pairs[i]);
        kind[i] = checked.kind;
        status[i] = checked.status;
        ++counts[checked.kind & ~SortedPairs::kSwapped];
    }
    sorted.counts[block] = counts;
    if (counts[SortedPairs::kNoKind] != 0) checker.check_poses(frame, block * kBlockPairs, end, status);
}

// Counts become places, kinds in order and within a kind the blocks in order; the entries that will be there become chunks.
void place_blocks(std::size_t blocks, SortedPairs& sorted) {
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
            return;
        }
        for (std::uint32_t at = first; at < next; at += kChunkPairs) {
            Chunk chunk = {};
            chunk.kind_a = kKindsOfPair[kind].a;
            chunk.kind_b = kKindsOfPair[kind].b;
            chunk.count = std::min(kChunkPairs, next - at);
            chunk.entries = sorted.entries.data() + at;
            sorted.chunks.push_back(chunk);
        }
    }
}

void write_block(const Frame& frame, std::size_t block, SortedPairs& sorted) {
    std::array<std::uint32_t, kPairKinds + 1> places = sorted.counts[block];
    const std::uint8_t* const kinds = sorted.kind.data();
    const auto pairs = frame.pairs;
    Entry* const entries = sorted.entries.data();
    const std::size_t end = std::min(pairs.size(), (block + 1) * kBlockPairs);
    for (std::size_t i = block * kBlockPairs; i < end; ++i) {
        const std::uint32_t kind = kinds[i] & ~SortedPairs::kSwapped, swapped = kinds[i] / SortedPairs::kSwapped;
        if (kind == SortedPairs::kNoKind) continue;
        const Pair pair = pairs[i];
        const std::uint32_t exchange = (pair.a ^ pair.b) & (0 - swapped);
        entries[places[kind]++] = {static_cast<std::uint32_t>(i) | swapped * Entry::kSwapped, pair.a ^ exchange, pair.b ^ exchange};
    }
}

}  // namespace

void sort_pairs(const Frame& frame, const Executor& executor, SortedPairs& sorted, Status* status) {
    const std::size_t pairs = frame.pairs.size(), blocks = blocks_of(pairs);
    sorted.reserve(pairs);
    // Grown, never shrunk: resizing back up would clear what is about to be overwritten.
    if (sorted.entries.size() < pairs) sorted.entries.resize(pairs);
    if (sorted.kind.size() < pairs) sorted.kind.resize(pairs);
    if (sorted.counts.size() < blocks) sorted.counts.resize(blocks);
    Checker checker = {frame.bodies.columns().shapes, Generations(tables_of(*frame.shapes))};
    look_up_bodies(checker, executor, pairs, sorted.body_kind);
    parallel_for(executor, blocks, [&](std::size_t block) { count_block(frame, checker, block, sorted, status); });
    place_blocks(blocks, sorted);
    parallel_for(executor, blocks, [&](std::size_t block) { write_block(frame, block, sorted); });
}

}  // namespace abut
