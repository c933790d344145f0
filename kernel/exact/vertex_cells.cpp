// See vertex_cells.hpp.
#include "exact/vertex_cells.hpp"

#include <bitset>
#include <limits>

namespace abut::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Triangles that are looked at. Small shapes in a hull of 1,020 vertices take some hundreds, large ones about the axis of a prism of 1,024 sides some
// thousands.
constexpr int kMostTriangles = 10'000;
// A triangle on the stack is halved across its longest side: after so many times it has no size that a double could tell.
constexpr int kMaxOpen = 128;
constexpr int kCrossingSteps = 8;

// A convex part of the other core, whose support function is smooth away from the axis: a disc across the axis at some height, of which a point is
// one without a radius, or an ellipsoid.
struct Part {
    double height, radius;
};

// The other core, seen from the hull: directions are the hull's.
class Other {
public:
    explicit Other(const CorePair& pair) : from_b_(pair.b.kind == ShapeKind::hull), core_(from_b_ ? pair.a : pair.b) {
        // From the hull's axes to the other core's, with its sign turned: A - B is what the hull is less the other core, or the mirrored difference.
        to_own_ = from_b_ ? pair.b_to_a : transposed(pair.b_to_a);
        offset_ = from_b_ ? -transposed_times(pair.b_to_a, pair.offset) : pair.offset;
        const Vec3d& half = core_.half;
        if (core_.kind == ShapeKind::cylinder) parts_[count_++] = {half.y, half.x}, parts_[count_++] = {-half.y, half.x};
        if (core_.kind == ShapeKind::cone) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, half.x};
        if (core_.kind == ShapeKind::capsule) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, 0};
        if (core_.kind == ShapeKind::sphere || core_.kind == ShapeKind::ellipsoid) parts_[count_++] = {0, 0};
    }
    int part_count() const { return count_; }

    // What part `k` adds to the depth along d.
    double reach(int k, const Vec3d& d) const {
        const Vec3d own = to_own_ * d;
        const double moved = dot(offset_, d);
        if (core_.kind == ShapeKind::ellipsoid) return norm(times(core_.half, own)) - core_.erosion * norm(d) - moved;
        return parts_[k].radius * std::sqrt(own.x * own.x + own.z * own.z) - parts_[k].height * own.y - moved;
    }
    double reach(const Vec3d& d) const { return count_ == 1 ? reach(0, d) : most(reach(0, d), reach(1, d)); }

    // The greatest radius of curvature of part `k` in directions within an angle of d.
    double curvature(int k, const Vec3d& d, double cosine, double sine) const {
        const Vec3d own = to_own_ * d;
        if (core_.kind == ShapeKind::ellipsoid) {
            const Vec3d& r = core_.half;
            const double greatest = max_abs(r), thinnest = least(r.x, least(r.y, r.z));
            const double reach = most(thinnest, norm(times(r, own)) * cosine - greatest * sine);
            return greatest * greatest / reach - core_.erosion;
        }
        if (parts_[k].radius == 0) return 0;
        const double aside = std::sqrt(own.x * own.x + own.z * own.z) * cosine - std::fabs(own.y) * sine;
        return aside > 0 ? parts_[k].radius / aside : kInfinity;
    }

    // The point that reaches farthest along d, with its sign turned, as `reach` has it.
    Vec3d support(const Vec3d& d) const { return -(transposed_times(to_own_, core_support(core_, to_own_ * -d)) + offset_); }

    // A direction of the hull's as one of A - B, and the core's own axes as the hull's.
    Vec3d out_of(const CorePair& pair, const Vec3d& d) const { return from_b_ ? -(pair.b_to_a * d) : d; }
    Vec3d axis(int i) const { return i == 0 ? to_own_.row_x : i == 1 ? to_own_.row_y : to_own_.row_z; }

private:
    bool from_b_;
    const Core& core_;
    Mat3 to_own_;
    Vec3d offset_;
    Part parts_[2] = {};
    int count_ = 0;
};

// A corner of a cell: a unit direction, and what it is as deep as with either part.
struct Corner {
    Vec3d d;
    double depth[2];
};

struct Triangle {
    Corner corner[3];
};

class Search {
public:
    Search(const CorePair& pair, double allowed, KnownDepth& best)
        : pair_(pair),
          hull_core_(pair.a.kind == ShapeKind::hull ? pair.a : pair.b),
          hull_(*hull_core_.hull),
          other_(pair),
          allowed_(allowed),
          best_(best) {}

