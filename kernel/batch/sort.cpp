// Stable counting sort of a frame's pairs by kind. Which of two bodies comes first, and which kind comes next, cannot
// be predicted: no branch depends on either.
#include "batch/sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/memory.hpp"
#include "base/parallel/parallel_for.hpp"
#include "base/scratch_columns.hpp"
#include "convex/contract/intake_tasks.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/tables.hpp"

namespace abut {

namespace {

constexpr std::size_t kBlockPairs = 8192;

constexpr PairKind pair_kind(const PairKinds& kinds, ShapeKind a, ShapeKind b) {
    if (a == ShapeKind::none || b == ShapeKind::none) return {SortedPairs::kNoKind, Status::bad_index};
    if (!is_kind(a) || !is_kind(b)) return {SortedPairs::kNoKind, Status::unsupported};
    // Two half-spaces overlap without a deepest point, whatever their normals.
    if (a == ShapeKind::halfspace && b == ShapeKind::halfspace) return {SortedPairs::kNoKind, Status::unsupported};
    const bool is_swapped = is_swapped_pair(a, b);
    std::uint32_t number = is_surface(a) || is_surface(b) ? SortedPairs::kWithSurface : SortedPairs::kWithCompound;
    if (is_surface(a) && is_surface(b)) number = SortedPairs::kTwoSurfaces;
    if (is_convex(a) && is_convex(b)) {
        const ShapeKind first = is_swapped ? b : a, second = is_swapped ? a : b;
        for (number = 0; kinds.by_number[number].a != first || kinds.by_number[number].b != second;) ++number;
    }
    return {static_cast<std::uint8_t>(number | is_swapped * SortedPairs::kSwapped), Status::ok};
}

struct Checker {
    const PairsToSort& of;
    const std::uint8_t* known = nullptr;  // kinds by body, if they were looked up beforehand
    bool in_lanes = false;                // otherwise pairs are checked one by one

    IdsInMemory bodies() const {
        return {of.ids, static_cast<std::uint32_t>(of.stride), static_cast<std::uint32_t>(of.bodies), &of.living};
    }
    std::uint32_t look_up(std::size_t body) const {
        std::uint32_t id;
        std::memcpy(&id, of.ids + body * of.stride, sizeof id);
        return of.living.has(id) ? id >> (ShapeId::kSlotBits + ShapeId::kGenerationBits) : kNone;
    }
    std::uint32_t living_kind(std::uint32_t body) const {
        if (body >= of.bodies) return kNone;
        return known != nullptr ? known[body] : look_up(body);
    }
    PairKind check(Pair pair) const { return of.kinds.of[living_kind(pair.a) * kIdKinds + living_kind(pair.b)]; }

