// Tasks for intake/, which prepares a frame's pairs for the chunks, one pair per lane. Plain structs, as in
// convex/contract/chunk.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <abut/frame.hpp>

#include "convex/contract/chunk.hpp"
#include "shapes/placed_shape.hpp"

namespace abut {

inline constexpr std::uint32_t kIdKinds = 16;  // the kinds for which an id has bits

// Lanes write whole vectors, so output columns must be longer by this many bytes.
inline constexpr std::size_t kIntakeRoom = 16;

// The ids of living instances, by slot. Flat, because this check is the first to read each body.
struct LivingIds {
    const void* of_slot[kIdKinds];  // of ids, 32 bits each; never null
    std::uint32_t slots[kIdKinds];

    bool has(std::uint32_t id) const {
        const std::uint32_t kind = id >> (ShapeId::kSlotBits + ShapeId::kGenerationBits),
                            slot = id & (ShapeId::kMaxSlots - 1);
        if (slot >= slots[kind]) return false;
        std::uint32_t living;
        std::memcpy(&living, static_cast<const std::byte*>(of_slot[kind]) + sizeof living * slot, sizeof living);
        return living == id;
    }
};

// The shape ids of bodies.
struct IdsInMemory {
    const std::byte* first;
    std::uint32_t stride;     // less than kMostStride
    std::uint32_t count;      // less than kMostBodies
    const LivingIds* living;  // null if ids need no check
};

// The first pair, and the distance from one pair to the next in memory.
struct PairsInMemory {
    const std::byte* first;
    std::size_t stride;
};

struct PairKindsTask {
    PairsInMemory pairs;
    std::uint32_t count;
    IdsInMemory bodies;
    // Readable for kIntakeRoom entries beyond the last body; the entry after the last body is ShapeKind::none. Null if
    // kinds were not looked up: all ids are then within 2^31 bytes of the first id.
    const std::uint8_t* body_kinds;
    const std::uint32_t* numbers;  // the value to write, by kind of body a << 4 | kind of body b
    std::uint8_t* kinds;           // out
};

struct PairKindsFound {
    std::uint32_t count;      // the number of pairs whose numbers were written
    std::uint32_t differing;  // the bits in which these numbers differ
};

struct ChunkPairsTask {
    PairsInMemory pairs;
    const std::uint32_t* order;  // the pairs' indices with Entry::kSwapped; null if the pairs are in order
    const std::uint8_t* kinds;   // read if `order` is null: the highest bit is set for swapped pairs
    std::uint32_t first, count;  // the range of the order
    bool are_of_one_kind;        // both bodies of every pair have the same kind: A is the body with the lower index
    const std::byte* bodies;     // of type Body; of type PlacedShape if `records` is not null
    std::uint32_t body_stride;
    Body* records = nullptr;  // out, two for each pair, for 2 * kChunkPairs
};

inline constexpr std::uint32_t kMostStride = 1u << 26, kMostBodies = 1u << 31;

}  // namespace abut
