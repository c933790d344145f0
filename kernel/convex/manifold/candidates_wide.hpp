// Contact candidates of a group of pairs, one pair per lane. Each lane fills its own slots from slot 0.
#pragma once

#include "convex/manifold/candidates.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct CandidateW {
    FloatW x, y, height, separation;
    IntW name;
};
ABUT_INLINE CandidateW select(MaskW m, const CandidateW& yes, const CandidateW& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.height, no.height),
            select(m, yes.separation, no.separation), select(m, yes.name, no.name)};
}

// Limits on the candidates of a group.
struct ClipLimitsW {
    FloatW margin;      // candidates with a larger separation are left out
    FloatW separation;  // along the contact normal: smaller separations are rounding and are set to this,
    FloatW tolerance;   // ... or, if smaller by more than this, belong to no surface and are left out
    FloatW same_place;  // points closer in the plane become one, if both faces are wide
    FloatW slack;       // depths that differ by less are equal
    FloatW smaller;     // the size of the smaller shape

    // The distance, seen along the normal, within which two points are one. `width`: of the narrower face. `facing`:
    // the cosine of the steeper face, on which a step in the plane changes the height most.
    FloatW apart(FloatW width, FloatW facing) const {
        return min(same_place, FloatW(kSamePlaceWidth) * width) * facing;
    }

    // The amount by which the deepest candidate may be shallower than the answer. `share`: the error of candidates as a
    // share of promise 1's bound.
    FloatW deepest_within(float share) const { return max(FloatW(kDeepestShare) * slack, FloatW(share) * tolerance); }

    ABUT_INLINE MaskW keep(FloatW s) const { return (s <= margin) & (s >= separation - tolerance); }
};

struct CandidatesW {
    FloatW apart_squared =
        0.0f;      // of a lane's candidates closer than its root in the plane, or of one name, only the first stays
    int most = 0;  // greatest number of slots in use in any lane
    FloatW count = 0.0f;  // slots in use, per lane
    MaskW overflow;       // lanes with more candidates than slots
    CandidateW slot[kMaxSearched];

    // Adds a candidate to the `wanted` lanes.
    ABUT_INLINE void append(MaskW wanted, const CandidateW& c) {
        if (!any(wanted)) return;
        const FloatW one = 1.0f;
        FloatW at = 0.0f;
        for (int k = 0; k < most; ++k, at += one) {
            const FloatW dx = slot[k].x - c.x, dy = slot[k].y - c.y;
            wanted &= ~((count > at) & ((dx * dx + dy * dy <= apart_squared) | (slot[k].name == c.name)));
        }
        append_apart(wanted, c);
    }
    // As append, for a candidate whose position and name differ from those of the lane's other candidates.
    void append_apart(MaskW wanted, const CandidateW& c) {
        const FloatW one = 1.0f, zero = 0.0f;
        FloatW at = zero;
        for (int k = 0; k < most; ++k, at += one) slot[k] = select(wanted & (count == at), c, slot[k]);
        const MaskW beyond = wanted & (count == at);
        if (any(beyond)) {
            if (most < static_cast<int>(kMaxSearched))
                slot[most++] = c;
            else
                overflow |= beyond;
        }
        count = count + select(wanted & ~overflow, one, zero);
    }
    // True if a lane uses slot k.
    MaskW uses(int k) const { return count > FloatW(static_cast<float>(k)); }

    // Lanes with one candidate, or with two within a distance: parallel edges may have more points in common.
    MaskW are_few(FloatW within) const {
        const MaskW one = ~uses(1);
        if (most < 2) return one;
        const FloatW dx = slot[1].x - slot[0].x, dy = slot[1].y - slot[0].y;
        return one | (~uses(2) & (dx * dx + dy * dy <= within * within));
    }

    FloatW least_separation() const {
        FloatW least = HUGE_VALF;
        for (int k = 0; k < most; ++k) least = select(uses(k), min(least, slot[k].separation), least);
        return least;
    }
    // Adds the deepest point to the `wanted` lanes. If a candidate has the same name or is within `near`, the deepest
    // point replaces that candidate but takes its name.
    ABUT_INLINE void add_deepest(MaskW wanted, CandidateW c, FloatW near) {
        FloatW nearest = -1.0f, nearest_squared = near * near;
        IntW name = c.name;
        for (int k = 0; k < most; ++k) {
            const FloatW dx = slot[k].x - c.x, dy = slot[k].y - c.y;
            const FloatW squared = select(slot[k].name == c.name, FloatW(-1.0f), dx * dx + dy * dy);
            const MaskW nearer = uses(k) & (squared <= nearest_squared);
            nearest = select(nearer, FloatW(static_cast<float>(k)), nearest);
            nearest_squared = select(nearer, squared, nearest_squared);
            name = select(nearer, slot[k].name, name);
        }
        c.name = name;
        for (int k = 0; k < most; ++k)
            slot[k] = select(wanted & (nearest == FloatW(static_cast<float>(k))), c, slot[k]);
        append(wanted & (nearest < FloatW(0.0f)), c);
    }
};

// Candidates found lane by lane, before they are added to the others.
struct CandidateLanes {
    std::uint32_t lanes = 0, most = 0;
    LaneArray<float> count{}, apart{}, x[kMaxSearched], y[kMaxSearched], height[kMaxSearched], separation[kMaxSearched];
    LaneArray<std::int32_t> name[kMaxSearched];

    void set(int lane, const Candidates& c) {
        lanes |= 1u << lane;
        most = most < c.count ? c.count : most;
        count[lane] = static_cast<float>(c.count);
        apart[lane] = c.apart;
        for (std::uint32_t k = 0; k < c.count; ++k) {
            x[k][lane] = c.x[k], y[k][lane] = c.y[k], height[k][lane] = c.height[k],
            separation[k][lane] = c.separation[k];
            name[k][lane] = c.name[k];
        }
    }
    void merge_into(CandidatesW& out) const {
        const MaskW here = MaskW::from_bits(lanes);
        out.count = select(here, load(count), out.count);
        out.apart_squared = select(here, load(apart) * load(apart), out.apart_squared);
        for (int k = 0; k < static_cast<int>(most); ++k) {
            const CandidateW c = {load(x[k]), load(y[k]), load(height[k]), load(separation[k]), load(name[k])};
            out.slot[k] = k < out.most ? select(here, c, out.slot[k]) : c;
        }
        if (out.most < static_cast<int>(most)) out.most = static_cast<int>(most);
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
