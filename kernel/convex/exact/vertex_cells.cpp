// See vertex_cells.hpp.
#include "convex/exact/vertex_cells.hpp"

#include <algorithm>

#include "base/compiler_support.hpp"
#include "base/rounding.hpp"

namespace abut::exact {
namespace {

// Hulls of fewer faces need only a polytope.
constexpr std::uint32_t kLeastFaces = 32;
constexpr int kMaxPieces = 128;
// Cells with more corners are searched as fans of triangles, and pieces with more are halved.
constexpr int kManyCorners = 8;
constexpr std::uint16_t kNone = 0xffff;
constexpr std::uint32_t kMostFaces = 2 * ShapeStore::kMaxHullVertices - 4;  // Euler

bool is_solid_hull(const Core& core) {
    return core.kind == ShapeKind::hull && core.hull->report.dimension == 3 && core.hull->face_count >= kLeastFaces;
}

// True if the cells are those of B's vertices. Of two hulls, the one with more vertices has the smaller cells.
bool b_has_cells(const CorePair& pair) {
    if (!is_solid_hull(pair.a) || !is_solid_hull(pair.b)) return is_solid_hull(pair.b);
    return pair.b.hull->vertex_count > pair.a.hull->vertex_count;
}

Vec3d face_normal(const Core& core, std::uint32_t face) {
    // The normal is computed from three corners, because the normals of the tables are rounded and not scaled.
    const HullGeometry& hull = *core.hull;
    const std::uint32_t first = hull.face_first[face], count = hull.face_first[face + 1] - first;
    const std::uint16_t* loop = hull.loop.data() + first;
    const Vec3d p = core_vertex(core, loop[0]);
    return unit(cross(core_vertex(core, loop[count / 3]) - p, core_vertex(core, loop[2 * count / 3]) - p));
}

// Climbs from a vertex to the farthest vertex along a direction in the hull's axes, which is often a few edges away.
// May stop at a vertex that is not the farthest, behind a large face; that costs only time. Searches all vertices if
// `from` has no higher neighbour or if a vertex has too many faces.
std::uint16_t climb(const Core& core, const Vec3d& d, std::uint16_t from) {
    constexpr std::uint32_t kMostCorners = 16, kMostAround = 24;
    constexpr int kMostSteps = 6;
    const HullGeometry& hull = *core.hull;
    const Vec3d along = times(core.half, d);
    const auto height = [&](std::uint16_t v) {
        return hull.column_x()[v] * along.x + hull.column_y()[v] * along.y + hull.column_z()[v] * along.z;
    };
    double best = height(from);
    std::uint16_t at = from;
    for (int step = 0; step < kMostSteps; ++step, from = at) {
        if (hull.vertex_first[from + 1] - hull.vertex_first[from] > kMostAround) break;
        for (std::uint32_t i = hull.vertex_first[from]; i < hull.vertex_first[from + 1]; ++i) {
            const std::uint32_t face = hull.vertex_face[i], first = hull.face_first[face],
                                end = hull.face_first[face + 1];
            if (end - first > kMostCorners) continue;
            for (std::uint32_t k = first; k < end; ++k)
                if (const double here = height(hull.loop[k]); here > best) best = here, at = hull.loop[k];
        }
        if (at == from && step > 0) return at;
        if (at == from) break;
    }
    return static_cast<std::uint16_t>(farthest_core_vertex(core, d));
}

// The other core relative to the hull with the cells; directions are in the hull's axes.
struct OtherCore {
    explicit OtherCore(const CorePair& pair) : is_a(b_has_cells(pair)), core(is_a ? pair.a : pair.b) {
        to_own = is_a ? pair.b_to_a : transposed(pair.b_to_a);
        offset = is_a ? -transposed_times(pair.b_to_a, pair.offset) : pair.offset;
    }
    // The vector that a point of the core adds to the hull's vertices.
    Vec3d seen(const Vec3d& point) const { return -(transposed_times(to_own, point) + offset); }
    // Convert a direction of the hull to one of A - B, and a direction of the core to one of the hull.
    Vec3d out_of(const CorePair& pair, const Vec3d& d) const { return is_a ? -(pair.b_to_a * d) : d; }
    Vec3d facing(const Vec3d& own) const { return -transposed_times(to_own, own); }

