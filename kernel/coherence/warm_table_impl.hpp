// A table holds two frames, that of the last begin() and the one before, and the sleeping pairs. A sleeping pair that
// returns is appended to the frame before, and is then treated like any other pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/warm_table.hpp>

#include "base/memory.hpp"
#include "coherence/pair_index.hpp"
#include "coherence/table_bytes.hpp"

namespace abut {

struct WarmTable::Impl : HostAllocated<WarmTable::Impl>, TableContent {
    std::span<WarmCache> begin(Strided<Pair> pairs);
    // An error if there was no begin(), or if its pairs have been renamed since. `call`: the name of the call.
    CallResult check_begun(const char* call) const;
    CallResult check_named(const char* call) const;
    CallResult carry_over(const FrameContacts& frame, const CarryOverOptions& options);
    void set_floats(const FloatCounts& counts);
    // Precondition: check_named() finds nothing; for the first function, the frame has contacts.
    TouchChanges touch_changes(const TouchOptions& options);
    TouchChanges overlap_changes(std::span<const std::uint32_t> bits);
    std::size_t keep(Strided<Pair> pairs);
    void drop(Strided<Pair> pairs);
    // rename(body): the body's new index, or kRemovedBody.
    template <class Rename>
    void rename(Rename rename);
    void clear();
    void reserve(std::size_t pairs, std::size_t contacts);

private:
    std::size_t follow_same(Strided<Pair> pairs);
    void follow_others(Strided<Pair> pairs, std::size_t same);
    std::uint32_t find(Pair pair);
    bool bring_back(std::size_t i, Pair pair, std::size_t pairs_before);
    void keep_requested();
    void lose_touches();
    CallResult check(const FrameContacts& frame, const CarryOverOptions& options) const;

    PairIndex index_;  // of names, while is_indexed_
    bool is_indexed_ = false;
    std::size_t identical_ = 0;  // the number of leading pairs that have the same index as in the frame before
    Vector<Pair> next_names_;
    Vector<WarmCache> next_caches_;
    Vector<std::uint8_t> next_touches_;
    Vector<std::uint8_t> taken_;  // by pair of the frame before: 1 if a pair has taken its cache
};

template <class Rename>
void WarmTable::Impl::rename(Rename rename) {
    has_new_names = true;
    is_indexed_ = false;
    touches.rename_lost(rename);
    const auto renamed = [&](Pair bodies, bool touched) {
        EndedTouch touch = {bodies, kNoPair, 0};
        touch.bodies = rename_touch(bodies, touch.removed, rename);
        if (touch.removed == 0) return touch.bodies;
        if (touched && !is_removed(bodies)) touches.lost.push_back(touch);
        return Pair{kRemovedBody, kRemovedBody};
    };
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = renamed(names[i], touches.touched(i));
    kept.rename([&](const KeptPairs::Known& known) { return renamed(known.pair, known.touched); });
}

}  // namespace abut
