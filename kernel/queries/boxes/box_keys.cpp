// Computes the keys of boxes along a Morton curve, and fills blocks in the order of keys, one box per lane.
#include <limits>

#include "queries/boxes/box_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

CentreRange find_centres(const BoxColumns& boxes, const BoxEntry* entries, std::size_t count);
void find_keys(const BoxColumns& boxes, const MortonCurve& curve, BoxEntry* entries, std::size_t count);
Bounds fill_block(const BoxColumns& boxes, const BoxEntry* entries, std::uint32_t count, BoxBlock& block,
                  std::uint32_t* ids);

namespace {

ABUT_INLINE FloatW middle_along(const BoxesW& boxes, int axis) {
    return FloatW(0.5f) * boxes.low[axis] + FloatW(0.5f) * boxes.high[axis];
}

// Puts two zero bits between the bits of x.
ABUT_INLINE IntW spread_bits(IntW x) {
    x = (x | x << 16) & IntW(0x030000ff);
    x = (x | x << 8) & IntW(0x0300f00f);
    x = (x | x << 4) & IntW(0x030c30c3);
    return (x | x << 2) & IntW(0x09249249);
}

// The centre of an infinite box may be NaN, which belongs to the first cell.
ABUT_INLINE IntW cell_of(const FloatW& offset, const MortonCurve& curve) {
    const float last = static_cast<float>((1u << curve.bits) - 1);
    const FloatW x = min(max(offset * FloatW(curve.scale), FloatW(0.0f)), FloatW(last));
    return bits_of(x + FloatW(8388608.0f)) & IntW(0x007fffff);  // an integer above 2^23
}

ABUT_INLINE IntW groups_of(const BoxesW& boxes, const MortonCurve& curve, IntW at_rest) {
    FloatW edge = boxes.high[0] - boxes.low[0];
    MaskW is_good = boxes.low[0] <= boxes.high[0];
    for (int axis = 1; axis < 3; ++axis) {
        edge = max(edge, boxes.high[axis] - boxes.low[axis]);
        is_good &= boxes.low[axis] <= boxes.high[axis];
    }
    const IntW of_size =
        select(FloatW(curve.huge) < edge, IntW(0), select(FloatW(curve.large) < edge, IntW(1), IntW(2)));
    return select(is_good, of_size + at_rest, IntW(static_cast<std::int32_t>(kBadGroup)));
}

}  // namespace

CentreRange find_centres(const BoxColumns& boxes, const BoxEntry* entries, std::size_t count) {
    const FloatW infinite = HUGE_VALF;
    FloatW low[3] = {infinite, infinite, infinite}, high[3] = {-infinite, -infinite, -infinite};
    for (std::size_t first = 0; first < count; first += kLanes) {
        const BoxesW some = load_boxes(boxes, entries, first, count);
        for (int axis = 0; axis < 3; ++axis) {
            const FloatW at = middle_along(some, axis);
            const MaskW is_finite = abs(at) < infinite;
            low[axis] = min(low[axis], select(is_finite, at, infinite)),
            high[axis] = max(high[axis], select(is_finite, at, -infinite));
        }
    }
    CentreRange range;
    for (int axis = 0; axis < 3; ++axis)
        range.low[axis] = -reduce_max(-low[axis]), range.high[axis] = reduce_max(high[axis]);
    return range;
}

void find_keys(const BoxColumns& boxes, const MortonCurve& curve, BoxEntry* entries, std::size_t count) {
    LaneArray<std::int32_t> at_rest = lanes_of(IntW(0));
    for (std::size_t first = 0; first < count; first += kLanes) {
        const BoxesW some = load_boxes(boxes, entries, first, count);
        BoxEntry* const own = entries + first;
        const int lanes = static_cast<int>(count - first < kLanes ? count - first : kLanes);
        for (int lane = 0; lane < lanes && boxes.moving != nullptr; ++lane)
            at_rest[lane] = boxes.moving[boxes.moving_stride * own[lane].id] == std::byte(0)
                                ? static_cast<std::int32_t>(kSizeClasses)
                                : 0;
        IntW key = groups_of(some, curve, load(at_rest)) << static_cast<int>(3 * curve.bits);
        for (int axis = 0; axis < 3; ++axis)
            key = key | spread_bits(cell_of(middle_along(some, axis) - FloatW(curve.low[axis]), curve)) << axis;
        const LaneArray<std::int32_t> keys = lanes_of(key);
        for (int lane = 0; lane < lanes; ++lane) own[lane].key = static_cast<std::uint32_t>(keys[lane]);
    }
}

Bounds fill_block(const BoxColumns& boxes, const BoxEntry* entries, std::uint32_t count, BoxBlock& block,
                  std::uint32_t* ids) {
    constexpr std::uint32_t kStored = kBlock < kLanes ? kBlock : kLanes;
    const FloatW infinite = HUGE_VALF, none = std::numeric_limits<float>::quiet_NaN();
    FloatW low[3] = {infinite, infinite, infinite}, high[3] = {-infinite, -infinite, -infinite};
    for (std::uint32_t first = 0; first < kBlock; first += kStored) {
        const BoxesW some = load_boxes(boxes, entries, first, count);
        const MaskW are = MaskW::from_bits(first < count ? lane_bits(count - first) : 0);
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = min(low[axis], some.low[axis]), high[axis] = max(high[axis], some.high[axis]);
            const LaneArray<float> lows = lanes_of(select(are, some.low[axis], none)),
                                   highs = lanes_of(select(are, some.high[axis], none));
            std::memcpy(block.low[axis] + first, lows.at, kStored * sizeof(float));
            std::memcpy(block.high[axis] + first, highs.at, kStored * sizeof(float));
        }
    }
    for (std::uint32_t i = 0; i < kBlock; ++i) ids[i] = i < count ? entries[i].id : 0;
    return {{-reduce_max(-low[0]), -reduce_max(-low[1]), -reduce_max(-low[2])},
            {reduce_max(high[0]), reduce_max(high[1]), reduce_max(high[2])}};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
