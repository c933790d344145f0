// See tilt_choice.hpp.
#include "ground/tilt_choice.hpp"

#include <algorithm>
#include <cmath>

#include "tolerances.hpp"

namespace abut {
namespace {

// What the body stands on comes before what it might tilt onto: what is lost at a small tilt counts by more.
struct Ring {
    double share, weight;  // of the largest tilt
};
constexpr Ring kRing[TiltChoice::kRings] = {{1, 1}, {kSmallTilt, kSmallTiltWeight}};

double unit_of(std::uint32_t tilt) {
    if (tilt == TiltChoice::kTilts) return 1;
    const Ring& ring = kRing[tilt / (2 * TiltChoice::kAxes)];
    return ring.share * ring.weight;
}

struct Range {
    double low = INFINITY, high = -INFINITY;
    void take(double v) { low = std::min(low, v), high = std::max(high, v); }
    double width() const { return high - low; }
};

}  // namespace

TiltChoice::TiltChoice(const GroundPoint* points, std::uint32_t count, double level, double tilt) : points_(points), count_(count), level_(level) {
    double deepest = INFINITY;
    for (std::uint32_t i = 0; i < count; ++i) deepest = std::min(deepest, points[i].separation);
    for (std::uint32_t i = 0; i < count; ++i) height_[i] = std::max(0.0, points[i].separation - deepest - level);
    find_axes(tilt);
    least_.fill(INFINITY);
    for (std::uint32_t i = 0; i < count; ++i) {
        const ByTilt of = clearances(i);
        for (std::uint32_t t = 0; t <= kTilts; ++t)
            if (of[t] < least_[t] - double(kSameClearance) * rise_ * unit_of(t)) least_[t] = of[t], lowest_[t] = i;
    }
}

// Directions that are evenly spread as an affine map sees them that makes the patch about as wide as long. A tilt raises one end of the patch along its
// direction by rise_, and lowers the other end.
void TiltChoice::find_axes(double tilt) {
    double xx = 1, xy = 0, yx = 0, yy = 1, longest = 0;
    for (int step = 0; step < 2; ++step) {
        Range range[4];
        for (std::uint32_t i = 0; i < count_; ++i) {
            const double u = xx * points_[i].x + xy * points_[i].y, v = yx * points_[i].x + yy * points_[i].y;
            range[0].take(u), range[1].take(v), range[2].take(u + v), range[3].take(u - v);
        }
        const double u = range[0].width(), v = range[1].width(), p = range[2].width(), m = range[3].width();
        if (step == 0) longest = std::max(std::max(u, v), std::sqrt(0.5) * std::max(p, m));
        const double inverse = 1 / std::max(u * u + v * v, double(kTiny)), uu = u * u * inverse, vv = v * v * inverse;
        const double uv = 0.25 * (p * p - m * m) * inverse, root = std::sqrt(std::max(uu * vv - uv * uv, double(kLeastRoundness)));
        const double a = xx * (vv + root) - yx * uv, b = xy * (vv + root) - yy * uv;
        yx = yx * (uu + root) - xx * uv, yy = yy * (uu + root) - xy * uv;
        xx = a, xy = b;
    }
    rise_ = 0.5 * tilt * longest;
    static constexpr double kCosine[kAxes] = {0.98078528, 0.83146961, 0.55557023, 0.19509032, -0.19509032, -0.55557023, -0.83146961, -0.98078528};
    static constexpr double kSine[kAxes] = {0.19509032, 0.55557023, 0.83146961, 0.98078528, 0.98078528, 0.83146961, 0.55557023, 0.19509032};
    std::fill(outer_, outer_ + count_, 0.0);
    for (std::uint32_t k = 0; k < kAxes; ++k) {
        const double dx = kCosine[k] * xx + kSine[k] * yx, dy = kCosine[k] * xy + kSine[k] * yy;
        Range range;
        for (std::uint32_t i = 0; i < count_; ++i) range.take(dx * points_[i].x + dy * points_[i].y);
        const double by = 2 * rise_ / std::max(range.width(), double(kTiny));
        axis_x_[k] = dx * by, axis_y_[k] = dy * by, axis_0_[k] = 0.5 * (range.low + range.high) * by;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const double rise = axis_x_[k] * points_[i].x + axis_y_[k] * points_[i].y - axis_0_[k];
            outer_[i] += double(kOutermostShare) / kAxes * rise * rise / std::max(rise_, double(kTiny));
        }
    }
}

