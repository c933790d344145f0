// The contacts of a body on a surface that bear the load: the rule of convex/manifold/choose_four.hpp, in double and
// for any number of points.
#pragma once

#include <algorithm>
#include <array>

#include "convex/manifold/tilt_patch.hpp"
#include "surfaces/contacts/patch.hpp"

namespace abut {

class TiltChoice {
    // Tilts about eight axes, by two angles.
    using Patch = TiltPatch<double, 8, 2, GroundPoints::kMost>;

public:
    // `points`: at most GroundPoints::kMost, with x and y in the plane of the patch. `level`: a point counts as deep as
    // the deepest one if it is higher by less.
    TiltChoice(const GroundPoint* points, std::uint32_t count, double level) {
        double deepest = INFINITY;
        for (std::uint32_t i = 0; i < count; ++i) deepest = std::min(deepest, points[i].separation);
        patch_.count = static_cast<int>(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            patch_.x[i] = points[i].x, patch_.y[i] = points[i].y;
            patch_.height[i] = std::max(0.0, points[i].separation - deepest - level);
        }
        patch_.set_tilts(double(kMostTilted));
    }
    // The lowest point at each tilt, and without tilt. Some may be equal.
    std::array<std::uint32_t, Patch::kTilts + 1> lowest() const {
        std::array<std::uint32_t, Patch::kTilts + 1> out;
        for (int t = 0; t <= Patch::kTilts; ++t)
            out[static_cast<std::size_t>(t)] = static_cast<std::uint32_t>(patch_.lowest_point(t));
        return out;
    }
    // Chooses at most `most` points (4 to kMostGroundContacts), those that bear the load first, and returns their
    // number. If small tilts give fewer than four, larger tilts choose the missing ones.
    std::uint32_t choose(std::uint32_t most, std::uint32_t (&out)[kMostGroundContacts]) {
        double chosen[4];
        patch_.choose(chosen);
        const auto lacks = [&] {
            return Patch::is_named(chosen, 1) || Patch::is_named(chosen, 2) || Patch::is_named(chosen, 3);
        };
        for (double tilt = double(kFarTilts * kMostTilted); tilt < 2 && lacks(); tilt *= double(kFarTilts)) {
            patch_.scale_tilts(double(kFarTilts));
            patch_.fill(chosen);
        }
        double all[kMostGroundContacts];
        std::uint32_t count = 0;
        for (int q = 0; q < 4; ++q)
            if (!Patch::is_named(chosen, q)) all[count++] = chosen[q];
        double scale = kNearTilts;
        for (int i = 0; most > 4 && count < most && i < kMoreTilts; ++i, scale = 2) {
            patch_.scale_tilts(scale);
            count = patch_.extend(all, count, most);
        }
        for (std::uint32_t q = 0; q < count; ++q) out[q] = static_cast<std::uint32_t>(all[q]);
        return count;
    }

private:
    Patch patch_;
};

}  // namespace abut
