// The pair as the exact path works on it: two convex cores without their radii, in A's axes about A's core centre, in grid units; and
// the support function of their difference A - B. A new kind of core is one more case in `core_support` and
// `core_reach`.
#pragma once

#include "exact/signed_distance.hpp"
#include "geometry/custom_shape.hpp"
#include "geometry/grid.hpp"
#include "geometry/kinds.hpp"
#include "tolerances.hpp"

namespace abut::exact {

struct Core {
    ShapeKind kind = ShapeKind::sphere;
    Vec3d half{};  // half extents in grid units; hull: scale times grid units per metre
    const HullGeometry* hull = nullptr;
    double erosion = 0;  // ellipsoid, grid units
    const CustomShape* custom = nullptr;
};

struct CorePair {
    Core a, b;
    Mat3 b_to_a{};
    Vec3d offset{};                     // B's core centre, in A's axes from A's core centre
    double tolerance = kGridTolerance;  // more where a core is curved: its facets are no finite number
    double allowed = kGridTolerance;    // what a depth that is proved by cells may be too large by
};

// A point of A - B, on the grid, and the point of A that gave it; the point of B is a - w to half a grid unit.
struct Vertex {
    Vec3d w, a;
};

// True for shapes that core_support accepts.
inline bool has_core(const Shape& shape) { return has_known_core(shape.kind) || shape.custom != nullptr; }

// The core's farthest point along d (not zero), both in its own axes about its centre. Ties go to the lower vertex, or to the positive
// side; to the middle of a disc, to the base of a cone.
Vec3d core_support(const Core& core, const Vec3d& d);

// The number of the farthest vertex of a hull or a box, and the vertex.
std::uint32_t farthest_core_vertex(const Core& core, const Vec3d& d);
Vec3d core_vertex(const Core& core, std::uint32_t i);

// A bound of the core's distance from its centre, in metres.
double core_reach(const Shape& shape);

// The farthest point of A - B along d, which need not be unit but not zero.
inline Vertex support(const CorePair& pair, const Vec3d& d) {
    const Vec3d a = core_support(pair.a, d);
    const Vec3d b = pair.b_to_a * core_support(pair.b, transposed_times(pair.b_to_a, -d)) + pair.offset;
    return {snap(a - b), a};
}

}  // namespace abut::exact
