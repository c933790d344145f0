// carry_over: which contact of this frame is which of the last one's, so that a solver's impulses survive. Three rules, in this order,
// within a manifold (the same pair, the same children):
//
// 1. By id: the contact with the same feature id.
// 2. By place: of the contacts that are left, the two whose points are nearest to each other in the frames of both bodies, as long as they
//    are within CarryOverOptions::match_distance on both; then the next two.
// 3. Shared: the impulses of the old contacts that are left are summed and divided equally among the manifold's new ones. Where
//    there is no new one they end.
//
// No impulse is given twice, and none is lost while its manifold has a place for it. WarmTable (warm_table.hpp) applies all of this to whole
// frames and remembers what it needs; the functions here are for engines with bookkeeping of their own. docs/contacts.md shows both.
//
// All functions may be called from any thread; they hold no state. None of them allocates, but those that fill a `Carried`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/results.hpp>
#include <abut/status.hpp>

namespace abut {

inline constexpr std::uint32_t kNoPair = 0xffffffff;
inline constexpr std::uint32_t kNoManifold = 0xffffffff;
inline constexpr std::uint32_t kNewContact = 0xffffffff;
// Contacts past these of one manifold are never matched (`collide` gives at most 4).
inline constexpr std::size_t kMaxCarriedContacts = 32;

struct CarryOverOptions {
    // Metres, finite and not negative; 0 switches rule 2 off but for points that coincide. The default is that of
    // Settings::speculative_margin: bodies of another scale need another value, and a good one is their margin.
    float match_distance = 0.02f;
};

enum class CarriedBy : std::uint8_t { nothing, id, place };

// What a contact's two bodies have done to each other, in the caller's units. `friction` is along world axes, so that it needs no pair of
// tangents to agree on; it acts on B, as the normal impulse along the normal does.
struct ContactImpulse {
    float normal = 0.0f;
    Vec3 friction;
};

// --- a whole frame ---

// What `collide` was asked and has answered. `bodies` may be empty, or may lack some that the pairs name: rule 2 does not apply there.
struct FrameContacts {
    Bodies bodies;
    Strided<Pair> pairs;
    std::span<const std::uint32_t> first_manifold;  // pairs + 1
    std::span<const Manifold> manifolds;
    std::span<const Contact> contacts;
    Strided<RelativePose> relative_poses = {};  // as in Frame
};

// A pair's index in the frame before, or kNoPair; swapped where its bodies stood the other way round there: (b, a) for (a, b).
struct PreviousPair {
    std::uint32_t index = kNoPair;
    bool swapped = false;
    friend bool operator==(const PreviousPair&, const PreviousPair&) = default;
};

// A manifold's index in the frame before, or kNoManifold; swapped likewise.
struct PreviousManifold {
    std::uint32_t index = kNoManifold;
    bool swapped = false;
    friend bool operator==(const PreviousManifold&, const PreviousManifold&) = default;
};

// The answer. All columns are written whole.
struct CarriedColumns {
    std::span<std::uint32_t> previous;        // for each contact of now: its index before, or kNewContact
    std::span<PreviousManifold> manifolds;    // for each manifold of now
    std::span<std::uint32_t> next_manifolds;  // for each manifold before: its index now, or kNoManifold where it has ended
    std::span<CarriedBy> by = {};             // optional, for each contact of now: the rule that matched it
};

struct Carried {
    std::vector<std::uint32_t> previous, next_manifolds;
    std::vector<PreviousManifold> manifolds;
    std::vector<CarriedBy> by;
};

// `previous_pairs` has an entry for each of now's pairs: WarmTable::previous_pairs, or the caller's own. Of two that name one pair
// before, the first in the order of now's manifolds has its contacts. Indices past the end, of pairs, manifolds and contacts alike, count as none.
// An error where a column has not its length or the match distance is out of its domain; nothing is written then.
ABUT_API CallResult carry_over(const FrameContacts& before, const FrameContacts& now, std::span<const PreviousPair> previous_pairs,
                               const CarriedColumns& out, const CarryOverOptions& options = {});

// `floats` floats for each contact, all of them impulses, the first along the normal. Every contact of `now` gets those of the contact that
// it was, and its share by rule 3; a share leaves out what is not finite. Where a pair's bodies have swapped, all but the first change sign: what else
// there is must be along directions that do not depend on which body is A, world axes for example.
// An error where a column has not its length; nothing is written then.
ABUT_API CallResult carry_impulses(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& carried,
                                   std::span<const float> impulses_before, std::span<float> impulses_now, std::size_t floats);

// --- one manifold ---

// A contact by its id and by its points on the two bodies' surfaces, each in its body's own frame.
struct ContactAnchor {
    Vec3 on_a, on_b;
    std::uint32_t feature = 0;
};

// `normal` and `contact` as `collide` gives them for the pair (a, b).
ABUT_API ContactAnchor contact_anchor(const Body& a, const Body& b, Vec3 normal, const Contact& contact);

// The same contact where the bodies stand the other way round.
constexpr ContactAnchor swap_bodies(const ContactAnchor& anchor) { return {anchor.on_b, anchor.on_a, anchor.feature << 16 | anchor.feature >> 16}; }

// Rules 1 and 2: for each contact of `now` its index in `before`, or kNewContact; in `by`, where it is not empty, the rule.
ABUT_API CallResult carry_over(std::span<const ContactAnchor> before, std::span<const ContactAnchor> now, std::span<std::uint32_t> previous,
                               std::span<CarriedBy> by = {}, const CarryOverOptions& options = {});

// Rule 3 and the moving, as above. `previous` is the answer of carry_over.
ABUT_API CallResult carry_impulses(std::span<const std::uint32_t> previous, std::span<const float> impulses_before, std::span<float> impulses_now,
                                   std::size_t floats, bool swapped = false);

// --- for containers and structs of the caller's ---

template <GrowingManifolds Answer>
FrameContacts frame_contacts(const Frame& frame, const Answer& m) {
    return {frame.bodies, frame.pairs, m.first_manifold, m.manifolds, m.contacts, frame.relative_poses};
}
inline FrameContacts frame_contacts(const Frame& frame, const ManifoldColumns& m) {
    const std::size_t manifolds = m.manifold_count < m.manifolds.size() ? m.manifold_count : m.manifolds.size();
    const std::size_t contacts = m.contact_count < m.contacts.size() ? m.contact_count : m.contacts.size();
    return {frame.bodies, frame.pairs, m.first_manifold, m.manifolds.first(manifolds), m.contacts.first(contacts), frame.relative_poses};
}

inline CarriedColumns columns_of(Carried& carried) { return {carried.previous, carried.manifolds, carried.next_manifolds, carried.by}; }

inline CallResult carry_over(const FrameContacts& before, const FrameContacts& now, std::span<const PreviousPair> previous_pairs, Carried& out,
                             const CarryOverOptions& options = {}) {
    out.previous.resize(now.contacts.size());
    out.manifolds.resize(now.manifolds.size());
    out.next_manifolds.resize(before.manifolds.size());
    out.by.resize(now.contacts.size());
    return carry_over(before, now, previous_pairs, columns_of(out), options);
}

// A struct of floats, the first the normal impulse: ContactImpulse, or one of the caller's.
template <class T>
concept ImpulseStruct = std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && alignof(T) == alignof(float) &&
                        sizeof(T) % sizeof(float) == 0 && !std::is_same_v<T, float>;

template <ImpulseStruct T>
std::span<const float> floats_of(std::span<const T> impulses) {
    return {reinterpret_cast<const float*>(impulses.data()), impulses.size() * (sizeof(T) / sizeof(float))};
}
template <ImpulseStruct T>
std::span<float> floats_of(std::span<T> impulses) {
    return {reinterpret_cast<float*>(impulses.data()), impulses.size() * (sizeof(T) / sizeof(float))};
}

}  // namespace abut
