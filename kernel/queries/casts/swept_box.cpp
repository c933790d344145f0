// See swept_box.hpp. Boxes by slabs [Kay, Kajiya 1986], triangles by the slabs of their boxes and of their planes.
#include "queries/casts/swept_box.hpp"

#include <cmath>
#include <limits>

#include "base/four_wide.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr float kNever = std::numeric_limits<float>::infinity();
// The inverse of zero motion: it puts the times for everything beside the box long after time 1.
constexpr float kNoWay = 1e30f;
// Times in floats are rounded down by this.
constexpr float kTimeRounding = 1e-6f;

// The times in which a value that begins at `from` and changes by `way` is within [-room, room].
struct StayInterval {
    double enter = -INFINITY, leave = INFINITY;

    void meet(double from, double way, double room) {
        if (way == 0) {
            if (!(std::fabs(from) <= room)) enter = INFINITY;
            return;
        }
        const double one = (-room - from) / way, other = (room - from) / way;
        enter = maths::max(enter, maths::min(one, other)), leave = maths::min(leave, maths::max(one, other));
    }
};

}  // namespace

SweptBox::SweptBox(const maths::BoxD& box, const Vec3d& way)
    : centre_((box.low + box.high) * 0.5), half_((box.high - box.low) * 0.5), way_(way) {
    const Volume volume = box_volume(box);
    for (int axis = 0; axis < 3; ++axis) {
        low_[axis] = volume.low[axis], high_[axis] = volume.high[axis];
        const auto along = static_cast<float>(component(way, axis));
        inverse_[axis] = std::fabs(along) > 1 / kNoWay ? 1 / along : kNoWay;
    }
}

void SweptBox::entry_times(const SixteenBoxes& boxes, float* times) const {
    for (std::uint32_t lane = 0; lane < SixteenBoxes::kWidth; lane += 4) {
        Float4 enter = {}, leave = {1, 1, 1, 1};
        for (int axis = 0; axis < 3; ++axis) {
            const Float4 first = load4(boxes.low[axis] + lane) - high_[axis],
                         last = load4(boxes.high[axis] + lane) - low_[axis];
            const Float4 one = first * inverse_[axis], other = last * inverse_[axis];
            enter = greater(enter, lesser(one, other)), leave = lesser(leave, greater(one, other));
        }
        for (std::uint32_t k = 0; k < 4; ++k)
            times[lane + k] = enter[k] * (1 - kTimeRounding) <= leave[k] * (1 + kTimeRounding) + kTimeRounding
                                  ? enter[k] * (1 - kTimeRounding)
                                  : kNever;
    }
}

double SweptBox::entry_time(const SurfaceCorners& corners, double room) const {
    const Vec3d a = maths::to_double(corners.at[0]), b = maths::to_double(corners.at[1]),
                c = maths::to_double(corners.at[2]);
    StayInterval stay;
    for (int axis = 0; axis < 3; ++axis) {
        const double x = component(a, axis), y = component(b, axis), z = component(c, axis);
        const double low = maths::min(x, maths::min(y, z)), high = maths::max(x, maths::max(y, z));
        stay.meet(component(centre_, axis) - 0.5 * (low + high), component(way_, axis),
                  component(half_, axis) + 0.5 * (high - low) + room);
    }
    const Vec3d normal = cross(b - a, c - a);
    stay.meet(dot(normal, centre_ - a), dot(normal, way_), dot(absolute(normal), half_) + maths::norm(normal) * room);
    return stay.enter <= maths::min(stay.leave, 1) && stay.leave >= 0 ? maths::max(stay.enter, 0) : INFINITY;
}

}  // namespace abut
