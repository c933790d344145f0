// What a bound on the motion of a pair must know of its shapes: which they are, and how far from their bodies' origins they reach.
#pragma once

#include <cstdint>

#include <abut/shape_id.hpp>

namespace abut {

struct CustomShape;
struct HullGeometry;
struct InstanceRecord;

struct ShapeIdentity {
    std::uint32_t content = 0;  // of the shape's bits, whichever store and slot it is in: equal shapes have equal ones, others hardly ever
    float origin_radius = 0;    // of the core from its body's origin, rounded up: what a turn of the body can move. A sphere: 0
};
static_assert(sizeof(ShapeIdentity) == 8);

// `hull` for hulls, `custom` for custom shapes alone: these are told apart by their names, as their numbers are the store's.
ShapeIdentity identity_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hull, const CustomShape* custom);

}  // namespace abut
