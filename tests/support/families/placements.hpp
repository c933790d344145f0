// How families put two shapes together, beside the poses of scenes/poses.hpp.
#pragma once

#include "scenes/poses.hpp"

namespace abut::families {

using scenes::Poses;
using scenes::Random;

using Place = Poses (*)(const oracle::Solid& a, const oracle::Solid& b, Random& random);

// 0, or +-1e-9 to 1e-2 of `size`.
double tiny_gap(double size, Random& random);

Poses touching(const oracle::Solid& a, const oracle::Solid& b, Random& random);  // in any orientation, a tiny gap
Poses tilted(const oracle::Solid& a, const oracle::Solid& b,
             Random& random);  // faces, tilted by 1e-9 to 1e-2, a tiny gap
Poses laid(const oracle::Solid& a, const oracle::Solid& b, Random& random);  // the same, gaps of resting bodies
Poses parallel(const oracle::Solid& a, const oracle::Solid& b,
               Random& random);  // axes parallel: coaxial, side by side, past each other
Poses same_centre(const oracle::Solid& a, const oracle::Solid& b, Random& random);  // exactly or nearly
Poses inside(const oracle::Solid& a, const oracle::Solid& b, Random& random);       // B's centre within A
Poses centred(const oracle::Solid& a, const oracle::Solid& b,
              Random& random);  // B inside A: about its centre, or anywhere
Poses apex_meets(const oracle::Solid& a, const oracle::Solid& b,
                 Random& random);  // A's tip or a corner on a feature of B
Poses on_lattice_points(const oracle::Solid& a, const oracle::Solid& b,
                        Random& random);  // multiples of eighths, stacked along y
Poses stacked(const oracle::Solid& a, const oracle::Solid& b,
              Random& random);  // B on A, along y; sideways by shares of their size
Poses anywhere(const oracle::Solid& a, const oracle::Solid& b, Random& random);      // apart and overlapping
Poses mixed(const oracle::Solid& a, const oracle::Solid& b, Random& random);         // one of those above
Poses far_on_plane(const oracle::Solid& a, const oracle::Solid& b, Random& random);  // up to 1e7 m along a half-space

}  // namespace abut::families
