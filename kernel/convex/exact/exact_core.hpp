// A pair in the form that the exact path uses: two convex cores without radii, in A's axes about A's core centre, in
// grid units; and the support function of A - B. A new kind of core is a new case in `core_support` and `core_reach`.
#pragma once

#include "base/grid.hpp"
#include "base/tolerances.hpp"
#include "convex/exact/signed_distance.hpp"
#include "shapes/custom_support.hpp"
#include "shapes/kinds.hpp"

namespace abut::exact {

struct Core {
    ShapeKind kind = ShapeKind::sphere;
    Vec3d half{};  // half extents in grid units; hull: scale times grid units per metre
    const HullGeometry* hull = nullptr;
    double erosion = 0;  // ellipsoid, grid units
    const CustomShape* custom = nullptr;
    std::span<const Vec3d> points{};  // metres
    double units = 1;                 // grid units per metre, for `points`
};

struct CorePair {
    Core a, b;
    Mat3 b_to_a{};
    Vec3d offset{};                     // B's core centre relative to A's, in A's axes
    double tolerance = kGridTolerance;  // larger for curved cores, which have no finite number of facets
    double allowed = kGridTolerance;    // largest error of a depth that cells prove
};

// A point of A - B, on the grid, and the point of A that it comes from. The point of B is a - w, to half a grid unit.
struct Vertex {
    Vec3d w, a;
};

// A shape's core in metres, and its centre in the shape's frame.
inline Core core_of(const Shape& shape) {
    if (!shape.points.empty()) return {ShapeKind::hull, {}, nullptr, 0, nullptr, shape.points};
    return {shape.kind, shape.extents, shape.hull, shape.erosion, shape.custom};
}
inline Vec3d core_centre(const Shape& shape) {
    return shape.kind == ShapeKind::hull && shape.points.empty() ? times(shape.extents, to_double(shape.hull->centre))
                                                                 : Vec3d{};
}

// True for shapes that core_support accepts.
inline bool has_core(const Shape& shape) { return has_known_core(shape.kind) || shape.custom != nullptr; }

// The farthest point of a core along d (not zero), both in its own axes about its centre. Ties go to the lower vertex,
// the positive side, the middle of a disc, or the base of a cone.
Vec3d core_support(const Core& core, const Vec3d& d);

// As core_support, for the core of a shape, in metres and about the shape's origin.
inline Vec3d core_support(const Shape& shape, const Vec3d& d) {
    const Vec3d of_core = core_support(core_of(shape), d);
    return shape.kind == ShapeKind::hull ? of_core + core_centre(shape) : of_core;
}

// The farthest vertex of a hull or a box, by its index.
std::uint32_t farthest_core_vertex(const Core& core, const Vec3d& d);
Vec3d core_vertex(const Core& core, std::uint32_t i);

// An upper bound on the distance of the core's points from its centre, metres.
double core_reach(const Shape& shape);

// The farthest point of A - B along d, of any length but zero.
inline Vertex support(const CorePair& pair, const Vec3d& d) {
    const Vec3d a = core_support(pair.a, d);
    const Vec3d b = pair.b_to_a * core_support(pair.b, transposed_times(pair.b_to_a, -d)) + pair.offset;
    return {snap(a - b), a};
}

}  // namespace abut::exact
