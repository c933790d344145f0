#include "convex/manifold/choose_four.hpp"

#include "convex/manifold/tilt_patch.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

inline constexpr float kNever = -HUGE_VALF;

struct PointsW {
    int most;
    FloatW x[kMaxSearched], y[kMaxSearched];  // unused slots repeat the lane's first point
    MaskW deep[kMaxSearched];                 // deep enough: one of the four must be
    bool all_deep = true;                     // all used slots of all lanes are deep

    PointsW(const CandidatesW& c, FloatW as_deep) : most(c.most) {
        const FloatW limit = max(c.least_separation(), as_deep);
        for (int k = 0; k < most; ++k) {
            const MaskW used = c.uses(k);
            x[k] = select(used, c.slot[k].x, c.slot[0].x);
            y[k] = select(used, c.slot[k].y, c.slot[0].y);
            deep[k] = used & (c.slot[k].separation <= limit);
            all_deep &= !any(used & ~deep[k]);
        }
    }
};

struct DiagonalW {
    FloatW i, j;          // slots
    FloatW x, y, dx, dy;  // the start, and the offset from the start to the end
    MaskW deep;           // one of its ends is deep
};

// The diagonal between the outermost points along a direction.
ABUT_INLINE DiagonalW diagonal_along(const PointsW& p, float x, float y) {
    FloatW high = FloatW(x) * p.x[0] + FloatW(y) * p.y[0], low = high, end_x = p.x[0], end_y = p.y[0];
    MaskW start_is_deep = p.deep[0], end_is_deep = p.deep[0];
    DiagonalW d = {0.0f, 0.0f, end_x, end_y, 0.0f, 0.0f, MaskW()};
    for (int k = 1; k < p.most; ++k) {
        const FloatW at = static_cast<float>(k), along = FloatW(x) * p.x[k] + FloatW(y) * p.y[k];
        const MaskW is_start = along < low, is_end = high < along;
        low = min(low, along), high = max(high, along);
        d.i = select(is_start, at, d.i), d.j = select(is_end, at, d.j);
        d.x = select(is_start, p.x[k], d.x), d.y = select(is_start, p.y[k], d.y);
        end_x = select(is_end, p.x[k], end_x), end_y = select(is_end, p.y[k], end_y);
        if (p.all_deep) continue;
        start_is_deep = (p.deep[k] & is_start) | (start_is_deep & ~is_start);
        end_is_deep = (p.deep[k] & is_end) | (end_is_deep & ~is_end);
    }
    d.dx = end_x - d.x, d.dy = end_y - d.y, d.deep = start_is_deep | end_is_deep;
    return d;
}

// The slots of the outermost point on either side of a diagonal, and twice the area of the quadrilateral. If neither
// end of the diagonal is deep, one of the two points is. Of nearly equal distances, the first slot wins.
inline FloatW outermost(const PointsW& p, const DiagonalW& d, FloatW (&slot)[2]) {
    const FloatW farther_by = 1.0f + kSameArea;
    FloatW most[2] = {0.0f, 0.0f}, deep[2] = {kNever, kNever}, deep_slot[2] = {d.i, d.i};
    slot[0] = slot[1] = d.i;
    for (int k = 0; k < p.most; ++k) {
        const FloatW at = static_cast<float>(k), over = d.dx * (p.y[k] - d.y) - d.dy * (p.x[k] - d.x);
        ABUT_UNROLL(2)
        for (int side = 0; side < 2; ++side) {
            const FloatW out = side == 0 ? over : -over;
            const MaskW farther = out > most[side] * farther_by;
            most[side] = select(farther, out, most[side]);
            slot[side] = select(farther, at, slot[side]);
            if (p.all_deep) continue;
            const MaskW deeper = p.deep[k] & (out >= FloatW(0.0f)) & (out > deep[side] * farther_by);
            deep[side] = select(deeper, out, deep[side]);
            deep_slot[side] = select(deeper, at, deep_slot[side]);
        }
    }
    const FloatW area = most[0] + most[1];
    if (p.all_deep) return area;
    const FloatW with_0 = deep[0] + most[1], with_1 = deep[1] + most[0];
    const MaskW first = with_0 >= with_1;
    slot[0] = select(~d.deep & first, deep_slot[0], slot[0]);
    slot[1] = select(~d.deep & ~first, deep_slot[1], slot[1]);
    return select(d.deep, area, max(with_0, with_1));
}

