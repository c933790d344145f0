// The properties of a shape that a motion bound needs: a hash of its content, and its largest distance from the body's
// origin.
#pragma once

#include <cstdint>

namespace abut {

struct ShapeIdentity {
    std::uint32_t content = 0;  // hash of the shape's bits: equal for equal shapes in any store and slot
    float origin_radius =
        0;  // largest distance of the core from the body's origin, rounded up (0 for a sphere): a rotation moves points that far
};
static_assert(sizeof(ShapeIdentity) == 8);

}  // namespace abut
