// See compound_tree.hpp.
#include "shapes/compound_tree.hpp"

#include <algorithm>

#include "base/four_wide.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kTreeWidth = CompoundNode::kWidth;
// Rounding of the distance of two boxes along a direction, in floats, as a part of the terms of its sums: about sixteen
// roundings. The squared length of a direction counts as at least the second value: smaller squares underflow.
constexpr float kTurnedRounding = 2e-6f, kTurnedLeastSquare = 1e-30f;

// Rounds down or up by one or two ulps; rounding by exactly one ulp would be far more expensive.
float float_below(double value) {
    const auto nearest = static_cast<float>(value);
    return nearest - std::fabs(nearest) * 0x1p-23f;
}
float float_above(double value) { return -float_below(-value); }

void box_bounds(const SixteenBoxes& boxes, const float (&low_corner)[3], const float (&high_corner)[3], float* bounds) {
    for (std::uint32_t lane = 0; lane < kTreeWidth; lane += 4) {
        Float4 squared = {};
        for (int axis = 0; axis < 3; ++axis) {
            const Float4 above = load4(boxes.low[axis] + lane) - high_corner[axis],
                         below = low_corner[axis] - load4(boxes.high[axis] + lane);
            const Float4 gap = greater(greater(above, below), Float4{});
            squared += gap * gap;
        }
        store4(bounds + lane, squared);
    }
}

Float4 within(Float4 value, Float4 low, Float4 high) { return lesser(greater(value, low), high); }

// Raises the bounds of four boxes to their distances from a turned box along one direction each. The direction joins
// the points that are nearest to each other after two projections on each box; any direction gives a lower bound.
void turned_bounds(const SixteenBoxes& boxes, const TurnedBox& turned, std::uint32_t lane, float* bounds) {
    Float4 low[3], high[3], nearest[3], direction[3], along[3], inside[3] = {};
    for (int axis = 0; axis < 3; ++axis)
        low[axis] = load4(boxes.low[axis] + lane) - turned.centre[axis],
        high[axis] = load4(boxes.high[axis] + lane) - turned.centre[axis];
    const auto project = [&] {
        for (int axis = 0; axis < 3; ++axis) nearest[axis] = within(inside[axis], low[axis], high[axis]);
        for (int k = 0; k < 3; ++k) {
            const float(&axes)[3] = turned.axes[k];
            along[k] = nearest[0] * axes[0] + nearest[1] * axes[1] + nearest[2] * axes[2];
            along[k] = within(along[k], Float4{} - turned.half[k], Float4{} + turned.half[k]);
        }
        for (int axis = 0; axis < 3; ++axis)
            inside[axis] =
                along[0] * turned.axes[0][axis] + along[1] * turned.axes[1][axis] + along[2] * turned.axes[2][axis];
    };
    project(), project();
    Float4 gap = {}, squared = {}, rounding = {};
    for (int axis = 0; axis < 3; ++axis) {
        const Float4 n = direction[axis] = nearest[axis] - inside[axis], a = n * low[axis], b = n * high[axis];
        squared += n * n;
        gap += lesser(a, b) - greater(n, -n) * turned.slack;
        rounding += greater(a, -a) + greater(b, -b);
    }
    for (int k = 0; k < 3; ++k) {
        const float(&axes)[3] = turned.axes[k];
        const Float4 cosine = direction[0] * axes[0] + direction[1] * axes[1] + direction[2] * axes[2],
                     extent = greater(cosine, -cosine) * turned.half[k];
        gap -= extent, rounding += extent;
    }
    gap -= rounding * kTurnedRounding;
    const Float4 apart = greater(gap, Float4{}), length = greater(squared, Float4{} + kTurnedLeastSquare);
    store4(bounds + lane, greater(apart / length * apart, load4(bounds + lane)));
}

