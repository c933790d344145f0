// See hull_support.hpp.
#include "shapes/hull_support.hpp"

#include <limits>

#include "base/four_wide.hpp"
#include "base/tolerances.hpp"

namespace abut {
namespace {

using maths::Vec3d;

struct Best {
    double dot;
    std::uint32_t index;
};

// The vertices to search, with their numbers: all, or those of the direction's octant (hull_octants.hpp). `size`
// includes the padding.
struct Candidates {
    const float *x, *y, *z;
    std::uint32_t count, size;
    const std::uint16_t* vertex;  // null where all are listed
};

Candidates candidates_of(const HullGeometry& hull, const Vec3d& d) {
    const std::uint32_t all = hull.octant_first[8];
    if (all == 0)
        return {hull.column_x(), hull.column_y(), hull.column_z(), hull.vertex_count, hull.padded_count, nullptr};
    const int octant = (d.x < 0 ? 1 : 0) | (d.y < 0 ? 2 : 0) | (d.z < 0 ? 4 : 0);
    const std::uint32_t first = hull.octant_first[octant], count = hull.octant_first[octant + 1] - first;
    const float* const x = hull.octant_columns.data() + first;
    return {x, x + all, x + 2 * std::size_t(all), count, count, hull.octant_vertex.data() + first};
}

// The farthest of vertices [first, last) and `best`, in doubles; the lowest index wins ties.
Best farthest_of(const Candidates& from, std::uint32_t first, std::uint32_t last, const Vec3d& d, Best best) {
    for (std::uint32_t i = first; i < last; ++i) {
        const double value = from.x[i] * d.x + from.y[i] * d.y + from.z[i] * d.z;
        if (value > best.dot) best = {value, i};
    }
    return best;
}

ABUT_VECTOR(Int4, std::int32_t, 4);

// Writes the dot product of each vertex to `dots`; returns the greatest.
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

// The number of dots that reach `least`, and the sum of their indices. No branches, because the position of the maximum
// is unpredictable.
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

}  // namespace

std::uint32_t farthest_vertex(const HullGeometry& hull, const Vec3d& d) {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    const Candidates from = candidates_of(hull, d);
    const auto vertex = [&](std::uint32_t i) { return from.vertex != nullptr ? std::uint32_t(from.vertex[i]) : i; };
    // If floats could overflow or are near zero, everything is computed in doubles.
    if (!(hull.bound_radius > 1e-30f && hull.bound_radius < 1e30f) || hull.padded_count > ShapeStore::kMaxHullVertices)
        return vertex(farthest_of(from, 0, from.count, d, {kNone, 0}).index);
    float dots[ShapeStore::kMaxHullVertices];
    const float most = float_dots(from, d * maths::scale_to_one(max_abs(d)), dots);
    const float least = most - kFloatDotRounding * hull.bound_radius;
    const Tally close = tally(dots, from.size, least);
    if (close.count == 1) return vertex(static_cast<std::uint32_t>(close.index_sum));
    Best best = {kNone, 0};
    for (std::uint32_t i = 0; i < from.count; ++i)
        if (dots[i] >= least) best = farthest_of(from, i, i + 1, d, best);
    return vertex(best.index);
}

}  // namespace abut
