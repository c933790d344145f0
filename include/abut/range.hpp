// The range of lengths and coordinates: whatever is within it has a finite answer.
#pragma once

namespace abut {

// Metres. A body's |x| + |y| + |z|, a shape's bounding radius and a half-space's distance from its local origin may be up to this. The distance
// of two such bodies, and every product of a pair scaled by its size, is then finite in float32. Shapes past it are refused; a body past it is
// a bad pose where it has a compound or meets one, any other past kFarthestMetres: children are placed relative to each other.
inline constexpr float kMostMetres = 1e27f, kFarthestMetres = 8 * kMostMetres;

}  // namespace abut
