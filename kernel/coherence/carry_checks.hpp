// The checks of the arguments of carry_over and carry_impulses, and the contacts of a manifold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/carry_over.hpp>

#include "base/message.hpp"

namespace abut {

// The contacts [first, first + count) of a frame, those of one manifold.
struct Range {
    std::size_t first = 0, count = 0;
    std::size_t end() const { return first + count; }
};

inline Range contacts_of(const FrameContacts& frame, const Manifold& manifold) {
    const std::size_t all = frame.contacts.size(), first = manifold.first_contact;
    return first < all ? Range{first, std::min<std::size_t>(manifold.contact_count, all - first)} : Range{};
}

inline CallResult check_exact(const char* column, std::size_t size, std::size_t wanted) {
    if (size == wanted) return {};
    return Error{ErrorCode::bad_size, message_of(column, " has ", size, " entries, expected ", wanted)};
}

inline CallResult check_columns(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& out) {
    if (CallResult result = check_exact("CarriedColumns::previous", out.previous.size(), now.contacts.size()); !result)
        return result;
    if (CallResult result = check_exact("CarriedColumns::manifolds", out.manifolds.size(), now.manifolds.size());
        !result)
        return result;
    return check_exact("CarriedColumns::next_manifolds", out.next_manifolds.size(), before.manifolds.size());
}

}  // namespace abut
