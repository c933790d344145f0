// The interface between baseline code and the wide kernels as plain structs: a chunk of pairs, its input and its
// output.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/frame.hpp>
#include <abut/results.hpp>
#include <abut/status.hpp>

#include "base/compiler_support.hpp"
#include "convex/contract/stage_clock.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"
#include "shapes/shape_identity.hpp"

namespace abut {

struct CustomShape;

// `within` asks whether the distance is at most the reach; overlap is `within` with a reach of 0.
enum class Query : std::uint8_t { overlap, within, distance, collide };

// True if the query asks for hit bits only.
ABUT_ALWAYS_INLINE inline bool needs_hits(Query query) { return query == Query::overlap || query == Query::within; }

// A pair in canonical order: the lower (kind, body index) is a.
struct Entry {
    static constexpr std::uint32_t kSwapped = 1u << 31;
    std::uint32_t pair_and_swap;  // index into the frame's pairs; kSwapped where the caller's a is this entry's b
    std::uint32_t a, b;           // body indices

    std::uint32_t pair() const { return pair_and_swap & ~kSwapped; }
    bool swapped() const { return (pair_and_swap & kSwapped) != 0; }
};

inline constexpr std::uint32_t kMaxContacts = 4;
// The limit of Settings::ground_contacts.
inline constexpr std::uint32_t kMostGroundContacts = 8;

// A pair's manifold while the chunks run, at the pair's own index; compacted into columns afterwards
// (batch/pack_columns.cpp).
struct ManifoldRecord {
    Vec3 normal;
    Contact contacts[kMaxContacts];
};

// The input of a chunk.
struct FrameView {
    const InstanceRecord* records[kKindCount];
    const ShapeIdentity* identities[kKindCount];
    const HullGeometry* hulls;
    const CustomShape* const* customs;
    const HullGeometry* cube;   // make_unit_cube(): boxes as polytopes
    const HullGeometry* prism;  // make_unit_prism(): the caps of cylinders and cones, for clipping
};

// The output of a chunk, at each pair's index. A null column is not written.
struct OutputView {
    Status* status;          // never null
    std::uint8_t* hit;       // overlap, within: 0 or 1
    float* signed_distance;  // distance
    Vec3* normal;
    Vec3* point_a;
    Vec3* point_b;
    std::uint8_t* contact_count;  // collide
    ManifoldRecord* manifolds;
    PairTrace* traces;  // cleared before the first chunk
};

struct QueryParameters {
    Query query;
    bool separation_only;  // distance: leave depth out
    bool exact_only;       // Settings::depth == exact
    float reach;           // distance: max_distance; collide: the speculative margin; overlap: 0
    // collide, distance: a reach for each pair. If this column is not empty, `reach` is its maximum.
    Strided<float> margins;
    float contact_slack;    // collide: depths that differ by less are equal, metres
    float follow_distance;  // collide: as in Settings, as are the next columns:
    std::uint32_t ground_contacts = kMaxContacts;
    float manifold_angle = 0.0f;

    ABUT_ALWAYS_INLINE float reach_of(std::uint32_t pair) const { return margins.empty() ? reach : margins[pair]; }
};

inline constexpr std::uint32_t kChunkPairs = 256;

// The pairs of a chunk in canonical order. Columns, because most visits of a stage read only one of them.
struct ChunkPairs {
    std::uint32_t pair_and_swap[kChunkPairs];  // as in Entry
    const Body *a[kChunkPairs], *b[kChunkPairs];
    bool has_self;  // some pair is a body with itself
    bool has_caches;
    WarmCache* caches[kChunkPairs];  // null if the caller has no cache for the pair
};

// Pairs of one kind, all independent: the unit of dispatch and of threading.
struct Chunk {
    ShapeKind kind_a, kind_b;
    std::uint32_t count;  // <= kChunkPairs
    const ChunkPairs* pairs;
    // The views with A's and B's shapes. The two differ only in their shapes, and only if one shape is a mesh triangle.
    const FrameView *frame, *frame_b;
    const OutputView* out;
    const QueryParameters* parameters;

    // pair(): the index in the frame of the chunk's pair i. is_swapped(): true if A is the caller's b.
    ABUT_ALWAYS_INLINE std::uint32_t pair(std::uint32_t i) const { return pairs->pair_and_swap[i] & ~Entry::kSwapped; }
    ABUT_ALWAYS_INLINE bool has_caches() const { return pairs->has_caches; }
    ABUT_ALWAYS_INLINE WarmCache& cache(std::uint32_t i) const { return *pairs->caches[i]; }
    ABUT_ALWAYS_INLINE bool is_swapped(std::uint32_t i) const {
        return (pairs->pair_and_swap[i] & Entry::kSwapped) != 0;
    }
};

struct ChunkCounters {
    std::uint32_t exact = 0;  // pairs that took the exact path
    StateSums times;
};

}  // namespace abut
