// The part of two shapes that touches along a normal to within a small depth, and how much of it contacts span. It
// knows no features: however a face is split by points that stand out by less than the depth, all of it counts.
#pragma once

#include <span>

#include <abut/results.hpp>

#include "support/oracle/oracle.hpp"

namespace abut::oracle {

struct DeepPatch {
    double length = 0, width = 0;  // of the patch: its diameter, and its area over that; 0 where nothing is asked
    double share = 1,
           reported_length =
               0;  // area of the contacts over that of the patch's best four corners; and the contacts' diameter
};

// Every point of the patch is within `depth` of the deepest. Of curved shapes, whose sides are not polytopes, only
// level caps are asked for.
DeepPatch deep_patch(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3& normal,
                     std::span<const Contact> contacts, double depth, std::optional<Vec3d> origin = {});

}  // namespace abut::oracle
