// Distance of two cores by brute force over their features, restricted to a slab.
//
// For any unit n let s_A be the greatest n.a, s_B the least n.b and g = s_B - s_A. The closest points a*, b* obey (s_A
// - n.a*) + (n.b* - s_B) = n.(b* - a*) - g <= U - g with U any upper bound of the distance: only features that reach
// within U - g of their support plane need a look. The better n and U, the fewer; rounds over the few features nearest
// to the planes find good ones, and the last round looks at everything that the bound leaves for whatever n they ended
// with.
#include <algorithm>
#include <limits>

#include "support/oracle/solvers.hpp"

namespace abut::oracle {
namespace {

using Index = std::uint32_t;

// The features of one core within a slab.
struct Near {
    std::vector<double> level;  // by vertex: how far short of the support plane
    std::vector<Index> vertices, edges, triangles;

    // `sign` +1: the support plane along +n; -1: along -n. Returns the plane's n.x.
    double measure(const Posed& posed, const Vec3d& n, double sign) {
        level.resize(posed.vertices.size());
        double top = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < level.size(); ++i) {
            level[i] = sign * dot(n, posed.vertices[i]);
            top = std::max(top, level[i]);
        }
        for (double& l : level) l = top - l;
        return sign * top;
    }
    // The slack that lets `count` vertices in.
    double slack_for(std::size_t count) {
        if (count >= level.size()) return std::numeric_limits<double>::infinity();
        sorted_ = level;
        std::nth_element(sorted_.begin(), sorted_.begin() + std::ptrdiff_t(count - 1), sorted_.end());
        return sorted_[count - 1];
    }
    void collect(const Polytope& core, double slack) {
        vertices.clear(), edges.clear(), triangles.clear();
        const auto in = [&](Index v) { return level[v] <= slack; };
        for (Index i = 0; i < level.size(); ++i)
            if (in(i)) vertices.push_back(i);
        for (Index i = 0; i < core.edges.size(); ++i)
            if (in(core.edges[i].v0) || in(core.edges[i].v1)) edges.push_back(i);
        for (Index i = 0; i < core.triangles.size(); ++i)
            if (std::any_of(std::begin(core.triangles[i].v), std::end(core.triangles[i].v), in)) triangles.push_back(i);
    }

private:
    std::vector<double> sorted_;
};

void keep(Witness& best, const Witness& other) {
    if (other.distance < best.distance) best = other;
}

// Points of `from` against the faces of `onto`, or its edge or point where it has no face. `swapped`: `from` is B.
void points_against(const Posed& from, const Near& near_from, const Posed& onto, const Near& near_onto, bool swapped,
                    Witness& best) {
    const auto found = [&](Witness w) {
        if (swapped) std::swap(w.a, w.b);
        keep(best, w);
    };
    for (Index p : near_from.vertices) {
        const Vec3d& point = from.vertices[p];
        for (Index t : near_onto.triangles) {
            const Index* v = onto.core->triangles[t].v;
            found(point_triangle(point, onto.vertices[v[0]], onto.vertices[v[1]], onto.vertices[v[2]]));
        }
        if (onto.core->dimension == 1) found(segment_segment(point, point, onto.vertices[0], onto.vertices[1]));
        if (onto.core->dimension == 0) found({length(onto.vertices[0] - point), point, onto.vertices[0]});
    }
}

Witness nearest(const Posed& a, const Near& near_a, const Posed& b, const Near& near_b) {
    Witness best{std::numeric_limits<double>::infinity(), {}, {}};
    points_against(a, near_a, b, near_b, false, best);
    points_against(b, near_b, a, near_a, true, best);
    for (Index i : near_a.edges) {
        const Polytope::Edge e = a.core->edges[i];
        for (Index j : near_b.edges) {
            const Polytope::Edge f = b.core->edges[j];
            keep(best, segment_segment(a.vertices[e.v0], a.vertices[e.v1], b.vertices[f.v0], b.vertices[f.v1]));
        }
    }
    return best;
}

thread_local Near t_near_a, t_near_b;

}  // namespace

Separation separate(const Posed& a, const Posed& b, const Vec3d& start) {
    Near &near_a = t_near_a, &near_b = t_near_b;
    Separation best;
    best.distance = std::numeric_limits<double>::infinity();
    best.lower = -best.distance;
    Vec3d n = start;
    double scale = 0;
    constexpr std::size_t kAffordable = 6;  // vertices a side: not worth another round to save
    for (std::size_t few = 1;;) {
        const double s_a = near_a.measure(a, n, 1), s_b = near_b.measure(b, n, -1);
        scale = std::max({scale, std::fabs(s_a), std::fabs(s_b)});
        if (s_b - s_a > best.lower) best.lower = s_b - s_a, best.normal = n;
        const double slack = best.distance - (s_b - s_a) + 1e-12 * scale;
        const std::size_t many = std::max(few, kAffordable);
        const bool complete = near_a.slack_for(many) >= slack && near_b.slack_for(many) >= slack;
        near_a.collect(*a.core, complete ? slack : near_a.slack_for(few));
        near_b.collect(*b.core, complete ? slack : near_b.slack_for(few));
        const Witness w = nearest(a, near_a, b, near_b);
        const bool closer = w.distance < best.distance;
        if (closer) best.distance = w.distance, best.point_a = w.a, best.point_b = w.b;
        if (complete || best.distance == 0) break;
        if (closer) {
            n = (w.b - w.a) / w.distance;
        } else {
            few *= 2;
            n = best.normal;
        }
    }
    if (best.distance > 0) {
        n = (best.point_b - best.point_a) / best.distance;
        const double lower = dot(n, b.support(-n)) - dot(n, a.support(n));
        if (lower > best.lower) best.lower = lower, best.normal = n;
    }
    return best;
}

Vec3d best_normal_of_flat(const Posed& a, const Posed& b, const Separation& found) {
    Vec3d best = found.normal;
    double most = found.lower;
    const auto consider = [&](const Vec3d& direction) {
        const double len = length(direction);
        if (!(len > 1e-9)) return;
        for (const Vec3d& n : {direction / len, -direction / len})
            if (const double gap = dot(n, b.support(-n)) - dot(n, a.support(n)); gap > most) most = gap, best = n;
    };
    for (const Vec3d& n : a.normals) consider(n);
    for (const Vec3d& n : b.normals) consider(n);
    for (const Vec3d& u : a.directions) {
        for (const Vec3d& v : b.directions) consider(cross(u, v));
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) consider(cross(u, axis));
    }
    for (const Vec3d& v : b.directions)
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) consider(cross(v, axis));
    return best;
}

double distance_by_brute_force(const Posed& a, const Posed& b) {
    Near near_a, near_b;
    near_a.measure(a, {1, 0, 0}, 1), near_b.measure(b, {1, 0, 0}, -1);
    near_a.collect(*a.core, std::numeric_limits<double>::infinity());
    near_b.collect(*b.core, std::numeric_limits<double>::infinity());
    return nearest(a, near_a, b, near_b).distance;
}

}  // namespace abut::oracle