    static constexpr auto kNone = static_cast<std::uint32_t>(ShapeKind::none);
};

constexpr std::size_t kFewPairs = 4;             // up to this many are checked one by one, which is faster
constexpr std::size_t kCachedBodies = 1u << 15;  // the records of this many bodies stay in the second or third cache
constexpr std::size_t kLookedUpBodies = 2;       // per pair; with more bodies, most of them are in no pair

// True if bodies are looked up once, in order: because each is in several pairs, or because pairs would read them from
// memory in random order. Otherwise the check of a pair looks up its ids, which is half the cost of the check.
bool are_looked_up(std::size_t bodies, std::size_t pairs) {
    return bodies <= (bodies > kCachedBodies ? kLookedUpBodies * pairs : pairs / 2);
}

void look_up_bodies(Checker& checker, const Executor& executor, Vector<std::uint8_t>& kinds) {
    const std::size_t pairs = checker.of.pairs.size(), bodies = checker.of.bodies, stride = checker.of.stride;
    if (pairs <= kFewPairs) return;
    const bool look_up = are_looked_up(bodies, pairs);
    checker.in_lanes = bodies < kMostBodies && stride < kMostStride && (look_up || bodies * stride < kMostBodies);
    if (!look_up) return;
    if (kinds.size() < bodies + kIntakeRoom) kinds.resize(bodies + kIntakeRoom);
    parallel_for(executor, blocks_of(bodies, kBlockPairs), [&](std::size_t block) {
        std::uint8_t* const out = kinds.data();
        const std::size_t end = std::min(bodies, (block + 1) * kBlockPairs);
        for (std::size_t i = block * kBlockPairs; i < end; ++i) out[i] = static_cast<std::uint8_t>(checker.look_up(i));
    });
    kinds[bodies] = Checker::kNone;
    checker.known = kinds.data();
}

}  // namespace

constexpr PairKinds kSolidPairKinds = [] {
    PairKinds kinds = {};
    std::uint32_t next = 0;
    for (std::uint32_t a = 0; a < kConvexKinds; ++a)
        for (std::uint32_t b = a; b < kConvexKinds; ++b) kinds.by_number[next++] = {kKindsInOrder[a], kKindsInOrder[b]};
    for (std::uint32_t i = 0; i < kinds.of.size(); ++i) {
        kinds.of[i] = pair_kind(kinds, static_cast<ShapeKind>(i / kIdKinds), static_cast<ShapeKind>(i % kIdKinds));
        kinds.numbers[i] = kinds.of[i].number;
    }
    return kinds;
}();

void SortedPairs::reserve(std::size_t pairs) {
    order.reserve(pairs);
    kind.reserve(pairs + kIntakeRoom);
    body_kind.reserve(kLookedUpBodies * pairs + kIntakeRoom);
    counts.reserve(blocks_of(pairs, kBlockPairs));
    ranges.reserve(pairs / kChunkPairs + kPairKinds);
}

void SortedPairs::make_room(std::size_t pairs) {
    // Columns never shrink, because growing again would clear elements that are overwritten anyway. `kind` grows last,
    // so its size tells the size of all columns.
    if (counts.size() >= blocks_of(pairs, kBlockPairs) && kind.size() >= pairs + kIntakeRoom) return;
    reserve(pairs);
    order.resize(pairs);
    counts.resize(blocks_of(pairs, kBlockPairs));
    kind.resize(pairs + kIntakeRoom);
}

void SortedPairs::clear() {
    ranges.clear();
    compounds.clear(), surfaces.clear(), surface_pairs.clear();
}

std::size_t SortedPairs::bytes() const {
    return bytes_of(order, kind, body_kind, counts, ranges, compounds, surfaces, surface_pairs);
}

namespace {

// Writes the number of each pair's kinds to `kind`, for one block. Returns the bits in which the numbers differ.
std::uint32_t number_pairs(const Strided<Pair>& pairs, const Checker& checker, const Kernels& kernels,
                           std::uint8_t* kind) {
    const auto count = static_cast<std::uint32_t>(pairs.size());
    PairKindsFound found = {0, 0};
    if (checker.in_lanes)
        found = kernels.find_pair_kinds({{pairs.address(0), pairs.stride()},
                                         count,
                                         checker.bodies(),
                                         checker.known,
                                         checker.of.kinds.numbers.data(),
                                         kind});
    std::uint32_t differing = found.differing;
    for (std::uint32_t i = found.count; i < count; ++i) {
        kind[i] = checker.check(pairs[i]).number;
        differing |= kind[i] ^ kind[0];
    }
    return differing;
}

BlockCounts count_kinds(const std::uint8_t* kind, std::size_t count) {
    BlockCounts counts = {};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t number = kind[i] & ~SortedPairs::kSwapped;
        ++counts.of[number];
        counts.kinds |= std::uint64_t(1) << number;
    }
    return counts;
}

// Writes the kind and status of a block's pairs, and counts its pairs of each kind.
void count_block(const Checker& checker, const Kernels& kernels, std::size_t block, SortedPairs& sorted,
                 Status* status) {
    const Strided<Pair>& pairs = checker.of.pairs;
    const std::size_t first = block * kBlockPairs, count = std::min(pairs.size() - first, kBlockPairs);
    std::uint8_t* const kind = sorted.kind.data() + first;
    const std::uint32_t differing = number_pairs(pairs.subspan(first, count), checker, kernels, kind);
    if ((differing & ~SortedPairs::kSwapped) == 0) {
        const std::uint32_t number = kind[0] & ~SortedPairs::kSwapped;
        BlockCounts& counts = sorted.counts[block];
        counts.of[number] = static_cast<std::uint32_t>(count);
        counts.kinds = std::uint64_t(1) << number;
    } else {
        sorted.counts[block] = count_kinds(kind, count);
    }
    static_assert(Status::ok == Status(0));
    std::memset(status + first, 0, count);
    if (!sorted.counts[block].has(SortedPairs::kNoKind)) return;
    for (std::size_t i = first; i < first + count; ++i) status[i] = checker.check(pairs[i]).status;
}

Vector<Entry>& entries_of(SortedPairs& sorted, std::uint32_t kind) {
    if (kind == SortedPairs::kWithCompound) return sorted.compounds;
    return kind == SortedPairs::kWithSurface ? sorted.surfaces : sorted.surface_pairs;
}

// Converts counts to positions: kinds in order, and within a kind the blocks in order. Pairs with a compound, with a
// surface and with two surfaces come last.
void place_blocks(const PairKinds& of, std::uint64_t kinds, std::size_t blocks, SortedPairs& sorted) {
    std::uint32_t next = 0;
    for (std::uint64_t left = kinds & ~(std::uint64_t(1) << SortedPairs::kNoKind); left != 0; left &= left - 1) {
        const auto kind = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t first = next;
        for (std::size_t block = 0; block < blocks; ++block) {
            BlockCounts& counts = sorted.counts[block];
            const std::uint32_t count = counts.has(kind) ? counts.of[kind] : 0;
            counts.of[kind] = next;
            next += count;
        }
        if (kind < kPairKinds)
            sorted.add_ranges(of.by_number[kind], first, next);
        else
            entries_of(sorted, kind).resize(next - first);
    }
}

void write_block(std::size_t pairs, std::size_t block, SortedPairs& sorted) {
    std::array<std::uint32_t, kPairKinds + 4> next = sorted.counts[block].of;
    const std::uint8_t* const kinds = sorted.kind.data();
    std::uint32_t* const order = sorted.order.data();
    const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
    for (std::size_t i = block * kBlockPairs; i < end; ++i) {
        const std::uint32_t kind = kinds[i] & ~SortedPairs::kSwapped, swapped = kinds[i] / SortedPairs::kSwapped;
        if (kind == SortedPairs::kNoKind) continue;
        order[next[kind]++] = static_cast<std::uint32_t>(i) | swapped * Entry::kSwapped;
    }
}

// Sorts pairs whose blocks are counted.
void sort_counted(const PairKinds& of, std::size_t pairs, const Executor& executor, SortedPairs& sorted) {
    const std::size_t blocks = blocks_of(pairs, kBlockPairs);
    std::uint64_t kinds = 0;  // the kinds that occur, one bit per kind
    for (std::size_t block = 0; block < blocks; ++block) kinds |= sorted.counts[block].kinds;
    sorted.has_refused = (kinds >> SortedPairs::kNoKind & 1) != 0;
    // Not std::has_single_bit, which counts the bits, by a call where processors may lack the instruction.
    sorted.is_in_order = kinds != 0 && (kinds & (kinds - 1)) == 0 && kinds < std::uint64_t(1) << kPairKinds;
    if (sorted.is_in_order)
        return sorted.add_ranges(of.by_number[std::size_t(std::countr_zero(kinds))], 0,
                                 static_cast<std::uint32_t>(pairs));
    place_blocks(of, kinds, blocks, sorted);
    parallel_for(executor, blocks, [&](std::size_t block) { write_block(pairs, block, sorted); });
}

// Makes ranges of the runs of one kind. False if a kind has several runs.
bool cut_runs(std::uint32_t pairs, SortedPairs& sorted) {
    const std::uint8_t* const kinds = sorted.kind.data();
    std::uint64_t seen = 0;
    for (std::uint32_t first = 0, end = 0; first < pairs; first = end) {
        const std::uint8_t kind = kinds[first];
        if ((seen >> kind & 1) != 0) return false;
        seen |= std::uint64_t(1) << kind;
        while (end < pairs && kinds[end] == kind) ++end;
        sorted.add_ranges(kSolidPairKinds.by_number[kind], first, end);
    }
    return true;
}

}  // namespace

