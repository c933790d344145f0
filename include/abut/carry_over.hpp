/// @file
/// carry_over: matches the contacts of this frame with those of the last one, so that a solver's impulses continue.
/// There are three rules, in this order, within a manifold (the same pair, the same children; on a mesh or a height
/// field the same convex child and the nearest normal):
///
/// 1. By id: the contact with the same feature id, unless its point has jumped: on both bodies by more than
///    CarryOverOptions::match_distance plus the distance by which B's position has moved relative to A's. On a body means
///    in its frame, or relative to its position along world axes. A vertex stays on its body, and the point of a rolling
///    body moves as far as the body; but on a mesh the id can name another point in the next frame.
/// 2. By place: of the other contacts, the two whose points are nearest to each other in the frames of both bodies, if
///    they are within CarryOverOptions::match_distance on both; then the next two.
/// 3. Shared: the impulses of the unmatched old contacts are summed and divided equally among the manifold's new
///    contacts. If there is no new contact, they are dropped.
///
/// No impulse is used twice, and none is lost while its manifold has a new contact. WarmTable (warm_table.hpp) applies
/// these rules to whole frames and keeps the necessary data. The functions here are for engines with their own
/// bookkeeping. docs/contacts.md shows both.
///
/// All functions may be called from any thread. They hold no state. Only those that fill a `Carried` allocate.
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

inline constexpr std::uint32_t kNoManifold = 0xffffffff;  ///< no manifold of the other frame
inline constexpr std::uint32_t kNewContact = 0xffffffff;  ///< no contact of the frame before
/// Further contacts of a manifold are never matched (`collide` gives at most 4).
inline constexpr std::size_t kMaxCarriedContacts = 32;

/// How near a contact must be to one of the frame before.
struct CarryOverOptions {
    /// Metres, finite and not negative. With 0 only points that coincide match. The default is that of
    /// Settings::speculative_margin. Bodies of another scale need another value; their margin is a good one.
    float match_distance = 0.02f;
    /// The manifolds are joined (Settings::manifold_angle): those of a pair are found again by their normals, to within
    /// ten degrees, whatever children they name.
    bool joined = false;
    /// Of WarmTable::carry_over: the table copies no contacts, but reads first_manifold, manifolds and contacts of
    /// `now` in place. The caller leaves these arrays as they are until the begin() after the next one has returned, or
    /// clear(): it fills two `Manifolds` by turns, each after begin(). Copies of the table have their own arrays.
    bool in_place = false;
};

/// The rule that matched a contact with one of the frame before.
enum class CarriedBy : std::uint8_t { nothing, id, place };

/// The impulses of a contact, in the caller's units. `friction` is along world axes, so that it does not depend on a
/// choice of tangents. It acts on B, as the normal impulse along the normal does.
struct ContactImpulse {
    float normal = 0.0f;  ///< along the manifold's normal
    Vec3 friction;        ///< along world axes
};

// --- a whole frame ---

/// The input and the answer of `collide`. `bodies` may be empty or shorter than the pairs' indices: rule 2 does not
/// apply to those pairs.
struct FrameContacts {
    Bodies bodies;                                  ///< of the frame; may be empty
    Strided<Pair> pairs;                            ///< of the frame
    std::span<const std::uint32_t> first_manifold;  ///< pairs + 1
    std::span<const Manifold> manifolds;            ///< of all pairs, in their order
    std::span<const Contact> contacts;              ///< of all manifolds, in their order
    Strided<RelativePose> relative_poses = {};      ///< as in Frame
};

/// A manifold's index in the frame before, or kNoManifold; swapped as above.
struct PreviousManifold {
    std::uint32_t index = kNoManifold;  ///< of the manifold in the frame before
    bool swapped = false;               ///< its bodies were (b, a) there
    std::uint8_t unused[3] = {};        ///< zeros
    friend bool operator==(const PreviousManifold&, const PreviousManifold&) = default;
};

/// The answer. Every element of every column is written.
struct CarriedColumns {
    std::span<std::uint32_t> previous;      ///< for each contact of now: its index before, or kNewContact
    std::span<PreviousManifold> manifolds;  ///< for each manifold of now
    /// for each manifold before: its index now, or kNoManifold if it has ended
    std::span<std::uint32_t> next_manifolds;
    std::span<CarriedBy> by = {};  ///< optional, for each contact of now: the rule that matched it
};

/// The columns of CarriedColumns, which grow.
struct Carried {
    std::vector<std::uint32_t> previous, next_manifolds;  ///< as in CarriedColumns
    std::vector<PreviousManifold> manifolds;              ///< as in CarriedColumns
    std::vector<CarriedBy> by;                            ///< as in CarriedColumns
};

