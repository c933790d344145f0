// Loads the boxes of a call, one per lane.
#pragma once

#include "queries/boxes/box_tree.hpp"
#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The float at or after x.
ABUT_INLINE FloatW round_up(DoubleW x) {
    const FloatW nearest = narrow(x), zero = 0.0f;
    const IntW bits = bits_of(nearest), one = 1;
    const FloatW next = float_of(select(nearest == zero, one, select(nearest < zero, bits - one, bits + one)));
    const FloatW below = narrow(select(widen(nearest) < x, DoubleW(1.0), DoubleW(0.0)));
    return select(below > zero, next, nearest);
}

struct BoxesW {
    FloatW low[3], high[3];
};

// Loads the boxes of the entries [first, count), widened by their margins as BoxReader does. Remaining lanes repeat the
// last box.
ABUT_INLINE BoxesW load_boxes(const BoxColumns& columns, const BoxEntry* entries, std::size_t first,
                              std::size_t count) {
    const std::size_t last = count - 1;
    const auto id = [&](int lane) -> std::size_t {
        const std::size_t at = first + static_cast<std::size_t>(lane);
        return entries[at < last ? at : last].id;
    };
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
        rows[lane] = reinterpret_cast<const float*>(columns.bounds + id(lane) * columns.stride);
    FloatW v[6];
    load_rows(rows, v);
    BoxesW boxes = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    if (columns.margins == nullptr && columns.margin == 0.0f) return boxes;
    LaneArray<float> margins = lanes_of(FloatW(columns.margin));
    for (int lane = 0; lane < kLanes && columns.margins != nullptr; ++lane)
        std::memcpy(&margins[lane], columns.margins + id(lane) * columns.margin_stride, sizeof(float));
    const DoubleW by = widen(load(margins));
    for (int axis = 0; axis < 3; ++axis) {
        boxes.low[axis] = -round_up(by - widen(boxes.low[axis]));
        boxes.high[axis] = round_up(widen(boxes.high[axis]) + by);
    }
    return boxes;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
