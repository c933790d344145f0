// Contact candidates of a group of pairs, one pair per lane: every lane fills its own slots from the first on.
#pragma once

#include "manifold/candidates.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct CandidateW {
    FloatW x, y, height, separation;
    IntW name;
};
ABUT_INLINE CandidateW select(MaskW m, const CandidateW& yes, const CandidateW& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.height, no.height), select(m, yes.separation, no.separation),
            select(m, yes.name, no.name)};
}

// The limits by which candidates of a group are kept.
struct ClipLimitsW {
    FloatW margin;      // farther apart: none
    FloatW separation;  // along the contact's normal: nothing is nearer, what seems so by rounding is brought up to it,
    FloatW tolerance;   // and what is so by more is off a surface
    FloatW same_place;  // points nearer in the plane are one, where both faces are wide
    FloatW slack;       // depths that differ by less are equal
    FloatW smaller;     // the size of the smaller shape

    // Two points are one within this, seen along the normal. `width`: of the narrower face; `facing`: the cosine of the steeper one, whose height a
    // step in the plane changes the most.
    ABUT_INLINE FloatW apart(FloatW width, FloatW facing) const { return min(same_place, FloatW(kSamePlaceWidth) * width) * facing; }

    ABUT_INLINE MaskW keep(FloatW s) const { return (s <= margin) & (s >= separation - tolerance); }
};

struct CandidatesW {
    FloatW apart_squared = 0.0f;  // no two of a lane's are nearer in the plane, and none share a name: the first stays
    int most = 0;                 // slots that some lane uses
    FloatW count = 0.0f;          // slots that each lane uses
    MaskW overflow;               // lanes with more candidates than slots
    CandidateW slot[kMaxSearched];

    // A candidate of the `wanted` lanes behind those they have.
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
    // The same of one that is known to be at another point and to have another name than those.
    ABUT_INLINE void append_apart(MaskW wanted, const CandidateW& c) {
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
    ABUT_INLINE MaskW uses(int k) const { return count > FloatW(static_cast<float>(k)); }

    // Lanes with one candidate, or two within a length: parallel edges may share more.
    ABUT_INLINE MaskW are_few(FloatW within) const {
        const MaskW one = ~uses(1);
        if (most < 2) return one;
        const FloatW dx = slot[1].x - slot[0].x, dy = slot[1].y - slot[0].y;
        return one | (~uses(2) & (dx * dx + dy * dy <= within * within));
    }

    ABUT_INLINE FloatW least_separation() const {
        FloatW least = HUGE_VALF;
        for (int k = 0; k < most; ++k) least = select(uses(k), min(least, slot[k].separation), least);
        return least;
    }
    // The deepest point joins the `wanted` lanes' candidates, or replaces its namesake or its neighbour within `near`, and
    // keeps that one's name.
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
        for (int k = 0; k < most; ++k) slot[k] = select(wanted & (nearest == FloatW(static_cast<float>(k))), c, slot[k]);
        append(wanted & (nearest < FloatW(0.0f)), c);
    }
};

// Candidates that were found lane by lane, before they join the others.
struct CandidateLanes {
    std::uint32_t lanes = 0, most = 0;
    LaneArray<float> count{}, apart{}, x[kMaxSearched], y[kMaxSearched], height[kMaxSearched], separation[kMaxSearched];
    LaneArray<std::int32_t> name[kMaxSearched];

    ABUT_INLINE void set(int lane, const Candidates& c) {
        lanes |= 1u << lane;
        most = most < c.count ? c.count : most;
        count[lane] = static_cast<float>(c.count);
        apart[lane] = c.apart;
        for (std::uint32_t k = 0; k < c.count; ++k) {
            x[k][lane] = c.x[k], y[k][lane] = c.y[k], height[k][lane] = c.height[k], separation[k][lane] = c.separation[k];
            name[k][lane] = c.name[k];
        }
    }
    ABUT_INLINE void merge_into(CandidatesW& out) const {
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
