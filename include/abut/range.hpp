/// @file
/// The range of lengths, scales and coordinates: everything within it has a finite answer.
#pragma once

namespace abut {

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
