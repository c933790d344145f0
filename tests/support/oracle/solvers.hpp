// The two halves of the oracle on cores: distance by features, depth by Minkowski planes.
#pragma once

#include "support/oracle/posed.hpp"
#include "support/oracle/vec.hpp"

namespace abut::oracle {

struct Separation {
    double distance = 0;  // of the witnesses: an upper bound; exact where the cores are apart
    double lower = 0;     // of the support planes along `normal`; may be negative
    Vec3d normal;         // from A to B, the direction of `lower`
    Vec3d point_a, point_b;
};

// Brute force over feature pairs, less those whose distance from the support planes along some direction rules them
// out. Where the cores overlap, `distance` is that of the closest features.
Separation separate(const Posed& a, const Posed& b, const Vec3d& start);

// Touching cores have no direction between their witnesses: the best normal among those of their features.
Vec3d best_normal_of_flat(const Posed& a, const Posed& b, const Separation& found);

struct Depth {
    double depth =
        0;  // least width of A - B beyond the origin over all its facet normals; negative where the cores are apart
    Vec3d normal;  // from A to B
};

// Stops at the first normal that shows the cores to be apart. `first` (not zero) is tried before all others.
// Precondition: the dimensions of A and B add up to 3 or more, else A - B has no facets.
Depth shallowest_plane(const Posed& a, const Posed& b, const Vec3d& first);

// The same without skipping anything: the slow definition, to test the above.
Depth shallowest_plane_by_brute_force(const Posed& a, const Posed& b);
double distance_by_brute_force(const Posed& a, const Posed& b);

// What a vertex, edge or triangle test found: convex combinations of vertices, so that `distance` is always attained.
struct Witness {
    double distance = 0;
    Vec3d a, b;
};
Witness segment_segment(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);
Witness point_triangle(const Vec3d& point, const Vec3d& t0, const Vec3d& t1, const Vec3d& t2);

}  // namespace abut::oracle
