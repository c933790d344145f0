// Convex hull by exact incremental insertion, see polytope.hpp. A facet is removed only where the new point lies
// strictly above it, so that exactly flat faces stay as several triangles and no triangle has zero area: O(points *
// facets).
#include "support/oracle/polytope.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "support/oracle/predicates.hpp"

namespace abut::oracle {
namespace {

using Index = std::uint32_t;

struct Facet {
    Index v[3];       // counter-clockwise from outside
    Index across[3];  // the facet beyond the edge v[i] -> v[(i + 1) % 3]
    bool alive = true;
};

// Four points that span a solid, or as many as there are: three of a polygon, two of a segment, one.
std::vector<Index> spanning_points(std::span<const Vec3> points) {
    const auto at = [&](Index i) { return Vec3d(points[i]); };
    std::vector<Index> base{0};
    // The candidate with the largest measure that is exactly independent of the base.
    const auto extend = [&](auto measure, auto independent) {
        Index best = 0;
        double most = -1;
        for (Index i = 0; i < points.size(); ++i) {
            const double size = measure(i);
            if (size > most && independent(i)) most = size, best = i;
        }
        if (most >= 0) base.push_back(best);
        return most >= 0;
    };
    if (!extend([&](Index i) { return length(at(i) - at(0)); }, [&](Index i) { return !(points[i] == points[0]); }))
        return base;
    const Vec3d along = at(base[1]) - at(0);
    if (!extend([&](Index i) { return length(cross(along, at(i) - at(0))); },
                [&](Index i) { return !collinear(points[0], points[base[1]], points[i]); }))
        return base;
    const Vec3d normal = cross(along, at(base[2]) - at(0));
    extend([&](Index i) { return std::fabs(dot(normal, at(i) - at(0))); },
           [&](Index i) { return orientation(points[0], points[base[1]], points[base[2]], points[i]) != 0; });
    return base;
}

class Incremental {
public:
    Incremental(std::span<const Vec3> points, const std::vector<Index>& base)
        : points_(points), starts_(points.size()) {
        Index p[4] = {base[0], base[1], base[2], base[3]};
        if (orientation(points[p[0]], points[p[1]], points[p[2]], points[p[3]]) > 0) std::swap(p[1], p[2]);
        facets_ = {{{p[0], p[1], p[2]}, {1, 2, 3}},
                   {{p[1], p[0], p[3]}, {0, 3, 2}},
                   {{p[2], p[1], p[3]}, {0, 1, 3}},
                   {{p[0], p[2], p[3]}, {0, 2, 1}}};
        for (Index i = 0; i < points.size(); ++i) insert(i);
    }

    // Living facets, `across` renumbered.
    std::vector<Facet> take() {
        std::vector<Index> number(facets_.size());
        std::vector<Facet> living;
        for (Index f = 0; f < facets_.size(); ++f)
            if (facets_[f].alive) number[f] = Index(living.size()), living.push_back(facets_[f]);
        for (Facet& facet : living)
            for (Index& other : facet.across) other = number[other];
        return living;
    }

private:
    bool sees(Index point, const Facet& f) const {
        return orientation(points_[f.v[0]], points_[f.v[1]], points_[f.v[2]], points_[point]) > 0;
    }

    void insert(Index point) {
        visible_.clear();
        for (Index f = 0; f < facets_.size(); ++f)
            if (facets_[f].alive && sees(point, facets_[f])) visible_.push_back(f);
        for (Index f : visible_) facets_[f].alive = false;
        fresh_.clear();
        for (Index f : visible_)
            for (int i = 0; i < 3; ++i)
                if (facets_[facets_[f].across[i]].alive) add_facet(f, i, point);
        // Fresh facets are (u, v, point): the one that starts at v lies beyond the edge v -> point.
        for (Index f : fresh_) {
            const Index next = starts_[facets_[f].v[1]];
            facets_[f].across[1] = next;
            facets_[next].across[2] = f;
        }
        for (Index f : visible_) free_.push_back(f);
    }

