#include "coherence/touch_state.hpp"

#include <algorithm>
#include <utility>

#include "coherence/carry_checks.hpp"

namespace abut {

void TouchState::use(std::size_t pairs) {
    if (!is_used) before.assign(pairs, 0);
    is_used = is_found = true;
    now.resize(pairs);
}

void TouchState::begin() {
    if (is_found) before.swap(now);
    is_found = false;
    lost.erase(lost.begin(), lost.begin() + listed);
    listed = 0;
}

TouchChanges TouchState::list(std::span<const Pair> pairs) {
    began.clear(), stayed.clear(), ended.clear();
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        if (now[i])
            (before[i] ? stayed : began).push_back(i);
        else if (before[i])
            ended.push_back({pairs[i], i, 0});
    }
    ended.insert(ended.end(), lost.begin(), lost.end());
    listed = std::uint32_t(lost.size());
    return {began, stayed, ended};
}

void TouchState::clear() {
    is_used = is_found = false;
    listed = 0;
    before.clear(), now.clear(), lost.clear();
}

void TouchState::reserve(std::size_t pairs) {
    before.reserve(pairs), now.reserve(pairs);
    began.reserve(pairs), stayed.reserve(pairs);
    lost.reserve(pairs), ended.reserve(pairs);
}

void find_touching_pairs(const FrameContacts& frame, const TouchOptions& options, std::span<const std::uint8_t> before,
                         std::span<std::uint8_t> touches) {
    std::fill(touches.begin(), touches.end(), std::uint8_t(0));
    for (const Manifold& manifold : frame.manifolds) {
        if (manifold.pair >= touches.size() || touches[manifold.pair]) continue;
        const float distance = before[manifold.pair] ? options.end_distance : options.begin_distance;
        const Range range = contacts_of(frame, manifold);
        const auto contacts = frame.contacts.subspan(range.first, range.count);
        touches[manifold.pair] = std::any_of(contacts.begin(), contacts.end(),
                                             [&](const Contact& contact) { return contact.separation <= distance; });
    }
}

}  // namespace abut
