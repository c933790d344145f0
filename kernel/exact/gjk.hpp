// GJK distance of the cores [Gilbert, Johnson, Keerthi 1988; van den Bergen 1999], ended by its duality gap: |v| bounds the distance
// from above, the support plane across v from below.
#pragma once

#include "exact/simplex.hpp"

namespace abut::exact {

enum class Cores : std::uint8_t {
    apart,    // `distance`, `v` and `simplex` (the feature that v lies in) hold
    overlap,  // the origin is in `simplex`, exactly; it may be of any dimension
    beyond,   // farther apart than asked for
    within,   // nearer than `enough`
};

struct GjkResult {
    Cores cores = Cores::apart;
    Simplex simplex;
    Vec3d v{};            // the point of A - B nearest the origin: from B's witness to A's
    double distance = 0;  // |v|
    double gap = 0;       // what the distance may be too large by; at most the pair's tolerance where GJK converged
};

struct GjkLimits {
    double beyond;       // stop once the distance is proved to exceed this
    double enough = -1;  // stop once it is proved not to
};

GjkResult gjk(const CorePair& pair, const GjkLimits& limits);

// The vertex of A - B at `v` where the cores are apart.
Vertex nearest_vertex(const GjkResult& apart);

}  // namespace abut::exact
