// See exact_witness.hpp.
#include "convex/exact/exact_witness.hpp"

namespace abut::exact {
namespace {

double clamp01(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

double position_along(const Vec3d& e, const Vec3d& p) {
    const double ee = dot(e, e);
    return ee > 0 ? dot(p, e) / ee : 0;
}

Weights measured(const Vertex* vertices, int count, Weights weights, const Vec3d& p) {
    weights.error = norm(combine(vertices, count, weights).w - p);
    return weights;
}

Weights on_edge(const Vertex* vertices, int count, int i, int j, const Vec3d& p) {
    const double t = clamp01(position_along(vertices[j].w - vertices[i].w, p - vertices[i].w));
    Weights weights;
    weights.value[0] = 0;
    weights.value[i] = 1 - t;
    weights.value[j] = t;
    return measured(vertices, count, weights, p);
}

}  // namespace

// Solves first for the height over the longest edge, then along that edge, so that the ill-conditioned height of a
// sliver costs only the rounding of p. Computed from three separate areas, the point could be anywhere along the
// sliver.
Barycentric barycentric(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    const Vec3d corner[3] = {a, b, c};
    int i = 0;
    double longest = -1;
    for (int k = 0; k < 3; ++k) {
        const Vec3d e = corner[(k + 1) % 3] - corner[k];
        if (dot(e, e) > longest) longest = dot(e, e), i = k;
    }
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Vec3d e = corner[j] - corner[i], f = corner[k] - corner[i], q = p - corner[i];
    const Vec3d height = f - e * position_along(e, f);
    const double w_k = position_along(height, q - e * position_along(e, q));
    const double w_j = position_along(e, q - f * w_k);
    Barycentric result;
    result.value[i] = 1 - w_j - w_k;
    result.value[j] = w_j;
    result.value[k] = w_k;
    return result;
}

Weights weights_of(const Vertex* vertices, int count, const Vec3d& p) {
    if (count == 1) return measured(vertices, 1, Weights{}, p);
    if (count == 2) return on_edge(vertices, 2, 0, 1, p);
    const Barycentric inside = barycentric(vertices[0].w, vertices[1].w, vertices[2].w, p);
    if (inside.value[0] >= 0 && inside.value[1] >= 0 && inside.value[2] >= 0)
        return measured(vertices, 3, {{inside.value[0], inside.value[1], inside.value[2]}, 0}, p);
    Weights best = on_edge(vertices, 3, 0, 1, p);
    for (int i = 1; i < 3; ++i) {
        const Weights other = on_edge(vertices, 3, i, (i + 1) % 3, p);
        if (other.error < best.error) best = other;
    }
    return best;
}

Vertex combine(const Vertex* vertices, int count, const Weights& weights) {
    Vertex sum = {vertices[0].w * weights.value[0], vertices[0].a * weights.value[0]};
    for (int i = 1; i < count; ++i) {
        sum.w = sum.w + vertices[i].w * weights.value[i];
        sum.a = sum.a + vertices[i].a * weights.value[i];
    }
    return sum;
}

}  // namespace abut::exact
