// See triangle_pairs.hpp. One pair per lane, in double. Separating axes [Ericson 2005, 5.2.10] decide whether the
// triangles overlap, and how deeply. The distance of other triangles is the least of their features' distances [Larsen
// et al. 1999]: of a corner and a face, or of two edges.
#include "surfaces/distances/triangle_pairs.hpp"

#include "base/tolerances.hpp"
#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void measure_triangles(const TrianglePairs& pairs, double* signed_distance);

namespace {

// Three corners, by `start`, the first one: the edges from it to the other two, and the edge between those.
struct TriangleW {
    DVec3W start, edge[3];
    DVec3W normal;  // of any length
    DoubleW normal_squared;

    ABUT_INLINE DVec3W corner(int i) const { return i == 0 ? start : start + edge[i - 1]; }
    ABUT_INLINE DVec3W edge_start(int i) const { return corner(i == 2 ? 1 : 0); }
};

ABUT_INLINE TriangleW make_triangle(const DVec3W& start, const DVec3W& first, const DVec3W& second) {
    TriangleW t = {start, {first, second, second - first}, cross(first, second), 0.0};
    t.normal_squared = dot(t.normal, t.normal);
    return t;
}

ABUT_INLINE DVec3W load_vectors(const double* const* rows, int offset) {
    DoubleW column[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(rows, column, offset);
    return {column[0], column[1], column[2]};
}

// One pair per lane; A's first corner is the origin.
struct PairW {
    TriangleW a, b;
};
// Indices into TrianglePairs, one per lane.
using Chosen = std::uint8_t[kLanes];
ABUT_INLINE PairW load_pairs(const TrianglePairs& pairs, const Chosen& chosen) {
    const double *a[kLanes], *b[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
        a[lane] = pairs.a[chosen[lane]]->corner, b[lane] = pairs.b[chosen[lane]]->corner;
    const DVec3W origin = load_vectors(a, 0), zero = {0.0, 0.0, 0.0};
    return {make_triangle(zero, load_vectors(a, 4), load_vectors(a, 8)),
            make_triangle(load_vectors(b, 0) - origin, load_vectors(b, 4), load_vectors(b, 8))};
}

struct RangeW {
    DoubleW low, high;
};
ABUT_INLINE RangeW range_of(const DoubleW& a, const DoubleW& b, const DoubleW& c) {
    return {min(a, min(b, c)), max(a, max(b, c))};
}
ABUT_INLINE RangeW extent_along(const DVec3W& axis, const TriangleW& t) {
    const DoubleW start = dot(axis, t.start);
    return range_of(start, start + dot(axis, t.edge[0]), start + dot(axis, t.edge[1]));
}

// The greatest separation along any axis, squared with its sign; minus infinity if there is no axis.
struct SeparationW {
    DoubleW squared = -HUGE_VAL;

    // Ignores an axis whose length may be only rounding.
    ABUT_INLINE void add(const RangeW& a, const RangeW& b, const DoubleW& length_squared, const DoubleW& rounding) {
        const DoubleW gap = max(b.low - a.high, a.low - b.high);
        const DoubleMaskW is_axis = rounding < length_squared;
        const DoubleW found = gap * abs(gap) / select(is_axis, length_squared, DoubleW(1.0));
        squared = select(is_axis & (squared < found), found, squared);
    }
};

// Tries the normals. Unless these separate all pairs, also tries perpendiculars of edges in each plane (for coplanar
// triangles) and cross products of edges.
ABUT_NOINLINE DoubleW separation_of(const PairW& pair) {
    const TriangleW &a = pair.a, &b = pair.b;
    const DoubleW none = 0.0, parallel = kParallelEdges;
    const TriangleW* const both[] = {&a, &b};
    SeparationW most;
    const auto rounding_of = [&](const TriangleW& t) {
        return parallel * dot(t.edge[0], t.edge[0]) * dot(t.edge[1], t.edge[1]);
    };
    for (const TriangleW* t : both)
        most.add(extent_along(t->normal, a), extent_along(t->normal, b), t->normal_squared, rounding_of(*t));
    if (!any(~(none < most.squared))) return most.squared;
    for (const TriangleW* t : both) {
        for (const DVec3W& edge : t->edge) {
            const DVec3W axis = cross(t->normal, edge);
            most.add(extent_along(axis, a), extent_along(axis, b), dot(axis, axis), rounding_of(*t) * dot(edge, edge));
        }
    }
    for (const DVec3W& edge_a : a.edge) {
        const DoubleW squared_a = dot(edge_a, edge_a);
        for (const DVec3W& edge_b : b.edge) {
            const DVec3W axis = cross(edge_a, edge_b);
            most.add(extent_along(axis, a), extent_along(axis, b), dot(axis, axis),
                     parallel * squared_a * dot(edge_b, edge_b));
        }
    }
    return select(most.squared == DoubleW(-HUGE_VAL), none, most.squared);
}

// The squared distance of a corner from a face if the corner is over or under the face, otherwise infinity.
ABUT_INLINE DoubleW corner_to_face(const DVec3W& corner, const TriangleW& face) {
    const DoubleW zero = 0.0, none = HUGE_VAL;
    const DVec3W from = corner - face.start;
    const DoubleW second = dot(from, cross(face.edge[1], face.normal)),
                  third = dot(from, cross(face.normal, face.edge[0]));
    const DoubleMaskW is_outside = (second < zero) | (third < zero) | (face.normal_squared < second + third);
    const DoubleW height = dot(from, face.normal);
    const DoubleMaskW is_over = ~is_outside & (zero < face.normal_squared);
    return select(is_over, height * height / select(is_over, face.normal_squared, DoubleW(1.0)), none);
}

ABUT_INLINE DoubleW clamp_to_unit(const DoubleW& x) { return min(max(x, DoubleW(0.0)), DoubleW(1.0)); }
ABUT_INLINE DoubleW ratio_or_zero(const DoubleW& a, const DoubleW& b) {
    const DoubleMaskW is_number = DoubleW(0.0) < b;
    return select(is_number, a / select(is_number, b, DoubleW(1.0)), DoubleW(0.0));
}

// The squared distance of two edges [Ericson 2005, 5.1.9]. The points are on the segments, whatever their rounding.
ABUT_INLINE DoubleW edge_to_edge(const DVec3W& start_a, const DVec3W& a, const DVec3W& start_b, const DVec3W& b) {
    const DVec3W between = start_a - start_b;
    const DoubleW aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), along_a = dot(a, between), along_b = dot(b, between);
    const DoubleW first = clamp_to_unit(ratio_or_zero(ab * along_b - along_a * bb, aa * bb - ab * ab));
    const DoubleW on_b = clamp_to_unit(ratio_or_zero(ab * first + along_b, bb)),
                  on_a = clamp_to_unit(ratio_or_zero(ab * on_b - along_a, aa));
    const DVec3W offset = between + a * on_a - b * on_b;
    return dot(offset, offset);
}

// The squared distance of triangles that do not overlap.
ABUT_NOINLINE DoubleW distance_of(const PairW& pair) {
    const TriangleW &a = pair.a, &b = pair.b;
    DoubleW least = HUGE_VAL;
    for (int i = 0; i < 3; ++i) least = min(least, min(corner_to_face(a.corner(i), b), corner_to_face(b.corner(i), a)));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            least = min(least, edge_to_edge(a.edge_start(i), a.edge[i], b.edge_start(k), b.edge[k]));
    return least;
}

double squared_of(double distance) { return distance < 0 ? -(distance * distance) : distance * distance; }

}  // namespace

void measure_triangles(const TrianglePairs& pairs, double* signed_distance) {
    std::uint8_t apart[TrianglePairs::kMost];
    std::uint32_t count = 0;
    const double farthest = squared_of(pairs.limit);
    for (std::uint32_t first = 0; first < pairs.count; first += kLanes) {
        Chosen chosen;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            chosen[lane] = std::uint8_t(first + lane < pairs.count ? first + lane : first);
        const DoubleW squared = separation_of(load_pairs(pairs, chosen)), length = sqrt(abs(squared)), zero = 0.0;
        const LaneArray<double> lanes = lanes_of(select(squared < zero, -length, length));
        const LaneArray<double> is_known =
            lanes_of(select((squared < zero) | (DoubleW(farthest) < squared), DoubleW(1.0), zero));
        for (std::uint32_t i = first; i < pairs.count && i < first + kLanes; ++i) {
            signed_distance[i] = lanes[int(i - first)];
            apart[count] = std::uint8_t(i), count += is_known[int(i - first)] == 0;
        }
    }
    // Computes the distances of pairs that do not overlap, as long as one of them may be the nearest.
    double nearest = pairs.limit;
    for (std::uint32_t next = 0; next < count;) {
        Chosen chosen;
        std::uint32_t lanes = 0;
        for (; next < count && lanes < kLanes; ++next)
            chosen[lanes] = apart[next], lanes += !(nearest < signed_distance[apart[next]]);
        if (lanes == 0) return;
        for (std::uint32_t lane = lanes; lane < kLanes; ++lane) chosen[lane] = chosen[0];
        const LaneArray<double> found = lanes_of(sqrt(distance_of(load_pairs(pairs, chosen))));
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const double distance = signed_distance[chosen[lane]] = found[int(lane)];
            nearest = distance + pairs.rounding < nearest ? distance + pairs.rounding : nearest;
        }
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
