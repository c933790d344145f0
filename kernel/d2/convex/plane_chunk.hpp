// The interface between baseline code and the wide kernels of the plane, as plain structs: up to kChunkPairs pairs of
// two convex kinds, and where their answers go.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/d2/results_2d.hpp>

#include "convex/contract/chunk.hpp"
#include "d2/shapes/core_records.hpp"
#include "simd/kernel_table.hpp"

namespace abut::d2 {

// A pair's manifold while the chunks run, at the pair's own index: the end of a Manifold. A contact that is not there is
// zero.
struct ManifoldRecord {
    Vec2 normal;
    Contact contacts[kMostContacts];
};
static_assert(offsetof(Manifold, normal) + sizeof(ManifoldRecord) == sizeof(Manifold));

// The output, at each pair's index. A null column is not written.
struct OutputView {
    Status* status = nullptr;          // never null
    std::uint8_t* hit = nullptr;       // overlap: 0 or 1
    float* signed_distance = nullptr;  // distance
    Vec2 *normal = nullptr, *point_a = nullptr, *point_b = nullptr;
    std::uint8_t* contact_count = nullptr;  // collide
    ManifoldRecord* manifolds = nullptr;
};

struct QueryParameters {
    Query query;
    bool separation_only = false;  // distance: leave depth out
    bool exact_only = false;       // Settings::depth == exact
    float reach = 0;               // distance: max_distance; collide: the speculative margin
    Strided<float> margins = {};   // a reach for each pair, instead
    float contact_slack = 0;       // collide: of two parallel edges A's gives the normal unless B's is deeper by more
    std::uint32_t max_child_pairs = 0;  // of bodies with parts

    ABUT_ALWAYS_INLINE float reach_of(std::uint32_t pair) const { return margins.empty() ? reach : margins[pair]; }
};

// Up to a whole number of lanes of every instruction set.
constexpr std::uint32_t whole_lanes(std::uint32_t count) { return (count + 15) & ~15u; }

// ChunkPairs has addresses of bodies of 3D; those of a chunk of the plane are of Body here.
inline const Body& body_of(const abut::Body* in_chunk) { return *reinterpret_cast<const Body*>(in_chunk); }
inline const abut::Body* in_chunk(const Body& body) { return reinterpret_cast<const abut::Body*>(&body); }

struct PlaneChunk {
    ShapeKind kind_a, kind_b;
    std::uint32_t count;
    bool is_in_order;                  // the pairs' indices ascend by one
    const ChunkPairs* pairs;           // in canonical order; the last is repeated up to a whole number of lanes
    RecordTable records_a, records_b;  // of the two kinds
    const OutputView* out;
    const QueryParameters* parameters;
    std::uint16_t* uncertified;  // out: the numbers of pairs that float32 cannot certify; room for kChunkPairs
    // If it is not null, manifolds go here one after another, not to their pairs' indices. Uncertified pairs get a place
    // and no contacts. Room for one more than the chunk has pairs, up to a whole number of lanes.
    Manifold* packed;

    ABUT_ALWAYS_INLINE std::uint32_t pair(std::uint32_t i) const { return pairs->pair_and_swap[i] & ~Entry::kSwapped; }
    ABUT_ALWAYS_INLINE bool is_swapped(std::uint32_t i) const {
        return (pairs->pair_and_swap[i] & Entry::kSwapped) != 0;
    }
};

}  // namespace abut::d2

namespace abut {

// The wide functions for pairs in the plane.
struct PlaneKernels {
    // Answers all pairs of a chunk but those listed in `uncertified`; returns their number. Not for large polygons.
    std::uint32_t (*run_plane_chunk)(const d2::PlaneChunk& chunk);
};
ABUT_KERNEL_TABLE(PlaneKernels)

}  // namespace abut
