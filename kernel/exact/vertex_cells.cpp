// See vertex_cells.hpp.
#include "exact/vertex_cells.hpp"

#include <algorithm>
#include <bitset>
#include <limits>

#include "compiler.hpp"

namespace abut::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Triangles that are looked at: so many, and so many for each face, but no more than the last. Small shapes in a hull of 1,020 vertices take some
// hundreds, large ones about the axis of a prism of 1,024 sides some thousands. Hulls of fewer faces than the first number are for cells about an axis.
constexpr std::uint32_t kLeastFaces = 32, kFirstTriangles = 256, kTrianglesPerFace = 16, kMostTriangles = 10'000;
// A triangle on the stack is halved across its longest side: after so many times it has no size that a double could tell.
constexpr int kMaxOpen = 128;
constexpr int kCrossingSteps = 8;
// Hulls are climbed from so many vertices; past a vertex with more faces around it they are not.
constexpr int kMostStarts = 2;
constexpr std::uint32_t kMostAround = 24;
constexpr std::uint32_t kMostFaces = 2 * ShapeStore::kMaxHullVertices - 4;  // Euler

bool is_solid_hull(const Core& core) {
    return core.kind == ShapeKind::hull && core.hull->report.dimension == 3 && core.hull->face_count >= kLeastFaces;
}

// Of two the one with more vertices: its cells are smaller.
bool b_has_cells(const CorePair& pair) {
    if (!is_solid_hull(pair.a) || !is_solid_hull(pair.b)) return is_solid_hull(pair.b);
    return pair.b.hull->vertex_count > pair.a.hull->vertex_count;
}

Vec3d face_normal(const Core& core, std::uint32_t face) {
    // By three corners, as the normals of the tables are rounded and not scaled.
    const HullGeometry& hull = *core.hull;
    const std::uint32_t first = hull.face_first[face], count = hull.face_first[face + 1] - first;
    const std::uint16_t* loop = hull.loop.data() + first;
    const Vec3d p = core_vertex(core, loop[0]);
    return unit(cross(core_vertex(core, loop[count / 3]) - p, core_vertex(core, loop[2 * count / 3]) - p));
}

// From vertex to vertex along edges: from the farthest one along a direction nearby it takes a few steps. `d`: in the
// core's axes. Small faces have all edges, but for those between two large ones: what is missed there makes a bound less tight, not wrong.
// kNone where it cannot tell.
constexpr std::uint16_t kNone = 0xffff;
std::uint16_t climb(const Core& core, const Vec3d& d, std::uint16_t from, int most_steps) {
    constexpr std::uint32_t kMostCorners = 16;
    const HullGeometry& hull = *core.hull;
    const Vec3d along = times(core.half, d);
    const auto height = [&](std::uint16_t v) { return hull.column_x()[v] * along.x + hull.column_y()[v] * along.y + hull.column_z()[v] * along.z; };
    double best = height(from);
    std::uint16_t at = from;
    for (int step = 0; step < most_steps; ++step, from = at) {
        if (hull.vertex_first[from + 1] - hull.vertex_first[from] > kMostAround) return kNone;
        for (std::uint32_t i = hull.vertex_first[from]; i < hull.vertex_first[from + 1]; ++i) {
            const std::uint32_t face = hull.vertex_face[i], first = hull.face_first[face], end = hull.face_first[face + 1];
            if (end - first > kMostCorners) continue;
            for (std::uint32_t k = first; k < end; ++k)
                if (const double here = height(hull.loop[k]); here > best) best = here, at = hull.loop[k];
        }
        if (at == from) return at;
    }
    return at;
}

// Where to climb from: of some vertices the one that is farthest after a few steps.
class Start {
public:
    Start(const Core& core, const Vec3d& d) : core_(core), along_(d) {}
    void consider(std::uint16_t v) {
        if (count_ == kMostStarts || v == latest_) return;
        ++count_, latest_ = v;
        const std::uint16_t top = climb(core_, along_, v, 1);
        const double height = top == kNone ? -kInfinity : dot(core_vertex(core_, top), along_);
        if (height > most_) most_ = height, vertex_ = top;
    }
    std::uint16_t top() const {
        const std::uint16_t top = vertex_ == kNone ? kNone : climb(core_, along_, vertex_, kMostSteps);
        return top == kNone ? static_cast<std::uint16_t>(farthest_core_vertex(core_, along_)) : top;
    }

private:
    static constexpr int kMostSteps = 64;
    const Core& core_;
    Vec3d along_;
    double most_ = -kInfinity;
    std::uint16_t vertex_ = kNone, latest_ = kNone;
    int count_ = 0;
};