// The slots of the largest of four quadrilaterals. Each consists of the outermost points along one direction and the
// outermost points on either side of the line between these; the four directions are 45 degrees apart. No two corners
// of a regular polygon are equally far along one of them, so noise does not choose. Trying all diagonals would leave as
// many patches below 90% of the best area (docs/decisions.md).
inline void choose_by_area(const PointsW& p, FloatW (&slot)[kManifoldPoints]) {
    constexpr float kDirections[4][2] = {{0.98058068f, 0.19611614f},
                                         {0.55470020f, 0.83205029f},
                                         {-0.19611614f, 0.98058068f},
                                         {-0.83205029f, 0.55470020f}};
    FloatW best = kNever;
    for (const auto& direction : kDirections) {
        const DiagonalW d = diagonal_along(p, direction[0], direction[1]);
        FloatW sides[2];
        const FloatW area = outermost(p, d, sides);
        const MaskW better = area > best * FloatW(1.0f + kSameArea);
        best = select(better, area, best);
        slot[0] = select(better, d.i, slot[0]), slot[1] = select(better, d.j, slot[1]);
        slot[2] = select(better, sides[0], slot[2]), slot[3] = select(better, sides[1], slot[3]);
    }
}

// Sorts by separation; equal ones keep their order; empty slots come last.
inline void sort_by_depth(FourW& four) {
    ABUT_UNROLL(4)
    for (int end = kManifoldPoints - 1; end > 0; --end) ABUT_UNROLL(4)
    for (int k = 0; k < end; ++k) {
        CandidateW &a = four.at[k], &b = four.at[k + 1];
        MaskW &has_a = four.has[k], &has_b = four.has[k + 1];
        const MaskW swaps = has_b & (~has_a | (b.separation < a.separation));
        const CandidateW first = select(swaps, b, a);
        b = select(swaps, a, b);
        a = first;
        const MaskW has_first = has_a | has_b;
        has_b = has_a & has_b;
        has_a = has_first;
    }
}

// The point farthest from (x, y), of equally far ones the first, and its slot.
struct FarthestW {
    FloatW slot = 0.0f, x, y, squared = 0.0f;

    FarthestW(const CandidatesW& c, FloatW from_x, FloatW from_y) : x(from_x), y(from_y) {
        for (int k = 0; k < c.most; ++k) {
            const FloatW dx = c.slot[k].x - from_x, dy = c.slot[k].y - from_y, off = dx * dx + dy * dy;
            const MaskW farther = c.uses(k) & (off > squared);
            squared = select(farther, off, squared), slot = select(farther, FloatW(static_cast<float>(k)), slot);
            x = select(farther, c.slot[k].x, x), y = select(farther, c.slot[k].y, y);
        }
    }
};

// Reduces a patch that is no wider than the distance within which points become one to its two ends and, if these are
// not as deep, the deepest point. Points between the ends, where nearly parallel edges cross, follow the noise. One end
// is the point farthest from any point, the other is the point farthest from the first end.
inline void keep_ends(CandidatesW& c, FloatW as_deep) {
    MaskW is_line = c.uses(2);
    if (!any(is_line)) return;
    const FarthestW from(c, c.slot[0].x, c.slot[0].y), to(c, from.x, from.y);
    const FloatW dx = to.x - from.x, dy = to.y - from.y, limit = c.apart_squared * to.squared;
    for (int k = 0; k < c.most; ++k) {
        const FloatW off = dx * (c.slot[k].y - from.y) - dy * (c.slot[k].x - from.x);
        is_line &= ~(c.uses(k) & (off * off > limit));
    }
    if (!any(is_line)) return;
    const FloatW first = min(from.slot, to.slot), second = max(from.slot, to.slot);
    CandidateW end[2] = {c.slot[0], c.slot[0]}, deepest = c.slot[0];
    for (int k = 0; k < c.most; ++k) {
        const FloatW at = static_cast<float>(k);
        end[0] = select(first == at, c.slot[k], end[0]), end[1] = select(second == at, c.slot[k], end[1]);
        deepest = select(c.uses(k) & (c.slot[k].separation < deepest.separation), c.slot[k], deepest);
    }
    const FloatW nearer = min(end[0].separation, end[1].separation);
    const MaskW lacks = is_line & (deepest.separation < nearer) & (nearer > as_deep);
    c.slot[0] = select(is_line, end[0], c.slot[0]), c.slot[1] = select(is_line, end[1], c.slot[1]),
    c.slot[2] = select(lacks, deepest, c.slot[2]);
    c.count = select(is_line, select(lacks, FloatW(3.0f), FloatW(2.0f)), c.count);
}

