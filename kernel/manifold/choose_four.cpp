#include "manifold/choose_four.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

inline constexpr float kNever = -HUGE_VALF;

struct PointsW {
    int most;
    FloatW count;
    FloatW x[kMaxSearched], y[kMaxSearched];  // slots that a lane does not use repeat its first
    MaskW deep[kMaxSearched];                 // as deep as one of the four has to be

    ABUT_INLINE PointsW(const CandidatesW& c, FloatW as_deep) : most(c.most), count(c.count) {
        const FloatW limit = max(c.least_separation(), as_deep);
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

// The outermost point on either side of a diagonal, as slots; a deep one where the diagonal has none. Of points that are as far out, or nearly, the
// first.
ABUT_INLINE void outermost(const PointsW& p, const DiagonalW& d, FloatW (&slot)[2]) {
    const FloatW farther_by = 1.0f + kSameArea;
    FloatW most[2] = {0.0f, 0.0f}, deep[2] = {kNever, kNever}, deep_slot[2] = {d.i, d.i};
    slot[0] = slot[1] = d.i;
    for (int k = 0; k < p.most; ++k) {
        const FloatW at = static_cast<float>(k), over = d.dx * (p.y[k] - d.y) - d.dy * (p.x[k] - d.x);
        ABUT_UNROLL(2)
        for (int side = 0; side < 2; ++side) {
            const FloatW out = side == 0 ? over : -over;
            const MaskW farther = out > most[side] * farther_by, deeper = p.deep[k] & (out >= FloatW(0.0f)) & (out > deep[side] * farther_by);
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

// The least separation first, equal ones as they were; gaps last.
ABUT_INLINE void sort_by_depth(FourW& four) {
    ABUT_UNROLL(4)
    for (int last = kManifoldPoints - 1; last > 0; --last) ABUT_UNROLL(4)
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

// Lanes of three and more candidates, all near the line from the first to the farthest from it: no patch that is as narrow as what makes two points
// one has a point farther off that line than four times as much.
ABUT_INLINE MaskW may_be_line(const CandidatesW& c) {
    const MaskW several = c.uses(2);
    if (!any(several)) return several;
    FloatW farthest = 0.0f, dx = 0.0f, dy = 0.0f, widest = 0.0f;
    for (int k = 1; k < c.most; ++k) {
        const FloatW ex = c.slot[k].x - c.slot[0].x, ey = c.slot[k].y - c.slot[0].y, squared = ex * ex + ey * ey;
        const MaskW farther = c.uses(k) & (squared > farthest);
        farthest = select(farther, squared, farthest), dx = select(farther, ex, dx), dy = select(farther, ey, dy);
    }
    for (int k = 1; k < c.most; ++k) {
        const FloatW off = dx * (c.slot[k].y - c.slot[0].y) - dy * (c.slot[k].x - c.slot[0].x);
        widest = select(c.uses(k), max(widest, abs(off)), widest);
    }
    return several & (widest * widest <= FloatW(16.0f) * c.apart_squared * farthest);
}

// A patch that is no wider than what makes two points one has its two ends, and the deepest point where these are not as deep: what lies between
// them, where nearly parallel sides cross, follows the noise.
ABUT_INLINE void keep_ends(CandidatesW& c, FloatW as_deep) {
    const MaskW several = may_be_line(c);
    if (!any(several)) return;
    FloatW longest = 0.0f, from = 0.0f, to = 0.0f, x = 0.0f, y = 0.0f, dx = 0.0f, dy = 0.0f;
    for (int i = 0; i + 1 < c.most; ++i)
        for (int j = i + 1; j < c.most; ++j) {
            const FloatW ex = c.slot[j].x - c.slot[i].x, ey = c.slot[j].y - c.slot[i].y, squared = ex * ex + ey * ey;
            const MaskW longer = c.uses(j) & (squared > longest);
            longest = select(longer, squared, longest);
            from = select(longer, FloatW(static_cast<float>(i)), from), to = select(longer, FloatW(static_cast<float>(j)), to);
            x = select(longer, c.slot[i].x, x), y = select(longer, c.slot[i].y, y), dx = select(longer, ex, dx), dy = select(longer, ey, dy);
        }
    const FloatW limit = c.apart_squared * longest;
    MaskW is_line = several;
    for (int k = 0; k < c.most; ++k) {
        const FloatW off = dx * (c.slot[k].y - y) - dy * (c.slot[k].x - x);
        is_line &= ~(c.uses(k) & (off * off > limit));
    }
    if (!any(is_line)) return;
    CandidateW end[2] = {c.slot[0], c.slot[0]}, deepest = c.slot[0];
    for (int k = 0; k < c.most; ++k) {
        const FloatW at = static_cast<float>(k);
        end[0] = select(from == at, c.slot[k], end[0]), end[1] = select(to == at, c.slot[k], end[1]);
        deepest = select(c.uses(k) & (c.slot[k].separation < deepest.separation), c.slot[k], deepest);
    }
    const FloatW nearer = min(end[0].separation, end[1].separation);
    const MaskW lacks = is_line & (deepest.separation < nearer) & (nearer > as_deep);
    c.slot[0] = select(is_line, end[0], c.slot[0]), c.slot[1] = select(is_line, end[1], c.slot[1]), c.slot[2] = select(lacks, deepest, c.slot[2]);
    c.count = select(is_line, select(lacks, FloatW(3.0f), FloatW(2.0f)), c.count);
}

}  // namespace

void choose_four(CandidatesW& c, FloatW as_deep, FourW& out) {
    keep_ends(c, as_deep);
    ABUT_UNROLL(4)
    for (int k = 0; k < kManifoldPoints; ++k) {
        out.has[k] = c.uses(k);
        if (k < c.most)
            out.at[k] = c.slot[k];
        else
            out.at[k] = {0.0f, 0.0f, 0.0f, 0.0f, 0};
    }
    if (const MaskW many = c.uses(kManifoldPoints); any(many)) {
        const PointsW points(c, as_deep);
        const DiagonalW diagonal = best_diagonal(points);
        FloatW side[2];
        outermost(points, diagonal, side);
        const FloatW slot[kManifoldPoints] = {diagonal.i, diagonal.j, side[0], side[1]};
        for (int k = 0; k < c.most; ++k) ABUT_UNROLL(4)
        for (int q = 0; q < kManifoldPoints; ++q) out.at[q] = select(many & (slot[q] == FloatW(static_cast<float>(k))), c.slot[k], out.at[q]);
        // A side on which there is nothing stands for the diagonal's start, one where there is but a twin of an end for that.
        const auto is_twin = [&](const CandidateW& p, const CandidateW& of) {
            const FloatW dx = p.x - of.x, dy = p.y - of.y;
            return dx * dx + dy * dy <= c.apart_squared;
        };
        for (int q = 2; q < kManifoldPoints; ++q) out.has[q] &= ~(many & (is_twin(out.at[q], out.at[0]) | is_twin(out.at[q], out.at[1])));
    }
    sort_by_depth(out);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
