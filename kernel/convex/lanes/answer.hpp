// The result of every distance kernel: one answer per lane, in A's frame, scaled.
#pragma once

#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct AnswerW {
    FloatW signed_distance;
    Vec3W normal;    // unit, from A to B
    Vec3W midpoint;  // halfway between the two witness points, from A's core centre
};

}  // namespace abut::ABUT_ISA_NAMESPACE
