// Which pairs of a table touch, from frame to frame. The state costs nothing until the first query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/warm_table.hpp>

#include "base/memory.hpp"

namespace abut {

struct TouchState {
    bool is_used = false;              // otherwise the columns are empty
    bool is_found = false;             // `now` belongs to this frame
    Vector<std::uint8_t> before, now;  // by pair of the last begin(): 1 if it touched in the frame before, touches now
    Vector<EndedTouch> lost;           // pairs that touched and are no longer in the frames
    std::uint32_t listed = 0;  // the number of lost pairs, from the first on, that the changes to this frame contain
    Vector<std::uint32_t> began, stayed;
    Vector<EndedTouch> ended;

    // True if a pair touches, as far as is known at present.
    bool touched(std::size_t i) const { return is_used && (is_found ? now[i] : before[i]) != 0; }

    // `pairs`: the number of pairs of the last begin().
    void use(std::size_t pairs);
    // Begins a frame: what was found belongs to the frame before.
    void begin();
    // Applies rename(body) to the lost pairs.
    template <class Rename>
    void rename_lost(Rename rename);
    // Lists the changes from `before` to `now`.
    TouchChanges list(std::span<const Pair> pairs);
    void clear();
    void reserve(std::size_t pairs);
};

// The pair with its new indices; a removed body keeps its index, and its bit is set in `removed`.
template <class Rename>
Pair rename_touch(Pair bodies, std::uint32_t& removed, Rename rename) {
    const auto renamed = [&](std::uint32_t body, std::uint32_t bit) {
        if (removed & bit) return body;
        const std::uint32_t next = rename(body);
        if (next == kRemovedBody) removed |= bit;
        return next == kRemovedBody ? body : next;
    };
    const std::uint32_t a = renamed(bodies.a, 1), b = renamed(bodies.b, 2);
    return {a, b};
}

template <class Rename>
void TouchState::rename_lost(Rename rename) {
    for (EndedTouch& touch : lost) touch.bodies = rename_touch(touch.bodies, touch.removed, rename);
}

// Sets touches[i] to 1 for each pair with a contact that is near enough, else to 0.
void find_touching_pairs(const FrameContacts& frame, const TouchOptions& options, std::span<const std::uint8_t> before,
                         std::span<std::uint8_t> touches);

}  // namespace abut
