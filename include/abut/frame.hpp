// Frame: one batch as the caller's engine already has it. abut reads it in place and keeps no pointer past the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/bodies.hpp>
#include <abut/strided.hpp>
#include <abut/trace.hpp>

namespace abut {

// Indices into the frame's bodies. (i, i) is allowed.
struct Pair {
    std::uint32_t a = 0, b = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
};
static_assert(sizeof(Pair) == 8);

// What abut remembers of a pair from one frame to the next: opaque, owned by the caller, trivially copyable. Zero bytes are an empty cache.
// Whatever abut wrote is safe, of any pair, frame or store, and so are damaged and random bytes (but for a chance of 2^-48); only a cache of the
// same pair saves work. No content reads or writes out of bounds. What abut did not write can be forged so that a pair that overlaps is far: a
// host takes caches only from where it takes poses (docs/numerics.md, "Warm starts").
struct alignas(4) WarmCache {
    std::byte opaque[32] = {};
};

class ShapeStore;

struct Frame {
    const ShapeStore* shapes = nullptr;
    Bodies bodies;
    Strided<Pair> pairs;
    // Optional, one value per pair: the speculative margin of `collide` in metres, instead of Settings::speculative_margin.
    Strided<float> margins = {};
    // Optional, one cache per pair, read and written by all three queries; empty ones in a pair's first frame. Those of
    // pairs with a compound, which always start cold, are left alone. See warm_table.hpp.
    MutableStrided<WarmCache> caches = {};
    // Optional, one trace per pair, written by all three queries: what the pair went through. It costs some time.
    std::span<PairTrace> traces = {};
    // Optional, one pose per pair: that of B's frame in A's. The bodies' own poses are then not read and may be left out, and normals and points are
    // along A's axes, points from A's origin. A pair (i, i) is then two bodies of one shape.
    Strided<RelativePose> relative_poses = {};
};

}  // namespace abut
