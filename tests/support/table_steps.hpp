// Frames of contacts through a WarmTable.
#pragma once

#include <vector>

#include <abut/abut.hpp>

#include "support/catch.hpp"
#include "support/contact_frame.hpp"

namespace abut::test::table {

// One frame of contacts through the table. Contact i starts with what is returned and ends with (i + 1 + 100 * frame).
inline std::vector<float> step(WarmTable& table, const ContactFrame& frame, float number = 0) {
    const Frame f = frame.frame();
    const std::span<WarmCache> caches = table.begin(f.pairs);
    REQUIRE(caches.size() == frame.pairs.size());
    REQUIRE(table.carry_over(f, frame.manifolds));
    std::vector<float> started;
    const std::span<ContactImpulse> impulses = table.impulses();
    REQUIRE(impulses.size() == frame.manifolds.contacts.size());
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        started.push_back(impulses[i].normal);
        impulses[i] = {100 * number + float(i + 1), {float(i + 1), 0, 0}};
    }
    for (std::size_t i = 0; i < caches.size(); ++i) caches[i].opaque[0] = std::byte(100 * number + float(i + 1));
    return started;
}

// Pair i has a contact of id i + 1.
inline ContactFrame frame_of(const std::vector<Pair>& pairs, const std::vector<std::uint32_t>& ids) {
    ContactFrame frame;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        frame.add(pairs[i], {{{float(ids[i]), 0, 0}, 0, ids[i] << 16 | ids[i]}});
    return frame;
}

using Floats = std::vector<float>;

}  // namespace abut::test::table
