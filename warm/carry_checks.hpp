// What carry_over and carry_impulses ask of their arguments, and which contacts are a manifold's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/carry_over.hpp>

#include "geometry/kinds.hpp"
#include "host/message.hpp"

namespace abut {

// A manifold before, or one of now: its contacts are [first, first + count) of all.
struct Range {
    std::size_t first = 0, count = 0;
};

inline Range contacts_of(const FrameContacts& frame, const Manifold& manifold) {
    const std::size_t all = frame.contacts.size(), first = manifold.first_contact;
    return first < all ? Range{first, std::min<std::size_t>(manifold.contact_count, all - first)} : Range{};
}

// Which of a pair's bodies is a mesh or a height field, as far as the frame tells.
enum class On : std::uint8_t { neither, a, b };

inline On surface_of_pair(const FrameContacts& frame, std::uint32_t pair) {
    if (pair >= frame.pairs.size()) return On::neither;
    const Pair indices = frame.pairs[pair];
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    if (indices.a >= shapes.size() || indices.b >= shapes.size()) return On::neither;
    if (is_surface(shapes[indices.b].kind())) return On::b;
    return is_surface(shapes[indices.a].kind()) ? On::a : On::neither;
}

constexpr On swapped(On on) { return on == On::a ? On::b : on == On::b ? On::a : on; }

// On a surface the contacts of one convex child along one normal may be in several manifolds, one after the other: they are matched as one.
inline bool continues(const Manifold& first, const Manifold& next, On on) {
    const Vec3 n = first.normal, m = next.normal;
    return on != On::neither && next.pair == first.pair && n.x == m.x && n.y == m.y && n.z == m.z &&
           next.first_contact == first.first_contact + first.contact_count &&
           (on == On::b ? next.child_a == first.child_a : next.child_b == first.child_b);
}

// The manifold at an index with the contacts of those that continue it.
struct Patch {
    Manifold whole;
    std::size_t count = 1;  // manifolds
};

inline Patch patch_at(std::span<const Manifold> manifolds, std::size_t first, On on) {
    Patch patch = {manifolds[first]};
    while (first + patch.count < manifolds.size() && continues(patch.whole, manifolds[first + patch.count], on))
        patch.whole.contact_count += manifolds[first + patch.count++].contact_count;
    return patch;
}

inline CallResult check_exact(const char* column, std::size_t size, std::size_t wanted) {
    if (size == wanted) return {};
    return Error{ErrorCode::bad_size, message_of(column, " has ", size, " entries, expected ", wanted)};
}

inline CallResult check_columns(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& out) {
    if (CallResult result = check_exact("CarriedColumns::previous", out.previous.size(), now.contacts.size()); !result) return result;
    if (CallResult result = check_exact("CarriedColumns::manifolds", out.manifolds.size(), now.manifolds.size()); !result) return result;
    return check_exact("CarriedColumns::next_manifolds", out.next_manifolds.size(), before.manifolds.size());
}

}  // namespace abut
