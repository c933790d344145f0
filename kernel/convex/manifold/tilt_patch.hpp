// The choice of four points by their clearance under tilts (choose_four.hpp): one patch per lane, or one patch in
// double (surfaces/contacts/tilt_choice.hpp).
//
// The loss at a tilt is the clearance of the chosen points minus that of all points. The choice is greedy: the deepest
// point (of equally deep ones the outermost), then three times the lowest point at the tilt with the greatest loss;
// finally the first two are chosen again. Of losses that differ by less than 1/50 of the rise the first wins, so that
// noise does not choose.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/compiler_support.hpp"
#include "base/tolerances.hpp"

namespace abut {

namespace tilt_detail {

// The operations of simd/simd.hpp for one patch in double.
ABUT_ALWAYS_INLINE inline double select(bool m, double yes, double no) { return m ? yes : no; }
ABUT_ALWAYS_INLINE inline double max(double p, double q) { return p > q ? p : q; }
ABUT_ALWAYS_INLINE inline double min(double p, double q) { return p < q ? p : q; }
ABUT_ALWAYS_INLINE inline double sqrt(double v) { return ::sqrt(v); }

template <class T>
struct Range {
    T high = -HUGE_VALF, low = HUGE_VALF;
    ABUT_ALWAYS_INLINE void take(T v) { high = max(high, v), low = min(low, v); }
    ABUT_ALWAYS_INLINE T width() const { return high - low; }
};

// Tilts in both directions about `axes` axes, by `rings` angles. Point numbers have type T, because each lane chooses
// its own.
template <class T, int axes, int rings, int room>
class TiltPatch {
public:
    static constexpr int kTilts = 2 * axes * rings, kFour = 4;
    using Mask = decltype(T() < T());

    // The caller sets these. A lane with fewer points repeats its first point, infinitely high.
    int count = 0;
    T x[room], y[room];
    T height[room];  // above the deepest point; 0 if the point is within a part of the slack of it

    // Must be called first. `tilt`: the largest angle in radians. That tilt raises one end of the patch along its
    // direction by `rise_` and lowers the other.
    ABUT_ALWAYS_INLINE void set_tilts(T tilt) {
        const T zero = 0.0f, half = 0.5f;
        const Round round(*this);
        rise_ = half * tilt * round.longest;
        equal_ = T(kSameLoss) * rise_;
        T off[room];
        for (int i = 0; i < count; ++i) off[i] = zero;
        for (int k = 0; k < axes; ++k) {
            const T c = kCosine[k * (kMostAxes / axes)], s = kSine[k * (kMostAxes / axes)];
            const T dx = c * round.xx + s * round.yx, dy = c * round.xy + s * round.yy;
            Range<T> range;
            for (int i = 0; i < count; ++i) range.take(dx * x[i] + dy * y[i]);
            const T by = (rise_ + rise_) / max(range.width(), T(kTiny));
            axis_x_[k] = dx * by, axis_y_[k] = dy * by, axis_0_[k] = half * (range.high + range.low) * by;
            for (int i = 0; i < count; ++i) {
                const T rise = axis_x_[k] * x[i] + axis_y_[k] * y[i] - axis_0_[k];
                off[i] += rise * rise;
            }
        }
        // Of points that are nearly as low, the outermost counts as the lowest: a corner, not a point between two
        // corners.
        const T per = T(kOutermostShare / axes) / max(rise_, T(kTiny));
        for (int i = 0; i < count; ++i) outer_[i] = off[i] * per;
        find_lowest();
    }
    // Makes all tilts larger by a factor. (A power of two gives the bits of set_tilts.)
    ABUT_ALWAYS_INLINE void scale_tilts(T factor) {
        rise_ *= factor, equal_ *= factor;
        for (int k = 0; k < axes; ++k) axis_x_[k] *= factor, axis_y_[k] *= factor, axis_0_[k] *= factor;
        for (int i = 0; i < count; ++i) outer_[i] *= factor;
        find_lowest();
    }

