// Stable counting sort of a frame's pairs by kind. Which of two bodies comes first, and which kind comes next, cannot be predicted: no branch
// depends on either.
#include "pairs/sort.hpp"

#include <algorithm>
#include <array>
#include <cstring>

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
    for (std::uint32_t a = 0; a < kConvexKinds; ++a)
        for (std::uint32_t b = a; b < kConvexKinds; ++b) all[next++] = {kKindsInOrder[a], kKindsInOrder[b]};
    return all;
}();

constexpr PairKind pair_kind(ShapeKind a, ShapeKind b) {
    if (a == ShapeKind::none || b == ShapeKind::none) return {SortedPairs::kNoKind, Status::bad_index};
    if (!is_kind(a) || !is_kind(b)) return {SortedPairs::kNoKind, Status::unsupported};
    if (is_surface(a) && is_surface(b)) return {SortedPairs::kNoKind, Status::unsupported};
    // Back to back or not: there is no deepest point.
    if (a == ShapeKind::halfspace && b == ShapeKind::halfspace) return {SortedPairs::kNoKind, Status::unsupported};
    const bool is_swapped = place_of(a) > place_of(b);
    std::uint32_t kind = is_surface(a) || is_surface(b) ? SortedPairs::kWithSurface : SortedPairs::kWithCompound;
    if (is_convex(a) && is_convex(b)) {
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

// A copy of its own in every block's loop, out of reach of the bytes written there: bytes may alias anything.
struct Checker {
    Strided<ShapeId> shapes;  // of the bodies
    Generations generations;
    bool trusts_ids;
    const ShapeKind* known = nullptr;  // of every body, where they were looked up beforehand

    ShapeKind look_up(std::size_t body) const {
        const ShapeId id = *reinterpret_cast<const ShapeId*>(shapes.address(body));
        return trusts_ids ? id.kind() : generations.kind_of(id);
    }
    ShapeKind living_kind(std::uint32_t body) const {
        if (body >= shapes.size()) return ShapeKind::none;
        return known != nullptr ? known[body] : look_up(body);
    }
    PairKind check(Pair pair) const;
    // Of pairs that no chunk answers.
    void write_status(const Frame& frame, std::size_t first, std::size_t end, Status* status) const;
};

inline PairKind Checker::check(Pair pair) const {
    const auto a = static_cast<std::uint32_t>(living_kind(pair.a)), b = static_cast<std::uint32_t>(living_kind(pair.b));
    const PairKind of = kPairKindOf[a * kIdKinds + b];
    const bool is_swapped = (a == b) & (pair.a > pair.b);
    return {static_cast<std::uint8_t>(of.kind | is_swapped * SortedPairs::kSwapped), of.status};
}

void Checker::write_status(const Frame& frame, std::size_t first, std::size_t end, Status* status) const {
    const PairPlacer place(frame);
    for (std::size_t i = first; i < end; ++i) {
        const Pair pair = frame.pairs[i];
        status[i] = check(pair).status;
        // No chunk looks at the poses of unsupported pairs.
        if (status[i] != Status::unsupported) continue;
        const auto [a, b] = place({static_cast<std::uint32_t>(i), pair.a, pair.b});
        if (!is_good_pose(a) || !is_good_pose(b)) status[i] = Status::bad_pose;
    }
}

constexpr std::size_t kLookedUpBodies = 2;  // for each pair; of more bodies most meet nothing

// Bodies are fewer than pairs as a rule, or as many as pairs meet, and met in random order by those: their kinds are looked up once, in order.
void look_up_bodies(Checker& checker, const Executor& executor, std::size_t pairs, Vector<ShapeKind>& kinds) {
    const std::size_t bodies = checker.shapes.size();
    if (bodies > kLookedUpBodies * pairs) return;
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
    order.reserve(pairs);
    kind.reserve(pairs);
    body_kind.reserve(kLookedUpBodies * pairs);
    counts.reserve(blocks_of(pairs));
    ranges.reserve(pairs / kChunkPairs + kPairKinds);
}

std::size_t SortedPairs::bytes() const {
    return order.capacity() * sizeof(order[0]) + kind.capacity() + body_kind.capacity() + counts.capacity() * sizeof(counts[0]) +
           ranges.capacity() * sizeof(KindRange) + (compounds.capacity() + surfaces.capacity()) * sizeof(Entry);
}

namespace {

// A pair's kind and status, and how many of each kind a block has.
void count_block(const Frame& frame, const Checker& shared, std::size_t block, SortedPairs& sorted, Status* status) {
    // Copies: the compiler cannot tell that what is written below is none of these.
    const Checker checker = shared;
    const auto pairs = frame.pairs;
    std::uint8_t* const kind = sorted.kind.data();
    std::array<std::uint32_t, kPairKinds + 3> counts = {};
    const std::size_t first = block * kBlockPairs, end = std::min(pairs.size(), first + kBlockPairs);
    for (std::size_t i = first; i < end; ++i) {
        const std::uint8_t checked = checker.check(pairs[i]).kind;
        kind[i] = checked;
        ++counts[checked & ~SortedPairs::kSwapped];
    }
    sorted.counts[block] = counts;
    static_assert(Status::ok == Status(0));
    std::memset(status + first, 0, end - first);
    if (counts[SortedPairs::kNoKind] != 0) checker.write_status(frame, first, end, status);
}

// Whether all pairs are of the first one's kind, and that is one of chunks.
bool is_one_kind(std::size_t pairs, const SortedPairs& sorted, std::size_t blocks) {
    if (pairs == 0) return false;
    const std::uint32_t kind = sorted.kind[0] & ~SortedPairs::kSwapped;
    std::size_t count = 0;
    for (std::size_t block = 0; block < blocks; ++block) count += sorted.counts[block][kind];
    return kind < kPairKinds && count == pairs;
}

void add_ranges(std::uint32_t kind, std::uint32_t first, std::uint32_t end, SortedPairs& sorted) {
    for (std::uint32_t at = first; at < end; at += kChunkPairs)
        sorted.ranges.push_back({kKindsOfPair[kind].a, kKindsOfPair[kind].b, at, std::min(kChunkPairs, end - at)});
}

// Counts become places, kinds in order and within a kind the blocks in order. Returns how many pairs are of a kind; those with a compound and then
// those with a surface are last.
std::uint32_t place_blocks(std::size_t blocks, SortedPairs& sorted) {
    std::uint32_t next = 0;
    for (std::uint32_t kind = 0; kind <= SortedPairs::kWithSurface; ++kind) {
        const std::uint32_t first = next;
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::uint32_t count = sorted.counts[block][kind];
            sorted.counts[block][kind] = next;
            next += count;
        }
        if (kind < kPairKinds)
            add_ranges(kind, first, next, sorted);
        else
            (kind == SortedPairs::kWithCompound ? sorted.compounds : sorted.surfaces).resize(next - first);
    }
    return next;
}

void write_block(std::size_t pairs, std::size_t block, SortedPairs& sorted) {
    std::array<std::uint32_t, kPairKinds + 3> places = sorted.counts[block];
    const std::uint8_t* const kinds = sorted.kind.data();
    std::uint32_t* const order = sorted.order.data();
    const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
    for (std::size_t i = block * kBlockPairs; i < end; ++i) {
        const std::uint32_t kind = kinds[i] & ~SortedPairs::kSwapped, swapped = kinds[i] / SortedPairs::kSwapped;
        if (kind == SortedPairs::kNoKind) continue;
        order[places[kind]++] = static_cast<std::uint32_t>(i) | swapped * Entry::kSwapped;
    }
}

}  // namespace

void sort_pairs(const Frame& frame, const Executor& executor, SortedPairs& sorted, Status* status, Ids ids) {
    const std::size_t pairs = frame.pairs.size(), blocks = blocks_of(pairs);
    sorted.reserve(pairs);
    // Grown, never shrunk: resizing back up would clear what is about to be overwritten.
    if (sorted.order.size() < pairs) sorted.order.resize(pairs);
    if (sorted.kind.size() < pairs) sorted.kind.resize(pairs);
    if (sorted.counts.size() < blocks) sorted.counts.resize(blocks);
    sorted.ranges.clear();
    sorted.compounds.clear();
    sorted.surfaces.clear();
    Checker checker = {frame.bodies.columns().shapes, Generations(tables_of(*frame.shapes)), ids == Ids::trusted};
    look_up_bodies(checker, executor, pairs, sorted.body_kind);
    parallel_for(executor, blocks, [&](std::size_t block) { count_block(frame, checker, block, sorted, status); });
    sorted.is_one_kind = is_one_kind(pairs, sorted, blocks);
    if (sorted.is_one_kind) return add_ranges(sorted.kind[0] & ~SortedPairs::kSwapped, 0, static_cast<std::uint32_t>(pairs), sorted);
    const std::uint32_t end = place_blocks(blocks, sorted);
    parallel_for(executor, blocks, [&](std::size_t block) { write_block(pairs, block, sorted); });
    std::uint32_t at = end - static_cast<std::uint32_t>(sorted.compounds.size() + sorted.surfaces.size());
    for (Entry& entry : sorted.compounds) entry = entry_of(frame.pairs, sorted.order[at++]);
    for (Entry& entry : sorted.surfaces) entry = entry_of(frame.pairs, sorted.order[at++]);
}

}  // namespace abut
