// See vertex_cells.hpp.
#include "exact/vertex_cells.hpp"

#include <algorithm>
#include <limits>

#include "compiler.hpp"

namespace abut::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Pieces that are looked at: so many, and so many for each face, but no more than kMostPieces. Small shapes in a hull of 1,020 vertices take some
// hundreds, two large pyramids about one axis some thousands. Hulls of fewer faces than the first number are for cells about an axis.
constexpr std::uint32_t kLeastFaces = 32, kFirstPieces = 256, kPiecesPerFace = 16;
// A triangle on the stack is halved across its longest side: after so many times it has no size that a double could tell.
constexpr int kMaxOpen = 128;
constexpr int kCrossingSteps = 8;
// Cells of more corners are searched as fans of triangles, and pieces of more are halved.
constexpr int kManyCorners = 8;
constexpr std::uint16_t kNone = 0xffff;
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

// The farthest vertex of a hull along a direction in its axes, often a few edges away from `from`. Small faces have all edges, but for those between two
// large ones: what is missed there, or where there are too many, only costs time.
std::uint16_t climb(const Core& core, const Vec3d& d, std::uint16_t from) {
    constexpr std::uint32_t kMostCorners = 16, kMostAround = 24;
    constexpr int kMostSteps = 6;
    const HullGeometry& hull = *core.hull;
    const Vec3d along = times(core.half, d);
    const auto height = [&](std::uint16_t v) { return hull.column_x()[v] * along.x + hull.column_y()[v] * along.y + hull.column_z()[v] * along.z; };
    double best = height(from);
    std::uint16_t at = from;
    for (int step = 0; step < kMostSteps; ++step, from = at) {
        if (hull.vertex_first[from + 1] - hull.vertex_first[from] > kMostAround) break;
        for (std::uint32_t i = hull.vertex_first[from]; i < hull.vertex_first[from + 1]; ++i) {
            const std::uint32_t face = hull.vertex_face[i], first = hull.face_first[face], end = hull.face_first[face + 1];
            if (end - first > kMostCorners) continue;
            for (std::uint32_t k = first; k < end; ++k)
                if (const double here = height(hull.loop[k]); here > best) best = here, at = hull.loop[k];
        }
        if (at == from && step > 0) return at;
        if (at == from) break;
    }
    return static_cast<std::uint16_t>(farthest_core_vertex(core, d));
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

// A corner of a cell: a direction, and the face whose normal it is, or kNone.
struct Normal {
    Vec3d d;
    std::uint16_t face;
};

// The search so far. Directions are those of the hull whose cells they are, and unit.
class Found {
public:
    Found(const CorePair& pair, const Other& other, std::uint32_t most_pieces, double allowed, KnownDepth& best)
        : pair_(pair), other_(other), allowed_(allowed), pieces_left_(most_pieces), best_(best) {}
    double wanted() const { return best_.depth - allowed_; }
    // The origin is in A - B, so that no depth is negative.
    bool is_nothing_less() const { return best_.depth <= allowed_; }
    bool take_piece() { return pieces_left_ > 0 && pieces_left_-- > 0; }
    // A direction and the depth there, or less.
    void note(const Vec3d& d, double depth) {
        if (depth >= best_.depth) return;
        const Vec3d n = unit(other_.out_of(pair_, d));
        depth = dot(n, support(pair_, n).w);
        if (depth < best_.depth) best_ = {n, depth};
    }

private:
    const CorePair& pair_;
    const Other& other_;
    double allowed_;
    std::uint32_t pieces_left_;
    KnownDepth& best_;
};

// A core that has a vertex for every direction. One vertex stands for the whole core where it reaches far enough. If it does so at all corners of a
// piece of a cell, it does in the whole piece. Where it does not, the vertex that reaches farthest at the lowest corner takes its side of the
// directions in which both reach equally far. A corner at which no other vertex reaches farther is a direction with that depth.
class Points {
public:
    static constexpr std::uint32_t kMostPieces = 20'000;
    Points(const Other& other, Found& found) : other_(other), found_(found) { std::fill_n(at_face_, kMostFaces, kNone); }
    void see_normals(const Core&, const Vec3d*) const {}

    // Whether one vertex is enough in a cell whose corners are the normals of these faces, with this sum.
    bool is_proved(const Vec3d& at, const Vec3d& sum, const Vec3d* normals, const std::uint16_t* first, const std::uint16_t* end) {
        latest_ = static_cast<std::uint16_t>(farthest_core_vertex(other_.core, other_.to_own * -sum));
        const Vec3d reached = at + point(latest_);
        return std::all_of(first, end, [&](std::uint16_t f) { return dot(normals[f], reached) >= found_.wanted(); });
    }

    // The same in pieces, after is_proved. False where these run out.
    bool search(const Vec3d& at, const Normal* corners, int corner_count) {
        Piece open[kMaxOpen];
        int count = 0;
        open[count++] = {corner_count, latest_, {}};
        std::copy_n(corners, corner_count, open[0].corner);
        while (count > 0) {
            if (found_.is_nothing_less()) return false;
            Piece& piece = open[count - 1];
            const Vec3d reached = at + point(piece.vertex);
            int lowest = 0;
            double least_depth = kInfinity;
            for (int i = 0; i < piece.count; ++i)
                if (const double depth = dot(piece.corner[i].d, reached); depth < least_depth) least_depth = depth, lowest = i;
            if (least_depth >= found_.wanted()) {
                latest_ = piece.vertex, --count;
                continue;
            }
            if (!found_.take_piece() || count == kMaxOpen) return false;
            if (piece.count > kManyCorners) {
                count += halve(piece, open[count]);
                continue;
            }
            const Vec3d d = piece.corner[lowest].d;
            const std::uint16_t farther = farther_than(piece.vertex, piece.corner[lowest]);
            if (farther != piece.vertex)
                count += split(piece, farther, open[count]);
            else if (found_.note(d, least_depth); least_depth < found_.wanted())
                return false;
        }
        return true;
    }

private:
    // Directions between some, and a vertex of the other core.
    static constexpr int kMostCorners = 3 * kManyCorners / 2;
    struct Piece {
        int count;
        std::uint16_t vertex;
        Normal corner[kMostCorners];
    };

    Vec3d point(std::uint32_t i) const { return other_.seen(core_vertex(other_.core, i)); }

    // The vertex that reaches farthest along a corner, or this one if no other one reaches farther.
    std::uint16_t farther_than(std::uint16_t vertex, const Normal& c) {
        const bool is_known = c.face != kNone && at_face_[c.face] != kNone;
        const std::uint16_t top = is_known ? at_face_[c.face] : farthest(c.d, vertex);
        if (c.face != kNone) at_face_[c.face] = top;
        return dot(c.d, point(top) - point(vertex)) > 0 ? top : vertex;
    }
    std::uint16_t farthest(const Vec3d& d, std::uint16_t nearby) const {
        const Vec3d own = other_.to_own * -d;
        return is_solid_hull(other_.core) ? climb(other_.core, own, nearby) : static_cast<std::uint16_t>(farthest_core_vertex(other_.core, own));
    }

    // Leaves to a piece the directions in which its vertex reaches farther. The others are the next piece, or this one if there are no such. Returns
    // how many pieces there are more.
    int split(Piece& piece, std::uint16_t farther, Piece& next) const {
        const Piece whole = piece;
        const Vec3d way = point(farther) - point(whole.vertex);
        piece.count = 0, next = {0, farther, {}};
        double before = dot(whole.corner[whole.count - 1].d, way);
        for (int i = 0; i < whole.count; ++i) {
            const Normal &c = whole.corner[i], &last = whole.corner[i == 0 ? whole.count - 1 : i - 1];
            const double here = dot(c.d, way);
            if ((here > 0) != (before > 0)) {
                const double share = before / (before - here);
                piece.corner[piece.count++] = next.corner[next.count++] = {unit(last.d * (1 - share) + c.d * share), kNone};
            }
            Piece& own = here > 0 ? next : piece;
            own.corner[own.count++] = c;
            before = here;
        }
        if (piece.count > 0) return 1;
        piece = next;
        return 0;
    }
    static int halve(Piece& piece, Piece& next) {
        const int half = piece.count / 2;
        next = {0, piece.vertex, {}};
        for (int i = half; i <= piece.count; ++i) next.corner[next.count++] = piece.corner[i % piece.count];
        piece.count = half + 1;
        return 1;
    }

    const Other& other_;
    Found& found_;
    std::uint16_t latest_ = 0, at_face_[kMostFaces];
};

// A core of parts with smooth support functions: a disc across the axis at some height, of which a point is one without a radius, or an ellipsoid.
class Smooth {
public:
    static constexpr std::uint32_t kMostPieces = 10'000;  // where cells about an axis may take a twentieth
    Smooth(const Other& other, Found& found) : other_(other), found_(found) {
        const Vec3d& half = other.core.half;
        const ShapeKind kind = other.core.kind;
        if (kind == ShapeKind::cylinder) parts_[count_++] = {half.y, half.x}, parts_[count_++] = {-half.y, half.x};
        if (kind == ShapeKind::cone) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, half.x};
        if (kind == ShapeKind::capsule) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, 0};
        if (kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid) parts_[count_++] = {0, 0};
    }
    void see_normals(const Core& hull, const Vec3d* normals) const {
        for (std::uint32_t f = 0; f < hull.hull->face_count; ++f) note(corner(normals[f]), corner_of_hull(hull, f));
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
            found_.note(other_.facing(axis), -kInfinity), found_.note(other_.facing(-axis), -kInfinity);
    }

    // Whether no direction in the cell of the vertex at `at` is shallower, by its corners alone: these faces' normals, whose sum is `sum`.
    bool is_proved(const Vec3d& at, const Vec3d& sum, const Vec3d* normals, const std::uint16_t* first, const std::uint16_t* end) const {
        Cell cell(*this, at, unit(sum));
        for (const std::uint16_t* f = first; f != end; ++f) cell.look_at(corner(normals[*f]));
        return cell.is_proved(found_.wanted());
    }

    // False where the pieces run out.
    bool search(const Vec3d& at, const Normal* corners, int corner_count) const {
        const Corner first = corner(corners[0].d);
        for (int i = 2; i < corner_count; ++i)
            if (!search_triangle({{first, corner(corners[i - 1].d), corner(corners[i].d)}}, at)) return false;
        return true;
    }

