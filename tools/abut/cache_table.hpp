// Carries warm-start caches from one frame's pairs to the next's: a hash table from pair to slot, with open addressing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/frame.hpp>

namespace abut::tools {

class CacheTable {
public:
    void clear() {
        slots_.clear();
        kept_.clear();
    }

    // Fills `caches` with what was kept of each pair; zeros where nothing was. (a, b) and (b, a) are the same pair.
    void load(std::span<const Pair> pairs, std::span<WarmCache> caches) const {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Slot* slot = slots_.empty() ? nullptr : &slots_[find(key_of(pairs[i]))];
            caches[i] = slot && slot->index != kFree ? kept_[slot->index] : WarmCache{};
        }
    }

    // Forgets what was kept, and keeps these. Of a pair that comes twice the first stays.
    void store(std::span<const Pair> pairs, std::span<const WarmCache> caches) {
        slots_.assign(std::bit_ceil(2 * pairs.size() + 2), Slot{});
        kept_.assign(caches.begin(), caches.end());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            Slot& slot = slots_[find(key_of(pairs[i]))];
            if (slot.index == kFree) slot = {key_of(pairs[i]), std::uint32_t(i)};
        }
    }

private:
    static constexpr std::uint32_t kFree = ~0u;
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t index = kFree;
    };

    static std::uint64_t key_of(Pair pair) { return std::uint64_t(std::min(pair.a, pair.b)) << 32 | std::max(pair.a, pair.b); }

    // Where `key` is, or the free slot where it would go; at most half of the slots are taken.
    std::size_t find(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = std::size_t((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
        while (slots_[at].index != kFree && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }

    std::vector<Slot> slots_;
    std::vector<WarmCache> kept_;
};

}  // namespace abut::tools
