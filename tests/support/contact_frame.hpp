// A frame's contacts written down by hand, for tests of what happens to them from frame to frame.
#pragma once

#include <initializer_list>
#include <limits>
#include <vector>

#include <abut/abut.hpp>

#include "catch.hpp"

namespace abut::test {

struct ContactFrame {
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    Manifolds manifolds;
    std::vector<ContactImpulse> impulses;

    ContactFrame() { manifolds.first_manifold = {0}; }

    // Bodies past the end appear where they are not yet: at the origin, unturned.
    void add_pair(Pair pair) {
        pairs.push_back(pair);
        const std::size_t bodies_needed = std::size_t(pair.a > pair.b ? pair.a : pair.b) + 1;
        if (bodies.size() < bodies_needed && bodies_needed < 1000) bodies.resize(bodies_needed);
        manifolds.first_manifold.push_back(std::uint32_t(manifolds.manifolds.size()));
    }
    // To the last pair, about the normal +y.
    void add_manifold(std::initializer_list<Contact> contacts, std::uint32_t child_a = 0, std::uint32_t child_b = 0) {
        Manifold manifold;
        manifold.pair = std::uint32_t(pairs.size() - 1);
        manifold.child_a = child_a;
        manifold.child_b = child_b;
        manifold.normal = {0, 1, 0};
        manifold.first_contact = std::uint32_t(manifolds.contacts.size());
        manifold.contact_count = std::uint32_t(contacts.size());
        manifolds.manifolds.push_back(manifold);
        manifolds.contacts.insert(manifolds.contacts.end(), contacts.begin(), contacts.end());
        manifolds.first_manifold.back() = std::uint32_t(manifolds.manifolds.size());
    }
    void add(Pair pair, std::initializer_list<Contact> contacts) {
        add_pair(pair);
        add_manifold(contacts);
    }
    // Contact i carries (i + 1) along the normal, and (10, 20, 30) times that across it.
    void number_impulses() {
        impulses.clear();
        for (std::size_t i = 0; i < manifolds.contacts.size(); ++i) {
            const auto n = float(i + 1);
            impulses.push_back({n, {10 * n, 20 * n, 30 * n}});
        }
    }
    Frame frame() const {
        Frame frame;
        frame.bodies = bodies;
        frame.pairs = pairs;
        return frame;
    }
    FrameContacts contacts() const { return frame_contacts(frame(), manifolds); }
};

inline constexpr std::size_t kFloats = sizeof(ContactImpulse) / sizeof(float);

// Pair i was pair i.
inline std::vector<PreviousPair> same_pairs(std::size_t count) {
    std::vector<PreviousPair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back({std::uint32_t(i), false});
    return pairs;
}

// The impulses of `now`.
inline std::vector<ContactImpulse> move_impulses(const ContactFrame& before, const ContactFrame& now,
                                                 const std::vector<PreviousPair>& pairs, Carried& carried,
                                                 float distance = 0.02f) {
    REQUIRE(carry_over(before.contacts(), now.contacts(), pairs, carried, {.match_distance = distance}));
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<ContactImpulse> impulses(now.manifolds.contacts.size(), {nan, {nan, nan, nan}});
    REQUIRE(carry_impulses(before.contacts(), now.contacts(), columns_of(carried),
                           floats_of(std::span<const ContactImpulse>(before.impulses)), floats_of(std::span(impulses)),
                           kFloats));
    return impulses;
}

}  // namespace abut::test
