// See exact_gjk.hpp.
#include "convex/exact/exact_gjk.hpp"

#include "convex/exact/exact_witness.hpp"

namespace abut::exact {
namespace {

// Hulls of thousands of vertices need about twenty; no test reached the limit.
constexpr int kMaxIterations = 256;

bool has_vertex(const Simplex& s, const Vec3d& w) {
    for (int i = 0; i < s.count; ++i)
        if (same(s.p[i].w, w)) return true;
    return false;
}

}  // namespace

GjkResult gjk(const CorePair& pair, const GjkLimits& limits) {
    GjkResult result;
    Simplex& s = result.simplex;
    // The difference of the centres is a point of A - B, so the bounds hold from the first support on.
    const bool same_centre = is_zero(pair.offset);
    Vec3d v = same_centre ? Vec3d{0, 1, 0} : -pair.offset;
    double distance = norm(v);
    for (int i = 0; i < kMaxIterations; ++i) {
        const Vertex vertex = support(pair, -v);
        if (s.count > 0 || !same_centre) {
            const double lower = dot(v, vertex.w) / distance;
            if (lower > limits.beyond) {
                result.cores = Cores::beyond;
                return result;
            }
            result.v = v;
            result.distance = distance;
            result.gap = distance - lower;
            if (s.count > 0 && (result.gap <= pair.tolerance || has_vertex(s, vertex.w))) return result;
        }
        s.p[s.count++] = vertex;
        const Nearest nearest = nearest_to_origin(s);
        keep(s, nearest);
        if (nearest.square == 0) {
            result.cores = Cores::overlap;
            return result;
        }
        v = nearest.v;
        distance = std::sqrt(nearest.square);
        if (distance <= limits.enough) {
            result.cores = Cores::within;
            return result;
        }
    }
    return result;
}

Vertex nearest_vertex(const GjkResult& apart) {
    const Simplex& s = apart.simplex;
    return combine(s.p, s.count, weights_of(s.p, s.count, apart.v));
}

}  // namespace abut::exact
