// The contacts of a body on a surface that bear the load: the rule of manifold/choose_four.hpp, in double and for any number of points.
#pragma once

#include <array>
#include <cstdint>

#include "ground/patch.hpp"
#include "tolerances.hpp"

namespace abut {

class TiltChoice {
public:
    // Tilts about so many axes, either way, by so many angles.
    static constexpr std::uint32_t kAxes = 8, kRings = 2, kTilts = 2 * kAxes * kRings, kNone = ~0u;

    // At most GroundPoints::kMost points, which lie in the plane of their x and y. `level`: what is higher than the deepest by less is as deep.
    TiltChoice(const GroundPoint* points, std::uint32_t count, double level, double tilt = kMostTilted);

    // The lowest points at each tilt, and level. Some may be the same.
    const std::array<std::uint32_t, kTilts + 1>& lowest() const { return lowest_; }
    // Four points, those that bear the load first; kNone where there are fewer.
    std::array<std::uint32_t, 4> four() const;

private:
    using Four = std::array<std::uint32_t, 4>;
    using ByTilt = std::array<double, kTilts + 1>;  // the last one is level

    void find_axes(double tilt);
    ByTilt clearances(std::uint32_t point) const;
    ByTilt clearance(const Four& of, std::size_t without) const;
    void fill(Four& chosen) const;
    double greatest_loss(const ByTilt& kept, std::uint32_t& tilt) const;

    const GroundPoint* points_;
    std::uint32_t count_;
    double level_;
    double height_[GroundPoints::kMost];  // above the deepest
    double outer_[GroundPoints::kMost];   // what a point counts as lower, as it is far from the middle
    double axis_x_[kAxes], axis_y_[kAxes], axis_0_[kAxes], rise_ = 0;
    std::array<std::uint32_t, kTilts + 1> lowest_{};
    ByTilt least_{};
};

}  // namespace abut
