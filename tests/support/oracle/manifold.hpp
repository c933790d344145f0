// Is a reported contact manifold right? Exact are: that the first contact is the deepest, the margin, the number of
// contacts, distinct feature ids. Everything else is held to promise 1's bound ("allowed" below), as distances are:
//
//  - the first contact is as deep as the pair to within the contact slack (no more than `slack` metres, and kSlackShare of the smaller size): its
//    separation and the gap between the shapes along the normal differ from the signed distance by no more, and what is apart has no contact that
//    is not;
//  - every contact lies on both shapes: position -+ normal * separation / 2 is on the surface of A and B, on the side that faces the
//    other. A face-face contact is thus a point of the incident face and its projection along the normal on the reference face;
//    whether that is exact in the kernel or biased does not matter within the bound. Of a swept shape the point less radius * normal
//    may be on the core instead, which is the same where the normal is the feature's own and off by radius * (1 - cos tilt) where a
//    feature is tilted;
//  - no two contacts coincide while the patch has more corners to offer;
//  - where the supporting features are plain to see (patch.hpp) and their common patch is larger than rounding, the contacts span at
//    least a certain share of it: `share`, which is for the caller to judge (kLeastShare).
#pragma once

#include <span>

#include <abut/results.hpp>

#include "support/oracle/oracle.hpp"

namespace abut::oracle {

inline constexpr std::size_t kMostContacts = 4;
inline constexpr double kLeastShare = 0.9;

// What `collide` is allowed where the caller leaves it its settings (Settings::contact_slack).
inline constexpr double kContactSlack = 0.005, kSlackShare = 0.004;
double contact_slack(const Solid& a, const Solid& b, double metres = kContactSlack);

struct ManifoldVerdict {
    double worst = 0;  // violation as a fraction of what is allowed; infinite for what is exact
    const char* what = "";
    bool has_patch = false;  // whether `share` says anything
    // Area of the contacts over that of the best four of the patch's corners within the margin, one of them deepest;
    // length over length where the patch is a line.
    double share = 1;
    double patch_length = 0, patch_width = 0;  // of the patch: its diameter, and its area over that
    double level_length = 0;     // the diameter of what of it is as deep as the deepest to within the contact slack
    double reported_length = 0;  // of the contacts
    double tolerance = 0;

    bool right() const { return worst <= 1; }
};

// `known` and `origin` as of check_answer.
ManifoldVerdict check_manifold(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, float margin,
                               const Vec3& normal, std::span<const Contact> contacts, std::optional<double> known = {},
                               double slack = kContactSlack, std::optional<Vec3d> origin = {});

}  // namespace abut::oracle