TiltChoice::ByTilt TiltChoice::clearances(std::uint32_t point) const {
    ByTilt out;
    for (std::uint32_t k = 0; k < kAxes; ++k) {
        const double rise = axis_x_[k] * points_[point].x + axis_y_[k] * points_[point].y - axis_0_[k];
        for (std::uint32_t r = 0; r < kRings; ++r) {
            const double low = height_[point] - kRing[r].share * outer_[point], by = kRing[r].share * rise;
            out[2 * (r * kAxes + k)] = kRing[r].weight * (low + by), out[2 * (r * kAxes + k) + 1] = kRing[r].weight * (low - by);
        }
    }
    out[kTilts] = double(kLevelWeight) * height_[point] - outer_[point];
    return out;
}

// `tilt`: the first of those at which the most is lost.
double TiltChoice::greatest_loss(const ByTilt& kept, std::uint32_t& tilt) const {
    double greatest = -INFINITY;
    for (std::uint32_t t = 0; t <= kTilts; ++t)
        if (const double loss = kept[t] - least_[t]; loss > greatest + double(kSameLoss) * rise_) greatest = loss, tilt = t;
    return greatest;
}

// Of some points, less one of them.
TiltChoice::ByTilt TiltChoice::clearance(const Four& of, std::size_t without) const {
    ByTilt least;
    least.fill(INFINITY);
    for (std::size_t q = 0; q < of.size(); ++q) {
        if (q == without || of[q] == kNone) continue;
        const ByTilt at = clearances(of[q]);
        for (std::uint32_t t = 0; t <= kTilts; ++t) least[t] = std::min(least[t], at[t]);
    }
    return least;
}

// The lowest points at the tilts at which the others lose the most, in the places that are left.
void TiltChoice::fill(Four& chosen) const {
    for (std::size_t q = 1; q < chosen.size(); ++q) {
        if (chosen[q] != kNone) continue;
        std::uint32_t tilt = 0;
        greatest_loss(clearance(chosen, q), tilt);
        if (std::find(chosen.begin(), chosen.end(), lowest_[tilt]) == chosen.end()) chosen[q] = lowest_[tilt];
    }
}

std::array<std::uint32_t, 4> TiltChoice::four() const {
    Four chosen = {lowest_[kTilts], kNone, kNone, kNone};
    fill(chosen);
    // Once more the first ones, which were chosen without the others.
    for (std::size_t q = 0; q < 2 && chosen[q] != kNone; ++q) {
        std::uint32_t tilt = 0;
        const std::uint32_t before = chosen[q];
        const double with = greatest_loss(clearance(chosen, chosen.size()), tilt);
        greatest_loss(clearance(chosen, q), tilt);
        if (std::find(chosen.begin(), chosen.end(), lowest_[tilt]) != chosen.end()) continue;
        chosen[q] = lowest_[tilt];
        if (!(greatest_loss(clearance(chosen, chosen.size()), tilt) < with - double(kSameLoss) * rise_)) chosen[q] = before;
    }
    // What no small tilt brings down fills up.
    for (double tilt = kFarTilts * kMostTilted; tilt < 2 && std::find(chosen.begin(), chosen.end(), kNone) != chosen.end(); tilt *= kFarTilts)
        TiltChoice(points_, count_, level_, tilt).fill(chosen);
    return chosen;
}

}  // namespace abut
