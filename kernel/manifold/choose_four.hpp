// The choice of up to four contacts among every lane's candidates: the greatest quadrilateral that has a point as deep as the deepest
// among its corners. All diagonals are tried, with the outermost points on their either side; "deepest, farthest, both sides" falls short
// of 90% of the best area in 1% of resting pairs (docs/decisions.md).
#pragma once

#include "manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kManifoldPoints = 4;

struct FourW {
    MaskW has[kManifoldPoints];
    CandidateW at[kManifoldPoints];  // the least separation first
};

namespace choose_detail {

inline constexpr float kNever = -__builtin_huge_valf();

struct PointsW {
    int most;
    FloatW count;
    FloatW x[kMaxSearched], y[kMaxSearched];  // slots that a lane does not use repeat its first
    MaskW deep[kMaxSearched];                 // as deep as the deepest, to within the slack

    ABUT_INLINE PointsW(const CandidatesW& c, FloatW slack) : most(c.most), count(c.count) {
        const FloatW limit = c.least_separation() + slack;
        for (int k = 0; k < most; ++k) {
            const MaskW used = c.uses(k);
            x[k] = select(used, c.slot[k].x, c.slot[0].x);
            y[k] = select(used, c.slot[k].y, c.slot[0].y);
            deep[k] = select(used, c.slot[k].separation, c.slot[0].separation) <= limit;
        }
    }
};

struct DiagonalW {
    FloatW area = kNever, i = 0.0f, j = 0.0f;
    FloatW x = 0.0f, y = 0.0f, dx = 0.0f, dy = 0.0f;  // of its start, and the way to its end
    MaskW deep;                                       // one of its ends is deep
};

// Ties go to the lower slots, however rounding has left them: all squares in a round cap's polygon are equally large.
ABUT_INLINE DiagonalW best_diagonal(const PointsW& p) {
    const FloatW zero = 0.0f, never = kNever;
    DiagonalW best;
    FloatW rx[kMaxSearched], ry[kMaxSearched];
    for (int i = 0; i + 1 < p.most; ++i) {
        for (int k = 0; k < p.most; ++k) rx[k] = p.x[k] - p.x[i], ry[k] = p.y[k] - p.y[i];
        for (int j = i + 1; j < p.most; ++j) {
            FloatW left = zero, right = zero, deep_left = never, deep_right = never;
            for (int k = 0; k < p.most; ++k) {
                const FloatW over = rx[j] * ry[k] - ry[j] * rx[k], under = -over;
                left = max(left, over);
                right = max(right, under);
                deep_left = select(p.deep[k], max(deep_left, over), deep_left);
                deep_right = select(p.deep[k], max(deep_right, under), deep_right);
            }
            const MaskW deep = p.deep[i] | p.deep[j];
            const FloatW with = max(select(deep_left < zero, never, deep_left + right), select(deep_right < zero, never, deep_right + left));
            const FloatW area = select(deep, left + right, with);
            const MaskW better = (area > best.area * FloatW(1.0f + kSameArea)) & (p.count > FloatW(static_cast<float>(j)));
            best.area = select(better, area, best.area);
            best.i = select(better, FloatW(static_cast<float>(i)), best.i);
            best.j = select(better, FloatW(static_cast<float>(j)), best.j);
            best.x = select(better, p.x[i], best.x);
            best.y = select(better, p.y[i], best.y);
            best.dx = select(better, rx[j], best.dx);
            best.dy = select(better, ry[j], best.dy);
            best.deep = (better & deep) | (best.deep & ~better);
        }
    }
    return best;
}

// The outermost point on either side of a diagonal, as slots; a deep one where the diagonal has none.
ABUT_INLINE void outermost(const PointsW& p, const DiagonalW& d, FloatW (&slot)[2]) {
    FloatW most[2] = {0.0f, 0.0f}, deep[2] = {kNever, kNever}, deep_slot[2] = {d.i, d.i};
    slot[0] = slot[1] = d.i;
    for (int k = 0; k < p.most; ++k) {
        const FloatW at = static_cast<float>(k), over = d.dx * (p.y[k] - d.y) - d.dy * (p.x[k] - d.x);
        ABUT_UNROLL(2)
        for (int side = 0; side < 2; ++side) {
            const FloatW out = side == 0 ? over : -over;
            const MaskW farther = out > most[side], deeper = p.deep[k] & (out >= FloatW(0.0f)) & (out > deep[side]);
            most[side] = select(farther, out, most[side]);
            slot[side] = select(farther, at, slot[side]);
            deep[side] = select(deeper, out, deep[side]);
            deep_slot[side] = select(deeper, at, deep_slot[side]);
        }
    }
    const MaskW first = deep[0] + most[1] >= deep[1] + most[0];
    slot[0] = select(~d.deep & first, deep_slot[0], slot[0]);
    slot[1] = select(~d.deep & ~first, deep_slot[1], slot[1]);
}

// No two of a lane's are nearer than `apart`: the first stays.
ABUT_INLINE void drop_twins(FourW& four, FloatW apart) {
    const FloatW squared = apart * apart;
    ABUT_UNROLL(4)
    for (int k = 1; k < kManifoldPoints; ++k)
        ABUT_UNROLL(4)
        for (int j = 0; j < k; ++j) {
            const FloatW dx = four.at[j].x - four.at[k].x, dy = four.at[j].y - four.at[k].y;
            four.has[k] &= ~(four.has[j] & (dx * dx + dy * dy <= squared));
        }
}

// The least separation first, equal ones as they were; gaps last.
ABUT_INLINE void sort_by_depth(FourW& four) {
    ABUT_UNROLL(4)
    for (int last = kManifoldPoints - 1; last > 0; --last)
        ABUT_UNROLL(4)
        for (int k = 0; k < last; ++k) {
            CandidateW &a = four.at[k], &b = four.at[k + 1];
            MaskW &has_a = four.has[k], &has_b = four.has[k + 1];
            const MaskW turn = has_b & (~has_a | (b.separation < a.separation));
            const CandidateW first = select(turn, b, a);
            b = select(turn, a, b);
            a = first;
            const MaskW has_first = has_a | has_b;
            has_b = has_a & has_b;
            has_a = has_first;
        }
}

}  // namespace choose_detail