    void add_facet(Index seen, int edge, Index point) {
        const Index u = facets_[seen].v[edge], v = facets_[seen].v[(edge + 1) % 3], beyond = facets_[seen].across[edge];
        Index f = Index(facets_.size());
        if (free_.empty()) {
            facets_.emplace_back();
        } else {
            f = free_.back();
            free_.pop_back();
        }
        facets_[f] = {{u, v, point}, {beyond, f, f}};
        for (int i = 0; i < 3; ++i)
            if (facets_[beyond].v[i] == v) facets_[beyond].across[i] = f;
        starts_[u] = f;
        fresh_.push_back(f);
    }

    std::span<const Vec3> points_;
    std::vector<Facet> facets_;
    std::vector<Index> starts_;  // by vertex: the fresh facet that begins there
    std::vector<Index> visible_, fresh_, free_;
};

// Copies the points in use, in their order, and renumbers: returns the new index by old.
std::vector<Index> keep_vertices(std::span<const Vec3> points, const std::vector<bool>& used, Polytope& out) {
    std::vector<Index> number(points.size());
    for (Index i = 0; i < points.size(); ++i)
        if (used[i]) number[i] = Index(out.vertices.size()), out.vertices.push_back(Vec3d(points[i]));
    return number;
}

// A group of exactly coplanar neighbours has one normal: that of its largest triangle, the best conditioned.
std::vector<Index> group_facets(std::span<const Vec3> points, const std::vector<Facet>& facets, Polytope& out) {
    std::vector<Index> group(facets.size(), ~0u), stack;
    for (Index first = 0; first < facets.size(); ++first) {
        if (group[first] != ~0u) continue;
        Vec3d normal;
        double largest = -1;
        stack.assign(1, first);
        group[first] = Index(out.normals.size());
        while (!stack.empty()) {
            const Facet& f = facets[stack.back()];
            stack.pop_back();
            const Vec3d p(points[f.v[0]]), q(points[f.v[1]]), r(points[f.v[2]]);
            const Vec3d area = cross(q - p, r - p);
            const double roundness = length(area) / (length(q - p) * length(r - p) + length(r - q) * length(r - q));
            if (roundness > largest) largest = roundness, normal = normalised(area);
            for (Index other : f.across) {
                if (group[other] != ~0u) continue;
                const Facet& g = facets[other];
                const bool flat = std::all_of(std::begin(g.v), std::end(g.v), [&](Index v) {
                    return orientation(points[f.v[0]], points[f.v[1]], points[f.v[2]], points[v]) == 0;
                });
                if (flat) group[other] = group[first], stack.push_back(other);
            }
        }
        out.normals.push_back(normal);
    }
    return group;
}

void build_solid(std::span<const Vec3> points, const std::vector<Index>& base, Polytope& out) {
    const std::vector<Facet> facets = Incremental(points, base).take();
    std::vector<bool> used(points.size());
    for (const Facet& f : facets)
        for (Index v : f.v) used[v] = true;
    const std::vector<Index> number = keep_vertices(points, used, out);
    const std::vector<Index> group = group_facets(points, facets, out);
    for (Index f = 0; f < facets.size(); ++f) {
        out.triangles.push_back({{number[facets[f].v[0]], number[facets[f].v[1]], number[facets[f].v[2]]}});
        for (int i = 0; i < 3; ++i) {
            const Index other = facets[f].across[i];
            if (other < f || group[other] == group[f]) continue;
            const Index u = facets[f].v[i], v = facets[f].v[(i + 1) % 3];
            out.edges.push_back({number[u], number[v]});
            Arc arc{normalised(Vec3d(points[v]) - Vec3d(points[u])), group[f], group[other]};
            // Nearly opposite normals leave the arc between them to rounding.
            if (dot(out.normals[group[f]], out.normals[group[other]]) < -0.99) arc.normal0 = arc.normal1 = Arc::kNone;
            out.arcs.push_back(arc);
        }
    }
}

// Monotone chain [Andrew 1979] in the coordinate plane that shows the polygon's base triangle best.
void build_polygon(std::span<const Vec3> points, const std::vector<Index>& base, Polytope& out) {
    const Vec3d p(points[base[0]]), q(points[base[1]]), r(points[base[2]]);
    const Vec3d area = cross(q - p, r - p);
    const double size[3] = {std::fabs(area.x), std::fabs(area.y), std::fabs(area.z)};
    int axis = -1;
    for (int i = 0; i < 3; ++i)
        if (turn(points[base[0]], points[base[1]], points[base[2]], i) != 0 && (axis < 0 || size[i] > size[axis]))
            axis = i;
    const auto key = [&](Index i) {
        const Vec3& v = points[i];
        return axis == 0 ? std::tuple(v.y, v.z) : axis == 1 ? std::tuple(v.z, v.x) : std::tuple(v.x, v.y);
    };
    std::vector<Index> order(points.size()), loop;
    for (Index i = 0; i < points.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](Index i, Index j) { return std::tuple(key(i), i) < std::tuple(key(j), j); });
    for (int half = 0; half < 2; ++half, std::reverse(order.begin(), order.end())) {
        const std::size_t start = loop.size();
        for (Index i : order) {
            while (loop.size() >= start + 2 &&
                   turn(points[loop[loop.size() - 2]], points[loop.back()], points[i], axis) <= 0)
                loop.pop_back();
            loop.push_back(i);
        }
        loop.pop_back();  // the other half begins with it
    }
    for (Index i : loop) out.vertices.push_back(Vec3d(points[i]));
    const Vec3d normal =
        normalised(area) * (turn(points[base[0]], points[base[1]], points[base[2]], axis) > 0 ? 1.0 : -1.0);
    out.normals = {normal, -normal};
    const Index n = Index(loop.size());
    for (Index i = 0; i < n; ++i) {
        const Index j = (i + 1) % n;
        if (i >= 2) out.triangles.push_back({{0, i - 1, i}});
        out.edges.push_back({i, j});
        const Vec3d direction = normalised(out.vertices[j] - out.vertices[i]);
        const Index outward = Index(out.normals.size());
        out.normals.push_back(normalised(cross(direction, normal)));
        out.arcs.push_back({direction, 0, outward});
        out.arcs.push_back({direction, outward, 1});
    }
}

void build_segment(std::span<const Vec3> points, Index far_end, Polytope& out) {
    // points[far_end] is the farthest from points[0]; the other end is the farthest from it (no ties on a line).
    const Vec3d end(points[far_end]);
    Vec3d other = end;
    for (const Vec3& v : points)
        if (length(Vec3d(v) - end) > length(other - end)) other = Vec3d(v);
    out.vertices = {other, end};
    out.edges = {{0, 1}};
    out.arcs = {{normalised(end - other)}};
}

}  // namespace

Polytope convex_hull(std::span<const Vec3> points) {
    Polytope out;
    const std::vector<Index> base = spanning_points(points);
    out.dimension = int(base.size()) - 1;
    if (out.dimension == 0) out.vertices = {Vec3d(points[0])};
    if (out.dimension == 1) build_segment(points, base[1], out);
    if (out.dimension == 2) build_polygon(points, base, out);
    if (out.dimension == 3) build_solid(points, base, out);
    for (const Vec3d& v : out.vertices) out.centre = out.centre + v / double(out.vertices.size());
    return out;
}

void scale(Polytope& polytope, const Vec3d& by) {
    const auto times = [&](const Vec3d& v) { return Vec3d{v.x * by.x, v.y * by.y, v.z * by.z}; };
    for (Vec3d& v : polytope.vertices) v = times(v);
    for (Vec3d& n : polytope.normals) n = normalised(Vec3d{n.x / by.x, n.y / by.y, n.z / by.z});
    for (Arc& arc : polytope.arcs) arc.direction = normalised(times(arc.direction));
    polytope.centre = times(polytope.centre);
}

}  // namespace abut::oracle
