// A pair of children of two bodies.
#pragma once

#include <cstdint>

#include "surfaces/triangles/triangle_contact.hpp"

namespace abut {

// In canonical order of the bodies; a convex body is its own child 0.
struct ChildPair {
    std::uint32_t a, b;
    bool is_swapped;          // b's child is the first shape of the computation, because its kind is lower
    TriangleContact contact;  // unknown, inside, or that of a triangle that is not computed: on_face or replaced
};

}  // namespace abut
