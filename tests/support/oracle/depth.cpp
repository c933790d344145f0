// Depth of two overlapping cores: the least support width of M = A - B over its facet normals, all of which are among
// A's face normals, B's negated ones and the cross products of edges.
//
// A candidate n is skipped where a known point w of M lies at or beyond the best plane so far: width(n) >= n.w >= best.
// An edge is skipped with all its partners where one w does so at both ends of its Gauss arc: within the arc n = p n0 +
// q n1 with p, q >= 0 and p + q >= 1, hence n.w >= best. Neither bound can lose the minimum. A facet made of two edges
// closer to parallel than kParallel is thinner than that, and its neighbours' planes pass as near to the origin but for
// that thickness.
#include <algorithm>
#include <array>
#include <limits>

#include "support/oracle/solvers.hpp"

namespace abut::oracle {
namespace {

constexpr double kParallel = 1e-12;

class Search {
public:
    Search(const Posed& a, const Posed& b) : a_(a), b_(b) { best.depth = std::numeric_limits<double>::infinity(); }

    Depth best;

    bool apart() const { return best.depth < 0; }

    // `n` is unit; one that is not finite (of a triangle without area in double) says nothing.
    void evaluate(const Vec3d& n) {
        const Vec3d w = a_.support(n) - b_.support(-n);
        const double width = dot(n, w);
        if (width < best.depth) best = {width, n};
        if (width == width) remember(w);
    }
    // True where some known point proves that no unit multiple of `n` (of length `len`) can be shallower.
    bool hopeless(const Vec3d& n, double len) {
        const double bound = best.depth * len;
        for (std::size_t k = 0; k < known_; ++k) {
            if (dot(n, seeds_[k]) < bound) continue;
            if (k > 0) std::swap(seeds_[k], seeds_[k - 1]);  // what pruned once prunes soon again
            return true;
        }
        return false;
    }
    // Both ends of an arc, by the same seed.
    bool hopeless_arc(const Vec3d& n0, const Vec3d& n1) const {
        const double bound = best.depth * (1 + 1e-12);
        for (std::size_t k = 0; k < known_; ++k)
            if (dot(n0, seeds_[k]) > bound && dot(n1, seeds_[k]) > bound) return true;
        return false;
    }

private:
    void remember(const Vec3d& w) {
        for (std::size_t k = 0; k < known_; ++k)
            if (seeds_[k] == w) return;
        if (known_ < seeds_.size()) {
            seeds_[known_++] = w;
        } else {
            seeds_[oldest_] = w;
            oldest_ = seeds_.size() / 2 + (oldest_ + 1) % (seeds_.size() / 2);  // the front half has proven useful
        }
    }

    const Posed& a_;
    const Posed& b_;
    std::array<Vec3d, 32> seeds_;
    std::size_t known_ = 0, oldest_ = 16;
};

// Directions of the edges that may still matter.
void remaining_edges(const Posed& posed, double sign, const Search& search, std::vector<Vec3d>& out) {
    out.clear();
    for (std::size_t i = 0; i < posed.directions.size(); ++i) {
        const Arc& arc = posed.core->arcs[i];
        if (arc.normal0 != Arc::kNone &&
            search.hopeless_arc(posed.normals[arc.normal0] * sign, posed.normals[arc.normal1] * sign))
            continue;
        out.push_back(posed.directions[i]);
    }
}

thread_local std::vector<Vec3d> t_edges_a, t_edges_b;

}  // namespace

Depth shallowest_plane(const Posed& a, const Posed& b, const Vec3d& first) {
    Search search(a, b);
    search.evaluate(normalised(first));
    if (search.apart()) return search.best;
    for (const Vec3d& n :
         {Vec3d{1, 0, 0}, Vec3d{-1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 1}, Vec3d{0, 0, -1}})
        if (const Vec3d w = a.support(n) - b.support(-n); dot(n, w) < search.best.depth) search.evaluate(n);
    for (int side = 0; side < 2; ++side) {
        for (const Vec3d& normal : side == 0 ? a.normals : b.normals) {
            if (search.apart()) return search.best;
            const Vec3d n = side == 0 ? normal : -normal;
            if (!search.hopeless(n, 1)) search.evaluate(n);
        }
    }
    if (search.apart()) return search.best;
    remaining_edges(a, 1, search, t_edges_a);
    remaining_edges(b, -1, search, t_edges_b);
    for (const Vec3d& u : t_edges_a) {
        for (const Vec3d& v : t_edges_b) {
            const Vec3d n = cross(u, v);
            const double len = length(n);
            if (len <= kParallel) continue;
            if (!search.hopeless(n, len)) search.evaluate(n / len);
            if (!search.hopeless(-n, len)) search.evaluate(-n / len);
            if (search.apart()) return search.best;
        }
    }
    return search.best;
}

Depth shallowest_plane_by_brute_force(const Posed& a, const Posed& b) {
    Search search(a, b);
    for (const Vec3d& n : a.normals) search.evaluate(n);
    for (const Vec3d& n : b.normals) search.evaluate(-n);
    for (const Vec3d& u : a.directions) {
        for (const Vec3d& v : b.directions) {
            const Vec3d n = cross(u, v);
            const double len = length(n);
            if (len <= kParallel) continue;
            search.evaluate(n / len);
            search.evaluate(-n / len);
        }
    }
    return search.best;
}

}  // namespace abut::oracle
