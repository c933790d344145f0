// How far a point is from a convex hull given by its support function: GJK [Gilbert, Johnson, Keerthi 1988] in double for a point.
#pragma once

#include <array>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

inline constexpr double kFar = -1.0;

struct Simplex {
    std::array<Vec3d, 4> points;
    int count = 0;
    Vec3d nearest{};  // of its hull to the point asked about
};

// Reduces the simplex to the corners that carry its nearest point to p. The newest of four corners is the last.
void reduce(Simplex& simplex, Vec3d p);

// Whether p is in the tetrahedron, which it has to be on the newest corner's side of the others' plane for.
bool contains(const Simplex& simplex, Vec3d p);

// An upper bound of p's distance to the hull where it is at most `tolerance`, else kFar (also where the search stalls above it).
// `start` lies in the hull; support(direction) is one of its points. Stops early where any answer will do.
template <class Support>
double distance_within(Vec3d p, Vec3d start, double tolerance, Support support) {
    Simplex simplex{{start}, 1, start};
    double distance = norm(p - start);
    for (int i = 0; i < 64 && distance * 16.0 > tolerance; ++i) {
        const Vec3d towards = p - simplex.nearest;
        const Vec3d corner = support(towards);
        const double gap = dot(towards, p - corner);  // times |towards|: a lower bound of the distance
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

// An upper bound of p's distance to the hull: it to rounding where that is above `enough`; 0 inside. `start` and support(direction) as
// above; a support that is only nearly right makes the bound larger, never false.
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
