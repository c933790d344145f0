// The inscribed polytope, see inner.hpp.
#include "support/oracle/inner.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <vector>

namespace abut::oracle {
namespace {

using Index = std::uint32_t;

constexpr int kMaxPoints = 3000;
constexpr double kJoggle = 5e-10;    // of the way inwards: a tenth of the gap that the caller leaves
constexpr double kRounding = 1e-14;  // of the difference's extent

struct Face {
    Index v[3];       // counter-clockwise from outside
    Index across[3];  // the face beyond the edge v[i] -> v[(i + 1) % 3]
    Vec3d normal;
    double offset = 0;  // of the plane: no corner lies below it
    bool alive = true;
};

class Surface {
public:
    // Four points that span a solid.
    explicit Surface(std::array<Vec3d, 4> corners, double noise) : noise_(noise) {
        if (dot(cross(corners[1] - corners[0], corners[2] - corners[0]), corners[3] - corners[0]) > 0)
            std::swap(corners[1], corners[2]);
        points_.assign(corners.begin(), corners.end());
        for (const Vec3d& p : corners) inner_ = inner_ + p / 4;
        add_face({0, 1, 2}, {1, 2, 3});
        add_face({1, 0, 3}, {0, 3, 2});
        add_face({2, 1, 3}, {0, 1, 3});
        add_face({0, 2, 3}, {0, 2, 1});
    }

    std::size_t point_count() const { return points_.size(); }

    // The face whose plane is nearest to the origin, or the farthest on the wrong side of it.
    Index shallowest() {
        while (!faces_[queue_.top().face].alive) queue_.pop();
        return queue_.top().face;
    }
    const Face& face(Index f) const { return faces_[f]; }

    // False where the point sees nothing that may be exchanged.
    bool insert(const Vec3d& support, Index seen_first) {
        const Vec3d point = support + (inner_ - support) * joggle();
        if (!sees(point, faces_[seen_first])) return false;
        const Index apex = Index(points_.size());
        points_.push_back(point);
        visible_.assign(1, seen_first);
        faces_[seen_first].alive = false;
        for (std::size_t i = 0; i < visible_.size(); ++i)
            for (const Index other : faces_[visible_[i]].across)
                if (faces_[other].alive && sees(point, faces_[other]))
                    faces_[other].alive = false, visible_.push_back(other);
        const Index first_fresh = Index(faces_.size());
        for (const Index f : visible_)
            for (int i = 0; i < 3; ++i)
                if (faces_[faces_[f].across[i]].alive && faces_[f].across[i] < first_fresh) add_beyond(f, i, apex);
        link(first_fresh);
        return true;
    }

private:
    bool sees(const Vec3d& point, const Face& f) const {
        return dot(f.normal, point) > f.offset + noise_ && dot(f.normal, inner_) < f.offset;
    }

    // A share of the way to the inner point: support points are in general position then, where those of a cap are
    // level to rounding and faces would fold back onto one another.
    double joggle() {
        seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
        return kJoggle * double(seed_ >> 40) * 0x1p-24;
    }

    void add_face(std::array<Index, 3> v, std::array<Index, 3> across) {
        Face f{{v[0], v[1], v[2]}, {across[0], across[1], across[2]}, {}};
        const Vec3d &p = points_[v[0]], &q = points_[v[1]], &r = points_[v[2]];
        const Vec3d area = cross(q - p, r - p);
        const double longest = std::max({length(q - p), length(r - q), length(p - r)}), len = length(area);
        // All but collinear corners: any plane through them will do that has the inner point below.
        f.normal = len > 1e-12 * longest * longest ? area / len : away_from_inner(p, q, r);
        f.offset = std::min({dot(f.normal, p), dot(f.normal, q), dot(f.normal, r)});
        queue_.push({f.offset, Index(faces_.size())});
        faces_.push_back(f);
    }

    Vec3d away_from_inner(const Vec3d& p, const Vec3d& q, const Vec3d& r) const {
        Vec3d along = q - p;
        if (length(r - q) > length(along)) along = r - q;
        if (length(p - r) > length(along)) along = p - r;
        const Vec3d out = (p + q + r) / 3 - inner_;
        const double square = dot(along, along);
        return normalised(square > 0 ? out - along * (dot(out, along) / square) : out);
    }

    void add_beyond(Index seen, int edge, Index apex) {
        const Index u = faces_[seen].v[edge], v = faces_[seen].v[(edge + 1) % 3], beyond = faces_[seen].across[edge];
        const Index fresh = Index(faces_.size());
        for (int i = 0; i < 3; ++i)
            if (faces_[beyond].v[i] == v && faces_[beyond].v[(i + 1) % 3] == u) faces_[beyond].across[i] = fresh;
        add_face({u, v, apex}, {beyond, kUnlinked, kUnlinked});
    }

