// Nearest points of a capsule's axis and a box, in closed form. The squared distance of a point on the segment from the
// box is convex, and its slope along the segment is piecewise linear, with breaks where the point crosses the plane of
// a face. The slopes at these six breaks and at both ends show on which piece the slope is zero: at one point, or along
// an interval, of which the middle is taken.
#pragma once

#include "convex/lanes/names.hpp"
#include "convex/separation/round_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace segment_box_detail {

// A capsule's axis in the box's frame.
struct LineW {
    Vec3W middle, direction;  // direction: unit
    Vec3W extent;             // of the box

    ABUT_INLINE explicit LineW(const PairW<ExtentCore, ExtentCore>& pair)
        : middle(rotate_back(pair.rotation, -pair.offset)),
          direction{pair.rotation.x.y, pair.rotation.y.y, pair.rotation.z.y},
          extent(pair.b.extent) {}

    ABUT_INLINE Vec3W at(FloatW t) const { return middle + direction * t; }
    ABUT_INLINE Vec3W nearest_in_box(Vec3W p) const {
        using round_detail::clamp;
        return {clamp(p.x, extent.x), clamp(p.y, extent.y), clamp(p.z, extent.z)};
    }
    // Half the slope of the squared distance along the line.
    ABUT_INLINE FloatW slope(FloatW t) const {
        const Vec3W p = at(t);
        return dot(direction, p - nearest_in_box(p));
    }
};

// The piece of the segment on which the slope is zero.
struct PieceW {
    FloatW from, to;  // the largest known parameter with a slope of at most 0, the smallest with a slope of at least 0
    FloatW from_slope, to_slope;

    ABUT_INLINE void take(const LineW& line, FloatW t) {
        const FloatW zero = 0.0f, slope = line.slope(t);
        const MaskW before = (slope <= zero) & (t >= from), after = (slope >= zero) & (t <= to);
        from = select(before, t, from), from_slope = select(before, slope, from_slope);
        to = select(after, t, to), to_slope = select(after, slope, to_slope);
    }
    // If the slope is zero along an interval, `from` is the interval's end and `to` its beginning.
    ABUT_INLINE FloatW zero_of_slope() const {
        const FloatW rise = to_slope - from_slope,
                     share = -from_slope / select(rise > FloatW(0.0f), rise, FloatW(1.0f));
        return select(from < to, from + (to - from) * share, (from + to) * FloatW(0.5f));
    }
};

// The crossings of the line with the planes of two faces, limited to the segment. A line without a crossing may get any
// parameter.
ABUT_INLINE void take_crossings(const LineW& line, FloatW middle, FloatW direction, FloatW extent, FloatW half,
                                PieceW& piece) {
    const FloatW inverse = FloatW(1.0f) / direction;
    piece.take(line, max(min((extent - middle) * inverse, half), -half));
    piece.take(line, max(min((-extent - middle) * inverse, half), -half));
}

ABUT_INLINE FloatW nearest_on_segment(const LineW& line, FloatW half) {
    PieceW piece = {-half, half, line.slope(-half), line.slope(half)};
    // If the distance only grows from an end of the segment, that end is the nearest point.
    const FloatW zero = 0.0f;
    const MaskW rises = piece.from_slope >= zero, falls = piece.to_slope <= zero;
    piece.to = select(rises, -half, piece.to), piece.to_slope = select(rises, piece.from_slope, piece.to_slope);
    piece.from = select(falls, half, piece.from), piece.from_slope = select(falls, piece.to_slope, piece.from_slope);
    take_crossings(line, line.middle.x, line.direction.x, line.extent.x, half, piece);
    take_crossings(line, line.middle.y, line.direction.y, line.extent.y, half, piece);
    take_crossings(line, line.middle.z, line.direction.z, line.extent.z, half, piece);
    return piece.zero_of_slope();
}

}  // namespace segment_box_detail

struct SegmentBoxW {
    AnswerW answer;
    IntW names;
    MaskW apart;      // the cores are apart by more than rounding
    MaskW certified;  // the lanes of `apart` whose support planes along the normal are as far apart as the points
};

// A is the capsule.
ABUT_INLINE SegmentBoxW segment_box(const PairW<ExtentCore, ExtentCore>& pair) {
    using namespace segment_box_detail;
    const LineW line(pair);
    const FloatW half = pair.a.extent.y, t = nearest_on_segment(line, half), one = 1.0f;
    const Vec3W p = line.at(t), nearest = line.nearest_in_box(p), between = nearest - p, on_a = {0.0f, t, 0.0f};
    SegmentBoxW out;
    out.apart = length_squared(between) > FloatW(kTouchSquared);
    // In the box's frame the direction of a short offset is exactly perpendicular to faces; for a long offset world
    // axes avoid the rounding of two rotations (as in sphere_box). The distance uses neither.
    const Vec3W offset = pair.offset + rotate(pair.rotation, nearest) - on_a;
    const Vec3W along =
        select(length_squared(between) > FloatW(kLongFromBoxSquared), offset, rotate(pair.rotation, between));
    const Vec3W normal = along * (one / sqrt(select(out.apart, length_squared(along), one)));
    const FloatW distance = dot(normal, offset);
    out.answer = {distance - pair.radius, normal,
                  on_a + normal * ((distance + pair.radius_a - pair.radius_b) * FloatW(0.5f))};
    const FloatW allowed = max(FloatW(kGjkStopShare) * pair.tolerance, FloatW(kGjkStopRelative) * distance);
    out.certified = out.apart & (gap_along(pair, normal, kAllLanes) >= distance - allowed);
    const IntW end = select(t < FloatW(0.0f), IntW(2), IntW(0)),
               on_axis = select(abs(t) < half, IntW(static_cast<std::int32_t>(kBestFace)), end);
    out.names = (on_axis << 16) | region_name(p, pair.b.extent);
    return out;
}

// The squared distance of the cores, for queries that need nothing else.
ABUT_INLINE FloatW segment_box_squared(const PairW<ExtentCore, ExtentCore>& pair) {
    using namespace segment_box_detail;
    const LineW line(pair);
    const Vec3W p = line.at(nearest_on_segment(line, pair.a.extent.y));
    return length_squared(p - line.nearest_in_box(p));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