// Each face of a hull: its normal, and the other core's farthest vertex against it, found from those of faces before that share a vertex.
// `to_other`: that direction in the other core's axes.
template <class ToOther, class See>
void see_faces(const Core& core, const Core& other, const ToOther& to_other, const See& see, std::uint16_t* farthest) {
    const HullGeometry& hull = *core.hull;
    if (hull.face_count == 0) return;  // a point
    const bool climbs = is_solid_hull(other);
    std::bitset<kMostFaces> is_listed, is_seen;
    std::bitset<ShapeStore::kMaxHullVertices> is_looked_at;
    std::uint16_t list[kMostFaces];
    std::uint32_t listed = 0;
    list[listed++] = 0, is_listed[0] = true;
    for (std::uint32_t at = 0; at < listed; ++at) {
        const std::uint16_t f = list[at];
        const Vec3d d = face_normal(core, f), against = to_other(d);
        Start start(other, against);
        for (std::uint32_t k = hull.face_first[f]; k < hull.face_first[f + 1]; ++k) {
            const std::uint16_t v = hull.loop[k];
            const std::uint32_t first = hull.vertex_first[v], end = hull.vertex_first[v + 1];
            for (std::uint32_t i = first; climbs && i < end && i < first + kMostAround; ++i)
                if (is_seen[hull.vertex_face[i]]) start.consider(farthest[hull.vertex_face[i]]);
            for (std::uint32_t i = first; !is_looked_at[v] && i < end; ++i) {
                const std::uint16_t neighbour = hull.vertex_face[i];
                if (!is_listed[neighbour]) list[listed++] = neighbour, is_listed[neighbour] = true;
            }
            is_looked_at[v] = true;
        }
        farthest[f] = start.top();
        is_seen[f] = true;
        see(f, d, farthest[f]);
    }
}

// The other core, seen from the hull whose cells they are: directions are that hull's.
struct Other {
    explicit Other(const CorePair& pair) : is_a(b_has_cells(pair)), core(is_a ? pair.a : pair.b) {
        to_own = is_a ? pair.b_to_a : transposed(pair.b_to_a);
        offset = is_a ? -transposed_times(pair.b_to_a, pair.offset) : pair.offset;
    }
    // What a point of the core adds to the hull's vertices.
    Vec3d seen(const Vec3d& point) const { return -(transposed_times(to_own, point) + offset); }
    // A direction of the hull's as one of A - B; a direction of the core's as one of the hull's.
    Vec3d out_of(const CorePair& pair, const Vec3d& d) const { return is_a ? -(pair.b_to_a * d) : d; }
    Vec3d facing(const Vec3d& own) const { return -transposed_times(to_own, own); }

    bool is_a;
    const Core& core;
    Mat3 to_own;
    Vec3d offset;
};

Vec3d corner_of_hull(const Core& core, std::uint32_t face) { return core_vertex(core, core.hull->loop[core.hull->face_first[face]]); }

// Both ways along the other core's axes.
template <class Note>
void try_axes(const Other& other, const Note& note) {
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        note(other.facing(axis), -kInfinity), note(other.facing(-axis), -kInfinity);
}

// Corners of a cell, and what is known of the depth between them. A direction is unit; `at`: the vertex whose cell it is; `limit`: what no
// direction may fall short of.

// A core that has a vertex for every direction: two of them stand for all others in most triangles, each on its side of where both reach as far.
class Points {
public:
    explicit Points(const Other& other) : other_(other) {}
    struct Corner {
        Vec3d d, point;
        std::uint16_t vertex;
    };
    Corner between(const Corner& p, const Corner& q) const {
        const Vec3d d = unit(p.d + q.d);
        return corner_at(d, farthest(d, 2, [&](std::ptrdiff_t i) { return i == 0 ? p.vertex : q.vertex; }));
    }
    Corner corner_of_face(std::uint32_t face, const Vec3d& d) const { return corner_at(d, at_face_[face]); }
    double depth(const Corner& c, const Vec3d& at) const { return dot(c.d, at + c.point); }

