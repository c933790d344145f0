#include "manifold/choose_four.hpp"

#include "manifold/tilt_patch.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

inline constexpr float kNever = -HUGE_VALF;

struct PointsW {
    int most;
    FloatW count;
    FloatW x[kMaxSearched], y[kMaxSearched];  // slots that a lane does not use repeat its first
    MaskW used[kMaxSearched];
    MaskW deep[kMaxSearched];  // as deep as one of the four has to be
    bool all_deep = true;      // every slot that is used, of all lanes

    ABUT_INLINE PointsW(const CandidatesW& c, FloatW as_deep) : most(c.most), count(c.count) {
        const FloatW limit = max(c.least_separation(), as_deep);
        for (int k = 0; k < most; ++k) {
            used[k] = c.uses(k);
            x[k] = select(used[k], c.slot[k].x, c.slot[0].x);
            y[k] = select(used[k], c.slot[k].y, c.slot[0].y);
            deep[k] = used[k] & (c.slot[k].separation <= limit);
            all_deep &= !any(used[k] & ~deep[k]);
        }
    }
};

struct DiagonalW {
    FloatW i, j;          // slots
    FloatW x, y, dx, dy;  // of its start, and the offset of its end
    MaskW deep;           // one of its ends is deep
};

// The greatest and the least of values that some slots have.
struct RangeW {
    FloatW most, least;

    ABUT_INLINE void take(FloatW v) { most = max(most, v), least = min(least, v); }
    ABUT_INLINE void take_if(MaskW m, FloatW v) { most = select(m, max(most, v), most), least = select(m, min(least, v), least); }
    ABUT_INLINE RangeW negated() const { return {-least, -most}; }
    ABUT_INLINE void join(const RangeW& by) { most = max(most, by.most), least = min(least, by.least); }
};

// Twice the signed area of the triangle of slots i < j < k, computed once for its three edges. Triangles with an unused slot have area 0.
template <int slots>
struct TrianglesW {
    FloatW at[slots][slots][slots];

    ABUT_INLINE explicit TrianglesW(const PointsW& p) {
        const FloatW zero = 0.0f;
        FloatW rx[slots], ry[slots];
        ABUT_UNROLL(16)
        for (int i = 0; i < slots - 2; ++i) {
            ABUT_UNROLL(16)
            for (int k = i + 1; k < slots; ++k) rx[k] = select(p.used[k], p.x[k] - p.x[i], zero), ry[k] = select(p.used[k], p.y[k] - p.y[i], zero);
            ABUT_UNROLL(16)
            for (int j = i + 1; j < slots - 1; ++j) {
                ABUT_UNROLL(16)
                for (int k = j + 1; k < slots; ++k) at[i][j][k] = rx[j] * ry[k] - ry[j] * rx[k];
            }
        }
    }
    // Over the diagonal from slot i to slot j > i. take(range, k, area): area of the triangle with slot k.
    template <class Take>
    ABUT_INLINE RangeW over(int i, int j, RangeW none, Take&& take) const {
        RangeW left = none, right = none;  // right: of slots between the two, which see the diagonal reversed
        ABUT_UNROLL(16)
        for (int k = 0; k < i; ++k) take(left, k, at[k][i][j]);
        ABUT_UNROLL(16)
        for (int k = i + 1; k < j; ++k) take(right, k, at[i][k][j]);
        ABUT_UNROLL(16)
        for (int k = j + 1; k < slots; ++k) take(left, k, at[i][j][k]);
        if (j > i + 1) left.join(right.negated());
        return left;
    }
    ABUT_INLINE RangeW over(int i, int j) const {
        return over(i, j, {0.0f, 0.0f}, [](RangeW& range, int, FloatW area) { range.take(area); });
    }
    ABUT_INLINE RangeW deep_over(const PointsW& p, int i, int j) const {
        return over(i, j, {kNever, -kNever}, [&](RangeW& range, int k, FloatW area) { range.take_if(p.deep[k], area); });
    }
};

