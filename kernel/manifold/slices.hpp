// What two polytopes touch with to within promise 1's bound, whatever features it is made of: the slice of each next to its support plane, clipped
// against each other in the plane across the normal. Faces that points closer than the bound have split do not show in it, however they were merged.
//
// A pair whose hull has faces that are nearly level with each other takes the corners of this part for its candidates where they span more than what
// the features gave. In double: slices may be as narrow as rounding.
#pragma once

#include "manifold/one_by_one.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace slices_detail {

inline constexpr int kMostOutline = 128;  // corners; of more there are no slices

struct Place {
    double x, y;
    std::uint32_t name;    // of a vertex, or of the edge that leaves the slice here
    std::uint32_t vertex;  // the lower end of that edge
};

ABUT_INLINE double turn(const Place& p, const Place& q, double x, double y) { return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x); }

// Convex, counter-clockwise; two corners of a segment, one of a point.
struct Outline {
    int count = 0;
    bool fits = true;
    Place at[kMostOutline];

    ABUT_INLINE const Place& next(int i) const { return at[i + 1 < count ? i + 1 : 0]; }
    ABUT_INLINE void append(const Place& p) {
        fits &= count < kMostOutline;
        if (fits) at[count++] = p;
    }
    double twice_area() const {
        double sum = 0.0;
        for (int i = 1; i + 1 < count; ++i) sum += turn(at[0], at[i], at[i + 1].x, at[i + 1].y);
        return sum;
    }
    double length_squared() const {
        double most = 0.0;
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < i; ++j) {
                const double dx = at[i].x - at[j].x, dy = at[i].y - at[j].y, squared = dx * dx + dy * dy;
                most = squared > most ? squared : most;
            }
        return most;
    }
};

// The outline of points [Andrew 1979], which are sorted on the way.
inline void make_convex(Outline& points) {
    for (int i = 1; i < points.count; ++i) {
        const Place p = points.at[i];
        int to = i;
        for (; to > 0 && (points.at[to - 1].x > p.x || (points.at[to - 1].x == p.x && points.at[to - 1].y > p.y)); --to)
            points.at[to] = points.at[to - 1];
        points.at[to] = p;
    }
    Place loop[2 * kMostOutline];
    int count = 0;
    const auto walk = [&](int from, int to, int step) {
        const int start = count;
        for (int i = from; i != to; i += step) {
            const Place& p = points.at[i];
            while (count >= start + 2 && turn(loop[count - 2], loop[count - 1], p.x, p.y) <= 0.0) --count;
            if (count == start || p.x != loop[count - 1].x || p.y != loop[count - 1].y) loop[count++] = p;
        }
        if (count > start + 1) --count;  // the other way's first
    };
    walk(0, points.count, 1);
    const int lower = count;
    walk(points.count - 1, -1, -1);
    if (lower == 1 && count == 2 && loop[0].x == loop[1].x && loop[0].y == loop[1].y) count = 1;
    points.count = count;
    for (int i = 0; i < count; ++i) points.at[i] = loop[i];
}

// What of a shape is within a depth of its support plane.
struct Slice {
    Outline outline;
    double level;  // halfway between the highest and the lowest of it, along the normal
    double thickness;
    std::uint32_t own_name = 0;  // where no corner is

    ABUT_INLINE std::uint32_t side_name(int i) const { return edge_name(outline.at[i].vertex, outline.next(i).vertex); }
};

