/// @file
/// Frame: one batch in the layout of the caller's engine. abut reads it in place and keeps no pointer after the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/bodies.hpp>
#include <abut/strided.hpp>
#include <abut/trace.hpp>

namespace abut {

/// Indices into the frame's bodies. (i, i) is allowed.
struct Pair {
    std::uint32_t a = 0, b = 0;  ///< the two bodies, in any order
    friend bool operator==(const Pair&, const Pair&) = default;
};
static_assert(sizeof(Pair) == 8);

/// The data that abut keeps of a pair from one frame to the next: opaque, owned by the caller, trivially copyable. Zero
/// bytes are an empty cache. A cache that abut wrote for any pair, frame or store is safe, and so are damaged and
/// random bytes (except for a probability of 2^-48). Only a cache of the same pair saves work. No content leads to
/// reads or writes out of bounds. An attacker can forge a cache that makes an overlapping pair far: take caches only
/// from sources that you trust with poses (docs/numerics.md, "Warm starts").
struct alignas(4) WarmCache {
    std::byte opaque[180] = {};  ///< the library's own
};

class ShapeStore;

/// Bodies, pairs and what a query needs for each pair.
struct Frame {
    const ShapeStore* shapes = nullptr;  ///< of all bodies
    Bodies bodies;                       ///< records or columns
    Strided<Pair> pairs;                 ///< indices of bodies; at most 2^31 - 1 pairs
    /// Optional, one value per pair: the speculative margin of `collide` in metres, instead of
    /// Settings::speculative_margin.
    Strided<float> margins = {};
    /// Optional, one cache per pair, read and written by all three queries; empty in a pair's first frame. Caches of
    /// pairs with a compound are not used, because these always start cold. See warm_table.hpp.
    MutableStrided<WarmCache> caches = {};
    /// Optional, one index per pair, into `caches`: a pool in any order, of which no two pairs have the same element.
    /// Nothing has to be copied then.
    Strided<std::uint32_t> cache_indices = {};
    /// Optional, one trace per pair, written by all three queries: the states of the pair. It costs some time.
    std::span<PairTrace> traces = {};
    /// Optional, one pose per pair: the pose of B's frame in A's frame. The bodies' poses are then not read and may be
    /// left out. Normals and points are along A's axes, and points are relative to A's origin. A pair (i, i) is then
    /// two bodies of one shape.
    Strided<RelativePose> relative_poses = {};
};

}  // namespace abut
