/// @file
/// ShapeId: 32 bits that name one instance in a ShapeStore.
#pragma once

#include <cstdint>

#include <abut/compiler.hpp>

namespace abut {

/// The numbers are in ids and in captures. They do not change, and a new kind takes the next one. They do not define
/// which body of a pair is computed as A: that is the order in kernel/shapes/kinds.hpp.
enum class ShapeKind : std::uint8_t {
    sphere,
    capsule,
    box,
    hull,
    cylinder,
    cone,
    ellipsoid,
    custom,  ///< of your own: custom_shape.hpp
    halfspace,
    compound,
    mesh,         ///< of triangles, static
    heightfield,  ///< likewise
    none = 15,
};

/// The kind's name in the formats' spelling, e.g. "capsule".
ABUT_API const char* to_string(ShapeKind kind);

/// 32 bits that name an instance: kind (4 bits), generation (8), slot (20). A removed instance's generation is not
/// issued again for its slot before ShapeStore::forget_removed. Therefore a stale id is detected and gets
/// Status::bad_index, and so does an id of zeros. `Kind`: abut::ShapeKind, or d2::ShapeKind in the plane.
template <class Kind>
class BasicShapeId {
public:
    static constexpr std::uint32_t kSlotBits = 20, kGenerationBits = 8;  ///< of the 32
    static constexpr std::uint32_t kMaxSlots = 1u << kSlotBits;          ///< living shapes of one kind
    static constexpr std::uint32_t kFirstGeneration = 1;                 ///< so that no id is 0

    constexpr BasicShapeId() = default;
    /// The library's own.
    static constexpr BasicShapeId make(Kind kind, std::uint32_t slot, std::uint32_t generation) {
        return from_bits(std::uint32_t(kind) << (kSlotBits + kGenerationBits) | generation << kSlotBits | slot);
    }
    /// The id that bits() gave.
    static constexpr BasicShapeId from_bits(std::uint32_t bits) {
        BasicShapeId id;
        id.bits_ = bits;
        return id;
    }

    /// All 32 bits, for the engine's own columns.
    constexpr std::uint32_t bits() const { return bits_; }
    /// The kind of the shape, living or not.
    constexpr Kind kind() const { return Kind(bits_ >> (kSlotBits + kGenerationBits)); }
    /// The place in the store's table of its kind.
    constexpr std::uint32_t slot() const { return bits_ & (kMaxSlots - 1); }
    /// Which user of the slot, from kFirstGeneration.
    constexpr std::uint32_t generation() const { return bits_ >> kSlotBits & ((1u << kGenerationBits) - 1); }
    friend constexpr bool operator==(BasicShapeId, BasicShapeId) = default;

private:
    std::uint32_t bits_ = ~0u;  // names nothing
};

/// Names one instance in a ShapeStore.
using ShapeId = BasicShapeId<ShapeKind>;

}  // namespace abut