// Of a shape without nearly level faces a slice with one vertex is a point: the outline stops there.
template <class Core>
inline void set_slice(const manifold_detail::SideW<Core>& of, int lane, std::int32_t face, double depth, bool is_level, Slice& out) {
    const Polytope p = polytope_of(of.core, of.scale, of.frame, lane);
    const ContactAxes axes = of.axes.of_lane(lane);
    const HullGeometry& hull = *p.hull;
    const bool is_segment = of.form == CoreForm::segment;
    const std::uint32_t count = is_segment ? 2 : hull.vertex_count;
    const auto vertex = [&](std::uint32_t i) { return is_segment ? Float3{0.0f, i == 0 ? p.y : -p.y, 0.0f} : vertex_of(p, i); };
    const auto along = [](Float3 axis, Float3 v) {
        return double(axis.x) * double(v.x) + double(axis.y) * double(v.y) + double(axis.z) * double(v.z);
    };
    const auto height = [&](std::uint32_t i) { return double(of.side) * along(axes.normal, vertex(i)); };
    const auto place = [&](std::uint32_t i) {
        return Place{along(axes.x, vertex(i)) + double(axes.origin.x), along(axes.y, vertex(i)) + double(axes.origin.y), vertex_name(i), i};
    };
    constexpr std::uint32_t kKept = 256;  // of larger hulls the rest is computed again for each edge
    double kept[kKept];
    double top = -__builtin_huge_val();
    for (std::uint32_t i = 0; i < count; ++i) {
        const double h = height(i);
        if (i < kKept) kept[i] = h;
        if (h > top) top = h;
    }
    const auto known = [&](std::uint32_t i) { return i < kKept ? kept[i] : height(i); };
    const double floor = top - depth;
    double low = top;
    out.outline.count = 0, out.outline.fits = true;
    for (std::uint32_t i = 0; i < count; ++i)
        if (const double h = known(i); h >= floor) out.outline.append(place(i)), low = h < low ? h : low;
    if (!is_level && out.outline.count < 2) return;
    const auto cut = [&](std::uint32_t v, std::uint32_t w) {
        const double up = known(v) - floor, down = known(w) - floor;
        if ((up < 0.0) == (down < 0.0)) return;
        const Place from = place(v), to = place(w);
        const double t = up / (up - down);
        out.outline.append({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, edge_name(v, w), up < 0.0 ? v : w});
        low = floor;
    };
    if (is_segment)
        cut(0, 1);
    else
        for (const HullEdge& edge : hull.edges) cut(edge.v0, edge.v1);
    make_convex(out.outline);
    out.thickness = top - low;
    out.level = double(of.side) * (0.5 * (top + low) + double(of.radius[lane])) + double(axes.origin.z);
    out.own_name = is_segment ? edge_name(0, 1) : face_name(static_cast<std::uint32_t>(face));
}

// Convex polygons [Sutherland and Hodgman 1974]; `of` may be a segment or a point, `over` not.
inline void clip(const Outline& of, const Outline& over, Outline& out) {
    Outline other = of;
    Outline *from = &other, *to = &out;
    for (int j = 0; j < over.count; ++j) {
        to->count = 0, to->fits = true;
        const Place &p = over.at[j], &q = over.next(j);
        for (int i = 0; i < from->count; ++i) {
            const Place &a = from->at[i], &b = from->next(i);
            const double at_a = turn(p, q, a.x, a.y), at_b = turn(p, q, b.x, b.y);
            if (at_a >= 0.0) to->append(a);
            if ((at_a < 0.0) != (at_b < 0.0) && at_a != 0.0) {
                const double t = at_a / (at_a - at_b);
                to->append({a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, 0, 0});
            }
        }
        Outline* const done = to;
        to = from, from = done;
    }
    if (from != &out) out = *from;
    if (out.fits) make_convex(out);
}

// The corner of an outline within `apart` of a place, and the side that is nearest to it; none is -1.
struct Nearest {
    int corner = -1, side = -1;

    Nearest(const Outline& of, const Place& p, double apart) {
        double nearest = apart * apart, off = __builtin_huge_val();
        for (int i = 0; i < of.count; ++i) {
            const Place &a = of.at[i], &b = of.next(i);
            const double dx = p.x - a.x, dy = p.y - a.y, ex = b.x - a.x, ey = b.y - a.y, squared = dx * dx + dy * dy;
            if (squared <= nearest) corner = i, nearest = squared;
            const double t = turn(a, b, p.x, p.y), by = t * t / (ex * ex + ey * ey + double(kTiny));
            if (by < off) side = i, off = by;
        }
    }
};

inline std::uint32_t name_of(const Slice& a, const Slice& b, const Place& p, double apart) {
    const Nearest near_a(a.outline, p, apart), near_b(b.outline, p, apart);
    if (near_b.corner >= 0) return a.own_name << 16 | b.outline.at[near_b.corner].name;
    if (near_a.corner >= 0) return a.outline.at[near_a.corner].name << 16 | b.own_name;
    return a.side_name(near_a.side) << 16 | b.side_name(near_b.side);
}

// The part that two slices share; none where neither is wider than a line.
inline void share(const Outline& a, const Outline& b, Outline& out) {
    out.count = 0;
    out.fits = true;
    if (a.count < 2 || b.count < 2 || !a.fits || !b.fits) return;
    if (a.count >= 3)
        clip(b, a, out);
    else if (b.count >= 3)
        clip(a, b, out);
    if (!out.fits) out.count = 0;
}

