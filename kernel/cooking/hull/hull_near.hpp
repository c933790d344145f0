// The distance of a point from a convex hull given by its support function: GJK [Gilbert, Johnson, Keerthi 1988] in
// double.
#pragma once

#include <array>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

inline constexpr double kFar = -1.0;

struct Simplex {
    std::array<Vec3d, 4> points;
    int count = 0;
    Vec3d nearest{};  // the point of its hull nearest to p
};

// Reduces the simplex to the corners whose hull contains its point nearest to p. The newest of four corners is the
// last.
void reduce(Simplex& simplex, Vec3d p);

// True if p is in the tetrahedron. Precondition: p and the newest corner are on the same side of the plane of the other
// three.
bool contains(const Simplex& simplex, Vec3d p);

// An upper bound on p's distance from the hull if it is at most `tolerance`, else kFar; also kFar if the search stalls
// above the tolerance. `start` is a point of the hull, support(direction) a support point. Stops at a sixteenth of the
// tolerance, because callers need no better bound.
template <class Support>
double distance_within(Vec3d p, Vec3d start, double tolerance, Support support) {
    Simplex simplex{{start}, 1, start};
    double distance = norm(p - start);
    for (int i = 0; i < 64 && distance * 16.0 > tolerance; ++i) {
        const Vec3d towards = p - simplex.nearest;
        const Vec3d corner = support(towards);
        const double gap = dot(towards, p - corner);  // divided by |towards|, a lower bound on the distance
        if (gap > tolerance * distance) return kFar;
        if (gap >= distance * distance * 0.99) break;
        simplex.points[simplex.count++] = corner;
        reduce(simplex, p);
        const double shorter = norm(p - simplex.nearest);
        if (!(shorter < distance)) break;
        distance = shorter;
    }
    return distance <= tolerance ? distance : kFar;
}

// An upper bound on p's distance from the hull; 0 inside. If it is above `enough`, it is the distance up to rounding.
// `start` and support(direction) as above; an inaccurate support point makes the bound larger, never wrong.
template <class Support>
double distance_above(Vec3d p, Vec3d start, double enough, Support support) {
    Simplex simplex{{start}, 1, start};
    double distance = norm(p - start);
    for (int i = 0; i < 64 && distance > enough; ++i) {
        const Vec3d towards = p - simplex.nearest;
        const Vec3d corner = support(towards);
        if (dot(towards, p - corner) >= distance * distance * (1.0 - 1e-12)) break;
        simplex.points[simplex.count++] = corner;
        if (contains(simplex, p)) return 0.0;
        reduce(simplex, p);
        const double shorter = norm(p - simplex.nearest);
        if (!(shorter < distance)) break;
        distance = shorter;
    }
    return distance;
}

}  // namespace abut::cooking