    // The normals of the faces of both: a direction of the hull's, and the depth there.
    template <class Note>
    void see_normals(const Core& hull, const Note& note) {
        see_faces(
            hull, other_.core, [&](const Vec3d& d) { return other_.to_own * -d; },
            [&](std::uint32_t f, const Vec3d& d, std::uint16_t v) { note(d, dot(d, corner_of_hull(hull, f) + point(v))); }, at_face_);
        if (other_.core.kind == ShapeKind::box) return try_axes(other_, note);
        see_faces(
            other_.core, hull, [&](const Vec3d& d) { return other_.facing(d); },
            [&](std::uint32_t f, const Vec3d& d, std::uint16_t v) {
            note(other_.facing(d), dot(other_.facing(d), core_vertex(hull, v) + other_.seen(corner_of_hull(other_.core, f))));
            },
            at_own_face_);
    }

    // One point for a cell of any number of corners: the farthest in its middle.
    class Cell {
    public:
        Cell(const Points& core, const Vec3d& at, const Vec3d& middle, const std::uint16_t* first, const std::uint16_t* end)
            : point_(at + core.point(core.farthest(middle, end - first, [&](std::ptrdiff_t i) { return core.at_face_[first[i]]; }))) {}
        void look_at(const Corner& c) { least_ = least(least_, dot(c.d, point_)); }
        bool is_proved(double limit) const { return least_ >= limit; }

    private:
        Vec3d point_;
        double least_ = kInfinity;
    };

    // With the farthest points at the corners, or in the middle, where several do not reach equally far.
    template <class Note>
    bool is_proved(const Corner* c, const Vec3d& at, double limit, const Note& note) const {
        double depth[4][3];
        const auto is_enough = [&](int k, const Vec3d& point) {
            for (int i = 0; i < 3; ++i) depth[k][i] = dot(c[i].d, at + point);
            return least(depth[k][0], least(depth[k][1], depth[k][2])) >= limit;
        };
        for (int k = 0; k < 3; ++k)
            if (is_enough(k, c[k].point)) return true;
        if (is_enough(3, point(farthest(c[0].d + c[1].d + c[2].d, 3, [&](std::ptrdiff_t i) { return c[i].vertex; })))) return true;
        for (int k = 0; k < 4; ++k)
            for (int other = 0; other < k; ++other)
                if (is_proved_by_two(c, at, depth[k], depth[other], limit, note)) return true;
        return false;
    }

private:
    // `nearby`: vertices that may be near the farthest.
    template <class Nearby>
    std::uint16_t farthest(const Vec3d& d, std::ptrdiff_t count, const Nearby& nearby) const {
        const Vec3d own = other_.to_own * -d;
        if (!is_solid_hull(other_.core)) return static_cast<std::uint16_t>(farthest_core_vertex(other_.core, own));
        Start start(other_.core, own);
        for (std::ptrdiff_t i = 0; i < count && i < std::ptrdiff_t(kMostAround); ++i) start.consider(nearby(i));
        return start.top();
    }
    Corner corner_at(const Vec3d& d, std::uint16_t vertex) const { return {d, point(vertex), vertex}; }
    Vec3d point(std::uint32_t i) const { return other_.seen(core_vertex(other_.core, i)); }

    template <class Note>
    bool is_proved_by_two(const Corner* c, const Vec3d& at, const double* p, const double* q, double limit, const Note& note) const {
        for (int i = 0; i < 3; ++i)
            if (most(p[i], q[i]) < limit) return false;
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            const double here = p[i] - q[i], there = p[j] - q[j];
            if ((here > 0) == (there > 0)) continue;
            const double share = here / (here - there);
            const Vec3d d = c[i].d * (1 - share) + c[j].d * share;
            if ((p[i] * (1 - share) + p[j] * share) / norm(d) >= limit) continue;
            const Corner crossing = corner_at(unit(d), farthest(d, 2, [&](std::ptrdiff_t k) { return k == 0 ? c[i].vertex : c[j].vertex; }));
            note(crossing.d, depth(crossing, at));
            return false;
        }
        return true;
    }

    const Other& other_;
    std::uint16_t at_face_[kMostFaces], at_own_face_[kMostFaces];
};

