// A lens: what two equal balls have in common. An example of a shape of one's own (abut/custom_shape.hpp).
#pragma once

#include <abut/custom_shape.hpp>

// Lengths: the rim's radius about Y, half the thickness (above 0, at most the rim's radius), and nothing.
struct Lens {
    static constexpr const char* name = "lens";

    template <class Real>
    static abut::Point<Real> support(const abut::Point<Real>& lengths, const abut::Point<Real>& d) {
        const Real rim = lengths.x, half = lengths.y, tiny = Real(1e-30f);
        const Real radius = (rim * rim + half * half) / (half + half);  // of the balls
        const Real aside = sqrt(d.x * d.x + d.z * d.z), length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        // On a ball's surface where d leans no farther aside than the rim does, else on the rim.
        const auto on_ball = aside * radius <= rim * length;
        const Real by_ball = radius / max(length, tiny), by_rim = rim / max(aside, tiny);
        const Real by = select(on_ball, by_ball, by_rim);
        const Real height = d.y * by_ball - copysign(radius - half, d.y);
        return {d.x * by, select(on_ball, height, Real(0.0f)), d.z * by};
    }
};
