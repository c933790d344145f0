// See patch.hpp.
#include "surfaces/contacts/patch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <abut/results.hpp>

#include "surfaces/contacts/tilt_choice.hpp"

namespace abut {
namespace {

using maths::Vec3d;

double squared_between(const GroundPoint& p, const GroundPoint& q) {
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
}

// The order of two points at the same position: the body's own corner first, else the deeper one, else the lower name.
bool goes_before(const GroundPoint& p, const GroundPoint& q) {
    if (p.is_whole != q.is_whole) return p.is_whole;
    if (p.separation != q.separation) return p.separation < q.separation;
    return p.feature < q.feature;
}

}  // namespace

PatchAxes::PatchAxes(const Vec3d& normal) {
    x = maths::unit(std::fabs(normal.x) > 0.8 ? Vec3d{normal.y, -normal.x, 0} : Vec3d{0, normal.z, -normal.y});
    y = cross(normal, x);
}

double GroundPoints::deepest() const {
    double least = INFINITY;
    for (std::uint32_t i = 0; i < size_; ++i) least = std::min(least, points_[i].separation);
    return least;
}

void GroundPoints::add(GroundPoint point) {
    // A corner or a crossing that several triangles report is one point.
    for (std::uint32_t i = 0; i < size_; ++i) {
        if (points_[i].feature != point.feature) continue;
        axes_.see(point);
        if (point.separation < points_[i].separation) points_[i] = point;
        return;
    }
    if (size_ == kMost) thin_out();
    axes_.see(point);
    points_[size_++] = point;
}

void GroundPoints::thin_out() {
    const TiltChoice choice(points_, size_, level_);
    bool stays[kMost] = {};
    for (const std::uint32_t lowest : choice.lowest()) stays[lowest] = true;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size_; ++i)
        if (stays[i]) points_[kept++] = points_[i];
    size_ = kept;
}

void GroundPoints::join_near(double near) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
        std::uint32_t k = 0;
        while (k < kept && squared_between(points_[k], points_[i]) > near * near) ++k;
        if (k == kept)
            points_[kept++] = points_[i];
        else if (goes_before(points_[i], points_[k]))
            points_[k] = points_[i];
    }
    size_ = kept;
}

void GroundPoints::choose(double near, std::uint32_t most) {
    join_near(near);
    if (size_ > kMaxContacts) {
        // Of equally good points the body's corners stay first, and of these the lowest names.
        std::sort(points_, points_ + size_, [](const GroundPoint& p, const GroundPoint& q) {
            return p.is_whole != q.is_whole ? p.is_whole : p.feature < q.feature;
        });
        std::uint32_t which[kMostGroundContacts];
        GroundPoint chosen[kMostGroundContacts];
        size_ = TiltChoice(points_, size_, level_).choose(most, which);
        for (std::uint32_t k = 0; k < size_; ++k) chosen[k] = points_[which[k]];
        std::copy(chosen, chosen + size_, points_);
    }
    sort();
}

void GroundPoints::sort() {
    std::sort(points_, points_ + size_, [](const GroundPoint& p, const GroundPoint& q) {
        return p.separation != q.separation ? p.separation < q.separation : p.feature < q.feature;
    });
}

PatchTriangle::PatchTriangle(const PatchAxes& axes, const Vec3d (&corners)[3])
    : PatchTriangle({dot(axes.x, corners[0]), dot(axes.x, corners[1]), dot(axes.x, corners[2])},
                    {dot(axes.y, corners[0]), dot(axes.y, corners[1]), dot(axes.y, corners[2])}) {}

PatchTriangle::PatchTriangle(const double (&px)[3], const double (&py)[3])
    : x{px[0], px[1], px[2]}, y{py[0], py[1], py[2]} {
    low_x = std::min(x[0], std::min(x[1], x[2])), high_x = std::max(x[0], std::max(x[1], x[2]));
    low_y = std::min(y[0], std::min(y[1], y[2])), high_y = std::max(y[0], std::max(y[1], y[2]));
    if (cross2(x[1] - x[0], y[1] - y[0], x[2] - x[0], y[2] - y[0]) < 0) std::swap(x[1], x[2]), std::swap(y[1], y[2]);
}

bool PatchTriangle::is_under(double px, double py, double slack) const {
    if (px < low_x - slack || px > high_x + slack || py < low_y - slack || py > high_y + slack) return false;
    bool is_inside = true;
    for (int k = 0; k < 3; ++k) {
        const int next = k < 2 ? k + 1 : 0;
        is_inside &= cross2(x[next] - x[k], y[next] - y[k], px - x[k], py - y[k]) >= 0;
    }
    if (is_inside) return true;
    double nearest = INFINITY;  // squared, of the edges
    for (int k = 0; k < 3; ++k) {
        const int next = k < 2 ? k + 1 : 0;
        const double dx = x[next] - x[k], dy = y[next] - y[k], qx = px - x[k], qy = py - y[k],
                     squared = dx * dx + dy * dy;
        const double along = squared > 0 ? std::clamp((qx * dx + qy * dy) / squared, 0.0, 1.0) : 0.0;
        const double off_x = qx - along * dx, off_y = qy - along * dy;
        nearest = std::min(nearest, off_x * off_x + off_y * off_y);
    }
    return nearest <= slack * slack;
}

}  // namespace abut
