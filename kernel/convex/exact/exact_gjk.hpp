// GJK distance of the cores [Gilbert, Johnson, Keerthi 1988; van den Bergen 1999]. The duality gap ends it: |v| is an
// upper bound on the distance, the support plane along v gives a lower bound.
#pragma once

#include "convex/exact/exact_simplex.hpp"

namespace abut::exact {

enum class Cores : std::uint8_t {
    apart,    // `distance`, `v` and `simplex` (the feature with v) are set
    overlap,  // the origin is in `simplex`, exactly; the simplex may have any dimension
    beyond,   // the cores are farther apart than requested
    within,   // the cores are closer than `enough`
};

struct GjkResult {
    Cores cores = Cores::apart;
    Simplex simplex;
    Vec3d v{};            // the point of A - B nearest to the origin: the vector from B's witness to A's
    double distance = 0;  // |v|
    double gap = 0;       // upper bound on the error of the distance; at most the pair's tolerance if GJK converged
};

struct GjkLimits {
    double beyond;       // GJK stops once the distance is proved to be larger
    double enough = -1;  // GJK stops once the distance is proved to be at most this
};

GjkResult gjk(const CorePair& pair, const GjkLimits& limits);

// The point of A - B at `v`, for cores that are apart.
Vertex nearest_vertex(const GjkResult& apart);

}  // namespace abut::exact
