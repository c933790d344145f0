// An oracle for the plane in long double. It shares no code with the library: every answer is the least over all
// corners and edges, or the greatest over all edge normals.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include <abut/d2/frame_2d.hpp>

namespace abut::plane {

using Real = long double;
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

struct Point {
    Real x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, Real s) { return {a.x * s, a.y * s}; }
inline Real dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline Real cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
Real length(Point a);

struct Pose {
    Point position;
    Real c = 1, s = 0;  // unit
};
Pose pose_of(Point position, d2::Rot rotation);  // normalised
Pose pose_of(const d2::Pose& pose);
Point placed(const Pose& by, Point p);

enum class Form { convex, halfplane, chain, compound };

struct Shape {
    Form form = Form::convex;
    std::vector<Point> corners;  // convex: of the hull of the core, counter-clockwise; chain: its points
    Real radius = 0;             // swept around the core; of a chain around each segment
    Point normal;                // half-plane: unit; solid where normal . x <= offset + radius
    Real offset = 0;
    bool is_loop = false;         // chain: its front is on the right of its segments
    std::vector<Shape> children;  // compound
    Point centre;                 // of the bounds in the body's frame, wherever the shape is placed
};

// What the functions of d2::ShapeStore of the same names add.
Shape circle(Real radius);
Shape capsule(Real radius, Real half_height);
Shape segment(Point from, Point to, Real radius);
Shape box(Real half_x, Real half_y);
Shape polygon(const std::vector<Point>& points);
Shape halfplane(Point normal, Real offset);
Shape chain(const std::vector<Point>& points, bool is_loop);
Shape compound(const std::vector<std::pair<Shape, Pose>>& children);
// Scale, then rounding, then pose.
Shape instance(const Shape& shape, const d2::InstanceOptions& options);

// A shape of a body with this pose.
Shape placed(const Pose& by, const Shape& shape);

struct Answer {
    Real distance = kInfinity;  // signed
    Point normal;               // from A to B, where it is unique; else one of them, or 0
    // The least distance of a body's centre from the line of a chain's segment that decides whether it takes part, if a
    // different decision would change the answer.
    Real decision = kInfinity;
    bool is_supported = true;  // false: two half-planes, two chains, a chain and a half-plane
};
// Of two shapes placed in the same frame; take a frame near them. Kernels' convention: A's and B's order as given.
Answer signed_distance(const Shape& a, const Shape& b);

// Greatest n . x of a shape; of chains and compounds of all their parts. Infinite for half-planes, but along the
// normal.
Real support(const Shape& shape, Point n);
// The gap of two shapes along a unit normal: by how far B may move along -n until their supporting lines meet.
Real gap_along(const Shape& a, const Shape& b, Point n);

// How far a point is outside a shape; negative inside. Of chains from the nearest segment.
Real distance_to(const Shape& shape, Point p);
// Whether a point is within `by` of the surface of the shape, or of one of its children.
bool is_on_surface(const Shape& shape, Point p, Real by);

// Half the longest side of the bounds of a placed shape; 0 for half-planes.
Real size_of(const Shape& shape);

}  // namespace abut::plane
