// The ready-made table of warm-start caches.
#include <abut/warm_table.hpp>

#include <algorithm>
#include <bit>

namespace abut {

namespace {

constexpr std::uint32_t kFree = 0xffffffff;

std::uint64_t key_of(Pair pair) { return std::uint64_t(std::min(pair.a, pair.b)) << 32 | std::max(pair.a, pair.b); }

}  // namespace

// Where `key` is, or the free slot where it would go.
std::size_t WarmTable::find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::size_t((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (slots_[at].index != kFree && slots_[at].key != key) at = (at + 1) & mask;
    return at;
}

std::span<WarmCache> WarmTable::begin(Strided<Pair> pairs) {
    const std::size_t count = pairs.size();
    next_.resize(count);
    previous_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Pair pair = pairs[i];
        // Most pairs stay where they were.
        std::uint32_t before = i < pairs_.size() && pairs_[i] == pair ? std::uint32_t(i) : kFree;
        if (before == kFree && !slots_.empty()) before = slots_[find(key_of(pair))].index;
        next_[i] = before == kFree ? WarmCache{} : caches_[before];
        previous_[i] = before != kFree && pairs_[before] == pair ? before : kNoPair;
    }
    caches_.swap(next_);
    pairs_.resize(count);
    slots_.assign(std::bit_ceil(2 * count + 2), Slot{0, kFree});
    for (std::size_t i = 0; i < count; ++i) {
        pairs_[i] = pairs[i];
        Slot& slot = slots_[find(key_of(pairs_[i]))];
        if (slot.index == kFree) slot = {key_of(pairs_[i]), std::uint32_t(i)};
    }
    return caches_;
}

void WarmTable::clear() {
    slots_.clear();
    pairs_.clear();
    caches_.clear();
    next_.clear();
    previous_.clear();
}

void WarmTable::reserve(std::size_t pairs) {
    slots_.reserve(std::bit_ceil(2 * pairs + 2));
    pairs_.reserve(pairs);
    caches_.reserve(pairs);
    next_.reserve(pairs);
    previous_.reserve(pairs);
}

}  // namespace abut