private:
    // A direction, and what is known of the depth there.
    struct Corner {
        Vec3d d;
        double reach[2];  // of each part
    };
    struct Triangle {
        Corner corner[3];
    };
    Corner corner(const Vec3d& d) const { return {d, {reach(0, d), count_ == 2 ? reach(1, d) : 0}}; }
    void note(const Corner& c, const Vec3d& at) const { found_.note(c.d, dot(c.d, at) + (count_ == 2 ? most(c.reach[0], c.reach[1]) : c.reach[0])); }

    bool search_triangle(const Triangle& whole, const Vec3d& at) const {
        Triangle open[kMaxOpen];
        int count = 0;
        open[count++] = whole;
        while (count > 0) {
            if (found_.is_nothing_less()) return false;
            const Triangle t = open[--count];
            if (is_proved(t.corner, at)) continue;
            if (!found_.take_piece() || count + 2 > kMaxOpen) return false;
            int longest = 0;
            double least_cosine = 2;
            for (int i = 0; i < 3; ++i) {
                const double cosine = dot(t.corner[i].d, t.corner[(i + 1) % 3].d);
                if (cosine < least_cosine) least_cosine = cosine, longest = i;
            }
            const Corner half = corner(unit(t.corner[longest].d + t.corner[(longest + 1) % 3].d));
            note(half, at);
            open[count] = open[count + 1] = t;
            open[count++].corner[longest] = half;
            open[count++].corner[(longest + 1) % 3] = half;
        }
        return true;
    }

    class Cell {
    public:
        Cell(const Smooth& core, const Vec3d& at, const Vec3d& middle) : core_(core), at_(at), middle_(middle) {}
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

    bool is_proved(const Corner* c, const Vec3d& at) const {
        const double limit = found_.wanted();
        if (cell_of(c, 3, at).is_proved(limit)) return true;
        // One point of the core stands for all of it.
        const Vec3d middle = unit(c[0].d + c[1].d + c[2].d);
        const Vec3d point = at + other_.seen(core_support(other_.core, other_.to_own * -middle));
        if (least(dot(point, c[0].d), least(dot(point, c[1].d), dot(point, c[2].d))) >= limit) return true;
        return count_ == 2 && is_proved_in_two(c, at, limit);
    }

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
    bool is_proved_in_two(const Corner* c, const Vec3d& at, double limit) const {
        const auto first_is_farther = [&](int i) { return c[i % 3].reach[0] > c[i % 3].reach[1]; };
        int alone = -1;
        for (int i = 0; i < 3; ++i)
            if (first_is_farther(i) != first_is_farther(i + 1) && first_is_farther(i) != first_is_farther(i + 2)) alone = i;
        if (alone < 0) return false;
        const Corner &lone = c[alone], &p = c[(alone + 1) % 3], &q = c[(alone + 2) % 3];
        const int part = first_is_farther(alone) ? 0 : 1;
        const Corner to_p = crossing(lone, p), to_q = crossing(lone, q);
        note(to_p, at), note(to_q, at);
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
    Found& found_;
    Part parts_[2] = {};
    int count_ = 0;
};

// Not inlined: one search's room on the stack is enough.
template <class Rest>
class Search {
public:
    Search(const CorePair& pair, double allowed, KnownDepth& best)
        : other_(pair),
          core_(other_.is_a ? pair.b : pair.a),
          hull_(*core_.hull),
          found_(pair, other_, std::min(Rest::kMostPieces, kFirstPieces + kPiecesPerFace * hull_.face_count), allowed, best),
          rest_(other_, found_) {}

    // Whether no direction is shallower by more than what is allowed.
    ABUT_NOINLINE bool run() {
        for (std::uint32_t f = 0; f < hull_.face_count; ++f) normals_[f] = face_normal(core_, f);
        rest_.see_normals(core_, normals_);
        lay_out_edges();
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v)
            if (!search_cell(v)) return false;
        return true;
    }

private:
    void lay_out_edges() {
        std::uint32_t next[ShapeStore::kMaxHullVertices];
        std::copy_n(hull_.vertex_first.begin(), hull_.vertex_count, next);
        for (std::uint32_t i = 0; i < hull_.edges.size(); ++i)
            edges_at_[next[hull_.edges[i].v0]++] = edges_at_[next[hull_.edges[i].v1]++] = static_cast<std::uint16_t>(i);
    }

    // By the corners alone, or in pieces.
    bool search_cell(std::uint32_t v) {
        const std::uint16_t* const faces = hull_.vertex_face.data();
        const std::uint16_t *const first = faces + hull_.vertex_first[v], *const end = faces + hull_.vertex_first[v + 1];
        Vec3d sum = {0, 0, 0};
        for (const std::uint16_t* f = first; f != end; ++f) sum = sum + normals_[*f];
        const Vec3d at = core_vertex(core_, v);
        if (is_zero(sum)) return false;
        if (rest_.is_proved(at, sum, normals_, first, end)) return true;
        const std::uint16_t* const edges = edges_at_ + hull_.vertex_first[v];
        const int count = static_cast<int>(end - first);
        return count > kManyCorners ? search_fan(at, unit(sum), edges, count) : search_whole(at, edges, count);
    }

    Normal normal(std::uint16_t face) const { return {normals_[face], face}; }

    // About the middle. The outer sides are the arcs of the hull's edges.
    bool search_fan(const Vec3d& at, const Vec3d& middle, const std::uint16_t* edges, int count) {
        return std::all_of(edges, edges + count, [&](std::uint16_t e) {
            const Normal corners[3] = {{middle, kNone}, normal(hull_.edges[e].f0), normal(hull_.edges[e].f1)};
            return rest_.search(at, corners, 3);
        });
    }

    // Corners in the order of the sides.
    bool search_whole(const Vec3d& at, const std::uint16_t* edges, int count) {
        const auto edge = [&](int i) -> const HullEdge& { return hull_.edges[edges[i]]; };
        Normal corners[kManyCorners] = {normal(edge(0).f0), normal(edge(0).f1)};
        for (int k = 2, latest = 0; k < count; ++k) {
            const std::uint16_t before = corners[k - 1].face;
            const auto is_next = [&](int i) { return i != latest && (edge(i).f0 == before || edge(i).f1 == before); };
            int next = 1;
            while (next + 1 < count && !is_next(next)) ++next;
            corners[k] = normal(edge(next).f0 == before ? edge(next).f1 : edge(next).f0);
            latest = next;
        }
        return rest_.search(at, corners, count);
    }

    const Other other_;
    const Core& core_;
    const HullGeometry& hull_;
    Found found_;
    Rest rest_;
    Vec3d normals_[kMostFaces];
    std::uint16_t edges_at_[3 * kMostFaces];  // around each vertex, as many as faces
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
    const bool is_proved = is_smooth(Other(pair).core.kind) ? Search<Smooth>(pair, allowed, best).run() : Search<Points>(pair, allowed, best).run();
    return is_proved ? best.depth - allowed : 0;
}

}  // namespace abut::exact
