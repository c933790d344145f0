/// @file
/// WarmTable: a solver's data of its pairs from frame to frame: abut's caches, the contacts, their impulses, floats of
/// the solver's own, and which pairs touch. It follows pairs by their bodies. docs/contacts.md shows it in a solver.
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

/// For WarmTable::remap_bodies: the body was removed.
inline constexpr std::uint32_t kRemovedBody = 0xffffffff;

/// When a pair of contacts begins and ceases to touch, metres. The separations of a resting body vary from frame to
/// frame: with a gap between the two distances its pair touches all the time.
struct TouchOptions {
    float begin_distance = 0.0f;  ///< a pair that did not touch does if a contact's separation is at most this
    float end_distance = 0.01f;   ///< a pair that did touch still does; at least begin_distance, infinity allowed
};

/// A pair that touched in the frame before and does not now.
struct EndedTouch {
    /// The present indices of its bodies; of a removed body the index that it had when it was removed.
    Pair bodies;
    std::uint32_t pair = kNoPair;  ///< the pair's index in this frame, or kNoPair if it is not in it
    std::uint32_t removed = 0;     ///< bit 0: body a was removed; bit 1: body b
    friend bool operator==(const EndedTouch&, const EndedTouch&) = default;
};

/// Which pairs began, continued and ceased to touch between the frame before and this one. Indices are those of this
/// frame's pairs, ascending.
struct TouchChanges {
    std::span<const std::uint32_t> began;   ///< pairs that touch, and did not in the frame before
    std::span<const std::uint32_t> stayed;  ///< pairs that touch, and did
    /// Pairs that touched, and do not: first those of this frame in its order, then those that have left the frames. A
    /// kept pair that sleeps is in none of the lists.
    std::span<const EndedTouch> ended;
};

/// Usage, once in each frame:
///   frame.caches = table.begin(frame.pairs);
///   narrow.collide(frame, manifolds);
///   table.carry_over(frame, manifolds);
///   solve(manifolds, table.impulses());  // starts from them, and writes its own in their place
/// Callers who need only the caches call only begin().
///
/// A copy is a snapshot of everything: a rollback restores it together with the bodies. Copying into a table that has
/// held as much allocates nothing. Use a table from one thread at a time. It allocates nothing once it has seen a frame
/// of the size. If there is no memory, begin() returns no caches, every other call returns an error, and the table is
/// empty. Copying then throws std::bad_alloc. A call that is refused (bad_argument, bad_size) changes nothing.
class ABUT_API WarmTable {
public:
    WarmTable() noexcept;
    ~WarmTable();
    /// A snapshot. Throws std::bad_alloc if there is no memory.
    WarmTable(const WarmTable& other);
    /// A snapshot. Throws std::bad_alloc if there is no memory; then this table is empty.
    WarmTable& operator=(const WarmTable& other);
    WarmTable(WarmTable&&) noexcept;
    WarmTable& operator=(WarmTable&&) noexcept;
    /// Copies without an exception. If there is no memory, it returns an error and this table is empty.
    CallResult assign(const WarmTable& other);

    /// The caches of these pairs, in their order, with the content from the last frame's call; empty for new pairs. (a,
    /// b) and (b, a) are one pair. If a pair is twice in a frame, only the first one passes its contacts on. Pairs of
    /// the last frame that are not in this one are forgotten, except those given to keep(). Valid until the next
    /// begin(), clear() or assignment.
    ///
    /// Body indices must name the same bodies as in the last frame: see remap_bodies. Otherwise the impulses of a
    /// removed body go to the body that has its index.
    std::span<WarmCache> begin(Strided<Pair> pairs);

    /// For each pair of the last begin(): its index in the frame before. Pairs that return after keep() have indices
    /// past the end of that frame. A pair of the frame before is named at most once; a pair with a removed body is
    /// never named.
    std::span<const PreviousPair> previous_pairs() const;

    /// Finds the impulses of this frame's contacts (carry_over.hpp has the rules). `frame` has the pairs of the last
    /// begin() in their order, `now` is the answer to it. Both are read during the call only. Returns an error if the
    /// pairs are others, if bodies were renamed or pairs dropped since begin(), if the answer is not of as many pairs,
    /// or if the options are out of their domain.
    template <GrowingManifolds Answer>
    CallResult carry_over(const Frame& frame, const Answer& now, const CarryOverOptions& options = {}) {
        return carry_over(frame_contacts(frame, now), options);
    }
    /// The same for contacts that the caller keeps in another way.
    CallResult carry_over(const FrameContacts& now, const CarryOverOptions& options = {});

