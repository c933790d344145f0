// Tasks of intake/, which prepares a frame's pairs for the chunks several pairs at a time: plain structs, as in frame/chunk.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/frame.hpp>

#include "frame/chunk.hpp"
#include "frame/placed_shape.hpp"

namespace abut {

inline constexpr std::uint32_t kIdKinds = 16;  // that an id has bits for

// Lanes write whole vectors, so output columns must be longer by this many bytes.
inline constexpr std::size_t kIntakeRoom = 16;

// The ids of living instances, by slot. Flat, because this check is the first to read each body.
struct LivingIds {
    const ShapeId* of_slot[kIdKinds];  // never null
    std::uint32_t slots[kIdKinds];
};

// The shape ids of bodies.
struct IdsInMemory {
    const std::byte* first;
    std::uint32_t stride;     // less than kMostStride
    std::uint32_t count;      // less than kMostBodies
    const LivingIds* living;  // null where ids need no check
};

// The first pair, and the distance from one to the next in memory.
struct PairsInMemory {
    const std::byte* first;
    std::size_t stride;
};

struct PairKindsTask {
    PairsInMemory pairs;
    std::uint32_t count;
    IdsInMemory bodies;
    // Readable for kIntakeRoom entries beyond the last body; the next entry is ShapeKind::none. Null if kinds were not looked up: all ids are then
    // within 2^31 bytes of the first.
    const std::uint8_t* body_kinds;
    const std::uint32_t* numbers;  // by two kinds, the first one in the high bits: what is written
    std::uint8_t* kinds;           // out
};

struct PairKindsFound {
    std::uint32_t count;      // of the pairs whose numbers were written
    std::uint32_t differing;  // the bits in which these differ
};

struct ChunkPairsTask {
    PairsInMemory pairs;
    const std::uint32_t* order;  // of the pairs, with Entry::kSwapped; null where they are in order
    const std::uint8_t* kinds;   // read where they are in order: the highest bit says that the bodies change places
    std::uint32_t first, count;  // in the order
    bool are_of_one_kind;        // the bodies: the lower one is A
    const std::byte* bodies;     // records, or placed shapes where there are `records`
    std::uint32_t body_stride;
    Body* records = nullptr;  // out, two for each pair, for 2 * kChunkPairs
};

inline constexpr std::uint32_t kMostStride = 1u << 26, kMostBodies = 1u << 31;

}  // namespace abut
