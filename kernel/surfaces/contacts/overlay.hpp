// The contacts of a body's supporting feature with triangles, seen along one normal: corners of one over the other, and
// crossings of their edges. The gap between two such surfaces is least at one of these points, however the body tilts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <abut/results.hpp>

#include "shapes/surface.hpp"
#include "surfaces/contacts/body_feature.hpp"
#include "surfaces/contacts/patch.hpp"

namespace abut {

// A triangle of the surface along world axes, from the body's position.
struct OverlayTriangle {
    maths::Vec3d corners[3];
    std::uint32_t number;  // its index in the surface
};

class Overlay {
public:
    // `towards`: unit, from the surface to the body. Points farther apart than `reach` are left out. A corner counts as
    // over a triangle if it is outside by at most `slack`. `only`: the names of the requested points, with the body's
    // half high; empty for all.
    Overlay(const Surface& surface, const PatchAxes& axes, const maths::Vec3d& towards, const BodyFeature& feature,
            double reach, double slack, std::span<const std::uint32_t> only);

    void add(const OverlayTriangle& triangle, GroundPoints& points) const;

private:
    struct Point {
        double x, y, z;
    };
    Point seen(const maths::Vec3d& p) const { return {dot(axes_.x, p), dot(axes_.y, p), dot(towards_, p)}; }
    // True if a point is requested whose name has this half of the body.
    bool asks_for(std::uint32_t own) const {
        return only_.empty() ||
               std::any_of(only_.begin(), only_.end(), [&](std::uint32_t name) { return name >> 16 == own; });
    }
    // Bit i is set if a point is requested whose name has the body's half name_of(i), for i below `count`.
    template <class NameOf>
    std::uint64_t asked(std::uint32_t count, const NameOf& name_of) const {
        std::uint64_t bits = 0;
        for (std::uint32_t i = 0; i < count; ++i) bits |= std::uint64_t(asks_for(name_of(i))) << i;
        return bits;
    }
    std::uint32_t edge_count() const { return feature_.count < 2 ? 0 : feature_.count == 2 ? 1 : feature_.count; }
    std::uint32_t end_of_edge(std::uint32_t i) const { return i + 1 < feature_.count ? i + 1 : 0; }
    std::uint32_t edge_name(std::uint32_t i) const {
        return edge_feature(feature_.corners[i].name, feature_.corners[end_of_edge(i)].name);
    }
    bool is_over_feature(const Point& p) const;
    void cross_edge(std::uint32_t i, const OverlayTriangle& triangle, const Point (&t)[3], const PatchTriangle& patch,
                    GroundPoints& points) const;
    void put(double x, double y, double top, double bottom, std::uint32_t name, std::uint32_t number, bool is_whole,
             GroundPoints& points) const;

    const Surface& surface_;
    const PatchAxes& axes_;
    maths::Vec3d towards_;
    const BodyFeature& feature_;
    double reach_, slack_;
    std::span<const std::uint32_t> only_;
    std::uint64_t asked_corners_, asked_others_, asked_edges_;
    Point corners_[BodyFeature::kMost], others_[BodyFeature::kMost];
    double slope_x_ = 0, slope_y_ = 0, level_ = 0;  // of the polygon's plane
    double sense_ = 1;                              // 1 if the corners are counter-clockwise
    double low_x_, low_y_, high_x_, high_y_;
};

inline constexpr std::uint32_t kGroundName = 0x8000;  // under a corner of the body: face 0, of all triangles
// The surface's half of a feature id: its vertices and edges by their numbers in the cooked surface, whichever triangle
// reports them.
std::uint32_t surface_vertex_name(std::uint32_t vertex);
std::uint32_t edge_feature_id(std::uint32_t v0, std::uint32_t v1);

}  // namespace abut
