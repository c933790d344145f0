// The gaps of moving shapes along given axes, one pair per lane.
#include "queries/casts/moving_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void measure_gaps(const AxisGaps& gaps);

namespace {

bool fit_together(const AxisGap& x, const AxisGap& y) {
    const auto are_alike = [](const MovingCore& a, const MovingCore& b) {
        return a.kind == b.kind && (a.part != nullptr) == (b.part != nullptr);
    };
    return are_alike(x.a, y.a) && are_alike(x.b, y.b);
}

void measure_group(AxisGap* const* rows, std::uint32_t count) {
    MovingW a, b;
    LaneArray<double> x, y, z, times;
    for (int lane = 0; lane < kLanes; ++lane) {
        const AxisGap& row = *rows[lane];
        a.core[lane] = &row.a, b.core[lane] = &row.b;
        x[lane] = row.axis.x, y[lane] = row.axis.y, z[lane] = row.axis.z, times[lane] = row.time;
    }
    load_core(a), load_core(b);
    load_motion(a), load_motion(b);
    const std::uint32_t lanes = lane_bits(count);
    const GapW gap(a, b, unit_axis({load(x), load(y), load(z)}));
    const LaneArray<double> at = lanes_of(gap.at(load(times), lanes));
    for_each_lane(lanes, [&](int lane) { rows[lane]->gap = at[lane]; });
}

}  // namespace

void measure_gaps(const AxisGaps& gaps) {
    AxisGap* rows[kLanes];
    for (std::uint32_t first = 0, end = 0; first < gaps.count; first = end) {
        while (end < gaps.count && end - first < std::uint32_t(kLanes) &&
               fit_together(gaps.gaps[first], gaps.gaps[end]))
            ++end;
        for (std::uint32_t lane = 0; lane < std::uint32_t(kLanes); ++lane)
            rows[lane] = &gaps.gaps[first + lane < end ? first + lane : end - 1];
        measure_group(rows, end - first);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
