// Contact points of one body on several triangles of a surface, and the choice of the points that bear the load.
#pragma once

#include <bit>
#include <cstdint>

#include "base/double_math.hpp"
#include "convex/contract/chunk.hpp"

namespace abut {

// World axes, from the body's position.
struct GroundPoint {
    maths::Vec3d position;
    double separation;
    std::uint32_t feature;   // the body's half is the high one
    std::uint32_t triangle;  // its index in the surface
    bool is_whole;           // true at a corner of the body or the surface, false at a crossing of edges
    double x, y;             // in the plane of the patch
};

// A feature id with its bodies swapped.
inline std::uint32_t swap_halves(std::uint32_t feature) { return std::rotl(feature, 16); }

inline double cross2(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

// A normal and two unit tangents x and y: the axes of a patch.
struct PatchAxes {
    explicit PatchAxes(const maths::Vec3d& normal);
    maths::Vec3d x, y;
    void see(GroundPoint& p) const { p.x = dot(x, p.position), p.y = dot(y, p.position); }
};

// Collects contact points. If there are too many, keeps those that are the lowest at some tilt (tilt_choice.hpp).
class GroundPoints {
public:
    static constexpr std::uint32_t kMost = 48;

    // `level`: depths that differ by less are equal, metres.
    GroundPoints(const PatchAxes& axes, double level) : axes_(axes), level_(level) {}
    std::uint32_t size() const { return size_; }
    const GroundPoint& operator[](std::uint32_t i) const { return points_[i]; }
    // Adds a point. Of several points with the same name, the deepest stays.
    void add(GroundPoint point);
    double deepest() const;
    // Merges points that are at most `near` apart, and keeps the `most` that bear the load, 4 to kMostGroundContacts.
    // The deepest comes first.
    void choose(double near, std::uint32_t most);
    void sort();  // the deepest first

private:
    void thin_out();
    void join_near(double near);

    PatchAxes axes_;
    double level_;
    GroundPoint points_[kMost];
    std::uint32_t size_ = 0;
};

struct PatchTriangle {
    double x[3], y[3];  // counter-clockwise
    double low_x, high_x, low_y, high_y;

    PatchTriangle(const PatchAxes& axes, const maths::Vec3d (&corners)[3]);
    PatchTriangle(const double (&x)[3], const double (&y)[3]);
    // True if the point is no farther than `slack` outside the triangle.
    bool is_under(double px, double py, double slack) const;
};

}  // namespace abut
