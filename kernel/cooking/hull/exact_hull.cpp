// Quickhull [Barber, Dobkin, Huhdanpaa 1996] on whole numbers. Departure: a facet is visible only if an exact
// determinant is positive, so facets never need merging or repair. Coplanar points do not count as above.
#include "cooking/hull/exact_hull.hpp"

#include <algorithm>
#include <cassert>

#include "base/grid.hpp"
#include "base/memory.hpp"

namespace abut::cooking {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

int sign(double x) { return (x > 0) - (x < 0); }

// A bound on the error of dot(cross(u, v), w) in double: 32 ulps (28 can occur) times the largest difference on the
// grid.
double height_error(const Vec3d& u, const Vec3d& v) { return 0x1p-48 * 0x1p39 * max_abs(u) * max_abs(v); }

struct Facet {
    Triangle corner;
    Triangle neighbour;             // across the edges corner[i] -> corner[i + 1]
    Vec3d base, normal;             // unnormalised
    double error;                   // bound on the error of a height computed with `normal`
    double ignored;                 // points up to this height are left out
    std::uint32_t outside = kNone;  // list of the points assigned to this facet, the highest first
    double highest = 0;
    std::uint32_t visit = 0;
    bool dead = false;
};

class Quickhull {
public:
    Quickhull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset, double ignored)
        : grid_(grid), subset_(subset), ignored_(ignored), next_(grid.size(), kNone), fan_(grid.size(), kNone) {}

    Mesh run() {
        if (!start()) return {};
        while (!pending_.empty()) {
            const std::uint32_t facet = pending_.back();
            pending_.pop_back();
            if (waits(facet)) raise(facet);
        }
        return mesh();
    }

    // Starts with four corners and adds one per step. Precondition: all points are extreme, so that each added corner
    // stays a corner.
    Mesh run_to(std::uint32_t most_corners) {
        if (!start()) return {};
        for (std::uint32_t corners = 4; corners < most_corners && !pending_.empty(); ++corners) {
            pending_.erase(std::remove_if(pending_.begin(), pending_.end(), [&](std::uint32_t f) { return !waits(f); }),
                           pending_.end());
            const auto rise = [&](std::uint32_t f) { return facets_[f].highest / norm(facets_[f].normal); };
            const auto lower = [&](std::uint32_t f, std::uint32_t g) { return rise(f) < rise(g); };
            const auto highest = std::max_element(pending_.begin(), pending_.end(), lower);
            if (highest != pending_.end()) raise(*highest);
        }
        return mesh();
    }

private:
    bool waits(std::uint32_t facet) const { return !facets_[facet].dead && facets_[facet].outside != kNone; }

    Mesh mesh() const {
        Indices place(facets_.size(), kNone);
        std::uint32_t count = 0;
        for (std::size_t f = 0; f < facets_.size(); ++f)
            if (!facets_[f].dead) place[f] = count++;
        Mesh mesh;
        mesh.triangles.reserve(count);
        mesh.neighbours.reserve(count);
        for (const Facet& facet : facets_) {
            if (facet.dead) continue;
            const auto [a, b, c] = facet.neighbour;
            mesh.triangles.push_back(facet.corner);
            mesh.neighbours.push_back({place[a], place[b], place[c]});
        }
        return mesh;
    }

    // The height of a point in the facet's own unit; greater than 0 exactly if the point is strictly above the facet.
    double height(const Facet& facet, std::uint32_t point) const {
        const double approximate = dot(facet.normal, grid_[point] - facet.base);
        if (std::abs(approximate) > facet.error) return approximate;
        const auto [a, b, c] = facet.corner;
        return sign(maths::integer_triple(grid_[b] - grid_[a], grid_[c] - grid_[a], grid_[point] - grid_[a])) *
               facet.error;
    }

