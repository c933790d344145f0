// Groups and masks, which decide without a callback whether two boxes may form a pair.
#pragma once

#include <cstdint>

#include <abut/columns.hpp>

#include "queries/boxes/box_tree.hpp"

namespace abut {

struct BoxFilter {
    Strided<std::uint32_t> groups = {}, masks = {};
    Strided<std::uint32_t> ignored = {};  // of the other set: the id of one box that this box ignores

    bool is_empty() const { return groups.empty() && masks.empty() && ignored.empty(); }
    std::uint32_t group(std::uint32_t i) const { return groups.empty() ? ~0u : groups[i]; }
    std::uint32_t mask(std::uint32_t i) const { return masks.empty() ? ~0u : masks[i]; }
    bool ignores(std::uint32_t i, std::uint32_t other) const { return !ignored.empty() && ignored[i] == other; }
};

inline bool may_pair(const BoxFilter& a, std::uint32_t i, const BoxFilter& b, std::uint32_t k) {
    return (a.group(i) & b.mask(k)) != 0 && (b.group(k) & a.mask(i)) != 0 && !a.ignores(i, k);
}

// Removes the pairs that the filters of the two sets exclude.
inline void filter(PairBuffer& pairs, const BoxFilter& a, const BoxFilter& b) {
    if (a.is_empty() && b.is_empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.size; ++i) {
        const std::uint32_t first = pairs.a[i], second = pairs.b[i];
        pairs.a[kept] = first, pairs.b[kept] = second;
        kept += may_pair(a, first, b, second);
    }
    pairs.size = kept;
}

}  // namespace abut
