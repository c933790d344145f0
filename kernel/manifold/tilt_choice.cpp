// See choose_four.hpp: the choice among candidates that are not level.
#include "manifold/tilt_choice.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

inline constexpr float kNever = HUGE_VALF;
inline constexpr int kAxes = 4, kTilts = 2 * kAxes;  // a tilt about an axis, either way
// None along which the corners of a regular polygon pair off.
inline constexpr float kCosine[kAxes] = {0.98078528f, 0.55557023f, -0.19509032f, -0.83146961f};
inline constexpr float kSine[kAxes] = {0.19509032f, 0.83146961f, 0.98078528f, 0.55557023f};

// A value per tilt: about axis k one way, then the other way; the last one is level.
struct ByTiltW {
    FloatW at[kTilts + 1];
};

// Candidates as the choice sees them.
class PatchW {
public:
    ABUT_INLINE PatchW(const CandidatesW& c, const ClipLimitsW& limits, FloatW tilt) : most_(c.most) {
        const FloatW zero = 0.0f, level_up_to = c.least_separation() + FloatW(kLevelShare) * limits.slack;
        for (int i = 0; i < most_; ++i) {
            used_[i] = c.uses(i);
            x_[i] = select(used_[i], c.slot[i].x, c.slot[0].x), y_[i] = select(used_[i], c.slot[i].y, c.slot[0].y);
            level_[i] = select(used_[i], max(zero, c.slot[i].separation - level_up_to), FloatW(kNever));
        }
        set_axes(tilt);
    }

    // The candidates of the four slots; some may be the same.
    ABUT_INLINE void choose(FloatW (&slot)[kManifoldPoints]) const {
        ByTiltW kept[kManifoldPoints];
        const auto take = [&](int q, FloatW which) { slot[q] = which, kept[q] = clearances_of(which); };
        take(0, first());
        take(1, lowest_at_greatest_loss(kept[0]));
        take(2, lowest_at_greatest_loss(least(kept[0], kept[1])));
        take(3, lowest_at_greatest_loss(least(least(kept[0], kept[1]), kept[2])));
        for (int q = 0; q < 2; ++q) {
            const ByTiltW others = least(least(kept[1 - q], kept[2]), kept[3]);
            const FloatW before = greatest_loss(least(others, kept[q])), other = lowest_at_greatest_loss(others);
            const ByTiltW of_other = clearances_of(other);
            const MaskW better = greatest_loss(least(others, of_other)) < before - equal_;
            slot[q] = select(better, other, slot[q]);
            for (int t = 0; t <= kTilts; ++t) kept[q].at[t] = select(better, of_other.at[t], kept[q].at[t]);
        }
    }

    // In place of those that are named twice: what is lowest at the tilts here.
    ABUT_INLINE void fill(FloatW (&slot)[kManifoldPoints]) const {
        ByTiltW kept = clearances_of(slot[0]);
        for (int q = 1; q < kManifoldPoints; ++q) {
            slot[q] = select(is_named(slot, q), lowest_at_greatest_loss(kept), slot[q]);
            kept = least(kept, clearances_of(slot[q]));
        }
    }
    ABUT_INLINE static MaskW is_named(const FloatW (&slot)[kManifoldPoints], int before) {
        MaskW named;
        for (int p = 0; p < before; ++p) named |= slot[p] == slot[before];
        return named;
    }

private:
    // Eight directions that are evenly spread as an affine map sees them that makes the patch about as wide as long; a tilt raises one end of the patch
    // along its direction by `rise_`, and lowers the other end.
    ABUT_INLINE void set_axes(FloatW tilt) {
        const FloatW zero = 0.0f, one = 1.0f, half = 0.5f;
        FloatW xx = one, xy = zero, yx = zero, yy = one, longest = zero;
        for (int step = 0; step < 2; ++step) {
            RangeW range[4];
            for (int i = 0; i < most_; ++i) {
                const FloatW u = xx * x_[i] + xy * y_[i], v = yx * x_[i] + yy * y_[i];
                range[0].take(u), range[1].take(v), range[2].take(u + v), range[3].take(u - v);
            }
            const FloatW u = range[0].width(), v = range[1].width(), p = range[2].width(), m = range[3].width();
            if (step == 0) longest = max(max(u, v), FloatW(0.70710678f) * max(p, m));
            const FloatW inverse = one / max(u * u + v * v, FloatW(kTiny)), uu = u * u * inverse, vv = v * v * inverse;
            const FloatW uv = FloatW(0.25f) * (p * p - m * m) * inverse, root = sqrt(max(uu * vv - uv * uv, FloatW(kLeastRoundness)));
            const FloatW a = xx * (vv + root) - yx * uv, b = xy * (vv + root) - yy * uv;
            yx = yx * (uu + root) - xx * uv, yy = yy * (uu + root) - xy * uv;
            xx = a, xy = b;
        }
        rise_ = half * tilt * longest;
        equal_ = FloatW(kSameLoss) * rise_;
        FloatW off[kMaxSearched];
        for (int i = 0; i < most_; ++i) off[i] = zero;
        for (int k = 0; k < kAxes; ++k) {
            const FloatW dx = FloatW(kCosine[k]) * xx + FloatW(kSine[k]) * yx, dy = FloatW(kCosine[k]) * xy + FloatW(kSine[k]) * yy;
            RangeW range;
            for (int i = 0; i < most_; ++i) range.take(dx * x_[i] + dy * y_[i]);
            const FloatW by = (rise_ + rise_) / max(range.width(), FloatW(kTiny));
            axis_x_[k] = dx * by, axis_y_[k] = dy * by, axis_0_[k] = half * (range.high + range.low) * by;
            for (int i = 0; i < most_; ++i) {
                const FloatW rise = axis_x_[k] * x_[i] + axis_y_[k] * y_[i] - axis_0_[k];
                off[i] += rise * rise;
            }
        }
        // Of candidates that are nearly as low the outermost counts: a corner, not a point between two.
        const FloatW per = FloatW(kOutermostShare / kAxes) / max(rise_, FloatW(kTiny));
        for (int i = 0; i < most_; ++i) outer_[i] = off[i] * per;
        for (int t = 0; t <= kTilts; ++t) lowest_.at[t] = FloatW(kNever), lowest_slot_.at[t] = zero;
        for (int i = 0; i < most_; ++i) {
            const ByTiltW clearance = clearances(x_[i], y_[i], level_[i], outer_[i]);
            for (int t = 0; t <= kTilts; ++t) {
                const MaskW lower = clearance.at[t] < lowest_.at[t] - FloatW(kSameClearance) * rise_;
                lowest_.at[t] = select(lower, clearance.at[t], lowest_.at[t]);
                lowest_slot_.at[t] = select(lower, FloatW(static_cast<float>(i)), lowest_slot_.at[t]);
            }
        }
    }
    struct RangeW {
        FloatW high = -kNever, low = kNever;
        ABUT_INLINE void take(FloatW v) { high = max(high, v), low = min(low, v); }
        ABUT_INLINE FloatW width() const { return high - low; }
    };