// Whether `part` spans more than what there is: area, and the length of what is narrower than `narrow`.
inline bool spans_more(const Outline& part, const Outline& known, double narrow) {
    const auto span = [&](const Outline& of) { return 0.5 * of.twice_area() + narrow * __builtin_sqrt(of.length_squared()); };
    return double(kSliceSpan) * span(part) > span(known);
}

// The outlines of the candidates that every lane has.
struct KnownOutlines {
    int most;
    LaneArray<float> count, x[kMaxSearched], y[kMaxSearched];

    ABUT_INLINE explicit KnownOutlines(const CandidatesW& found) : most(found.most), count(lanes_of(found.count)) {
        for (int k = 0; k < most; ++k) x[k] = lanes_of(found.slot[k].x), y[k] = lanes_of(found.slot[k].y);
    }
    ABUT_INLINE void set(int lane, Outline& out) const {
        out.count = 0, out.fits = true;
        for (int k = 0; k < static_cast<int>(count[lane]); ++k) out.append({double(x[k][lane]), double(y[k][lane]), 0, 0});
        make_convex(out);
    }
};

}  // namespace slices_detail

// Lanes with one candidate that is no shape's vertex, nor where edges cross: a rounded edge that lies on a face. `on_face`: a rounded
// shape along a face's normal, where the deepest point may have the name of two of that face's corners, or one.
ABUT_INLINE MaskW may_lie_on_edges(const CandidatesW& found, MaskW on_face, std::uint32_t lanes) {
    const MaskW one = MaskW::from_bits(lanes) & found.uses(0) & ~found.uses(1);
    if (!any(one)) return one;
    const IntW name = found.slot[0].name, face = static_cast<std::int32_t>(kFaceName), either = static_cast<std::int32_t>(kFaceName | kEdgeName);
    const auto has = [](IntW bits) { return float_of(bits) > FloatW(0.0f); };
    const IntW a = name >> 16;
    const MaskW names_face = has(a & face) | has(name & face);
    return one & ((has(a & either) & has(name & either) & names_face) | (on_face & ~names_face));
}

// Of `lanes`, whose candidates are complete, those whose slices span more than their candidates have the corners of the slices' part instead.
// `level`: lanes with nearly level faces.
template <class CoreA, class CoreB>
[[gnu::noinline]] void take_slices(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b, const ContactsW& contacts,
                                   const FrameView& frame, std::uint32_t level, std::uint32_t lanes, CandidatesW& found) {
    using namespace slices_detail;
    using namespace manifold_detail;
    const LanesOfPair of(pair, form_a, form_b, contacts, frame);
    const KnownOutlines outlines(found);
    CandidateLanes lone = {};
    Slice a, b;
    Outline part, known;
    Candidates corners;
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = of.seeds.of_lane(lane);
        const double tolerance = double(seed.tolerance), depth = double(kSliceShare) * tolerance;
        const bool is_level = (level >> lane & 1) != 0;
        set_slice(of.a, lane, contacts.face_a[lane], depth, is_level, a);
        if (a.outline.count < 2) return;
        set_slice(of.b, lane, contacts.face_b[lane], depth, is_level, b);
        share(a.outline, b.outline, part);
        if (part.count < 2) return;
        outlines.set(lane, known);
        if (!spans_more(part, known, double(kSliver) * tolerance)) return;
        // The corners are somewhere between the top of each slice and its bottom.
        const double gap = b.level - a.level, height = 0.5 * (b.level + a.level), least = double(seed.along);
        const double separation = gap < least ? least : gap;
        if (!(separation <= double(seed.margin)) || separation > least + tolerance) return;
        const double length = __builtin_sqrt(part.length_squared());
        if (length <= double(seed.same_place)) return;
        const double width = 0.5 * part.twice_area() / length, narrow = double(kSamePlaceWidth) * width, wide = double(seed.same_place),
                     least_apart = 1.5 * tolerance;
        double apart = narrow < wide ? narrow : wide;
        apart = apart > least_apart ? apart : least_apart;
        corners.count = 0;
        corners.apart = float(apart);
        for (int i = 0; i < part.count && corners.count < kMaxCandidates; ++i) {
            const Place& p = part.at[i];
            const std::uint32_t name = name_of(a, b, p, apart);
            if (!corners.has_twin(float(p.x), float(p.y), name)) corners.append(float(p.x), float(p.y), float(height), float(separation), name);
        }
        sort_by_name(corners), thin_out(corners, seed.along + seed.slack), lone.set(lane, corners);
    });
    if (lone.lanes != 0) lone.merge_into(found);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