// Lower bounds on the signed distances of four boxes from the contents of a volume (no plane).
Float4 signed_bounds(const SixteenBoxes& boxes, const Volume& volume, std::uint32_t lane) {
    Float4 most = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (int axis = 0; axis < 3; ++axis)
        most = greater(most, greater(load4(boxes.low[axis] + lane) - volume.high[axis],
                                     volume.low[axis] - load4(boxes.high[axis] + lane)));
    const TurnedBox& turned = volume.turned;
    for (int k = 0; k < 3 && volume.kind == Volume::Kind::turned_box; ++k) {
        Float4 least = {}, highest = {}, rounding = {};
        for (int axis = 0; axis < 3; ++axis) {
            const float along = turned.axes[k][axis];
            const Float4 a = (load4(boxes.low[axis] + lane) - turned.centre[axis]) * along,
                         b = (load4(boxes.high[axis] + lane) - turned.centre[axis]) * along;
            least += lesser(a, b), highest += greater(a, b), rounding += greater(a, -a) + greater(b, -b);
        }
        const Float4 gap = greater(least, -highest) - turned.half[k];
        most = greater(most, gap - (rounding + turned.half[k]) * kTurnedRounding - 3 * turned.slack);
    }
    return most;
}

void plane_bounds(const SixteenBoxes& boxes, const Volume& plane, float* bounds) {
    const float* corner[3];
    for (int axis = 0; axis < 3; ++axis) corner[axis] = plane.normal[axis] > 0 ? boxes.low[axis] : boxes.high[axis];
    for (std::uint32_t lane = 0; lane < kTreeWidth; lane += 4)
        store4(bounds + lane, load4(corner[0] + lane) * plane.normal[0] + load4(corner[1] + lane) * plane.normal[1] +
                                  load4(corner[2] + lane) * plane.normal[2] - plane.offset);
}

}  // namespace

Volume box_volume(const BoxD& box) {
    Volume volume;
    for (int axis = 0; axis < 3; ++axis) {
        volume.low[axis] = float_below(component(box.low, axis));
        volume.high[axis] = float_above(component(box.high, axis));
    }
    return volume;
}

Volume ball_volume(const BoxD& bounds, const maths::Vec3d& centre, double radius) {
    constexpr maths::Mat3 kAnyAxes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Volume volume = turned_volume(bounds, centre, kAnyAxes, maths::Vec3d{1, 1, 1} * radius);
    volume.kind = Volume::Kind::ball;
    return volume;
}

Volume turned_volume(const BoxD& bounds, const maths::Vec3d& centre, const maths::Mat3& axes,
                     const maths::Vec3d& half) {
    Volume volume = box_volume(bounds);
    volume.kind = Volume::Kind::turned_box;
    TurnedBox& turned = volume.turned;
    const maths::Mat3 columns = maths::transposed(axes);
    const maths::Vec3d rows[3] = {columns.row_x, columns.row_y, columns.row_z};
    for (int axis = 0; axis < 3; ++axis) {
        turned.centre[axis] = static_cast<float>(component(centre, axis));
        turned.half[axis] = float_above(component(half, axis));
        for (int k = 0; k < 3; ++k) turned.axes[k][axis] = static_cast<float>(component(rows[k], axis));
    }
    turned.slack = static_cast<float>(kTurnedRounding * (maths::max_abs(centre) + maths::max_abs(half)));
    return volume;
}

void lower_bounds(const SixteenBoxes& boxes, const Volume& volume, float* bounds, float limit) {
    if (volume.is_plane()) return plane_bounds(boxes, volume, bounds);
    if (volume.is_ball()) return box_bounds(boxes, volume.turned.centre, volume.turned.centre, bounds);
    box_bounds(boxes, volume.low, volume.high, bounds);
    if (volume.kind == Volume::Kind::box) return;
    for (std::uint32_t lane = 0; lane < kTreeWidth; lane += 4)
        if (std::any_of(bounds + lane, bounds + lane + 4, [=](float bound) { return bound <= limit; }))
            turned_bounds(boxes, volume.turned, lane, bounds);
}

void deep_bounds(const SixteenBoxes& boxes, const Volume& volume, float* bounds, float limit) {
    lower_bounds(boxes, volume, bounds, limit);
    if (volume.is_plane()) return;
    for (std::uint32_t lane = 0; lane < kTreeWidth; lane += 4) {
        if (volume.is_ball()) {
            const Float4 centre = square_root(load4(bounds + lane)) * (1 - kTurnedRounding),
                         apart = greater(centre - radius_of(volume), Float4{});
            store4(bounds + lane, apart * apart);
        }
        if (!std::any_of(bounds + lane, bounds + lane + 4, [](float bound) { return bound == 0; })) continue;
        float depths[4];
        store4(depths, signed_bounds(boxes, volume, lane));
        for (std::uint32_t i = 0; i < 4; ++i)
            if (bounds[lane + i] == 0) bounds[lane + i] = std::min(depths[i], 0.0f);
    }
}

}  // namespace abut
