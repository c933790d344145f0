// Intersects a line with the planes of a hull, one plane per lane.
#pragma once

#include "queries/rays/ray_chunk.hpp"
#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

alignas(64) inline constexpr float kFaceNumbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// If the line enters several planes at the same parameter, `entry` is the lowest face. The padding repeats face 0,
// which changes nothing.
ABUT_INLINE PlanesSpan span_of_planes(const HullGeometry& hull, const double* origin, const double* direction) {
    const float* const planes = hull.planes.data();
    const std::uint32_t padded = hull.padded_faces;
    const DVec3W o = {origin[0], origin[1], origin[2]}, d = {direction[0], direction[1], direction[2]};
    const DoubleW zero = 0.0, infinite = HUGE_VAL;
    DoubleW from = -HUGE_VAL, to = HUGE_VAL, entry = 0.0, face = widen(FloatW::load(kFaceNumbers));
    for (std::uint32_t i = 0; i < padded; i += kLanes, face = face + DoubleW(double(kLanes))) {
        const float* const at = planes + i;
        const DVec3W n = widen(Vec3W{FloatW::load(at), FloatW::load(at + padded), FloatW::load(at + 2 * padded)});
        const DoubleW height = dot(n, o) - widen(FloatW::load(at + 3 * padded)), slope = dot(n, d),
                      met = -height / slope;
        const DoubleMaskW falls = slope < zero, later = falls & (from < met);
        entry = select(later, face, entry), from = select(later, met, from);
        // A line parallel to a plane is inside it everywhere or nowhere.
        const DoubleW beside = select(falls | ~(zero < height), infinite, -infinite);
        to = min(select(zero < slope, met, beside), to);
    }
    const LaneArray<double> froms = lanes_of(from), tos = lanes_of(to), entries = lanes_of(entry);
    PlanesSpan span = {froms[0], tos[0], 0};
    double first = entries[0];
    for (int lane = 1; lane < kLanes; ++lane) {
        const bool is_later = froms[lane] > span.from || (froms[lane] == span.from && entries[lane] < first);
        span.from = is_later ? froms[lane] : span.from, first = is_later ? entries[lane] : first;
        span.to = tos[lane] < span.to ? tos[lane] : span.to;
    }
    span.entry = static_cast<std::uint32_t>(first);
    return span;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
