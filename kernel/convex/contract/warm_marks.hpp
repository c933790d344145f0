// The two parts of a WarmCache: first the record of a search or of a far pair (separation/), then the contacts of a
// pair at rest (convex/chunk/at_rest.hpp). Each part begins with its own tag. A body on a surface has one record
// instead (surfaces/walk/surface_memory.hpp).
#pragma once

#include <cstring>

#include <abut/frame.hpp>

#include "base/compiler_support.hpp"

namespace abut {

inline constexpr std::size_t kSearchBytes = 32;

inline WarmCache& cache_of(const Frame& frame, std::uint32_t pair) {
    return frame.caches[frame.cache_indices.empty() ? pair : frame.cache_indices[pair]];
}

// The low half of the second part's first word.
inline constexpr std::uint32_t kFollowTag =
    0x6c70;  // "pl": a pose of the pair in contact, and perhaps contacts that follow
inline constexpr std::uint32_t kRestingMark =
    0x6572;  // "re": the pair had the same pose a frame later; only the mark is valid
inline constexpr std::uint32_t kAtRestTag = 0x7473;  // "st": the pair's contacts at a pose
inline constexpr std::uint32_t kMovingMark =
    0x6f6d;  // "mo": the pair moved, and nothing is stored for some frames; only the mark is valid
// The marks in the cache of a body on a surface, in the same word:
inline constexpr std::uint32_t kNearMark = 0x656e;    // "ne": the triangles near the body
inline constexpr std::uint32_t kGroundMark = 0x7267;  // "gr": the body's contacts

// The high half of the same word: the number of successive frames in which contacts did not follow. Under kMovingMark
// also the number of frames for which no contacts are stored (15, 30, 60, then 120, so that a moving pair pays little
// for its cache).
inline constexpr int kMissesShift = 20, kWaitShift = 22;
inline constexpr std::uint32_t kMisses = 3u << kMissesShift, kFramesToWait = 15;
ABUT_ALWAYS_INLINE inline std::uint32_t moving_mark(std::uint32_t misses) {
    const std::uint32_t next = misses < 3 ? misses + 1 : 3;
    return kMovingMark | next << kMissesShift | (kFramesToWait << misses) << kWaitShift;
}

ABUT_ALWAYS_INLINE inline std::uint32_t contact_tag_of(const WarmCache& cache) {
    std::uint32_t mark;
    std::memcpy(&mark, cache.opaque + kSearchBytes, sizeof mark);
    return mark & 0xffff;
}
// Copies the used part of a cache: a fifth for most pairs.
ABUT_ALWAYS_INLINE inline void copy_cache(WarmCache& to, const WarmCache& from) {
    constexpr std::size_t kFew = kSearchBytes + sizeof(std::uint32_t);
    const std::uint32_t mark = contact_tag_of(from);
    if (mark == kFollowTag || mark == kAtRestTag || mark == kNearMark || mark == kGroundMark)
        to = from;
    else
        std::memcpy(to.opaque, from.opaque, kFew);
}

}  // namespace abut