    // Reuses the slot of a dead facet if there is one: a cloud of n corners makes 6 n facets, of which 2 n remain.
    std::uint32_t add_facet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (free_.empty()) {
            free_.push_back(std::uint32_t(facets_.size()));
            facets_.emplace_back();
        }
        const std::uint32_t made = free_.back();
        free_.pop_back();
        fresh_.push_back(made);
        Facet facet{};
        const Vec3d u = grid_[b] - grid_[a], v = grid_[c] - grid_[a];
        facet.corner = {a, b, c};
        facet.base = grid_[a];
        facet.normal = cross(u, v);
        facet.error = height_error(u, v);
        facet.ignored = ignored_ > 0.0 ? ignored_ * norm(facet.normal) : 0.0;
        facets_[made] = facet;
        return made;
    }

    void give(std::uint32_t to, std::uint32_t point, double h) {
        Facet& facet = facets_[to];
        if (facet.outside == kNone) {
            pending_.push_back(to);
        } else if (h <= facet.highest) {
            next_[point] = next_[facet.outside];
            next_[facet.outside] = point;
            return;
        }
        next_[point] = facet.outside;
        facet.outside = point;
        facet.highest = h;
    }

    // Assigns a point to the first new facet that it is above; to none if it is inside.
    void give_to_one(std::uint32_t point) {
        for (const std::uint32_t f : fresh_) {
            const double h = height(facets_[f], point);
            if (h > facets_[f].ignored) return give(f, point, h);
        }
    }

    template <class Measure>
    std::uint32_t most(Measure measure) const {
        std::uint32_t best = subset_[0];
        double most = measure(grid_[best]);
        for (const std::uint32_t i : subset_.subspan(1)) {
            const double value = measure(grid_[i]);
            if (value > most) most = value, best = i;
        }
        return best;
    }

    // Makes the first tetrahedron, of four corners far apart. False if all points are in one plane.
    bool start() {
        if (subset_.size() < 4) return false;
        BoxD box = maths::kNoBounds;
        for (const std::uint32_t i : subset_) box = joined(box, grid_[i]);
        const auto along = [axis = largest_axis(box.high - box.low)](Vec3d p) { return component(p, axis); };
        const std::uint32_t a = most([&](Vec3d p) { return -along(p); });
        const std::uint32_t b = most(along);
        const Vec3d pa = grid_[a], ab = grid_[b] - pa;
        const std::uint32_t c = most([&](Vec3d p) {
            const Vec3d n = cross(ab, p - pa);
            return dot(n, n);
        });
        const Vec3d n = cross(ab, grid_[c] - pa);
        const std::uint32_t d = most([&](Vec3d p) { return std::abs(dot(n, p - pa)); });
        const double side_of_d = maths::triple_sign(ab, grid_[c] - pa, grid_[d] - pa);
        if (side_of_d == 0) return false;
        if (side_of_d < 0)
            add_tetrahedron(a, b, c, d);
        else
            add_tetrahedron(a, c, b, d);
        for (const std::uint32_t i : subset_) give_to_one(i);
        return true;
    }

    // Precondition: d is below a, b, c.
    void add_tetrahedron(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        add_facet(a, b, c);
        add_facet(b, a, d);
        add_facet(c, b, d);
        add_facet(a, c, d);
        facets_[0].neighbour = {1, 2, 3};
        facets_[1].neighbour = {0, 3, 2};
        facets_[2].neighbour = {0, 1, 3};
        facets_[3].neighbour = {0, 2, 1};
    }

    // Makes the highest point above `from` a vertex: replaces the facets that it sees by a fan from their rim to the
    // point.
    void raise(std::uint32_t from) {
        const std::uint32_t point = facets_[from].outside;
        ++visit_;
        seen_.assign(1, from);
        facets_[from].visit = visit_;
        facets_[from].dead = true;
        fresh_.clear();
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            for (int edge = 0; edge < 3; ++edge) {
                const std::uint32_t beyond = facets_[seen_[i]].neighbour[edge];
                Facet& other = facets_[beyond];
                if (other.visit == visit_ && other.dead) continue;
                if (other.visit != visit_ && height(other, point) > 0) {
                    other.visit = visit_;
                    other.dead = true;
                    seen_.push_back(beyond);
                } else {
                    other.visit = visit_;  // examined, but not removed
                    rim_.push_back({seen_[i], std::uint32_t(edge), beyond});
                }
            }
        }
        for (const Rim& rim : rim_) add_fan_facet(rim, point);
        rim_.clear();
        close_fan();
        for (const std::uint32_t f : seen_) give_again(f, point);
        free_.insert(free_.end(), seen_.begin(), seen_.end());
    }

    struct Rim {
        std::uint32_t facet, edge, beyond;
    };

    void add_fan_facet(const Rim& rim, std::uint32_t point) {
        const std::uint32_t a = facets_[rim.facet].corner[rim.edge], b = facets_[rim.facet].corner[(rim.edge + 1) % 3];
        const std::uint32_t made = add_facet(a, b, point);
        facets_[made].neighbour[0] = rim.beyond;
        Facet& other = facets_[rim.beyond];
        for (int e = 0; e < 3; ++e)
            if (other.corner[e] == b && other.corner[(e + 1) % 3] == a) other.neighbour[e] = made;
        assert(fan_[a] == kNone);  // the rim is one simple cycle
        fan_[a] = made;
    }

    void close_fan() {
        for (const std::uint32_t f : fresh_) {
            const std::uint32_t after = fan_[facets_[f].corner[1]];
            facets_[f].neighbour[1] = after;
            facets_[after].neighbour[2] = f;
        }
        for (const std::uint32_t f : fresh_) fan_[facets_[f].corner[0]] = kNone;
    }

    void give_again(std::uint32_t facet, std::uint32_t point) {
        for (std::uint32_t p = facets_[facet].outside; p != kNone;) {
            const std::uint32_t following = next_[p];
            if (p != point) give_to_one(p);
            p = following;
        }
        facets_[facet].outside = kNone;
    }

    std::span<const Vec3d> grid_;
    std::span<const std::uint32_t> subset_;
    double ignored_;
    Vector<Facet> facets_;
    Indices next_;     // by point: the next point in the list of its facet
    Indices fan_;      // by point: the new facet whose edge starts there
    Indices pending_;  // facets that may have points outside
    Indices fresh_;    // facets made by this step
    Indices seen_;     // facets removed by this step
    Indices free_;     // slots of dead facets
    Vector<Rim> rim_;
    std::uint32_t visit_ = 0;
};

}  // namespace

Mesh exact_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset, double ignored) {
    return Quickhull(grid, subset, ignored).run();
}

Mesh farthest_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> extreme, std::uint32_t most_corners) {
    return Quickhull(grid, extreme, 0.0).run_to(most_corners);
}

Indices exact_polygon(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset) {
    Indices order(subset.begin(), subset.end());
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
        const Vec3d a = grid[i], b = grid[j];
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : i < j;
    });
    const auto same = [&](std::uint32_t i, std::uint32_t j) {
        return grid[i].x == grid[j].x && grid[i].y == grid[j].y;
    };
    order.erase(std::unique(order.begin(), order.end(), same), order.end());
    return chain_hull(order, [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        return maths::integer_cross(grid[j] - grid[i], grid[k] - grid[i]).z > 0;
    });
}

}  // namespace abut::cooking
