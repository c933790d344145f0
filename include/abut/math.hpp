/// @file
/// The value types of abut's interface, and the range of lengths, scales and coordinates within which everything has a
/// finite answer. The types are plain data without operators, so that they never conflict with an engine's own.
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

/// Metres. The limit of a body's |x| + |y| + |z|, a shape's bounding radius and a half-space's distance from its local
/// origin. Within it the distance of two bodies, and every product of a pair scaled by its size, is finite in float32.
/// Shapes past it are refused. A body past it is a bad pose if it is or meets a compound, because children are placed
/// relative to each other. Any other body is a bad pose past kFarthestMetres.
inline constexpr float kMostMetres = 1e27f, kFarthestMetres = 8 * kMostMetres;

/// Metres: a convex shape whose size (half its longest side) is less, and not 0, is refused: float32 has no room for
/// the products of its lengths.
inline constexpr float kLeastMetres = 1e-27f;

/// The sides of a hull's scale differ by no more than this factor, 8.6e9. Hulls past it are refused.
inline constexpr float kMostStretch = 0x1p33f;

}  // namespace abut
