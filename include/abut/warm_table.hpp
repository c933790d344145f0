// WarmTable: for callers who have no place of their own for a pair's cache. It follows pairs from frame to frame by their bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/frame.hpp>

namespace abut {

inline constexpr std::uint32_t kNoPair = 0xffffffff;

// Usage, once a frame:
//   frame.caches = table.begin(frame.pairs);
//   narrow.collide(frame, manifolds);
// Body indices must name the same bodies as in the last frame; where they do not, time is lost and nothing else.
class WarmTable {
public:
    // The caches of these pairs, in their order, with what the last frame's call left in them; empty for pairs that are new. (a, b) and
    // (b, a) are one pair; of a pair that comes twice the first is followed. Valid until the next begin() or clear().
    std::span<WarmCache> begin(Strided<Pair> pairs);

    // For each pair of the last begin(): its index in the frame before, kNoPair where that had none or had it the other way round.
    std::span<const std::uint32_t> previous_pairs() const { return previous_; }

    void clear();
    // Makes room for frames of `pairs` pairs.
    void reserve(std::size_t pairs);

private:
    std::size_t find(Pair pair) const;
    void index_pairs();

    std::vector<std::uint32_t> slots_;  // into pairs_: open addressing, a power of two, at most half of them taken
    std::vector<Pair> pairs_;           // of the last begin()
    std::vector<WarmCache> caches_, next_;
    std::vector<std::uint32_t> previous_;
};

}  // namespace abut
