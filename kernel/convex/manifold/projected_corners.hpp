// The corners of one feature, projected onto the other face.
#pragma once

#include "convex/manifold/candidates.hpp"
#include "convex/manifold/over_face.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct ClipLimits {
    float separation;  // candidates with a larger one are left out
    float slack;       // in the plane: rounding
    float apart;       // in the plane: points closer than this become one
};

namespace clip_detail {

// The corners of a feature that are over the other face, and their positions. A corner next to the face is moved to the
// nearest point of the face. If that point is off the corner's own feature, the corner moves along one of its own
// edges. A corner moves by at most the distance within which points become one. It stays on both features and near its
// old position; a crossing of nearly parallel edges would not.
class ProjectedCorners {
public:
    alignas(64) float x[kCornerRoom + 16], y[kCornerRoom + 16];

    ABUT_INLINE ProjectedCorners(const Feature& own, const Feature& over, const ClipLimits& limits)
        : count_(own.count) {
        for (std::uint32_t i = 0; i < own.count; i += kLanes) {
            const FloatW px = FloatW::load(own.x + i), py = FloatW::load(own.y + i);
            const FloatW least = least_inside(over, px, py, FloatW(HUGE_VALF));
            px.store(x + i), py.store(y + i);
            const std::uint32_t lanes = lane_bits(own.count - i),
                                within = (least >= FloatW(-limits.slack)).bits() & lanes;
            std::uint32_t on = (within & (least < FloatW(limits.slack)).bits()) != 0
                                   ? are_over(over, px, py, limits.slack).bits() & lanes
                                   : within;
            const std::uint32_t next_to = (least >= FloatW(-limits.apart)).bits() & ~on & lanes;
            for_each_lane(next_to, [&](int lane) {
                if (slide(own, i + static_cast<std::uint32_t>(lane), over, limits)) on |= 1u << lane;
            });
            on_ |= std::uint64_t(on) << i;
            lone_ |= std::uint64_t((least > FloatW(kLone * limits.apart)).bits() & lanes) << i;
        }
        lone_ &= have_long_edges(own, kLone * limits.apart);
    }
    // For kLanes corners from i: bits of the corners over the face, and of those whose next corner is over it.
    std::uint32_t are_on(std::uint32_t i) const { return static_cast<std::uint32_t>(on_ >> i) & kAllLanes; }
    std::uint32_t are_next_on(std::uint32_t i) const {
        return static_cast<std::uint32_t>((on_ | (on_ & 1) << count_) >> (i + 1)) & kAllLanes;
    }
    // Bits of those of kLanes corners from i that have no duplicates, because they are far from their neighbours and
    // from the other face's border, where crossings and moved corners are.
    std::uint32_t are_lone(std::uint32_t i) const { return static_cast<std::uint32_t>(lone_ >> i) & kAllLanes; }

private:
    static constexpr float kLone =
        4.0f;  // in units of the distance within which points become one: corners move by at most 1.5

