// The contacts of a body's supporting feature with triangles, seen along one normal: corners of either over the other,
// and crossings of their edges. The gap between two such surfaces is least at one of these, however the body tilts.
#pragma once

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
    // `towards`: unit, from the surface to the body. Points farther apart than `reach` are left out. A corner outside a
    // triangle by at most `slack` counts as over it.
    Overlay(const Surface& surface, const PatchAxes& axes, const maths::Vec3d& towards, const BodyFeature& feature,
            double reach, double slack);

    void add(const OverlayTriangle& triangle, GroundPoints& points) const;

private:
    struct Point {
        double x, y, z;
    };
    Point seen(const maths::Vec3d& p) const { return {dot(axes_.x, p), dot(axes_.y, p), dot(towards_, p)}; }
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
    Point corners_[BodyFeature::kMost], others_[BodyFeature::kMost];
    double slope_x_ = 0, slope_y_ = 0, level_ = 0;  // of the polygon's plane
    double sense_ = 1;                              // 1 where its corners are counter-clockwise
    double low_x_, low_y_, high_x_, high_y_;
};

inline constexpr std::uint32_t kGroundName = 0x8000;  // under a corner of the body: face 0, of all triangles
// The surface's half of a feature id: its vertices and edges by their numbers in the cooked surface, whichever triangle
// reports them.
std::uint32_t surface_vertex_name(std::uint32_t vertex);
std::uint32_t surface_edge_name(std::uint32_t v0, std::uint32_t v1);

}  // namespace abut