    double run() {
        // What is shallower at a corner of a cell is found where the cells are looked at, and is looked for before they are.
        for (std::uint32_t f = 0; f < hull_.face_count; ++f) {
            const Vec3d d = normal(f);
            const Vec3d p = vertex(hull_.loop[hull_.face_first[f]]);
            if (dot(d, p) + other_.reach(d) < best_.depth) try_direction(d);
        }
        for (int i = 0; i < 3; ++i) try_direction(other_.axis(i)), try_direction(-other_.axis(i));
        std::bitset<ShapeStore::kMaxHullVertices> open;
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) open[v] = !is_cell_proved(v);
        for (const HullEdge& edge : hull_.edges)
            if ((open[edge.v0] && !search_fan(edge.v0, edge)) || (open[edge.v1] && !search_fan(edge.v1, edge))) return 0;
        return best_.depth - allowed_;
    }

private:
    Vec3d vertex(std::uint32_t i) const { return times(hull_core_.half, {hull_.column_x()[i], hull_.column_y()[i], hull_.column_z()[i]}); }
    // By three corners, as the normals of the tables are rounded and not scaled.
    Vec3d normal(std::uint32_t face) const {
        const std::uint32_t first = hull_.face_first[face], count = hull_.face_first[face + 1] - first;
        const std::uint16_t* loop = hull_.loop.data() + first;
        const Vec3d p = vertex(loop[0]);
        return unit(cross(vertex(loop[count / 3]) - p, vertex(loop[2 * count / 3]) - p));
    }
    void try_direction(const Vec3d& d) {
        const Vec3d n = unit(other_.out_of(pair_, d));
        const double depth = dot(n, support(pair_, n).w);
        if (depth < best_.depth) best_ = {n, depth};
    }
    Corner corner(const Vec3d& d) const {
        return {d, {dot(d, at_) + other_.reach(0, d), other_.part_count() == 2 ? dot(d, at_) + other_.reach(1, d) : 0}};
    }

    // The least depth with one part in the hull of corners, of which the one with the least is given.
    double bound(int part, double at_corners, const Vec3d& middle, double cosine) const {
        if (cosine <= 0) return -kInfinity;
        const double radius = other_.curvature(part, middle, cosine, std::sqrt(most(0, 1 - cosine * cosine)));
        if (at_corners >= radius) return at_corners;
        return radius < kInfinity ? at_corners - (radius - at_corners) * (1 / cosine - 1) : -kInfinity;
    }

    // Whether no direction in a vertex's cell is shallower, by its corners alone.
    bool is_cell_proved(std::uint32_t v) {
        at_ = vertex(v);
        Vec3d sum = {0, 0, 0};
        for (std::uint32_t i = hull_.vertex_first[v]; i < hull_.vertex_first[v + 1]; ++i) sum = sum + normal(hull_.vertex_face[i]);
        if (!(dot(sum, sum) > 0)) return false;
        const Vec3d middle = unit(sum);
        double cosine = 1, least_depth[2] = {kInfinity, kInfinity};
        for (std::uint32_t i = hull_.vertex_first[v]; i < hull_.vertex_first[v + 1]; ++i) {
            const Corner c = corner(normal(hull_.vertex_face[i]));
            cosine = least(cosine, dot(middle, c.d));
            for (int k = 0; k < 2; ++k) least_depth[k] = least(least_depth[k], c.depth[k]);
        }
        for (int k = 0; k < other_.part_count(); ++k)
            if (least_depth[k] >= wanted() && bound(k, least_depth[k], middle, cosine) >= wanted()) return true;
        return false;
    }

    // The other cells are fans of triangles about one corner. Their outer sides are the arcs of the hull's edges.
    bool search_fan(std::uint32_t v, const HullEdge& edge) {
        const std::uint16_t centre = hull_.vertex_face[hull_.vertex_first[v]];
        if (edge.f0 == centre || edge.f1 == centre) return true;
        at_ = vertex(v);
        return search_triangle({{corner(normal(centre)), corner(normal(edge.f0)), corner(normal(edge.f1))}});
    }

    // What no direction may fall short of.
    double wanted() const { return best_.depth - allowed_; }
    double depth_at(const Corner& c) const { return other_.part_count() == 2 ? most(c.depth[0], c.depth[1]) : c.depth[0]; }
    void note(const Corner& c) {
        if (depth_at(c) < best_.depth) try_direction(c.d);
    }

    bool search_triangle(const Triangle& whole) {
        Triangle open[kMaxOpen];
        int count = 0;
        open[count++] = whole;
        while (count > 0) {
            // The origin is in A - B, so that no depth is negative.
            if (best_.depth <= allowed_) return false;
            const Triangle t = open[--count];
            if (is_proved(t)) continue;
            if (++looked_at_ >= kMostTriangles || count + 2 > kMaxOpen) return false;
            int longest = 0;
            double least_cosine = 2;
            for (int i = 0; i < 3; ++i) {
                const double cosine = dot(t.corner[i].d, t.corner[(i + 1) % 3].d);
                if (cosine < least_cosine) least_cosine = cosine, longest = i;
            }
            const Corner half = corner(unit(t.corner[longest].d + t.corner[(longest + 1) % 3].d));
            note(half);
            open[count] = open[count + 1] = t;
            open[count++].corner[longest] = half;
            open[count++].corner[(longest + 1) % 3] = half;
        }
        return true;
    }

    double bound(int part, const Corner* corners, int count) const {
        Vec3d sum = corners[0].d;
        double at_corners = corners[0].depth[part], cosine = 1;
        for (int i = 1; i < count; ++i) sum = sum + corners[i].d, at_corners = least(at_corners, corners[i].depth[part]);
        if (at_corners < wanted()) return at_corners;
        const Vec3d middle = unit(sum);
        for (int i = 0; i < count; ++i) cosine = least(cosine, dot(middle, corners[i].d));
        return bound(part, at_corners, middle, cosine);
    }

    bool is_proved(const Triangle& t) {
        const double limit = wanted();
        for (int k = 0; k < other_.part_count(); ++k)
            if (bound(k, t.corner, 3) >= limit) return true;
        // One point of the other core stands for all of it.
        const Vec3d middle = unit(t.corner[0].d + t.corner[1].d + t.corner[2].d);
        const Vec3d point = at_ + other_.support(middle);
        const double by_point = least(dot(point, t.corner[0].d), least(dot(point, t.corner[1].d), dot(point, t.corner[2].d)));
        if (by_point >= limit) return true;
        return other_.part_count() == 2 && is_proved_in_two(t, limit);
    }

    // Where one part reaches farther at one corner and the other one at the others: each part stands for its side of a line through directions in
    // which both reach as far.
    bool is_proved_in_two(const Triangle& t, double limit) {
        const auto first_is_farther = [](const Corner& c) { return c.depth[0] > c.depth[1]; };
        int alone = -1;
        for (int i = 0; i < 3; ++i) {
            const bool self = first_is_farther(t.corner[i]);
            if (self != first_is_farther(t.corner[(i + 1) % 3]) && self != first_is_farther(t.corner[(i + 2) % 3])) alone = i;
        }
        if (alone < 0) return false;
        const Corner &lone = t.corner[alone], &p = t.corner[(alone + 1) % 3], &q = t.corner[(alone + 2) % 3];
        const int part = first_is_farther(lone) ? 0 : 1;
        const Corner to_p = crossing(lone, p), to_q = crossing(lone, q);
        note(to_p), note(to_q);
        const Corner near[3] = {lone, to_p, to_q}, far[4] = {p, q, to_p, to_q};
        limit = least(limit, wanted());
        return bound(part, near, 3) >= limit && bound(1 - part, far, 4) >= limit;
    }

    // Between two corners, about where both parts reach as far [false position, halved where it stalls].
    Corner crossing(const Corner& from, const Corner& to) const {
        double low = 0, high = 1, at_low = from.depth[0] - from.depth[1], at_high = to.depth[0] - to.depth[1];
        Corner found = from;
        for (int i = 0; i < kCrossingSteps; ++i) {
            const double share = low + (high - low) * (at_low / (at_low - at_high));
            const Vec3d d = from.d * (1 - share) + to.d * share;
            found = corner(unit(d));
            const double here = found.depth[0] - found.depth[1];
            if (here == 0) break;
            if ((here > 0) == (at_low > 0))
                low = share, at_low = here, at_high *= 0.5;
            else
                high = share, at_high = here, at_low *= 0.5;
        }
        return found;
    }

    const CorePair& pair_;
    const Core& hull_core_;
    const HullGeometry& hull_;
    const Other other_;
    const double allowed_;
    KnownDepth& best_;
    Vec3d at_{};  // the vertex whose cell is looked at
    int looked_at_ = 0;
};

bool is_solid_hull(const Core& core) { return core.kind == ShapeKind::hull && core.hull->report.dimension == 3 && core.hull->face_count >= 4; }

}  // namespace

bool has_vertex_cells(const CorePair& pair) {
    if (is_solid_hull(pair.a) == is_solid_hull(pair.b)) return false;
    const ShapeKind other = is_solid_hull(pair.a) ? pair.b.kind : pair.a.kind;
    return other == ShapeKind::sphere || other == ShapeKind::capsule || other == ShapeKind::cylinder || other == ShapeKind::cone ||
           other == ShapeKind::ellipsoid;
}

double search_vertex_cells(const CorePair& pair, double allowed, KnownDepth& best) { return Search(pair, allowed, best).run(); }

}  // namespace abut::exact
