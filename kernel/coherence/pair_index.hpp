// Finds a pair's index in a list by its two bodies, in either order. Open addressing over the indices; the list holds
// the keys.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <abut/carry_over.hpp>
#include <abut/frame.hpp>

#include "base/memory.hpp"

namespace abut {

class PairIndex {
public:
    // Indexes the pairs pair_at(i), i below `pairs`, for which counts(i) is true. Of equal pairs the first is found.
    template <class PairAt, class Counts>
    void build(std::size_t pairs, PairAt pair_at, Counts counts) {
        slots_.assign(std::bit_ceil(2 * pairs + 2), kNoPair);
        for (std::size_t i = 0; i < pairs; ++i) {
            if (!counts(i)) continue;
            std::uint32_t& slot = slots_[place_of(pair_at(i), pair_at)];
            if (slot == kNoPair) slot = std::uint32_t(i);
        }
    }
    template <class PairAt>
    std::uint32_t find(Pair pair, PairAt pair_at) const {
        return slots_.empty() ? kNoPair : slots_[place_of(pair, pair_at)];
    }
    // Precondition: the pair is not in the index, and has_room_for(n + 1) is true for the n pairs in it.
    template <class PairAt>
    void insert(std::uint32_t i, PairAt pair_at) {
        slots_[place_of(pair_at(i), pair_at)] = i;
    }
    // Moves the following pairs of the same run of slots up, so that erased slots need no marker.
    template <class PairAt>
    void erase(Pair pair, PairAt pair_at) {
        std::size_t gap = place_of(pair, pair_at);
        if (slots_[gap] == kNoPair) return;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = (gap + 1) & mask; slots_[at] != kNoPair; at = (at + 1) & mask) {
            const std::size_t home = home_of(pair_at(slots_[at]));
            if (((at - home) & mask) < ((at - gap) & mask)) continue;
            slots_[gap] = slots_[at];
            gap = at;
        }
        slots_[gap] = kNoPair;
    }
    bool has_room_for(std::size_t pairs) const { return 2 * pairs + 2 <= slots_.size(); }
    void clear() { slots_.clear(); }
    // Reserves a quarter more, so that later lists with a few more pairs need no memory.
    void reserve(std::size_t pairs) { slots_.reserve(std::bit_ceil(2 * (pairs + pairs / 4) + 2)); }

private:
    static std::uint64_t key_of(Pair pair) {
        return std::uint64_t(std::min(pair.a, pair.b)) << 32 | std::max(pair.a, pair.b);
    }
    std::size_t home_of(Pair pair) const {
        return std::size_t((key_of(pair) * 0x9e3779b97f4a7c15u) >> 32) & (slots_.size() - 1);
    }
    // The slot of the pair, or the free slot for it.
    template <class PairAt>
    std::size_t place_of(Pair pair, PairAt pair_at) const {
        const std::uint64_t key = key_of(pair);
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = home_of(pair);
        while (slots_[at] != kNoPair && key_of(pair_at(slots_[at])) != key) at = (at + 1) & mask;
        return at;
    }

    Vector<std::uint32_t> slots_;  // a power of two, at most half of them taken
};

}  // namespace abut
