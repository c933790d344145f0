// See box_ray.hpp.
#include "queries/rays/box_ray.hpp"

#include <cmath>

#include "base/four_wide.hpp"

namespace abut {
BoxRay::BoxRay(const LocalRay& ray, const maths::BoxD& bounds, double slack) {
    begin_ = 0, end_ = ray.length;
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double o = component(ray.origin, axis), d = component(ray.direction, axis);
        const double low = component(bounds.low, axis), high = component(bounds.high, axis);
        const double farthest = maths::max(std::fabs(low), std::fabs(high)),
                     pad = slack + kPadShare * farthest + 0x1p-50 * std::fabs(o);
        largest = maths::max(largest, farthest);
        if (d == 0) {
            if (o < low - pad || o > high + pad) end_ = -INFINITY;
            continue;
        }
        const double first = ((d > 0 ? low - pad : high + pad) - o) / d,
                     second = ((d > 0 ? high + pad : low - pad) - o) / d;
        begin_ = maths::max(begin_, first), end_ = maths::min(end_, second);
    }
    if (misses()) return;
    const maths::Vec3d from = ray.at(begin_);
    pad_ = static_cast<float>(slack + kPadShare * maths::max(largest, maths::max_abs(from)));
    length_ = limit(end_);
    for (int axis = 0; axis < 3; ++axis) {
        const double d = component(ray.direction, axis);
        origin_[axis] = static_cast<float>(component(from, axis));
        inverse_[axis] =
            static_cast<float>(1 / (std::fabs(d) > kLeastComponent ? d : std::copysign(kLeastComponent, d)));
    }
}

void BoxRay::bounds_of(const SixteenBoxes& boxes, float* bounds) const {
    for (std::uint32_t lane = 0; lane < SixteenBoxes::kWidth; lane += 4) {
        Float4 enters = {}, leaves = Float4{} + length_;
        for (int axis = 0; axis < 3; ++axis) {
            const Float4 low = (load4(boxes.low[axis] + lane) - (origin_[axis] + pad_)) * inverse_[axis];
            const Float4 high = (load4(boxes.high[axis] + lane) - (origin_[axis] - pad_)) * inverse_[axis];
            enters = greater(enters, lesser(low, high)), leaves = lesser(leaves, greater(low, high));
        }
        leaves = leaves * kBoxExcess;
        for (std::uint32_t i = 0; i < 4; ++i)
            bounds[lane + i] = enters[i] <= leaves[i] ? enters[i] * (1 / kBoxExcess) : INFINITY;
    }
}

}  // namespace abut
