// A coin: a disc about Y, swept by a ball. A second example of a shape of one's own (abut/custom_shape.hpp).
#pragma once

#include <abut/custom_shape.hpp>

// Lengths: the disc's radius, the ball's, and nothing.
struct Coin {
    static constexpr const char* name = "coin";

    template <class Real>
    static abut::Point<Real> support(const abut::Point<Real>& lengths, const abut::Point<Real>& d) {
        const Real tiny = Real(1e-30f), aside = sqrt(d.x * d.x + d.z * d.z),
                   length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        const Real disc = lengths.x / max(aside, tiny), ball = lengths.y / max(length, tiny);
        return {d.x * (disc + ball), d.y * ball, d.z * (disc + ball)};
    }
};
