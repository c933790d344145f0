// The ready-made table of warm-start caches.
#include <abut/warm_table.hpp>

#include <algorithm>
#include <bit>

namespace abut {

namespace {

std::uint64_t key_of(Pair pair) { return std::uint64_t(std::min(pair.a, pair.b)) << 32 | std::max(pair.a, pair.b); }

}  // namespace

// Where the pair is in `slots_`, or the free slot where it would go.
std::size_t WarmTable::find(Pair pair) const {
    const std::uint64_t key = key_of(pair);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::size_t((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (slots_[at] != kNoPair && key_of(pairs_[slots_[at]]) != key) at = (at + 1) & mask;
    return at;
}

// Of all pairs of the frame before, the first of equal ones.
void WarmTable::index_pairs() {
    slots_.assign(std::bit_ceil(2 * pairs_.size() + 2), kNoPair);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        std::uint32_t& slot = slots_[find(pairs_[i])];
        if (slot == kNoPair) slot = std::uint32_t(i);
    }
}

std::span<WarmCache> WarmTable::begin(Strided<Pair> pairs) {
    const std::size_t count = pairs.size();
    next_.resize(count);
    previous_.resize(count);
    // Most pairs follow the one that they followed in the frame before: only where one does not are the pairs looked for.
    bool is_indexed = false;
    std::size_t expected = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Pair pair = pairs[i];
        std::uint32_t before = expected < pairs_.size() && pairs_[expected] == pair ? std::uint32_t(expected) : kNoPair;
        if (before == kNoPair) {
            if (!is_indexed) index_pairs();
            is_indexed = true;
            before = slots_[find(pair)];
        }
        next_[i] = before == kNoPair ? WarmCache{} : caches_[before];
        previous_[i] = before != kNoPair && pairs_[before] == pair ? before : kNoPair;
        if (before != kNoPair) expected = before + 1;
    }
    caches_.swap(next_);
    pairs_.resize(count);
    for (std::size_t i = 0; i < count; ++i) pairs_[i] = pairs[i];
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