    // Chooses the numbers of four points; some may be equal.
    ABUT_ALWAYS_INLINE void choose(T (&four)[kFour]) const {
        ByTilt kept[kFour];
        const auto take = [&](int q, T which) { four[q] = which, kept[q] = clearances_of(which); };
        take(0, lowest_point_.at[kTilts]);
        take(1, lowest_at_greatest_loss(kept[0]));
        take(2, lowest_at_greatest_loss(least(kept[0], kept[1])));
        take(3, lowest_at_greatest_loss(least(least(kept[0], kept[1]), kept[2])));
        for (int q = 0; q < 2; ++q) {
            const ByTilt others = least(least(kept[1 - q], kept[2]), kept[3]);
            const T before = greatest_loss(least(others, kept[q])), other = lowest_at_greatest_loss(others);
            const ByTilt of_other = clearances_of(other);
            const Mask better = greatest_loss(least(others, of_other)) < before - equal_;
            four[q] = select(better, other, four[q]);
            for (int t = 0; t <= kTilts; ++t) kept[q].at[t] = select(better, of_other.at[t], kept[q].at[t]);
        }
    }
    // Replaces duplicates by the lowest points at these tilts.
    ABUT_ALWAYS_INLINE void fill(T (&four)[kFour]) const {
        ByTilt kept = clearances_of(four[0]);
        for (int q = 1; q < kFour; ++q) {
            four[q] = select(is_named(four, q), lowest_at_greatest_loss(kept), four[q]);
            kept = least(kept, clearances_of(four[q]));
        }
    }
    // Adds the lowest point at the tilt of greatest loss, until there are `most` points or the loss does not matter.
    // Returns the number of points. For a single patch: T is double.
    std::uint32_t extend(T* chosen, std::uint32_t size, std::uint32_t most) const {
        ByTilt kept = clearances_of(chosen[0]);
        for (std::uint32_t q = 1; q < size; ++q) kept = least(kept, clearances_of(chosen[q]));
        for (; size < most && greatest_loss(kept) > equal_; ++size) {
            chosen[size] = lowest_at_greatest_loss(kept);
            kept = least(kept, clearances_of(chosen[size]));
        }
        return size;
    }
    // True if the point is equal to an earlier one of the four.
    ABUT_ALWAYS_INLINE static Mask is_named(const T (&four)[kFour], int which) {
        Mask named{};
        for (int p = 0; p < which; ++p) named |= four[p] == four[which];
        return named;
    }
    // The number of the lowest point at a tilt; tilt kTilts is level.
    ABUT_ALWAYS_INLINE T lowest_point(int tilt) const { return lowest_point_.at[tilt]; }

private:
    // Directions are evenly spread; no corners of a regular polygon are equally far along one of them.
    static constexpr int kMostAxes = 8;
    static constexpr float kCosine[kMostAxes] = {0.98078528f,  0.83146961f,  0.55557023f,  0.19509032f,
                                                 -0.19509032f, -0.55557023f, -0.83146961f, -0.98078528f};
    static constexpr float kSine[kMostAxes] = {0.19509032f, 0.55557023f, 0.83146961f, 0.98078528f,
                                               0.98078528f, 0.83146961f, 0.55557023f, 0.19509032f};
    // A ring of tilts by one angle, a share of the largest. Losses at small tilts have more weight, because the body
    // stands on the points that these tilts lower.
    struct Ring {
        float share, weight;
    };
    static constexpr Ring kRing[] = {{1.0f, 1.0f}, {kSmallTilt, kSmallTiltWeight}};

    // A value for each tilt: for each ring first one direction about all axes, then the other; finally the level.
    struct ByTilt {
        T at[kTilts + 1];
    };

    // A linear map that makes the patch about as wide as long. Directions are evenly spread in its image.
    struct Round {
        T xx = 1.0f, xy = 0.0f, yx = 0.0f, yy = 1.0f, longest = 0.0f;

        ABUT_ALWAYS_INLINE explicit Round(const TiltPatch& of) {
            for (int step = 0; step < 2; ++step) {
                Range<T> range[4];
                for (int i = 0; i < of.count; ++i) {
                    const T u = xx * of.x[i] + xy * of.y[i], v = yx * of.x[i] + yy * of.y[i];
                    range[0].take(u), range[1].take(v), range[2].take(u + v), range[3].take(u - v);
                }
                const T u = range[0].width(), v = range[1].width(), p = range[2].width(), m = range[3].width();
                if (step == 0) longest = max(max(u, v), T(0.70710678f) * max(p, m));
                const T inverse = T(1.0f) / max(u * u + v * v, T(kTiny)), uu = u * u * inverse, vv = v * v * inverse;
                const T uv = T(0.25f) * (p * p - m * m) * inverse,
                        root = sqrt(max(uu * vv - uv * uv, T(kLeastRoundness)));
                const T a = xx * (vv + root) - yx * uv, b = xy * (vv + root) - yy * uv;
                yx = yx * (uu + root) - xx * uv, yy = yy * (uu + root) - xy * uv;
                xx = a, xy = b;
            }
        }
    };

