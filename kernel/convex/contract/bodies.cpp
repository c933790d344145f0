// Access to single bodies in any layout.
#include <abut/frame.hpp>

#include <cmath>

#include "base/double_math.hpp"
#include "base/tolerances.hpp"
#include "convex/contract/pair_records.hpp"

namespace abut {
namespace {

using maths::Vec3d;

Vec3d column_of(const Mat44& m, int i) { return {m.m[4 * i], m.m[4 * i + 1], m.m[4 * i + 2]}; }

bool are_axes(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
    for (const Vec3d* axis : {&x, &y, &z}) {
        const double squared = dot(*axis, *axis);
        if (!(squared >= double(kUnitSquaredLow) && squared <= double(kUnitSquaredHigh))) return false;
    }
    const auto is_right = [](const Vec3d& a, const Vec3d& b) { return std::abs(dot(a, b)) <= kMostSkew; };
    return is_right(x, y) && is_right(y, z) && is_right(z, x) && dot(cross(x, y), z) > 0.0;
}

}  // namespace

Quat orientation_of(const Mat44& transform) {
    const Vec3d x = column_of(transform, 0), y = column_of(transform, 1), z = column_of(transform, 2);
    if (!are_axes(x, y, z)) return {0.0f, 0.0f, 0.0f, 0.0f};
    // Four times the square of each component. The largest component is safe to divide by.
    const double squares[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z, 1 + x.x + y.y + z.z};
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[largest]) largest = i;
    double q[4];
    switch (largest) {
        case 0: q[0] = squares[0], q[1] = x.y + y.x, q[2] = z.x + x.z, q[3] = y.z - z.y; break;
        case 1: q[0] = x.y + y.x, q[1] = squares[1], q[2] = y.z + z.y, q[3] = z.x - x.z; break;
        case 2: q[0] = z.x + x.z, q[1] = y.z + z.y, q[2] = squares[2], q[3] = x.y - y.x; break;
        default: q[0] = y.z - z.y, q[1] = z.x - x.z, q[2] = x.y - y.x, q[3] = squares[3];
    }
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return {float(q[0] / length), float(q[1] / length), float(q[2] / length), float(q[3] / length)};
}

Body Bodies::operator[](std::size_t i) const {
    if (!records_.empty()) return records_[i];
    Body body = {{}, columns_.shapes[i], {}};
    const DVec3 at = position(i);
    body.position = {float(at.x), float(at.y), float(at.z)};
    if (!columns_.orientations.empty()) body.orientation = columns_.orientations[i];
    if (!columns_.transforms.empty()) body.orientation = orientation_of(columns_.transforms[i]);
    return body;
}

DVec3 Bodies::position(std::size_t i) const {
    if (!columns_.double_positions.empty()) return columns_.double_positions[i];
    if (!columns_.positions.empty()) {
        const Vec3 p = columns_.positions[i];
        return {p.x, p.y, p.z};
    }
    if (columns_.transforms.empty()) return {};
    const Vec3 p = translation_of(columns_.transforms[i]);
    return {p.x, p.y, p.z};
}

}  // namespace abut