    bool is_a;
    const Core& core;
    Mat3 to_own;
    Vec3d offset;
};

Vec3d corner_of_hull(const Core& core, std::uint32_t face) {
    return core_vertex(core, core.hull->loop[core.hull->face_first[face]]);
}

// A corner of a cell: a direction, and the face that has this normal (or kNone).
struct Normal {
    Vec3d d;
    std::uint16_t face;
};

// The state of the search. Directions are unit, in the axes of the hull with the cells.
class FoundPieces {
public:
    FoundPieces(const CorePair& pair, const OtherCore& other, std::uint32_t most_pieces, double allowed,
                KnownDepth& best)
        : pair_(pair), other_(other), allowed_(allowed), pieces_left_(most_pieces), best_(best) {}
    double wanted() const { return best_.depth - allowed_; }
    // No depth is negative, because the origin is in A - B.
    bool is_nothing_less() const { return best_.depth <= allowed_; }
    // A point counts as farther only if it reaches farther by more than this.
    double negligible() const { return 0x1p-7 * allowed_; }
    bool take_piece() { return pieces_left_ > 0 && pieces_left_-- > 0; }
    // Replaces `best` by a direction if that is shallower. `depth`: its depth or a lower bound on it.
    void note(const Vec3d& d, double depth) {
        if (depth >= best_.depth) return;
        const Vec3d n = unit(other_.out_of(pair_, d));
        depth = dot(n, support(pair_, n).w);
        if (depth < best_.depth) best_ = {n, depth};
    }

private:
    const CorePair& pair_;
    const OtherCore& other_;
    double allowed_;
    std::uint32_t pieces_left_;
    KnownDepth& best_;
};

// A core with one farthest vertex for each direction.
class PointsOfOther {
public:
    // Two large coaxial pyramids need some thousand pieces.
    static constexpr std::uint32_t kMostPieces = 200'000;
    using Top = std::uint16_t;
    PointsOfOther(const OtherCore& other, FoundPieces&) : other_(other) { std::fill_n(at_face_, kMostFaces, kNone); }
    void see_normals(const Core&, const Vec3d*) const {}

    // The farthest point along a direction, or along a corner of a cell, where it is often close to `nearby`.
    Top farthest(const Vec3d& d) const {
        return static_cast<Top>(farthest_core_vertex(other_.core, other_.to_own * -d));
    }
    Top farthest(const Normal& c, Top nearby) {
        if (c.face != kNone && at_face_[c.face] != kNone) return at_face_[c.face];
        const Top top = is_solid_hull(other_.core) ? climb(other_.core, other_.to_own * -c.d, nearby) : farthest(c.d);
        if (c.face != kNone) at_face_[c.face] = top;
        return top;
    }
    Vec3d point(Top i) const { return other_.seen(core_vertex(other_.core, i)); }