    ABUT_INLINE ByTiltW clearances(FloatW x, FloatW y, FloatW level, FloatW outer) const {
        ByTiltW out;
        const FloatW low = level - outer;
        for (int k = 0; k < kAxes; ++k) {
            const FloatW rise = axis_x_[k] * x + axis_y_[k] * y - axis_0_[k];
            out.at[k] = low + rise, out.at[k + kAxes] = low - rise;
        }
        out.at[kTilts] = FloatW(kLevelWeight) * level - outer;
        return out;
    }
    ABUT_INLINE ByTiltW clearances_of(FloatW slot) const {
        FloatW x = x_[0], y = y_[0], level = level_[0], outer = outer_[0];
        for (int i = 1; i < most_; ++i) {
            const MaskW here = slot == FloatW(static_cast<float>(i));
            x = select(here, x_[i], x), y = select(here, y_[i], y), level = select(here, level_[i], level), outer = select(here, outer_[i], outer);
        }
        return clearances(x, y, level, outer);
    }
    ABUT_INLINE static ByTiltW least(const ByTiltW& p, const ByTiltW& q) {
        ByTiltW out;
        for (int t = 0; t <= kTilts; ++t) out.at[t] = min(p.at[t], q.at[t]);
        return out;
    }
    // The deepest; of those that are as deep the farthest from the middle.
    ABUT_INLINE FloatW first() const { return lowest_slot_.at[kTilts]; }
    ABUT_INLINE FloatW greatest_loss(const ByTiltW& kept) const {
        FloatW loss = 0.0f;
        for (int t = 0; t <= kTilts; ++t) loss = max(loss, kept.at[t] - lowest_.at[t]);
        return loss;
    }
    ABUT_INLINE FloatW lowest_at_greatest_loss(const ByTiltW& kept) const {
        FloatW greatest = -kNever, slot = 0.0f;
        for (int t = 0; t <= kTilts; ++t) {
            const FloatW loss = kept.at[t] - lowest_.at[t];
            const MaskW greater = loss > greatest + equal_;
            greatest = select(greater, loss, greatest), slot = select(greater, lowest_slot_.at[t], slot);
        }
        return slot;
    }

    int most_;
    MaskW used_[kMaxSearched];
    FloatW x_[kMaxSearched], y_[kMaxSearched];  // slots that a lane does not use repeat its first
    FloatW level_[kMaxSearched];                // separation above the deepest; 0 to within a part of the slack
    FloatW outer_[kMaxSearched];                // what a candidate counts as lower, as it is far from the middle
    FloatW rise_, equal_;
    FloatW axis_x_[kAxes], axis_y_[kAxes], axis_0_[kAxes];
    ByTiltW lowest_, lowest_slot_;  // of all candidates
};

}  // namespace

void choose_by_tilt(const CandidatesW& c, const ClipLimitsW& limits, MaskW lanes, FloatW (&slot)[kManifoldPoints]) {
    PatchW(c, limits, FloatW(kMostTilted)).choose(slot);
    MaskW lacks;
    for (int q = 1; q < kManifoldPoints; ++q) lacks |= PatchW::is_named(slot, q);
    if (any(lanes & lacks)) PatchW(c, limits, FloatW(kFarTilts * kMostTilted)).fill(slot);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
