// See compound_tree.hpp.
#include "shapes/compound_tree.hpp"

#include "base/four_wide.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kWidth = CompoundNode::kWidth;

// Rounds down or up by one or two ulps; rounding by exactly one ulp would be far more expensive.
float float_below(double value) {
    const auto nearest = static_cast<float>(value);
    return nearest - std::fabs(nearest) * 0x1p-23f;
}
float float_above(double value) { return -float_below(-value); }

void box_bounds(const SixteenBoxes& boxes, const Volume& box, float* bounds) {
    for (std::uint32_t lane = 0; lane < kWidth; lane += 4) {
        Float4 squared = {};
        for (int axis = 0; axis < 3; ++axis) {
            const Float4 above = load4(boxes.low[axis] + lane) - box.high[axis],
                         below = box.low[axis] - load4(boxes.high[axis] + lane);
            const Float4 gap = greater(greater(above, below), Float4{});
            squared += gap * gap;
        }
        store4(bounds + lane, squared);
    }
}

void plane_bounds(const SixteenBoxes& boxes, const Volume& plane, float* bounds) {
    const float* corner[3];
    for (int axis = 0; axis < 3; ++axis) corner[axis] = plane.normal[axis] > 0 ? boxes.low[axis] : boxes.high[axis];
    for (std::uint32_t lane = 0; lane < kWidth; lane += 4)
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

void overlap_order(const SixteenBoxes& boxes, const Volume& volume, float* order) {
    if (volume.is_plane) return plane_bounds(boxes, volume, order);
    for (std::uint32_t lane = 0; lane < kWidth; lane += 4) {
        Float4 most = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
        for (int axis = 0; axis < 3; ++axis)
            most = greater(most, greater(load4(boxes.low[axis] + lane) - volume.high[axis],
                                         volume.low[axis] - load4(boxes.high[axis] + lane)));
        store4(order + lane, most);
    }
}

void lower_bounds(const SixteenBoxes& boxes, const Volume& volume, float* bounds) {
    volume.is_plane ? plane_bounds(boxes, volume, bounds) : box_bounds(boxes, volume, bounds);
}

}  // namespace abut
