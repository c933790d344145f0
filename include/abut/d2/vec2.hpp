/// @file
/// The value types of the plane. Plain data without operators, as in math.hpp.
#pragma once

namespace abut::d2 {

/// Metres, x to the right and y up, unless a name says otherwise.
struct Vec2 {
    float x = 0.0f, y = 0.0f;  ///< along the axes of the frame that the name says
    friend bool operator==(const Vec2&, const Vec2&) = default;
};

/// Positions of a large world, metres.
struct DVec2 {
    double x = 0.0, y = 0.0;  ///< along world axes
    friend bool operator==(const DVec2&, const DVec2&) = default;
};

/// Rotation by an angle, counter-clockwise: its cosine and its sine, c * c + s * s within 2% of 1 (abut normalises it
/// on load).
struct Rot {
    float c = 1.0f, s = 0.0f;  ///< cosine and sine
    friend bool operator==(const Rot&, const Rot&) = default;
};

/// Metres. The limit of |x| and |y| of a body, and of a shape's coordinates. Within it every product of two lengths is
/// finite in float32. Shapes past it are refused, a body past it is a bad pose.
inline constexpr float kMostMetres = 1e15f;

/// Metres. A shape whose size (half its longest side) is less, and not 0, is refused: the square of a millionth of it
/// would leave float32.
inline constexpr float kLeastMetres = 1e-12f;

}  // namespace abut::d2
