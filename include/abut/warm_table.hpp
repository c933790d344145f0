// WarmTable: what a solver remembers of its pairs from frame to frame: abut's caches, the contacts and their impulses. It follows pairs
// by their bodies. docs/contacts.md shows it in a solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/carry_over.hpp>
#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/results.hpp>
#include <abut/status.hpp>

namespace abut {

// For WarmTable::remap_bodies: the body is gone.
inline constexpr std::uint32_t kRemovedBody = 0xffffffff;

// Usage, once in each frame:
//   frame.caches = table.begin(frame.pairs);
//   narrow.collide(frame, manifolds);
//   table.carry_over(frame, manifolds);
//   solve(manifolds, table.impulses());  // starts from them, and writes its own in their place
// Callers who want the caches alone call begin() and nothing else.
//
// A copy is a snapshot of everything: a rollback restores it along with the bodies. Copying into a table that has held as much allocates
// nothing. For one thread at a time. Nothing is allocated once a frame of the size has been seen. Where memory ends, begin() gives no
// caches, every other call an error, and the table is empty; copying throws std::bad_alloc.
class ABUT_API WarmTable {
public:
    WarmTable() noexcept;
    ~WarmTable();
    WarmTable(const WarmTable& other);
    WarmTable& operator=(const WarmTable& other);
    WarmTable(WarmTable&&) noexcept;
    WarmTable& operator=(WarmTable&&) noexcept;
    // Copies without an exception. Where memory ends, an error, and this table is empty.
    CallResult assign(const WarmTable& other);

    // The caches of these pairs, in their order, with what the last frame's call left in them; empty for pairs that are new. (a, b) and
    // (b, a) are one pair. Of a pair that comes twice in a frame only the first has contacts to pass on. Pairs of the last frame that do not come
    // are forgotten, but for those named to keep(). Valid until the next begin(), clear() or assignment.
    //
    // Body indices must name the same bodies as in the last frame: see remap_bodies. Where they do not, the impulses of a body that is gone
    // go to the one that has its index.
    std::span<WarmCache> begin(Strided<Pair> pairs);

    // For each pair of the last begin(): its index in the frame before. Pairs that come back after keep() have indices past the end of that frame.
    // A pair before is named at most once, and one with a removed body never.
    std::span<const PreviousPair> previous_pairs() const;

    // Finds the impulses of this frame's contacts (carry_over.hpp has the rules). `frame` has the pairs of the last begin(), `now` is
    // the answer to it; both are read during the call only. An error where they do not fit each other, or the options are out of their domain; then
    // there are no impulses.
    template <GrowingManifolds Answer>
    CallResult carry_over(const Frame& frame, const Answer& now, const CarryOverOptions& options = {}) {
        return carry_over(frame_contacts(frame, now), options);
    }
    CallResult carry_over(const FrameContacts& now, const CarryOverOptions& options = {});

    // One for each contact of the last carry_over, for the solver to start from and to write to: what stands there at the next begin() is
    // remembered. Valid until then.
    std::span<ContactImpulse> impulses();
    // One for each contact: the rule that matched it. `nothing` is a contact that is new, for restitution for example; it may have a share all the same.
    std::span<const CarriedBy> carried_by() const;

    // Pairs of the last begin() that fall asleep, to be left out of the frames to come. What is known of them (caches, contacts, impulses, and the poses
    // for which they were found) is kept until they are in a frame again, however long this takes, or until drop(), the removal of one of the bodies, or
    // clear(). Call it at any time before the next begin(); pairs that come there nevertheless are followed as ever. Pairs that were not in the last frame are
    // ignored. Returns how many were.
    Expected<std::size_t> keep(Strided<Pair> pairs);
    // Forgets pairs, kept ones and those of the last frame: after a teleport, or where sleeping bodies are no longer neighbours.
    CallResult drop(Strided<Pair> pairs);
    // How many pairs are asleep.
    std::size_t kept() const;

    // Between frames, when bodies have other indices: body i of the last frame is body new_index[i] of the next one, or kRemovedBody. Bodies past
    // the end of `new_index` count as removed. What was known of pairs of a removed body is forgotten. For kept pairs as well.
    // No two bodies may have one new index; of their pairs one is followed, it is not said which.
    CallResult remap_bodies(std::span<const std::uint32_t> new_index);
    // The same for one body that is removed while the last body takes its index; `body` may be `last`. It goes through all pairs: where
    // many bodies are removed at once, remap_bodies is faster.
    CallResult swap_remove(std::uint32_t body, std::uint32_t last);

    void clear();
    // Makes room for frames of `pairs` pairs with `contacts` contacts, and for as many asleep. Keeps what is in the table, also where memory ends.
    CallResult reserve(std::size_t pairs, std::size_t contacts = 0);

private:
    struct ABUT_LOCAL Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