void sort_pairs(const PairsToSort& of, const Kernels& kernels, const Executor& executor, SortedPairs& sorted,
                Status* status) {
    const std::size_t pairs = of.pairs.size();
    sorted.make_room(pairs);
    sorted.clear();
    Checker checker = {of};
    look_up_bodies(checker, executor, sorted.body_kind);
    parallel_for(executor, blocks_of(pairs, kBlockPairs),
                 [&](std::size_t block) { count_block(checker, kernels, block, sorted, status); });
    sort_counted(of.kinds, pairs, executor, sorted);
    if (sorted.is_in_order) return;
    std::uint32_t at = sorted.ranges.empty() ? 0 : sorted.ranges.back().first + sorted.ranges.back().count;
    for (auto* entries : {&sorted.compounds, &sorted.surfaces, &sorted.surface_pairs})
        for (Entry& entry : *entries) {
            const std::uint32_t pair_and_swap = sorted.order[at++];
            const Pair pair = of.pairs[pair_and_swap & ~Entry::kSwapped];
            entry = entry_of(of.pairs, pair_and_swap, checker.living_kind(pair.a) == checker.living_kind(pair.b));
        }
}

void sort_pairs(const Frame& frame, const Kernels& kernels, const Executor& executor, SortedPairs& sorted,
                Status* status) {
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    sort_pairs({frame.pairs, shapes.address(0), shapes.size(), shapes.stride(),
                living_ids(tables_of(*frame.shapes).kinds), kSolidPairKinds},
               kernels, executor, sorted, status);
    if (!sorted.has_refused) return;
    // Chunks do not read the poses of unsupported pairs, so they are checked here.
    for (std::uint32_t i = 0; i < frame.pairs.size(); ++i) {
        const Entry entry = {i, frame.pairs[i].a, frame.pairs[i].b};
        if (status[i] == Status::unsupported) report_bad_pairs(frame, {&entry, 1}, status);
    }
}

void sort_by_kind(std::size_t pairs, const Executor& executor, SortedPairs& sorted) {
    sorted.clear();
    sorted.is_in_order = cut_runs(static_cast<std::uint32_t>(pairs), sorted);
    if (sorted.is_in_order) return;
    sorted.ranges.clear();
    parallel_for(executor, blocks_of(pairs, kBlockPairs), [&](std::size_t block) {
        const std::size_t first = block * kBlockPairs;
        sorted.counts[block] = count_kinds(sorted.kind.data() + first, std::min(pairs - first, kBlockPairs));
    });
    sort_counted(kSolidPairKinds, pairs, executor, sorted);
}

void report_bad_pairs(const Frame& frame, std::span<const Entry> entries, Status* status) {
    const PairRecordBuilder record_of(frame);
    for (const Entry& entry : entries) {
        const auto [a, b] = record_of(entry);
        status[entry.pair()] = is_valid_pose(a) && is_valid_pose(b) ? Status::unsupported : Status::bad_pose;
    }
}

}  // namespace abut