// Nearly equal areas go to the lower slots, so that rounding does not choose: all squares in a cap's polygon are equal. `slots`: the most of any lane.
template <int slots>
ABUT_NOINLINE void best_diagonal(const PointsW& p, FloatW& best_i, FloatW& best_j) {
    const FloatW zero = 0.0f, never = kNever;
    const TrianglesW<slots> triangles(p);
    FloatW best_area = never;
    best_i = best_j = zero;
    ABUT_UNROLL(16)
    for (int i = 0; i < slots - 1; ++i) {
        ABUT_UNROLL(16)
        for (int j = i + 1; j < slots; ++j) {
            const RangeW range = triangles.over(i, j);
            FloatW area = range.most - range.least;
            if (!p.all_deep) {
                const RangeW deep = triangles.deep_over(p, i, j);
                const FloatW with =
                    max(select(deep.most < zero, never, deep.most - range.least), select(deep.least > zero, never, range.most - deep.least));
                area = select(p.deep[i] | p.deep[j], area, with);
            }
            const MaskW better = (area > best_area * FloatW(1.0f + kSameArea)) & p.used[j];
            best_area = select(better, area, best_area);
            best_i = select(better, FloatW(static_cast<float>(i)), best_i);
            best_j = select(better, FloatW(static_cast<float>(j)), best_j);
        }
    }
}

ABUT_INLINE DiagonalW best_diagonal(const PointsW& p) {
    DiagonalW best;
    switch (p.most) {
        case 5: best_diagonal<5>(p, best.i, best.j); break;
        case 6: best_diagonal<6>(p, best.i, best.j); break;
        case 7: best_diagonal<7>(p, best.i, best.j); break;
        case 8: best_diagonal<8>(p, best.i, best.j); break;
        default: best_diagonal<9>(p, best.i, best.j); break;
    }
    static_assert(kMaxSearched == 9);
    best.x = p.x[0], best.y = p.y[0], best.deep = p.deep[0];
    FloatW end_x = p.x[0], end_y = p.y[0];
    for (int k = 1; k < p.most; ++k) {
        const FloatW at = static_cast<float>(k);
        const MaskW is_start = best.i == at, is_end = best.j == at;
        best.x = select(is_start, p.x[k], best.x), best.y = select(is_start, p.y[k], best.y);
        end_x = select(is_end, p.x[k], end_x), end_y = select(is_end, p.y[k], end_y);
        best.deep = (p.deep[k] & (is_start | is_end)) | (best.deep & ~is_start);
    }
    best.dx = end_x - best.x, best.dy = end_y - best.y;
    return best;
}

// The slots of the outermost point on each side of a diagonal. If the diagonal has no deep end, one of them is deep. Of nearly equal distances the
// first slot counts.
ABUT_INLINE void outermost(const PointsW& p, const DiagonalW& d, FloatW (&slot)[2]) {
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
    if (p.all_deep) return;
    const MaskW first = deep[0] + most[1] >= deep[1] + most[0];
    slot[0] = select(~d.deep & first, deep_slot[0], slot[0]);
    slot[1] = select(~d.deep & ~first, deep_slot[1], slot[1]);
}

// The least separation first, equal ones as they were; gaps last.
ABUT_INLINE void sort_by_depth(FourW& four) {
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
// them, where nearly parallel edges cross, follows the noise.
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

// Lanes whose candidates are level: as deep as each other to within kLevelRange.
ABUT_INLINE MaskW are_level(const CandidatesW& c, const ClipLimitsW& limits) {
    FloatW most = -HUGE_VALF;
    for (int k = 0; k < c.most; ++k) most = select(c.uses(k), max(most, c.slot[k].separation), most);
    return most - c.least_separation() <= FloatW(kLevelRange) * limits.smaller;
}

// The slots of the four, of `lanes`, which have more than four candidates. Some may be the same.
ABUT_NOINLINE void choose_by_tilt(const CandidatesW& c, const ClipLimitsW& limits, MaskW lanes, FloatW (&slot)[kManifoldPoints]) {
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
    patch.set_tilts(kFarTilts * kMostTilted);
    patch.fill(slot);
}

}  // namespace

void choose_four(CandidatesW& c, const ClipLimitsW& limits, FourW& out) {
    const FloatW as_deep = limits.separation + max(limits.slack, FloatW(kDeepShare) * limits.tolerance);
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
        const MaskW level = are_level(c, limits), leaning = many & ~level;
        FloatW slot[kManifoldPoints] = {0.0f, 0.0f, 0.0f, 0.0f};
        if (any(many & level)) {
            const PointsW points(c, as_deep);
            const DiagonalW diagonal = best_diagonal(points);
            FloatW side[2];
            outermost(points, diagonal, side);
            slot[0] = diagonal.i, slot[1] = diagonal.j, slot[2] = side[0], slot[3] = side[1];
        }
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
        // A side of the diagonal without points has the diagonal's start, or a duplicate of one of its ends: these are dropped.
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