    // For vertices no bound is better than the point itself.
    struct Round {
        Round(const PointsOfOther&, const Vec3d&, const Vec3d&) {}
        void look_at(const Vec3d&) {}
        bool is_proved(double) const { return false; }
    };

private:
    const OtherCore& other_;
    Top at_face_[kMostFaces];
};

// A core whose parts have smooth support functions: discs perpendicular to the axis (radius 0: a point), or an
// ellipsoid.
class SmoothOther {
public:
    static constexpr std::uint32_t kMostPieces =
        10'000;  // pairs that need more may be twenty times as fast with cells about an axis
    using Top = Vec3d;
    SmoothOther(const OtherCore& other, FoundPieces& found) : other_(other), found_(found) {
        const Vec3d& half = other.core.half;
        const ShapeKind kind = other.core.kind;
        if (kind == ShapeKind::cylinder) parts_[count_++] = {half.y, half.x}, parts_[count_++] = {-half.y, half.x};
        if (kind == ShapeKind::cone) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, half.x};
        if (kind == ShapeKind::capsule) parts_[count_++] = {half.y, 0}, parts_[count_++] = {-half.y, 0};
        if (kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid) parts_[count_++] = {0, 0};
    }
    void see_normals(const Core& hull, const Vec3d* normals) const {
        for (std::uint32_t f = 0; f < hull.hull->face_count; ++f) {
            const double reached = count_ == 2 ? max(reach(0, normals[f]), reach(1, normals[f])) : reach(0, normals[f]);
            found_.note(normals[f], dot(normals[f], corner_of_hull(hull, f)) + reached);
        }
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
            found_.note(other_.facing(axis), -kInfinity), found_.note(other_.facing(-axis), -kInfinity);
    }

    Top farthest(const Vec3d& d) const { return other_.seen(core_support(other_.core, other_.to_own * -d)); }
    Top farthest(const Normal& c, const Top&) const { return farthest(c.d); }
    const Vec3d& point(const Top& top) const { return top; }

    // Collects directions. is_proved: true if their depths and the radii of curvature prove that no direction between
    // them has a depth below the limit.
    class Round {
    public:
        Round(const SmoothOther& core, const Vec3d& at, const Vec3d& middle) : core_(core), at_(at), middle_(middle) {}
        void look_at(const Vec3d& d) {
            cosine_ = min(cosine_, dot(middle_, d));
            for (int k = 0; k < core_.count_; ++k) least_[k] = min(least_[k], dot(d, at_) + core_.reach(k, d));
        }
        bool is_proved(double limit) const {
            for (int k = 0; k < core_.count_; ++k)
                if (least_[k] >= limit && core_.bound(k, least_[k], middle_, cosine_) >= limit) return true;
            return false;
        }

    private:
        const SmoothOther& core_;
        Vec3d at_, middle_;
        double cosine_ = 1, least_[2] = {kInfinity, kInfinity};
    };

private:
    struct Part {
        double height, radius;
    };

    // The depth that part `k` contributes along d.
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
            const double greatest = max_abs(r), thinnest = min(r.x, min(r.y, r.z));
            const double reach = max(thinnest, norm(times(r, own)) * cosine - greatest * sine);
            return greatest * greatest / reach - core.erosion;
        }
        if (parts_[k].radius == 0) return 0;
        const double radial = std::sqrt(own.x * own.x + own.z * own.z) * cosine - std::fabs(own.y) * sine;
        return radial > 0 ? parts_[k].radius / radial : kInfinity;
    }

    // A lower bound on the depth with one part between corners. `at_corners`: the least depth at the corners. `cosine`:
    // of the largest angle between `middle` and a corner.
    double bound(int part, double at_corners, const Vec3d& middle, double cosine) const {
        if (cosine <= 0) return -kInfinity;
        const double radius = curvature(part, middle, cosine, std::sqrt(max(0, 1 - cosine * cosine)));
        if (at_corners >= radius) return at_corners;
        return radius < kInfinity ? at_corners - (radius - at_corners) * (1 / cosine - 1) : -kInfinity;
    }

    const OtherCore& other_;
    FoundPieces& found_;
    Part parts_[2] = {};
    int count_ = 0;
};

// One point of the other core replaces the whole core in a piece of a cell if the point reaches far enough at all
// corners of the piece. Otherwise the piece is split along the directions in which two points reach equally far: this
// point, and the one that reaches farthest at the lowest corner. If no other point reaches farther at a corner, the
// corner is a direction with that depth.
//
// Not inlined, so that only one search is on the stack.
template <class Rest>
class VertexCellSearch {
public:
    VertexCellSearch(const CorePair& pair, double allowed, KnownDepth& best)
        : other_(pair),
          core_(other_.is_a ? pair.b : pair.a),
          hull_(*core_.hull),
          found_(pair, other_, Rest::kMostPieces, allowed, best),
          rest_(other_, found_) {}

