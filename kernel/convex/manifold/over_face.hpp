// Tests whether points of the contact plane are over a face: of one pair's Feature, one point per lane; or of a
// PolygonW, one pair per lane.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The distance inside the line of edge j.
template <class Face>
inline FloatW inside_of(const Face& f, std::uint32_t j, FloatW x, FloatW y) {
    return FloatW(f.line_x[j]) * x + FloatW(f.line_y[j]) * y + FloatW(f.line_0[j]);
}

// The least distance inside all edges, but at most `most`.
template <class Face>
inline FloatW least_inside(const Face& f, FloatW x, FloatW y, FloatW most) {
    FloatW least = most;
    for (std::uint32_t j = 0; j < f.corners(); ++j) least = min(least, inside_of(f, j, x, y));
    return least;
}

// True if a point near the line of edge j lies beyond either of its ends.
template <class Face>
inline MaskW is_past(const Face& f, std::uint32_t j, FloatW x, FloatW y, FloatW slack) {
    const std::uint32_t k = f.next(j);
    const FloatW ex = f.line_y[j], ey = -f.line_x[j];
    const FloatW from = ex * (x - FloatW(f.x[j])) + ey * (y - FloatW(f.y[j])),
                 to = ex * (x - FloatW(f.x[k])) + ey * (y - FloatW(f.y[k]));
    return (min(from, to) > slack) | (max(from, to) < -slack);
}

// True if a point is over the face, to within the slack. A point beyond the tip of a needle may be within the slack of
// all lines, but it is past the ends of all edges.
template <class Face>
ABUT_INLINE MaskW are_over(const Face& f, FloatW x, FloatW y, FloatW slack) {
    const FloatW least = least_inside(f, x, y, slack);
    const MaskW over = least >= -slack, beside = over & (least < slack);
    if (!any(beside)) return over;
    MaskW beside_an_edge;
    for (std::uint32_t j = 0; j < f.corners(); ++j)
        beside_an_edge |= (inside_of(f, j, x, y) < slack) & ~is_past(f, j, x, y, slack + slack);
    return over & (~beside | beside_an_edge);
}

// As are_over, for one point and one Feature, one edge per lane.
template <class Face>
ABUT_INLINE bool is_over(const Face& f, float px, float py, float within) {
    const FloatW x = px, y = py, slack = within, twice = slack + slack;
    bool is_beside = false, is_beside_an_edge = false;
    for (std::uint32_t j = 0; j < f.count; j += kLanes) {
        const std::uint32_t edges = lane_bits(f.count - j);
        const FloatW line_x = FloatW::load(f.line_x + j), line_y = FloatW::load(f.line_y + j);
        const FloatW inside = line_x * x + line_y * y + FloatW::load(f.line_0 + j);
        if (((inside < -slack).bits() & edges) != 0) return false;
        const std::uint32_t beside = (inside < slack).bits() & edges;
        if (beside == 0) continue;
        is_beside = true;
        const MaskW is_final = MaskW::from_bits(f.count - j <= kLanes ? 1u << (f.count - j - 1) : 0u);
        const FloatW to_x = select(is_final, FloatW(f.x[0]), FloatW::load_unaligned(f.x + j + 1));
        const FloatW to_y = select(is_final, FloatW(f.y[0]), FloatW::load_unaligned(f.y + j + 1));
        const FloatW ex = line_y, ey = -line_x;
        const FloatW from = ex * (x - FloatW::load(f.x + j)) + ey * (y - FloatW::load(f.y + j)),
                     to = ex * (x - to_x) + ey * (y - to_y);
        is_beside_an_edge |= (beside & ~((min(from, to) > twice) | (max(from, to) < -twice)).bits()) != 0;
    }
    return !is_beside || is_beside_an_edge;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