// Lanes whose candidates are equally deep to within kLevelRange of the smaller size.
inline MaskW are_level(const CandidatesW& c, const ClipLimitsW& limits) {
    FloatW most = -HUGE_VALF;
    for (int k = 0; k < c.most; ++k) most = select(c.uses(k), max(most, c.slot[k].separation), most);
    return most - c.least_separation() <= FloatW(kLevelRange) * limits.smaller;
}

// The slots of four candidates, for `lanes` with more than four. Some may be equal.
ABUT_NOINLINE void choose_by_tilt(const CandidatesW& c, const ClipLimitsW& limits, MaskW lanes,
                                  FloatW (&slot)[kManifoldPoints]) {
    TiltPatch<FloatW, 4, 1, kMaxSearched> patch;
    const FloatW level_up_to = c.least_separation() + FloatW(kLevelShare) * limits.slack;
    patch.count = c.most;
    for (int k = 0; k < c.most; ++k) {
        const MaskW used = c.uses(k);
        patch.x[k] = select(used, c.slot[k].x, c.slot[0].x), patch.y[k] = select(used, c.slot[k].y, c.slot[0].y);
        patch.height[k] = select(used, max(FloatW(0.0f), c.slot[k].separation - level_up_to), FloatW(HUGE_VALF));
    }
    patch.set_tilts(kMostTilted);
    patch.choose(slot);
    MaskW lacks;
    for (int q = 1; q < kManifoldPoints; ++q) lacks |= patch.is_named(slot, q);
    if (!any(lanes & lacks)) return;
    patch.scale_tilts(kFarTilts);
    patch.fill(slot);
}

}  // namespace

void choose_four(CandidatesW& c, const ClipLimitsW& limits, FourW& out) {
    const FloatW as_deep = limits.separation + max(limits.slack, FloatW(kDeepShare) * limits.tolerance);
    keep_ends(c, limits.separation + limits.deepest_within(kDeepShare));
    ABUT_UNROLL(4)
    for (int k = 0; k < kManifoldPoints; ++k) {
        out.has[k] = c.uses(k);
        if (k < c.most)
            out.at[k] = c.slot[k];
        else
            out.at[k] = {0.0f, 0.0f, 0.0f, 0.0f, 0};
    }
    if (const MaskW many = c.uses(kManifoldPoints); any(many)) {
        const MaskW level = are_level(c, limits), leaning = many & ~level;
        FloatW slot[kManifoldPoints] = {0.0f, 0.0f, 0.0f, 0.0f};
        if (any(many & level)) choose_by_area(PointsW(c, as_deep), slot);
        if (any(leaning)) {
            FloatW by_tilt[kManifoldPoints] = {0.0f, 0.0f, 0.0f, 0.0f};
            choose_by_tilt(c, limits, leaning, by_tilt);
            for (int q = 0; q < kManifoldPoints; ++q) slot[q] = select(leaning, by_tilt[q], slot[q]);
        }
        for (int q = 0; q < kManifoldPoints; ++q) {
            const FloatW from = select(many, slot[q], FloatW(static_cast<float>(q)));
            CandidateW at = c.slot[0];
            for (int k = 1; k < c.most; ++k) at = select(from == FloatW(static_cast<float>(k)), c.slot[k], at);
            out.at[q] = at;
        }
        // If the diagonal has no points on one side, the slot of that side holds the diagonal's start or a duplicate of
        // an end, which is removed.
        const auto is_duplicate = [&](const CandidateW& p, const CandidateW& of) {
            const FloatW dx = p.x - of.x, dy = p.y - of.y;
            return dx * dx + dy * dy <= c.apart_squared;
        };
        for (int q = 1; q < kManifoldPoints; ++q)
            for (int p = 0; p < q; ++p) out.has[q] &= ~(many & is_duplicate(out.at[q], out.at[p]));
    }
    sort_by_depth(out);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