    // True if no direction is shallower by more than allowed.
    ABUT_NOINLINE bool run() {
        for (std::uint32_t f = 0; f < hull_.face_count; ++f) normals_[f] = face_normal(core_, f);
        rest_.see_normals(core_, normals_);
        lay_out_edges();
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v)
            if (!search_cell(v)) return false;
        return true;
    }

private:
    using Top = typename Rest::Top;
    void lay_out_edges() {
        std::uint32_t next[ShapeStore::kMaxHullVertices];
        std::copy_n(hull_.vertex_first.begin(), hull_.vertex_count, next);
        for (std::uint32_t i = 0; i < hull_.edges.size(); ++i)
            edges_at_[next[hull_.edges[i].v0]++] = edges_at_[next[hull_.edges[i].v1]++] = static_cast<std::uint16_t>(i);
    }

    // Searches the cell of vertex v: by the cell's corners alone if they suffice, otherwise in pieces.
    bool search_cell(std::uint32_t v) {
        const std::uint16_t* const faces = hull_.vertex_face.data();
        const std::uint16_t *const first = faces + hull_.vertex_first[v], *const end =
                                                                              faces + hull_.vertex_first[v + 1];
        Vec3d sum = {0, 0, 0};
        for (const std::uint16_t* f = first; f != end; ++f) sum = sum + normals_[*f];
        const Vec3d at = core_vertex(core_, v);
        if (is_zero(sum)) return false;
        const Vec3d middle = unit(sum);
        const Top top = rest_.farthest(middle);
        if (is_cell_proved(at, middle, top, first, end)) return true;
        const std::uint16_t* const edges = edges_at_ + hull_.vertex_first[v];
        const int count = static_cast<int>(end - first);
        return count > kManyCorners ? search_fan(at, middle, top, edges, count) : search_whole(at, top, edges, count);
    }

    Normal normal(std::uint16_t face) const { return {normals_[face], face}; }

    // Searches a cell as triangles about its middle. Their outer edges are the arcs of the hull's edges.
    bool search_fan(const Vec3d& at, const Vec3d& middle, Top top, const std::uint16_t* edges, int count) {
        return std::all_of(edges, edges + count, [&](std::uint16_t e) {
            const Normal corners[3] = {{middle, kNone}, normal(hull_.edges[e].f0), normal(hull_.edges[e].f1)};
            return search(at, corners, 3, top);
        });
    }

    // Searches a cell as one piece, with its corners in order around it.
    bool search_whole(const Vec3d& at, Top top, const std::uint16_t* edges, int count) {
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
        return search(at, corners, count, top);
    }

    bool is_cell_proved(const Vec3d& at, const Vec3d& middle, const Top& top, const std::uint16_t* first,
                        const std::uint16_t* end) const {
        const Vec3d reached = at + rest_.point(top);
        const double wanted = found_.wanted();
        if (std::all_of(first, end, [&](std::uint16_t f) { return dot(normals_[f], reached) >= wanted; })) return true;
        typename Rest::Round round(rest_, at, middle);
        std::for_each(first, end, [&](std::uint16_t f) { round.look_at(normals_[f]); });
        return round.is_proved(wanted);
    }

    // Directions between corners, and a point of the other core.
    static constexpr int kMostCorners = 3 * kManyCorners / 2;
    struct Piece {
        int count;
        Top top;
        Normal corner[kMostCorners];
    };

    // Searches the directions between corners. False after too many pieces. `top` becomes the latest point that
    // sufficed.
    bool search(const Vec3d& at, const Normal* corners, int corner_count, Top& top) {
        Piece open[kMaxPieces];
        int count = 0;
        open[count++] = {corner_count, top, {}};
        std::copy_n(corners, corner_count, open[0].corner);
        while (count > 0) {
            if (found_.is_nothing_less()) return false;
            Piece& piece = open[count - 1];
            const Vec3d point = rest_.point(piece.top), reached = at + point;
            int lowest = 0;
            double least_depth = kInfinity;
            for (int i = 0; i < piece.count; ++i)
                if (const double depth = dot(piece.corner[i].d, reached); depth < least_depth)
                    least_depth = depth, lowest = i;
            if (least_depth >= found_.wanted() || is_round(piece, at)) {
                top = piece.top, --count;
                continue;
            }
            if (!found_.take_piece() || count == kMaxPieces) return false;
            if (piece.count > kManyCorners) {
                count += halve(piece, open[count]);
                continue;
            }
            const Vec3d d = piece.corner[lowest].d;
            const Top farther = rest_.farthest(piece.corner[lowest], piece.top);
            const double more = dot(d, rest_.point(farther) - point);
            found_.note(d, least_depth + max(more, 0));
            if (more > found_.negligible())
                count += split(piece, farther, open[count]);
            else if (least_depth < found_.wanted())
                return false;
        }
        return true;
    }

    bool is_round(const Piece& piece, const Vec3d& at) const {
        Vec3d sum = {0, 0, 0};
        for (int i = 0; i < piece.count; ++i) sum = sum + piece.corner[i].d;
        typename Rest::Round round(rest_, at, unit(sum));
        for (int i = 0; i < piece.count; ++i) round.look_at(piece.corner[i].d);
        return round.is_proved(found_.wanted());
    }

    // Reduces a piece to the directions in which its point reaches farther. The other directions become the next piece,
    // or this piece if none are left. Returns the number of pieces added.
    int split(Piece& piece, const Top& farther, Piece& next) const {
        const Piece whole = piece;
        const Vec3d offset = rest_.point(farther) - rest_.point(whole.top);
        piece.count = 0, next = {0, farther, {}};
        double before = dot(whole.corner[whole.count - 1].d, offset);
        for (int i = 0; i < whole.count; ++i) {
            const Normal &c = whole.corner[i], &previous = whole.corner[i == 0 ? whole.count - 1 : i - 1];
            const double here = dot(c.d, offset);
            if ((here > 0) != (before > 0)) {
                const double share = before / (before - here);
                piece.corner[piece.count++] =
                    next.corner[next.count++] = {unit(previous.d * (1 - share) + c.d * share), kNone};
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
        next = {0, piece.top, {}};
        for (int i = half; i <= piece.count; ++i) next.corner[next.count++] = piece.corner[i % piece.count];
        piece.count = half + 1;
        return 1;
    }

    const OtherCore other_;
    const Core& core_;
    const HullGeometry& hull_;
    FoundPieces found_;
    Rest rest_;
    Vec3d normals_[kMostFaces];
    std::uint16_t edges_at_[3 * kMostFaces];  // the edges at each vertex, as many as its faces
};

bool is_smooth(ShapeKind kind) {
    return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder ||
           kind == ShapeKind::cone || kind == ShapeKind::ellipsoid;
}

}  // namespace

bool has_vertex_cells(const CorePair& pair) {
    if (!pair.a.points.empty() || !pair.b.points.empty()) return false;
    if (!is_solid_hull(pair.a) && !is_solid_hull(pair.b)) return false;
    const ShapeKind other = OtherCore(pair).core.kind;
    return is_smooth(other) || other == ShapeKind::box || other == ShapeKind::hull;
}

double search_vertex_cells(const CorePair& pair, double allowed, KnownDepth& best) {
    const bool is_proved = is_smooth(OtherCore(pair).core.kind)
                               ? VertexCellSearch<SmoothOther>(pair, allowed, best).run()
                               : VertexCellSearch<PointsOfOther>(pair, allowed, best).run();
    return is_proved ? best.depth - allowed : 0;
}

}  // namespace abut::exact
