// The data of a shape that a motion bound needs: its content hash, and its largest distance from the body's origin.
#pragma once

#include <cstdint>

namespace abut {

struct ShapeIdentity {
    std::uint32_t content = 0;  // of the shape's bits, whichever store and slot it is in: equal shapes have equal ones, others hardly ever
    float origin_radius = 0;    // of the core from its body's origin, rounded up: what a rotation of the body can move. A sphere: 0
};
static_assert(sizeof(ShapeIdentity) == 8);

}  // namespace abut