    // Corners whose edges are both longer than this.
    static std::uint64_t have_long_edges(const Feature& f, float length) {
        if (f.count < 3) return 0;
        std::uint64_t edges = 0;
        for (std::uint32_t i = 0; i < f.count; i += kLanes)
            edges |= std::uint64_t((FloatW::load(f.edge_squared + i) > FloatW(length * length)).bits() &
                                   lane_bits(f.count - i))
                     << i;
        return edges & (edges << 1 | edges >> (f.count - 1));
    }
    // The distance from a point along a unit direction to a face; infinity if there is none or it exceeds `most`.
    static float distance_to_face(const Feature& over, float px, float py, float dx, float dy, float most,
                                  float slack) {
        // Distances of the point inside lines j .. j + kLanes, and their change along the direction.
        struct Lines {
            FloatW at, rise;
        };
        const auto lines = [&](std::uint32_t j) {
            const FloatW nx = FloatW::load(over.line_x + j), ny = FloatW::load(over.line_y + j);
            return Lines{nx * FloatW(px) + ny * FloatW(py) + FloatW::load(over.line_0 + j),
                         nx * FloatW(dx) + ny * FloatW(dy)};
        };
        const FloatW zero = 0.0f, limit = -slack;
        FloatW distance = zero;
        for (std::uint32_t j = 0; j < over.count; j += kLanes) {
            const auto [at, rise] = lines(j);
            const MaskW outside = MaskW::from_bits(lane_bits(over.count - j)) & (at < limit);
            distance = max(distance, select(outside, select(rise > zero, -at / rise, FloatW(kNotReachable)), zero));
        }
        const float by = reduce_max(distance);
        if (!(by <= most)) return kNotReachable;
        for (std::uint32_t j = 0; j < over.count; j += kLanes) {
            const auto [at, rise] = lines(j);
            if (any(MaskW::from_bits(lane_bits(over.count - j)) & (at + FloatW(by) * rise < limit)))
                return kNotReachable;
        }
        return by;
    }
    // True if a moved corner is still on its own feature. On a face: over it, and not beyond the tip of a needle. On an
    // edge: inwards from this end; beside a round edge only while the height stays the same to rounding.
    static bool stays_on(const Feature& f, std::uint32_t corner, float by_x, float by_y, float slack) {
        if (f.count != 2) return is_over(f, f.x[corner] + by_x, f.y[corner] + by_y, slack);
        const float dx = f.edge_x[0], dy = f.edge_y[0], along = by_x * dx + by_y * dy, aside = by_x * dy - by_y * dx;
        const float inwards_along = corner == 0 ? along : -along, squared = dx * dx + dy * dy;
        return inwards_along >= 0.0f && inwards_along <= squared &&
               aside * aside <= slack * f.radius * f.facing * squared;
    }
    // Moves a corner to the nearest point of the other face, if that point is on the corner's own feature.
    bool project(const Feature& own, std::uint32_t corner, const Feature& over, float slack) {
        float by_x = 0.0f, by_y = 0.0f;
        for (std::uint32_t j = 0; j < over.count; ++j) {
            const float at = over.line_x[j] * own.x[corner] + over.line_y[j] * own.y[corner] + over.line_0[j];
            if (at < 0.0f) by_x -= at * over.line_x[j], by_y -= at * over.line_y[j];
        }
        if (!stays_on(own, corner, by_x, by_y, slack)) return false;
        if (!is_over(over, own.x[corner] + by_x, own.y[corner] + by_y, slack)) return false;
        x[corner] += by_x, y[corner] += by_y;
        return true;
    }
    // Moves a corner along the one of its own edges on which the distance is shorter.
    ABUT_INLINE bool slide(const Feature& own, std::uint32_t corner, const Feature& over, const ClipLimits& limits) {
        float distance = kNotReachable, by_x = 0.0f, by_y = 0.0f;
        const auto try_edge = [&](std::uint32_t edge, float sign) {
            const float dx = own.edge_x[edge], dy = own.edge_y[edge], length = sqrt_of(dx * dx + dy * dy + kTiny),
                        inverse = sign / length;
            const float most = length < limits.apart ? length : limits.apart;
            const float here =
                distance_to_face(over, own.x[corner], own.y[corner], dx * inverse, dy * inverse, most, limits.slack);
            if (here < distance) distance = here, by_x = here * dx * inverse, by_y = here * dy * inverse;
        };
        if (project(own, corner, over, limits.slack)) return true;
        if (own.count == 2)
            try_edge(0, corner == 0 ? 1.0f : -1.0f);
        else
            try_edge(corner, 1.0f), try_edge(corner == 0 ? own.count - 1 : corner - 1, -1.0f);
        if (distance == kNotReachable || !is_over(over, own.x[corner] + by_x, own.y[corner] + by_y, limits.slack))
            return false;
        x[corner] += by_x, y[corner] += by_y;
        return true;
    }

    std::uint64_t on_ = 0, lone_ = 0;
    std::uint32_t count_;
};

}  // namespace clip_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