// A core of parts with smooth support functions: a disc across the axis at some height, of which a point is one without a radius, or an ellipsoid.
class Smooth {
public:
    explicit Smooth(const Other& other) : other_(other) {
        const Vec3d& half = other.core.half;
        const ShapeKind kind = other.core.kind;
        if (kind == ShapeKind::cylinder) parts_[count_++] = {half.y, half.x}, parts_[count_++] = {-half.y, half.x};
        if (kind == ShapeKind::cone) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, half.x};
        if (kind == ShapeKind::capsule) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, 0};
        if (kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid) parts_[count_++] = {0, 0};
    }
    struct Corner {
        Vec3d d;
        double reach[2];  // of each part
    };
    Corner corner(const Vec3d& d) const { return {d, {reach(0, d), count_ == 2 ? reach(1, d) : 0}}; }
    Corner between(const Corner& p, const Corner& q) const { return corner(unit(p.d + q.d)); }
    Corner corner_of_face(std::uint32_t, const Vec3d& d) const { return corner(d); }
    double depth(const Corner& c, const Vec3d& at) const { return dot(c.d, at) + (count_ == 2 ? most(c.reach[0], c.reach[1]) : c.reach[0]); }

    template <class Note>
    void see_normals(const Core& hull, const Note& note) const {
        for (std::uint32_t f = 0; f < hull.hull->face_count; ++f) {
            const Vec3d d = face_normal(hull, f);
            note(d, depth(corner(d), corner_of_hull(hull, f)));
        }
        try_axes(other_, note);
    }

    class Cell {
    public:
        Cell(const Smooth& core, const Vec3d& at, const Vec3d& middle, const std::uint16_t* = nullptr, const std::uint16_t* = nullptr)
            : core_(core), at_(at), middle_(middle) {}
        void look_at(const Corner& c) {
            cosine_ = least(cosine_, dot(middle_, c.d));
            for (int k = 0; k < 2; ++k) least_[k] = least(least_[k], dot(c.d, at_) + c.reach[k]);
        }
        bool is_proved(int part, double limit) const { return least_[part] >= limit && core_.bound(part, least_[part], middle_, cosine_) >= limit; }
        bool is_proved(double limit) const { return is_proved(0, limit) || (core_.count_ == 2 && is_proved(1, limit)); }

    private:
        const Smooth& core_;
        Vec3d at_, middle_;
        double cosine_ = 1, least_[2] = {kInfinity, kInfinity};
    };

    template <class Note>
    bool is_proved(const Corner* c, const Vec3d& at, double limit, const Note& note) const {
        if (cell_of(c, 3, at).is_proved(limit)) return true;
        // One point of the core stands for all of it.
        const Vec3d middle = unit(c[0].d + c[1].d + c[2].d);
        const Vec3d point = at + other_.seen(core_support(other_.core, other_.to_own * -middle));
        if (least(dot(point, c[0].d), least(dot(point, c[1].d), dot(point, c[2].d))) >= limit) return true;
        return count_ == 2 && is_proved_in_two(c, at, limit, note);
    }

