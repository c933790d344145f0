// Support functions of the cores [van den Bergen 2003, 4.3]. Hulls: float lanes find the few candidates, double precision chooses among them.
#include "exact/core.hpp"

#include <limits>

#include "geometry/four_wide.hpp"

namespace abut::exact {
namespace {

struct Best {
    double dot;
    std::uint32_t index;
};

// The vertices in question: all, or those of the direction's octant [hull_octants.hpp], with their numbers. `size` includes the padding.
struct Candidates {
    const float *x, *y, *z;
    std::uint32_t count, size;
    const std::uint16_t* vertex;  // null where all are listed
};

Candidates candidates_of(const HullGeometry& hull, const Vec3d& d) {
    const std::uint32_t all = hull.octant_first[8];
    if (all == 0) return {hull.column_x(), hull.column_y(), hull.column_z(), hull.vertex_count, hull.padded_count, nullptr};
    const int octant = (d.x < 0 ? 1 : 0) | (d.y < 0 ? 2 : 0) | (d.z < 0 ? 4 : 0);
    const std::uint32_t first = hull.octant_first[octant], count = hull.octant_first[octant + 1] - first;
    const float* const x = hull.octant_columns.data() + first;
    return {x, x + all, x + 2 * std::size_t(all), count, count, hull.octant_vertex.data() + first};
}

// The farthest by doubles of vertices [first, last) and `best`; the lowest index on ties.
Best farthest_of(const Candidates& from, std::uint32_t first, std::uint32_t last, const Vec3d& d, Best best) {
    for (std::uint32_t i = first; i < last; ++i) {
        const double value = from.x[i] * d.x + from.y[i] * d.y + from.z[i] * d.z;
        if (value > best.dot) best = {value, i};
    }
    return best;
}

ABUT_VECTOR(Int4, std::int32_t, 4);

// Of all vertices, in `dots`; returns the greatest.
float float_dots(const Candidates& from, const Vec3d& d, float* dots) {
    const auto x = static_cast<float>(d.x), y = static_cast<float>(d.y), z = static_cast<float>(d.z);
    const Float4 dx = {x, x, x, x}, dy = {y, y, y, y}, dz = {z, z, z, z};
    const auto next4 = [&](std::size_t i) {
        const Float4 value = load4(from.x + i) * dx + load4(from.y + i) * dy + load4(from.z + i) * dz;
        store4(dots + i, value);
        return value;
    };
    Float4 even = next4(0), odd = next4(4);
    for (std::size_t i = 8, end = from.size; i < end; i += 8) {
        even = greater(even, next4(i));
        odd = greater(odd, next4(i + 4));
    }
    even = greater(even, odd);
    const float a = even[0] > even[1] ? even[0] : even[1], b = even[2] > even[3] ? even[2] : even[3];
    return a > b ? a : b;
}

// How many dots reach `least`, and the sum of their indices: without a branch, since where the winner is cannot be predicted.
struct Tally {
    std::int32_t count, index_sum;
};

Tally tally(const float* dots, std::uint32_t size, float least) {
    const Float4 least4 = {least, least, least, least};
    Int4 count = {0, 0, 0, 0}, sum = {0, 0, 0, 0}, index = {0, 1, 2, 3};
    for (std::size_t i = 0; i < size; i += 4) {
        const Int4 reaches = load4(dots + i) >= least4;  // 0 or -1
        count -= reaches;
        sum += reaches & index;
        index += 4;
    }
    return {count[0] + count[1] + count[2] + count[3], sum[0] + sum[1] + sum[2] + sum[3]};
}

// Floats find the few vertices in question, mostly one, and doubles choose among them.
std::uint32_t farthest_vertex(const HullGeometry& hull, const Vec3d& d) {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    const Candidates from = candidates_of(hull, d);
    const auto vertex = [&](std::uint32_t i) { return from.vertex != nullptr ? std::uint32_t(from.vertex[i]) : i; };
    // Floats must neither overflow nor lose their precision near zero.
    if (!(hull.bound_radius > 1e-30f && hull.bound_radius < 1e30f) || hull.padded_count > ShapeStore::kMaxHullVertices)
        return vertex(farthest_of(from, 0, from.count, d, {kNone, 0}).index);
    float dots[ShapeStore::kMaxHullVertices];
    const float most = float_dots(from, d * scale_to_one(max_abs(d)), dots);
    const float least = most - kFloatDotRounding * hull.bound_radius;
    const Tally close = tally(dots, from.size, least);
    if (close.count == 1) return vertex(static_cast<std::uint32_t>(close.index_sum));
    Best best = {kNone, 0};
    for (std::uint32_t i = 0; i < from.count; ++i)
        if (dots[i] >= least) best = farthest_of(from, i, i + 1, d, best);
    return vertex(best.index);
}

// The point of a circle of radius `radius` about Y that is farthest along d; its middle where no point is.
Vec3d rim(double radius, double height, const Vec3d& d) {
    const double most = std::fabs(d.x) > std::fabs(d.z) ? std::fabs(d.x) : std::fabs(d.z);
    if (most == 0) return {0, height, 0};
    const double scale = scale_to_one(most), x = d.x * scale, z = d.z * scale, by = radius / std::sqrt(x * x + z * z);
    return {x * by, height, z * by};
}

// How far d reaches sideways, in units of d's own greatest component.
double sideways(const Vec3d& d) { return std::sqrt(d.x * d.x + d.z * d.z); }

Vec3d cone_support(const Vec3d& half, const Vec3d& direction) {
    const Vec3d d = direction * scale_to_one(max_abs(direction));
    if (2 * half.y * d.y > half.x * sideways(d)) return {0, half.y, 0};
    return rim(half.x, -half.y, d);
}

// An ellipsoid less a sphere: both points have the same normal.
Vec3d ellipsoid_support(const Vec3d& half, double erosion, const Vec3d& direction) {
    const Vec3d d = unit(direction);
    return times(half, unit(times(half, d))) - d * erosion;
}

}  // namespace

std::uint32_t farthest_core_vertex(const Core& core, const Vec3d& d) {
    if (core.kind == ShapeKind::hull) return farthest_vertex(*core.hull, times(core.half, d));
    return (d.x < 0 ? 1u : 0u) | (d.y < 0 ? 2u : 0u) | (d.z < 0 ? 4u : 0u);
}

Vec3d core_vertex(const Core& core, std::uint32_t i) {
    if (core.kind != ShapeKind::hull)
        return {i & 1 ? -core.half.x : core.half.x, i & 2 ? -core.half.y : core.half.y, i & 4 ? -core.half.z : core.half.z};
    const HullGeometry& hull = *core.hull;
    return times(core.half, {hull.column_x()[i], hull.column_y()[i], hull.column_z()[i]});
}

Vec3d core_support(const Core& core, const Vec3d& d) {
    switch (core.kind) {
        case ShapeKind::hull: return core_vertex(core, farthest_vertex(*core.hull, times(core.half, d)));
        case ShapeKind::cylinder: return rim(core.half.x, d.y < 0 ? -core.half.y : core.half.y, d);
        case ShapeKind::cone: return cone_support(core.half, d);
        case ShapeKind::ellipsoid: return ellipsoid_support(core.half, core.erosion, d);
        case ShapeKind::custom: return custom_support(*core.custom, core.half, unit(d));
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box:
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::mesh:
        case ShapeKind::heightfield:
        case ShapeKind::none: break;
    }
    // The box and what is left of it when extents are zero: capsule and sphere.
    return {d.x < 0 ? -core.half.x : core.half.x, d.y < 0 ? -core.half.y : core.half.y, d.z < 0 ? -core.half.z : core.half.z};
}

double core_reach(const Shape& shape) {
    const Vec3d half = {shape.extents[0], shape.extents[1], shape.extents[2]};
    if (shape.kind == ShapeKind::hull) {
        // Of the scaled bounds: a scale may be large along a short side.
        const HullGeometry& hull = *shape.hull;
        const Vec3d centre = to_double(hull.centre), low = centre - to_double(hull.bounds_min), high = to_double(hull.bounds_max) - centre;
        return norm(times(half, {most(low.x, high.x), most(low.y, high.y), most(low.z, high.z)}));
    }
    if (shape.kind == ShapeKind::custom) return shape.reach;
    return shape.kind == ShapeKind::ellipsoid ? max_abs(half) : norm(half);
}

}  // namespace abut::exact
