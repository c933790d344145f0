// See epa.hpp.
#include "convex/exact/epa.hpp"

#include <algorithm>

#include "base/compiler_support.hpp"
#include "base/rounding.hpp"
#include "convex/exact/cells.hpp"
#include "convex/exact/exact_witness.hpp"
#include "convex/exact/vertex_cells.hpp"

namespace abut::exact {
namespace {

// The search changes from a polytope with this many vertices to cells: a curved core has no finite number of facets,
// and a large hull may be equally deep in many directions. With 64, ellipsoids in hulls take twice as long; with 512,
// hard pairs of all kinds do; with 256, ellipsoids in hulls take 20% longer.
constexpr int kMaxBeforeCells = 128;

// Sets the witness from the facet of `face`. Coplanar triangles share a facet, so the witness may be in a neighbour of
// `face`.
void set_witness(const Polytope& polytope, int face, double tolerance, EpaResult& best) {
    constexpr int kMaxSteps = 64;
    const Vec3d p = best.normal * best.depth;
    const double limit = polytope.distance(face) + tolerance;
    for (int step = 0; step < kMaxSteps; ++step) {
        const std::uint16_t* v = polytope.face(face).v;
        const Barycentric at =
            barycentric(polytope.vertex(v[0]).w, polytope.vertex(v[1]).w, polytope.vertex(v[2]).w, p);
        int least = 0;
        for (int i = 1; i < 3; ++i)
            if (at.value[i] < at.value[least]) least = i;
        const int next = polytope.face(face).across[(least + 1) % 3];
        if (at.value[least] >= 0 || polytope.distance(next) > limit) break;
        face = next;
    }
    const std::uint16_t* v = polytope.face(face).v;
    const Vertex corners[3] = {polytope.vertex(v[0]), polytope.vertex(v[1]), polytope.vertex(v[2])};
    const Weights weights = weights_of(corners, 3, p);
    best.witness = combine(corners, 3, weights);
    best.error = weights.error;
}

// The point of A - B nearest to a point slightly beyond the support plane with this normal, found by GJK on the cores
// moved apart.
struct ShiftedWitness {
    bool is_found = false;
    Vec3d direction{};  // unit, from the point beyond the plane to A - B
    Vertex vertex{};    // of A - B
    double error = 0;   // the vertex's distance from normal * (depth of the support plane)
};
ShiftedWitness shifted_witness(const CorePair& pair, double tolerance, const Vec3d& normal, double depth, double gap) {
    CorePair apart = pair;
    apart.tolerance = tolerance;
    const Vec3d shift = normal * (depth + gap);
    apart.offset = pair.offset + shift;
    const GjkResult nearest = gjk(apart, {kInfinity});
    if (nearest.cores != Cores::apart) return {};
    Vertex vertex = nearest_vertex(nearest);
    vertex.w = vertex.w + shift;
    return {true, -unit(nearest.v), vertex, norm(vertex.w - normal * depth)};
}

// Sets the witness by shifted_witness, which is better than that of a facet in all of 16,000 cases of abut_hunt and the
// checksums. A small gap keeps the point close even if GJK's bounds differ by the tolerance.
void set_witness_by_gjk(const CorePair& pair, EpaResult& best) {
    constexpr double kGap = 0x1p12;
    const ShiftedWitness shifted = shifted_witness(pair, pair.tolerance, best.normal, best.depth, kGap);
    if (shifted.is_found) best.witness = shifted.vertex, best.error = shifted.error;
}

// Descends to the nearest minimum. A step finds the point of A - B nearest to a point slightly beyond it; the direction
// between the two is the next one, as in curved_depth.hpp. Keeps the best witness of all steps.
void descend(const CorePair& pair, EpaResult& best) {
    constexpr int kMaxSteps = 40;
    constexpr double kGap = 0x1p-10 * kGridReach;
    Vec3d n = best.normal, previous_step = {0, 0, 0};
    double depth = best.depth;
    for (int i = 0; i < kMaxSteps; ++i) {
        const ShiftedWitness shifted = shifted_witness(pair, kGridTolerance, n, depth, kGap);
        if (!shifted.is_found) return;
        const double slack = 0.5 * pair.tolerance;
        const bool is_better =
            depth < best.depth - slack || (depth <= best.depth + slack && shifted.error < best.error);
        if (is_better) best = {n, depth, best.lower, shifted.vertex, shifted.error};
        if (shifted.error <= slack) return;
        // The remaining steps as a geometric series [Aitken 1926].
        const Vec3d next = shifted.direction, step = next - n;
        const double previous = dot(previous_step, previous_step),
                     ratio = previous > 0 ? min(0.99, std::sqrt(dot(step, step) / previous)) : 0;
        const Vec3d leap = unit(next + step * (ratio / (1 - ratio)));
        const double at_next = dot(next, support(pair, next).w), at_leap = dot(leap, support(pair, leap).w);
        n = at_leap < at_next ? leap : next;
        depth = min(at_leap, at_next);
        previous_step = step;
    }
}

// Replaces `best` by a known depth and returns true, if the known depth is smaller.
bool improve(EpaResult& best, const KnownDepth& known) {
    if (!(known.depth < best.depth)) return false;
    best.normal = known.normal;
    best.depth = known.depth;
    best.error = kInfinity;
    return true;
}

// Searches the least depth by the cells of a hull's vertices. Returns the proved lower bound.
double search_in_vertex_cells(const CorePair& pair, EpaResult& best) {
    KnownDepth known = {best.normal, best.depth};
    const double lower = search_vertex_cells(pair, pair.allowed, known);
    improve(best, known);
    return lower;
}

// Searches the least depth by cells around the axis of a core. Starts and ends at a minimum. Returns the proved lower
// bound.
double search_in_cells(const CorePair& pair, EpaResult& best) {
    descend(pair, best);
    KnownDepth known = {best.normal, best.depth};
    const Vec3d inside = best.error < kInfinity ? best.witness.w : Vec3d{0, 0, 0};
    const double lower = search_cells(pair, inside, kCellShare * pair.tolerance, known);
    if (improve(best, known)) descend(pair, best);
    return lower;
}

// Searches until no direction can be shallower than best.depth, or the polytope is full; returns the lower bound
// reached. Not inlined: the stack holds either the polytope or cells.
ABUT_NOINLINE double search(const CorePair& pair, const Simplex& simplex, int capacity, EpaResult& best) {
    Polytope polytope;
    polytope.start(simplex);
    for (;;) {
        const int face = polytope.nearest();
        const double lower = polytope.distance(face);
        if (lower >= best.depth - pair.tolerance) return lower;
        const Vec3d normal = polytope.face(face).normal;
        const Vertex vertex = support(pair, normal);
        const double reach = dot(normal, vertex.w);
        if (improve(best, {normal, reach}) && reach - lower <= pair.tolerance)
            set_witness(polytope, face, pair.tolerance, best);
        if (reach - lower <= pair.tolerance || polytope.vertex_count() >= capacity) return lower;
        polytope.add(vertex, face);
    }
}

}  // namespace

EpaResult epa(const CorePair& pair, const Simplex& simplex, int capacity) {
    const double good_witness = 4 * pair.tolerance;
    EpaResult best;
    best.depth = best.error = kInfinity;
    const bool has_curves = pair.tolerance > kGridTolerance;
    const bool has_cells = has_vertex_cells(pair);
    double lower =
        search(pair, simplex, has_curves || has_cells ? std::min(capacity, kMaxBeforeCells) : capacity, best);
    if (lower < best.depth - pair.tolerance && has_cells) lower = max(lower, search_in_vertex_cells(pair, best));
    if (lower < best.depth - (has_cells ? pair.allowed : pair.tolerance) && has_curves)
        lower = max(lower, search_in_cells(pair, best));
    if (best.error > good_witness) set_witness_by_gjk(pair, best);
    best.lower = lower < best.depth ? lower : best.depth;
    return best;
}

}  // namespace abut::exact