private:
    struct Part {
        double height, radius;
    };

    // What part `k` adds to the depth along d.
    double reach(int k, const Vec3d& d) const {
        const Core& core = other_.core;
        const Vec3d own = other_.to_own * d;
        const double moved = dot(other_.offset, d);
        if (core.kind == ShapeKind::ellipsoid) return norm(times(core.half, own)) - core.erosion - moved;
        return parts_[k].radius * std::sqrt(own.x * own.x + own.z * own.z) - parts_[k].height * own.y - moved;
    }

    // The greatest radius of curvature of part `k` in directions within an angle of d.
    double curvature(int k, const Vec3d& d, double cosine, double sine) const {
        const Core& core = other_.core;
        const Vec3d own = other_.to_own * d;
        if (core.kind == ShapeKind::ellipsoid) {
            const Vec3d& r = core.half;
            const double greatest = max_abs(r), thinnest = least(r.x, least(r.y, r.z));
            const double reach = most(thinnest, norm(times(r, own)) * cosine - greatest * sine);
            return greatest * greatest / reach - core.erosion;
        }
        if (parts_[k].radius == 0) return 0;
        const double aside = std::sqrt(own.x * own.x + own.z * own.z) * cosine - std::fabs(own.y) * sine;
        return aside > 0 ? parts_[k].radius / aside : kInfinity;
    }

    // The least depth with one part between corners that are no less deep than `at_corners` and within an angle of their middle.
    double bound(int part, double at_corners, const Vec3d& middle, double cosine) const {
        if (cosine <= 0) return -kInfinity;
        const double radius = curvature(part, middle, cosine, std::sqrt(most(0, 1 - cosine * cosine)));
        if (at_corners >= radius) return at_corners;
        return radius < kInfinity ? at_corners - (radius - at_corners) * (1 / cosine - 1) : -kInfinity;
    }

    Cell cell_of(const Corner* c, int count, const Vec3d& at) const {
        Vec3d sum = {0, 0, 0};
        for (int i = 0; i < count; ++i) sum = sum + c[i].d;
        Cell cell(*this, at, unit(sum));
        for (int i = 0; i < count; ++i) cell.look_at(c[i]);
        return cell;
    }

    // Where one part reaches farther at one corner and the other one at the others: each part stands for its side of a line through directions in
    // which both reach as far.
    template <class Note>
    bool is_proved_in_two(const Corner* c, const Vec3d& at, double limit, const Note& note) const {
        const auto first_is_farther = [&](int i) { return c[i % 3].reach[0] > c[i % 3].reach[1]; };
        int alone = -1;
        for (int i = 0; i < 3; ++i)
            if (first_is_farther(i) != first_is_farther(i + 1) && first_is_farther(i) != first_is_farther(i + 2)) alone = i;
        if (alone < 0) return false;
        const Corner &lone = c[alone], &p = c[(alone + 1) % 3], &q = c[(alone + 2) % 3];
        const int part = first_is_farther(alone) ? 0 : 1;
        const Corner to_p = crossing(lone, p), to_q = crossing(lone, q);
        note(to_p.d, depth(to_p, at)), note(to_q.d, depth(to_q, at));
        const Corner near[3] = {lone, to_p, to_q}, far[4] = {p, q, to_p, to_q};
        return cell_of(near, 3, at).is_proved(part, limit) && cell_of(far, 4, at).is_proved(1 - part, limit);
    }

    // Between two corners, about where both parts reach as far [false position, halved where it stalls].
    Corner crossing(const Corner& from, const Corner& to) const {
        double low = 0, high = 1, at_low = from.reach[0] - from.reach[1], at_high = to.reach[0] - to.reach[1];
        Corner found = from;
        for (int i = 0; i < kCrossingSteps; ++i) {
            const double share = low + (high - low) * (at_low / (at_low - at_high));
            found = corner(unit(from.d * (1 - share) + to.d * share));
            const double here = found.reach[0] - found.reach[1];
            if (here == 0) break;
            if ((here > 0) == (at_low > 0))
                low = share, at_low = here, at_high *= 0.5;
            else
                high = share, at_high = here, at_low *= 0.5;
        }
        return found;
    }

    const Other& other_;
    Part parts_[2] = {};
    int count_ = 0;
};

// Not inlined: one search's room on the stack is enough.
template <class Rest>
class Search {
public:
    Search(const CorePair& pair, double allowed, KnownDepth& best)
        : pair_(pair), other_(pair), core_(other_.is_a ? pair.b : pair.a), hull_(*core_.hull), rest_(other_), allowed_(allowed), best_(best) {}

    ABUT_NOINLINE double run() {
        rest_.see_normals(core_, [&](const Vec3d& d, double depth) { note(d, depth); });
        std::bitset<ShapeStore::kMaxHullVertices> open;
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) open[v] = !is_cell_proved(v);
        for (const HullEdge& edge : hull_.edges)
            if ((open[edge.v0] && !search_fan(edge.v0, edge)) || (open[edge.v1] && !search_fan(edge.v1, edge))) return 0;
        return best_.depth - allowed_;
    }