    // Fresh faces are (u, v, apex): beyond v -> apex lies one that starts at v. Rounding may let several do so; any of
    // them closes the surface.
    void link(Index first) {
        const Index end = Index(faces_.size());
        for (Index f = first; f < end; ++f)
            for (Index g = first; g < end; ++g)
                if (faces_[g].v[0] == faces_[f].v[1] && faces_[g].across[2] == kUnlinked) {
                    faces_[f].across[1] = g, faces_[g].across[2] = f;
                    break;
                }
    }

    static constexpr Index kUnlinked = ~0u;
    struct Queued {
        double offset;
        Index face;
        bool operator<(const Queued& other) const { return offset > other.offset; }
    };

    double noise_;
    std::uint64_t seed_ = 1;
    Vec3d inner_;
    std::vector<Vec3d> points_;
    std::vector<Face> faces_;
    std::priority_queue<Queued> queue_;
    std::vector<Index> visible_;
};

struct Tracker {
    const Difference& difference;
    InnerDepth best{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), {}};

    Vec3d support(const Vec3d& unit) {
        const Vec3d w = difference.support(unit);
        if (const double reach = dot(unit, w); reach < best.at_most) best.at_most = reach, best.normal = unit;
        return w;
    }
    // The farther from `from` of the two ends along `unit`, and how far that is.
    std::pair<Vec3d, double> farther(const Vec3d& unit, const Vec3d& from) {
        const Vec3d p = support(unit), q = support(-unit);
        const double up = dot(unit, p - from), down = dot(unit, from - q);
        return up >= down ? std::pair{p, up} : std::pair{q, down};
    }
};

// Four points that span as much of M as is easily found; false where it is thinner than `wanted` along a direction
// tried.
bool span(Tracker& tracker, double wanted, std::array<Vec3d, 4>& out) {
    double longest = -1;
    Vec3d line;
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        const Vec3d p = tracker.support(axis), q = tracker.support(-axis);
        if (length(p - q) > longest) longest = length(p - q), out[0] = p, out[1] = q, line = axis;
    }
    if (longest <= wanted) return false;
    line = normalised(out[0] - out[1]);
    const Vec3d side = normalised(std::fabs(line.x) < 0.6 ? cross(line, {1, 0, 0}) : cross(line, {0, 1, 0}));
    double farthest = -1;
    for (const Vec3d& across : {side, cross(line, side)}) {
        const auto [p, off] = tracker.farther(across, out[0]);
        if (off > farthest) farthest = off, out[2] = p;
    }
    if (farthest <= wanted) return false;
    const Vec3d normal = normalised(cross(line, out[2] - out[0]));
    const auto [p, off] = tracker.farther(normal, out[0]);
    out[3] = p;
    return off > wanted;
}

// Downhill from the best direction so far, by steps to the sides that shrink where none helps: where the polytope would
// need too many points to prove what the depth is, the value is right all the same.
void polish(Tracker& tracker) {
    const auto side = [](const Vec3d& n) {
        return normalised(std::fabs(n.x) < 0.6 ? cross(n, {1, 0, 0}) : cross(n, {0, 1, 0}));
    };
    constexpr int kMaxRounds = 400;  // some sixty do; a valley hardly inclined goes on for a million
    double step = 1e-2;
    for (int round = 0; round < kMaxRounds && step > 1e-10; ++round) {
        const Vec3d n = tracker.best.normal, u = side(n), v = cross(n, u);
        for (const Vec3d& way : {u, -u, v, -v}) tracker.support(normalised(n + way * step));
        if (tracker.best.normal == n) step /= 3;
    }
}

}  // namespace

InnerDepth depth_by_inner_polytope(const Difference& difference, const Vec3d& hint, double wanted) {
    Tracker tracker{difference};
    tracker.support(hint);
    std::array<Vec3d, 4> corners;
    if (!span(tracker, wanted, corners)) {
        tracker.best.at_least = 0;
        return tracker.best;
    }
    double extent = 0;
    for (const Vec3d& p : corners) extent = std::max(extent, length(p - corners[0]));
    Surface surface(corners, kRounding * extent);
    for (;;) {
        const Index f = surface.shallowest();
        const Vec3d normal = surface.face(f).normal;
        tracker.best.at_least = surface.face(f).offset;
        tracker.best.points = int(surface.point_count());
        const Vec3d w = tracker.support(normal);
        if (tracker.best.at_most - tracker.best.at_least <= wanted || tracker.best.points >= kMaxPoints) break;
        if (!surface.insert(w, f)) break;
    }
    if (tracker.best.at_most - tracker.best.at_least > wanted) polish(tracker);
    return tracker.best;
}

}  // namespace abut::oracle
