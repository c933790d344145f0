// The contacts of a group of pairs over half-spaces, before they become manifolds (plane_manifold.hpp).
#pragma once

#include "convex/manifold/manifold.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace plane_detail {

inline IntW over_plane(IntW name) { return (name << 16) | IntW(static_cast<std::int32_t>(kFaceName)); }

// Collects contacts with the plane: points of A's surface, in A's frame.
struct ContactsOnPlaneW {
    Mat3W axes;  // of the contacts: two in the plane, and the normal into it
    Vec3W up;
    FloatW level, radius, deepest, margin, tolerance, slack, smaller;
    MaskW lanes;
    CandidatesW found = {};

    template <class CoreA>
    ContactsOnPlaneW(const PairW<CoreA, PlaneCore>& pair, const ContactSeedW& seed, std::uint32_t which)
        : up(pair.b.normal),
          level(pair.b.level),
          radius(pair.radius_a),
          deepest(seed.answer.signed_distance),
          margin(seed.margin),
          tolerance(pair.tolerance),
          slack(max(seed.slack, FloatW(kDeepShare) * pair.tolerance)),
          smaller(pair.smaller),
          lanes(MaskW::from_bits(which)) {
        const Vec3W n = seed.answer.normal, x = manifold_detail::tangent(n);
        axes = {x, cross(n, x), n};
    }
    // A candidate within this distance of the deepest point is that point.
    FloatW near() const { return FloatW(kSamePointShare) * smaller; }
    // Points as deep as the deepest, to rounding, are within the margin if the deepest is.
    FloatW limit() const { return max(margin, deepest + FloatW(kFeatureShare) * tolerance); }

    ABUT_INLINE CandidateW candidate(Vec3W p, FloatW height, FloatW separation, IntW name) const {
        const FloatW kept = max(min(separation, margin), deepest);
        return {dot(axes.x, p), dot(axes.y, p), kept * FloatW(0.5f) - height, kept, over_plane(name)};
    }
    void put(MaskW wanted, Vec3W p, IntW name) {
        const FloatW height = dot(up, p), separation = height - level;
        wanted &= lanes & (separation <= limit());
        if (any(wanted)) found.append(wanted, candidate(p, height, separation, name));
    }
    // Adds both ends of an edge with a round surface; `outward` is perpendicular to the edge. If the edge is along the
    // normal, adds only the lower end.
    ABUT_INLINE void put_edge(MaskW wanted, Vec3W top, Vec3W bottom, Vec3W outward, std::uint32_t top_name,
                              std::uint32_t bottom_name) {
        const Vec3W along = top - bottom;
        const FloatW rise = dot(up, along), squared = length_squared(along), narrow = FloatW(kSliver) * tolerance;
        const MaskW upside_down = rise < FloatW(0.0f);
        const MaskW lies = (rise * rise < FloatW(1.0f - kSteepSegmentSquared) * squared) & (squared > narrow * narrow);
        put(wanted & (lies | upside_down), top + select(upside_down, -up, outward) * radius,
            IntW(static_cast<std::int32_t>(top_name)));
        put(wanted & (lies | ~upside_down), bottom + select(upside_down, outward, -up) * radius,
            IntW(static_cast<std::int32_t>(bottom_name)));
    }
};

}  // namespace plane_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