private:
    using Corner = typename Rest::Corner;
    struct Triangle {
        Corner corner[3];
    };

    double wanted() const { return best_.depth - allowed_; }
    void try_direction(const Vec3d& d) {
        const Vec3d n = unit(other_.out_of(pair_, d));
        const double depth = dot(n, support(pair_, n).w);
        if (depth < best_.depth) best_ = {n, depth};
    }
    void note(const Vec3d& d, double depth) {
        if (depth < best_.depth) try_direction(d);
    }
    Corner corner_of_face(std::uint32_t face) const { return rest_.corner_of_face(face, face_normal(core_, face)); }

    // Whether no direction in a vertex's cell is shallower, by its corners alone.
    bool is_cell_proved(std::uint32_t v) {
        const std::uint16_t *const first = hull_.vertex_face.data() + hull_.vertex_first[v], *const end =
                                                                                                 hull_.vertex_face.data() + hull_.vertex_first[v + 1];
        Vec3d sum = {0, 0, 0};
        for (const std::uint16_t* f = first; f != end; ++f) sum = sum + face_normal(core_, *f);
        if (is_zero(sum)) return false;
        typename Rest::Cell cell(rest_, core_vertex(core_, v), unit(sum), first, end);
        for (const std::uint16_t* f = first; f != end; ++f) cell.look_at(corner_of_face(*f));
        return cell.is_proved(wanted());
    }

    // The other cells are fans of triangles about one corner. Their outer sides are the arcs of the hull's edges.
    bool search_fan(std::uint32_t v, const HullEdge& edge) {
        const std::uint16_t centre = hull_.vertex_face[hull_.vertex_first[v]];
        if (edge.f0 == centre || edge.f1 == centre) return true;
        at_ = core_vertex(core_, v);
        return search_triangle({{corner_of_face(centre), corner_of_face(edge.f0), corner_of_face(edge.f1)}});
    }

    // False where the cells run out.
    bool search_triangle(const Triangle& whole) {
        const auto noted = [&](const Vec3d& d, double depth) { note(d, depth); };
        Triangle open[kMaxOpen];
        int count = 0;
        open[count++] = whole;
        while (count > 0) {
            // The origin is in A - B, so that no depth is negative.
            if (best_.depth <= allowed_) return false;
            const Triangle t = open[--count];
            if (rest_.is_proved(t.corner, at_, wanted(), noted)) continue;
            if (++looked_at_ >= most_triangles_ || count + 2 > kMaxOpen) return false;
            int longest = 0;
            double least_cosine = 2;
            for (int i = 0; i < 3; ++i) {
                const double cosine = dot(t.corner[i].d, t.corner[(i + 1) % 3].d);
                if (cosine < least_cosine) least_cosine = cosine, longest = i;
            }
            const Corner half = rest_.between(t.corner[longest], t.corner[(longest + 1) % 3]);
            note(half.d, rest_.depth(half, at_));
            open[count] = open[count + 1] = t;
            open[count++].corner[longest] = half;
            open[count++].corner[(longest + 1) % 3] = half;
        }
        return true;
    }

    const CorePair& pair_;
    const Other other_;
    const Core& core_;
    const HullGeometry& hull_;
    Rest rest_;
    const double allowed_;
    KnownDepth& best_;
    Vec3d at_{};  // the vertex whose cell is looked at
    std::uint32_t looked_at_ = 0, most_triangles_ = std::min(kMostTriangles, kFirstTriangles + kTrianglesPerFace * hull_.face_count);
};

bool is_smooth(ShapeKind kind) {
    return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone ||
           kind == ShapeKind::ellipsoid;
}

}  // namespace

bool has_vertex_cells(const CorePair& pair) {
    if (!is_solid_hull(pair.a) && !is_solid_hull(pair.b)) return false;
    const ShapeKind other = Other(pair).core.kind;
    return is_smooth(other) || other == ShapeKind::box || other == ShapeKind::hull;
}

double search_vertex_cells(const CorePair& pair, double allowed, KnownDepth& best) {
    return is_smooth(Other(pair).core.kind) ? Search<Smooth>(pair, allowed, best).run() : Search<Points>(pair, allowed, best).run();
}

}  // namespace abut::exact