// Deepest first; `slack`: as deep as the deepest; `apart`: nearer ones are one.
inline void choose_four(const CandidatesW& c, FloatW slack, FloatW apart, FourW& out) {
    using namespace choose_detail;
    ABUT_UNROLL(4)
    for (int k = 0; k < kManifoldPoints; ++k) {
        out.has[k] = c.uses(k);
        if (k < c.most) out.at[k] = c.slot[k];
        else out.at[k] = {0.0f, 0.0f, 0.0f, 0.0f, 0};
    }
    if (const MaskW many = c.uses(kManifoldPoints); any(many)) {
        const PointsW points(c, slack);
        const DiagonalW diagonal = best_diagonal(points);
        FloatW side[2];
        outermost(points, diagonal, side);
        const FloatW slot[kManifoldPoints] = {diagonal.i, diagonal.j, side[0], side[1]};
        for (int k = 0; k < c.most; ++k)
            ABUT_UNROLL(4)
            for (int q = 0; q < kManifoldPoints; ++q)
                out.at[q] = select(many & (slot[q] == FloatW(static_cast<float>(k))), c.slot[k], out.at[q]);
    }
    drop_twins(out, apart);
    sort_by_depth(out);
}

// Where a twin stayed in the place of the `lost` lanes' deepest candidate, that takes the twin's: down a steep face the two can be more than the
// bound apart in depth.
inline void restore_deepest(const CandidatesW& c, MaskW lost, FloatW apart, FourW& four) {
    CandidateW deepest = c.slot[0];
    for (int k = 1; k < c.most; ++k) deepest = select(c.uses(k) & (c.slot[k].separation < deepest.separation), c.slot[k], deepest);
    ABUT_UNROLL(4)
    for (int k = 0; k < kManifoldPoints; ++k) {
        const FloatW dx = four.at[k].x - deepest.x, dy = four.at[k].y - deepest.y;
        four.at[k] = select(lost & four.has[k] & (dx * dx + dy * dy <= apart * apart), deepest, four.at[k]);
    }
    choose_detail::drop_twins(four, apart);
    choose_detail::sort_by_depth(four);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