/// `previous_pairs` has an entry for each of now's pairs: WarmTable::previous_pairs, or the caller's. If two entries
/// name the same pair before, the first in the order of now's manifolds has its contacts. Indices of pairs, manifolds
/// and contacts past the end count as none. Returns an error, and writes nothing, if a column has the wrong length or
/// the match distance is out of its domain.
ABUT_API CallResult carry_over(const FrameContacts& before, const FrameContacts& now,
                               std::span<const PreviousPair> previous_pairs, CarriedColumns& out,
                               const CarryOverOptions& options = {});

/// Each contact has `floats` floats. All of them are impulses, the first is along the normal. Every contact of `now`
/// gets the impulses of its old contact, and its share by rule 3. A share leaves out values that are not finite. If a
/// pair's bodies have swapped, all floats except the first change sign: they must be along directions that do not
/// depend on which body is A, for example world axes. Returns an error, and writes nothing, if a column has the wrong
/// length.
ABUT_API CallResult carry_impulses(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& carried,
                                   std::span<const float> impulses_before, std::span<float> impulses_now,
                                   std::size_t floats);

// --- one manifold ---

/// A contact by its id and by its points on the surfaces of the two bodies, each in its body's frame.
struct ContactAnchor {
    Vec3 on_a, on_b;            ///< the points, metres, in the frames of A and B
    std::uint32_t feature = 0;  ///< Contact::feature
};

/// `normal` and `contact` are those that `collide` gives for the pair (a, b).
ABUT_API ContactAnchor contact_anchor(const Body& a, const Body& b, Vec3 normal, const Contact& contact);

/// The same contact with the bodies in the other order.
constexpr ContactAnchor swap_bodies(const ContactAnchor& anchor) {
    return {anchor.on_b, anchor.on_a, anchor.feature << 16 | anchor.feature >> 16};
}

/// Rules 1 and 2: for each contact of `now` its index in `before`, or kNewContact. If `by` is not empty, it gets the
/// rules. The poses of the bodies are not known here: for rule 1 to allow for their motion, add to `match_distance` the
/// distance by which B's position moves relative to A's.
ABUT_API CallResult carry_over(std::span<const ContactAnchor> before, std::span<const ContactAnchor> now,
                               std::span<std::uint32_t> previous, std::span<CarriedBy> by = {},
                               const CarryOverOptions& options = {});

/// Moves impulses and applies rule 3, as above. `previous` is the answer of carry_over.
ABUT_API CallResult carry_impulses(std::span<const std::uint32_t> previous, std::span<const float> impulses_before,
                                   std::span<float> impulses_now, std::size_t floats, bool swapped = false);

// --- for the caller's containers and structs ---

/// Of a frame and the answer to it. It points to both.
template <GrowingManifolds Answer>
FrameContacts frame_contacts(const Frame& frame, const Answer& m) {
    return {frame.bodies, frame.pairs, m.first_manifold, m.manifolds, m.contacts, frame.relative_poses};
}
/// The same of columns, as far as they are filled.
inline FrameContacts frame_contacts(const Frame& frame, const ManifoldColumns& m) {
    const std::size_t manifolds = m.manifold_count < m.manifolds.size() ? m.manifold_count : m.manifolds.size();
    const std::size_t contacts = m.contact_count < m.contacts.size() ? m.contact_count : m.contacts.size();
    return {
        frame.bodies,        frame.pairs, m.first_manifold, m.manifolds.first(manifolds), m.contacts.first(contacts),
        frame.relative_poses};
}

/// Views of the columns, as long as they are now.
inline CarriedColumns columns_of(Carried& carried) {
    return {carried.previous, carried.manifolds, carried.next_manifolds, carried.by};
}

/// Into columns that grow. Throws std::bad_alloc if there is no memory.
inline CallResult carry_over(const FrameContacts& before, const FrameContacts& now,
                             std::span<const PreviousPair> previous_pairs, Carried& out,
                             const CarryOverOptions& options = {}) {
    out.previous.resize(now.contacts.size());
    out.manifolds.resize(now.manifolds.size());
    out.next_manifolds.resize(before.manifolds.size());
    out.by.resize(now.contacts.size());
    CarriedColumns columns = columns_of(out);
    return carry_over(before, now, previous_pairs, columns, options);
}

/// A struct of floats, the first the normal impulse: ContactImpulse, or a struct of the caller.
template <class T>
concept ImpulseStruct = std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> &&
                            alignof(T) == alignof(float) &&
                        sizeof(T) % sizeof(float) == 0 && !std::is_same_v<T, float>;

/// The impulses as floats, for carry_impulses.
template <ImpulseStruct T>
std::span<const float> floats_of(std::span<const T> impulses) {
    return {reinterpret_cast<const float*>(impulses.data()), impulses.size() * (sizeof(T) / sizeof(float))};
}
/// The same to write.
template <ImpulseStruct T>
std::span<float> floats_of(std::span<T> impulses) {
    return {reinterpret_cast<float*>(impulses.data()), impulses.size() * (sizeof(T) / sizeof(float))};
}

}  // namespace abut
