// Boxes in blocks, under a tree of nodes: the border between baseline and wide code.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/properties.hpp>

#include "simd/kernel_table.hpp"

namespace abut {

// The boxes of a call, as lanes read them. Strides of floats are multiples of four bytes.
struct BoxColumns {
    const std::byte* bounds;
    std::size_t stride;
    const std::byte* margins;  // floats; null: `margin` for all boxes
    std::size_t margin_stride;
    float margin;
    const std::byte* moving;  // null: all boxes move
    std::size_t moving_stride;
};

// A box with its key. Entries are sorted by key.
struct BoxEntry {
    std::uint32_t key, id;
};

// Boxes of one group are contiguous. The group is in the highest bits of a key; bad boxes have the last one.
inline constexpr std::uint32_t kSizeClasses = 3, kBoxGroups = 2 * kSizeClasses, kBadGroup = 7;

// The bounds of the centres that are finite.
struct CentreRange {
    float low[3], high[3];
};

// The curve passes 2^bits cells along each axis. Their edges are equal, so that a flat world spends its cells on two
// axes.
struct MortonCurve {
    float low[3], scale;
    std::uint32_t bits;
    float large, huge;  // boxes with a longer edge are in the next size class
};

// The number of boxes per block and of children per node: the lanes of AVX2. SSE2 needs two registers, AVX-512 half of
// one.
inline constexpr std::uint32_t kBlockShift = 3, kBlock = 1u << kBlockShift;

// The lower bounds along each axis, then the upper ones. Unused boxes of a block are NaN, which overlaps nothing.
struct alignas(64) BoxBlock {
    float low[3][kBlock], high[3][kBlock];
};

// 2^30 boxes have ten levels of nodes.
inline constexpr std::uint32_t kMaxLevels = 11;

// Level 0 has the boxes themselves. Level l + 1 has the bounds of block i of level l in lane i % 8 of its block i / 8.
// The highest level, 2 or more, has one block. Levels are readable for a register past their end.
struct BoxTree {
    const BoxBlock* levels[kMaxLevels] = {};
    std::uint32_t counts[kMaxLevels] = {};  // the number of blocks per level
    std::uint32_t top = 0;                  // the highest level
    const std::uint32_t* ids = nullptr;     // of level 0: the caller's index of each box
    std::uint32_t moving_blocks = 0;  // the number of blocks of moving boxes, which precede those of boxes at rest
};

// Pairs as two columns. `grow` makes room for at least kLeastPairRoom more pairs, or throws. Lanes write whole vectors.
struct PairBuffer {
    std::uint32_t* a = nullptr;
    std::uint32_t* b = nullptr;
    std::size_t size = 0, room = 0;
    void (*grow)(PairBuffer& buffer) = nullptr;
    void* owner = nullptr;
};
inline constexpr std::size_t kLeastPairRoom = kBlock * kBlock + 16;

// The nodes [first, end) of level 1 of `from`, whose boxes are paired with those of `in`.
struct BoxPairsTask {
    const BoxTree* from;
    const BoxTree*
        in;  // may be `from`: each pair is then found once, with the lower id first. Otherwise the id from `from` comes first
    std::uint32_t first, end;
};

// A ray for the slab test, scaled by a power of two so that the longest component of its direction is 1 to 2.
struct RayLine {
    // The floats below and above the ray's origin, relative to the boxes' origin, so that rounding misses no box.
    float low[3], high[3];
    float inverse[3];  // of the direction, finite; 0 for an axis along which the ray does not move
    float length;
};

struct RayPairsTask {
    const RayLine* rays;
    const std::uint32_t* ids;  // of the rays
    const BoxTree* in;
    std::uint32_t first, end;
};

// A ray on its path through a tree, with the entries that remain to be visited, the nearest of one node's children
// last. The high bits of an entry are those of its lower bound on the distance, a float that is not negative. The low
// bits are an item: a node and, in the lowest bits, its level; or a box of level 0.
struct BoxWalk {
    static constexpr std::uint32_t kLevelBits = 4, kIsBox = 1u << 31;
    static_assert(kMaxLevels < 1u << kLevelBits);

    RayLine line;
    float limit;  // entries beyond this distance are left out; the caller may lower it between calls
    std::uint32_t size;
    std::uint64_t entries[kMaxLevels * kBlock + kBlock];

    void start(const BoxTree& in) { size = in.counts[0] != 0 ? 1 : 0, entries[0] = in.top; }
};

struct BoundsChunk;  // bounds_chunk.hpp

struct BoxKernels {
    CentreRange (*find_centres)(const BoxColumns& boxes, const BoxEntry* entries, std::size_t count);
    void (*find_keys)(const BoxColumns& boxes, const MortonCurve& curve, BoxEntry* entries, std::size_t count);
    // Fills a block with one to kBlock boxes; returns the bounds of all.
    Bounds (*fill_block)(const BoxColumns& boxes, const BoxEntry* entries, std::uint32_t count, BoxBlock& block,
                         std::uint32_t* ids);
    void (*find_box_pairs)(const BoxPairsTask& task, PairBuffer& out);
    void (*find_ray_pairs)(const RayPairsTask& task, PairBuffer& out);
    // Writes the ids of the walk's next boxes, at most `most`, usually the nearer ones first. Returns their number, 0
    // at the end.
    std::uint32_t (*find_next_boxes)(const BoxTree& in, BoxWalk& walk, std::uint32_t most, std::uint32_t* ids);
    void (*run_bounds)(const BoundsChunk& chunk);
};
ABUT_KERNEL_TABLE(BoxKernels)

}  // namespace abut