    /// One per contact of the last carry_over. The solver starts from them and writes its own there. The next begin()
    /// keeps the values. Valid until then.
    std::span<ContactImpulse> impulses();
    /// One per contact: the rule that matched it. `nothing` is a new contact, for restitution for example. It may have
    /// a share of impulses.
    std::span<const CarriedBy> carried_by() const;
    /// For each contact of the last carry_over: its index in the frame before, or kNewContact. Contacts and manifolds
    /// of pairs that return after keep() have indices past the end of that frame.
    std::span<const std::uint32_t> previous_contacts() const;
    /// For each manifold of the last carry_over: its index in the frame before, or kNoManifold.
    std::span<const PreviousManifold> previous_manifolds() const;
    /// The manifolds of the frame before, and for each its index now, or kNoManifold if it has ended.
    std::span<const Manifold> manifolds_before() const;
    std::span<const std::uint32_t> next_manifolds() const;  ///< as above

    /// How many floats of the caller's own each contact and each manifold has: impulses along tangents, twist, ages; up
    /// to 256 of each. They follow their contact or manifold as they are; those of new ones are zeros. Unlike
    /// impulses() they have no shares, and those of a swapped pair keep their signs: see PreviousManifold::swapped. If
    /// the numbers change, all floats become zeros. Before the first set_floats there are none.
    CallResult set_floats(std::size_t per_contact, std::size_t per_manifold);
    std::size_t floats_per_contact() const;   ///< as set
    std::size_t floats_per_manifold() const;  ///< as set
    /// per_contact for each contact of the last carry_over. The solver reads them, and writes its own there. The next
    /// begin() keeps the values. Valid until then.
    std::span<float> contact_floats();
    std::span<float> manifold_floats();  ///< the same, per_manifold for each manifold

    /// Which pairs began and ceased to touch, by the contacts of the last carry_over. Valid until the next begin(),
    /// drop(), removal, clear() or assignment. Call it in every frame, or never. In the first frame in which it is
    /// called every pair that touches began to. Returns an error before carry_over, or if an option is out of its
    /// domain. O(contacts).
    Expected<TouchChanges> touch_changes(const TouchOptions& options = {});
    /// The same for sensors, which have no contacts: by OverlapColumns::bits of the pairs of the last begin(). Use a
    /// table for their pairs alone. Returns an error before begin(), or if there are fewer bits than pairs.
    Expected<TouchChanges> overlap_changes(std::span<const std::uint32_t> bits);

    /// Keeps pairs of the last begin() that fall asleep, so that the next frames can leave them out. Their data
    /// (caches, contacts, impulses, and the poses of these contacts) are kept until they are in a frame again, after
    /// any number of frames, or until drop(), the removal of one of the bodies, or clear(). Call it at any time before
    /// the next begin(). Pairs that are in that begin() nevertheless are followed as usual. Pairs that were not in the
    /// last frame are ignored. Returns the number of pairs that were, and an error before the first begin().
    Expected<std::size_t> keep(Strided<Pair> pairs);
    /// Forgets pairs, kept ones and those of the last frame: after a teleport, or if sleeping bodies are no longer
    /// neighbours.
    CallResult drop(Strided<Pair> pairs);
    /// The number of kept pairs.
    std::size_t kept() const;

    /// Call it between frames if the indices of bodies change: body i of the last frame is body new_index[i] of the
    /// next one, or kRemovedBody. Bodies past the end of `new_index` count as removed. Pairs of a removed body are
    /// forgotten. Kept pairs follow the same rules. No two bodies may have the same new index: otherwise an unspecified
    /// one of their pairs is followed.
    CallResult remap_bodies(std::span<const std::uint32_t> new_index);
    /// The same for one body that is removed while the last body takes its index. `body` may be `last`, for lists with
    /// free indices. Returns an error if it is larger. It visits all pairs: if many bodies are removed at once,
    /// remap_bodies is faster.
    CallResult swap_remove(std::uint32_t body, std::uint32_t last);

    /// Forgets all pairs.
    void clear();
    /// Reserves memory for frames of `pairs` pairs with `contacts` contacts, and for as many kept ones. The content of
    /// the table does not change, also if there is no memory.
    CallResult reserve(std::size_t pairs, std::size_t contacts = 0);

    /// The size of the table as bytes: a snapshot, for a file or another process. They are little-endian, without
    /// pointers, and equal for equal tables on every machine. 0 if there is no memory.
    std::size_t byte_count() const;
    /// Writes the bytes and returns their number. Returns 0 if `out` has no room for all.
    std::size_t write(std::span<std::byte> out) const;
    /// Reads bytes of unknown origin and checks them: a checksum, sizes, every index. An error names the first fault. A
    /// call with the table that was read has the bits of one with the table that was written. A cache of another
    /// version of the library starts cold.
    static Expected<WarmTable> read(std::span<const std::byte> bytes);

private:
    struct ABUT_LOCAL Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
