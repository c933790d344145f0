/// @file
/// The value types of abut's interface. They are plain data without operators, so that they never conflict with an
/// engine's own.
#pragma once

namespace abut {

/// Metres, right-handed, unless a name says otherwise.
struct Vec3 {
    float x = 0.0f, y = 0.0f, z = 0.0f;  ///< along the axes of the frame that the name says
    friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// Positions of a large world, metres.
struct DVec3 {
    double x = 0.0, y = 0.0, z = 0.0;  ///< along world axes
    friend bool operator==(const DVec3&, const DVec3&) = default;
};

/// Rotation x*i + y*j + z*k + w, of unit length to within 1% (abut normalises it on load).
struct Quat {
    float x = 0.0f, y = 0.0f, z = 0.0f, w = 1.0f;  ///< w is the real part
    friend bool operator==(const Quat&, const Quat&) = default;
};

/// Column-major, as in graphics libraries: m[4 * column + row].
struct Mat44 {
    /// a rotation, then a translation in m[12] to m[14]
    float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

}  // namespace abut
