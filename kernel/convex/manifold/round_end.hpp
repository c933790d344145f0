// The deeper end of a round edge, seen along the contact normal.
//
// The line of contact is the edge, moved by the radius along that perpendicular of the edge that is best aligned with
// the normal. The line ends where the ball about the end of the core's edge begins. The deepest point of a tilted edge
// is beyond that end: on the ball, straight towards the other shape. So that clipping finds this point, the line is
// continued to it along the tangent, and the heights of points on the continuation are those of the ball.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct RoundEndW {
    FloatW radius;
    FloatW facing, rise;  // sine and cosine of the angle between the edge and the contact normal, both >= 0

    // The distance of the ball behind the tangent, at a distance before the deepest point, seen along the normal; 0
    // before the line's end.
    FloatW behind(FloatW before) const {
        const FloatW zero = 0.0f, on_ball = max(before, zero);
        const FloatW room = radius * radius - on_ball * on_ball;
        return select(on_ball < radius * rise, (radius - rise * on_ball) / facing - sqrt(max(room, zero)), zero);
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
