// carry_over: which contact of this frame is which of the last one's, by feature id, so that a solver's impulses survive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/results.hpp>

namespace abut {

inline constexpr std::uint32_t kNewContact = 0xffffffff;

// One manifold: for every contact of `now`, the index in `before` of the contact with the same feature id, or kNewContact. `previous` is
// as long as `now`.
inline void carry_over(std::span<const Contact> before, std::span<const Contact> now, std::span<std::uint32_t> previous) {
    for (std::size_t i = 0; i < now.size(); ++i) {
        previous[i] = kNewContact;
        for (std::size_t k = 0; k < before.size() && previous[i] == kNewContact; ++k)
            if (before[k].feature == now[i].feature) previous[i] = static_cast<std::uint32_t>(k);
    }
}

// A whole frame: for every contact of `now`, the index in before.contacts. `previous_pairs` says which pair of the frame before each pair
// was, or kNoPair (WarmTable::previous_pairs); manifolds of a pair are told apart by their children.
void carry_over(const Manifolds& before, const Manifolds& now, std::span<const std::uint32_t> previous_pairs,
                std::vector<std::uint32_t>& previous);

}  // namespace abut