    ABUT_ALWAYS_INLINE void find_lowest() {
        T same[rings];
        for (int r = 0; r < rings; ++r) same[r] = T(kSameClearance * kRing[r].share * kRing[r].weight) * rise_;
        for (int t = 0; t <= kTilts; ++t) lowest_.at[t] = HUGE_VALF, lowest_point_.at[t] = 0.0f;
        for (int i = 0; i < count; ++i) {
            const ByTilt clearance = clearances(x[i], y[i], height[i], outer_[i]);
            const T point = static_cast<float>(i);
            for (int r = 0; r < rings; ++r)
                for (int t = 2 * r * axes; t < 2 * (r + 1) * axes; ++t) lower_at(t, clearance.at[t], same[r], point);
            lower_at(kTilts, clearance.at[kTilts], same[0], point);
        }
    }
    ABUT_ALWAYS_INLINE void lower_at(int t, T clearance, T same, T point) {
        const Mask lower = clearance < lowest_.at[t] - same;
        lowest_.at[t] = select(lower, clearance, lowest_.at[t]);
        lowest_point_.at[t] = select(lower, point, lowest_point_.at[t]);
    }
    ABUT_ALWAYS_INLINE ByTilt clearances(T px, T py, T up, T outer) const {
        ByTilt out;
        for (int k = 0; k < axes; ++k) {
            const T rise = axis_x_[k] * px + axis_y_[k] * py - axis_0_[k];
            out.at[k] = up - outer + rise, out.at[k + axes] = up - outer - rise;
            for (int r = 1; r < rings; ++r) {
                const T share = kRing[r].share, weight = kRing[r].weight, low = up - share * outer;
                out.at[2 * r * axes + k] = weight * (low + share * rise),
                                      out.at[(2 * r + 1) * axes + k] = weight * (low - share * rise);
            }
        }
        out.at[kTilts] = T(kLevelWeight) * up - outer;
        return out;
    }
    ABUT_ALWAYS_INLINE ByTilt clearances_of(T which) const {
        T px = x[0], py = y[0], up = height[0], outer = outer_[0];
        for (int i = 1; i < count; ++i) {
            const Mask here = which == T(static_cast<float>(i));
            px = select(here, x[i], px), py = select(here, y[i], py), up = select(here, height[i], up),
            outer = select(here, outer_[i], outer);
        }
        return clearances(px, py, up, outer);
    }
    ABUT_ALWAYS_INLINE static ByTilt least(const ByTilt& p, const ByTilt& q) {
        ByTilt out;
        for (int t = 0; t <= kTilts; ++t) out.at[t] = min(p.at[t], q.at[t]);
        return out;
    }
    ABUT_ALWAYS_INLINE T greatest_loss(const ByTilt& kept) const {
        T loss = 0.0f;
        for (int t = 0; t <= kTilts; ++t) loss = max(loss, kept.at[t] - lowest_.at[t]);
        return loss;
    }
    ABUT_ALWAYS_INLINE T lowest_at_greatest_loss(const ByTilt& kept) const {
        T greatest = -HUGE_VALF, point = 0.0f;
        for (int t = 0; t <= kTilts; ++t) {
            const T loss = kept.at[t] - lowest_.at[t];
            const Mask greater = loss > greatest + equal_;
            greatest = select(greater, loss, greatest), point = select(greater, lowest_point_.at[t], point);
        }
        return point;
    }

    T outer_[room];  // by how much a point counts as lower for its distance from the middle
    T rise_, equal_;
    T axis_x_[axes], axis_y_[axes], axis_0_[axes];
    ByTilt lowest_, lowest_point_;  // the least clearance of all points, and that point's number
};

}  // namespace tilt_detail

using tilt_detail::TiltPatch;

}  // namespace abut
