// Two bodies, and their contacts on every instruction set, in both orders.
#pragma once

#include <vector>

#include "catch.hpp"
#include "pair_answer.hpp"

namespace abut::test {

inline Manifolds collide(const Frame& frame, Isa isa) {
    NarrowPhase narrow({.isa = isa});
    Manifolds manifolds;
    REQUIRE(narrow.collide(frame, manifolds));
    return manifolds;
}

struct Example {
    ShapeStore shapes;
    std::vector<Body> bodies;

    std::vector<Contact> contacts(Isa isa, bool swapped) const {
        const std::vector<Pair> pairs = {swapped ? Pair{1, 0} : Pair{0, 1}};
        const Frame frame = {.shapes = &shapes, .bodies = bodies, .pairs = pairs};
        std::vector<Contact> contacts = collide(frame, isa).contacts;  // from the first body's position
        const float from = bodies[swapped ? 1 : 0].position.y;
        for (Contact& contact : contacts) contact.position.y += from;
        return contacts;
    }
};

template <class Check>
void for_all(const Example& example, Check&& check) {
    for (const Isa isa : test::usable_isas())
        for (const bool swapped : {false, true}) check(example.contacts(isa, swapped));
}

}  // namespace abut::test
