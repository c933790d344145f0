// Slices of shapes, and the common region of two slices.
#include "convex/manifold/slices.hpp"

#include "convex/manifold/one_by_one.hpp"
#include "convex/manifold/outline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace slices_detail {

namespace {

constexpr double kLine = 1e-3;  // an outline narrower than this part of promise 1's bound is a line

// The part of a shape within a depth of its support plane.
struct Slice {
    Outline outline;
    double level;  // the mean of the slice's highest and lowest points along the normal
    double thickness;
    std::uint32_t own_name = 0;  // for points that are no corner of this slice

    std::uint32_t name_of_edge(int i) const { return edge_name(outline.at[i].vertex, outline.next(i).vertex); }
};

// Reduces a line to its two ends, because the directions of its short edges would be rounding.
void keep_ends(Outline& of) {
    double most = 0.0;
    OutlineCorner from = of.at[0], to = from;
    for (int i = 0; i < of.count; ++i)
        for (int k = 0; k < i; ++k) {
            const double dx = of.at[i].x - of.at[k].x, dy = of.at[i].y - of.at[k].y;
            if (const double squared = dx * dx + dy * dy; squared > most)
                most = squared, from = of.at[k], to = of.at[i];
        }
    of.count = 2, of.at[0] = from, of.at[1] = to;
}

// Sets the slice of a shape, the part within `depth` of its support plane. If the shape has no nearly level faces, a
// slice with one vertex counts as a point, and only the outline is set.
void set_slice(const manifold_detail::ContactShape& of, std::int32_t face, double depth, bool is_level, Slice& out) {
    const Polytope& p = of.polytope;
    const ContactAxes& axes = of.axes;
    const HullGeometry& hull = *p.hull;
    const bool is_segment = of.kind == ShapeKind::capsule;
    const std::uint32_t count = is_segment ? 2 : hull.vertex_count;
    const auto vertex = [&](std::uint32_t i) {
        return is_segment ? Float3{0.0f, i == 0 ? p.y : -p.y, 0.0f} : vertex_of(p, i);
    };
    const auto along = [](Float3 axis, Float3 v) {
        return double(axis.x) * double(v.x) + double(axis.y) * double(v.y) + double(axis.z) * double(v.z);
    };
    const auto height = [&](std::uint32_t i) { return double(of.normal_sign) * along(axes.normal, vertex(i)); };
    const auto corner_of = [&](std::uint32_t i) {
        return OutlineCorner{along(axes.x, vertex(i)) + double(axes.origin.x),
                             along(axes.y, vertex(i)) + double(axes.origin.y), vertex_name(i), i};
    };
    constexpr std::uint32_t kKept =
        256;  // the number of vertices whose heights are kept; other heights are recomputed for each edge
    double kept[kKept];
    double top = -HUGE_VAL;
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
        if (const double h = known(i); h >= floor) out.outline.append(corner_of(i)), low = h < low ? h : low;
    if (!is_level && out.outline.count < 2) return;
    const auto cut = [&](std::uint32_t v, std::uint32_t w) {
        const double up = known(v) - floor, down = known(w) - floor;
        if ((up < 0.0) == (down < 0.0)) return;
        const OutlineCorner from = corner_of(v), to = corner_of(w);
        const double t = up / (up - down);
        out.outline.append(
            {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, edge_name(v, w), up < 0.0 ? v : w});
        low = floor;
    };
    if (is_segment)
        cut(0, 1);
    else
        for (const HullEdge& edge : hull.edges) cut(edge.v0, edge.v1);
    make_convex(out.outline);
    // The slice of a plate on its rim is a line except for rounding, with short edges in random directions.
    if (const double thin = kLine * double(of.tolerance), area = out.outline.twice_area();
        out.outline.count > 2 && area < 8.0 * thin)
        if (area * area < 4.0 * thin * thin * out.outline.length_squared()) keep_ends(out.outline);
    out.thickness = top - low;
    out.level = double(of.normal_sign) * (0.5 * (top + low) + double(of.radius)) + double(axes.origin.z);
    out.own_name = is_segment ? edge_name(0, 1) : face_name(static_cast<std::uint32_t>(face));
}

// The corner of an outline within `apart` of a position, and the edge nearest to the position; -1 if there is none.
struct Nearest {
    int corner = -1, edge = -1;

    Nearest(const Outline& of, const OutlineCorner& p, double apart) {
        double nearest = apart * apart, off = HUGE_VAL;
        for (int i = 0; i < of.count; ++i) {
            const OutlineCorner &a = of.at[i], &b = of.next(i);
            const double dx = p.x - a.x, dy = p.y - a.y, ex = b.x - a.x, ey = b.y - a.y, squared = dx * dx + dy * dy;
            if (squared <= nearest) corner = i, nearest = squared;
            const double t = signed_area(a, b, p.x, p.y), by = t * t / (ex * ex + ey * ey + double(kTiny));
            if (by < off) edge = i, off = by;
        }
    }
};

std::uint32_t name_of(const Slice& a, const Slice& b, const OutlineCorner& p, double apart) {
    const Nearest near_a(a.outline, p, apart), near_b(b.outline, p, apart);
    if (near_b.corner >= 0) return a.own_name << 16 | b.outline.at[near_b.corner].name;
    if (near_a.corner >= 0) return a.outline.at[near_a.corner].name << 16 | b.own_name;
    return a.name_of_edge(near_a.edge) << 16 | b.name_of_edge(near_b.edge);
}

// The common region of two slices. It is empty if both are lines.
void find_common_region(const Outline& a, const Outline& b, Outline& out) {
    out.count = 0;
    out.fits = true;
    if (a.count < 2 || b.count < 2 || !a.fits || !b.fits) return;
    if (a.count >= 3)
        clip(b, a, out);
    else if (b.count >= 3)
        clip(a, b, out);
    if (!out.fits) out.count = 0;
}

// Keeps the first of neighbouring corners closer than `apart`. The result is inside the outline and has no edge whose
// direction is rounding.
void keep_apart(Outline& of, double apart) {
    const auto are_apart = [&](const OutlineCorner& p, const OutlineCorner& q) {
        const double dx = q.x - p.x, dy = q.y - p.y;
        return dx * dx + dy * dy > apart * apart;
    };
    int kept = of.count < 1 ? 0 : 1;
    for (int i = 1; i < of.count; ++i)
        if (are_apart(of.at[kept - 1], of.at[i]) && are_apart(of.at[i], of.at[0])) of.at[kept++] = of.at[i];
    of.count = kept;
}

// The id of an outline's corner: its vertex or, where an edge leaves the slice, the lower id of the edge's ends.
// Corners with the same vertex get multiples of 128 added: few hulls have so many vertices that these bits are in use.
std::int32_t corner_id(const Outline& of, int corner) {
    std::uint32_t id = of.at[corner].vertex;
    for (int i = 0; i < corner; ++i)
        if (of.at[i].vertex == of.at[corner].vertex) id += 128;
    return static_cast<std::int32_t>(id);
}

void set_feature(Slice& slice, std::int32_t face, double tolerance, Feature& f) {
    Outline& outline = slice.outline;
    f.count = 0;
    if (!outline.fits) return;
    keep_apart(outline, tolerance);
    const double narrow = double(kSliver) * tolerance, length_squared = outline.length_squared();
    if (outline.count > static_cast<int>(kMaxCorners) || !(length_squared > narrow * narrow)) return;
    const double width = 0.5 * outline.twice_area() / ::sqrt(length_squared);
    if (!(width > narrow)) keep_ends(outline);
    f.count = static_cast<std::uint32_t>(outline.count);
    f.face = static_cast<std::uint32_t>(face);
    f.facing = 1.0f;
    f.slope_x = f.slope_y = f.radius = 0.0f;
    f.is_round = f.has_chords = f.has_flat_ends = false;
    f.stands_for = 0;
    f.winding = 1.0f;
    f.aside[0] = f.aside[1] = 0.0f;
    f.shift = {0.0f, 0.0f, 0.0f};
    f.height0 = float(slice.level);
    for (int i = 0; i < outline.count; ++i) {
        const OutlineCorner &p = outline.at[i], &q = outline.next(i);
        const double dx = q.x - p.x, dy = q.y - p.y, squared = dx * dx + dy * dy, inverse = 1.0 / ::sqrt(squared);
        f.x[i] = float(p.x), f.y[i] = float(p.y), f.height[i] = f.height0, f.vertex[i] = corner_id(outline, i);
        f.edge_x[i] = float(dx), f.edge_y[i] = float(dy), f.edge_height[i] = 0.0f, f.edge_squared[i] = float(squared);
        f.line_x[i] = float(-dy * inverse), f.line_y[i] = float(dx * inverse);
        f.line_0[i] = float((dy * p.x - dx * p.y) * inverse);
    }
    f.width = float(width);
}

void set_outline(const Candidates& found, Outline& out) {
    out.count = 0, out.fits = true;
    for (std::uint32_t i = 0; i < found.count; ++i) out.append({double(found.x[i]), double(found.y[i]), 0, 0});
    make_convex(out);
}

}  // namespace

}  // namespace slices_detail

void take_slices(const manifold_detail::LanesOfPair& of, std::uint32_t level, std::uint32_t lanes, CandidatesW& found) {
    using namespace slices_detail;
    using namespace manifold_detail;
    const KnownOutlines outlines(found);
    CandidateLanes lone = {};
    Slice a, b;
    Outline part, known;
    Candidates corners;
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = of.seeds.of_lane(lane);
        const double tolerance = double(seed.tolerance), depth = double(kSliceShare) * tolerance;
        const bool is_level = (level >> lane & 1) != 0;
        set_slice(of.a.of_lane(lane), of.face_a[lane], depth, is_level, a);
        if (a.outline.count < 2) return;
        set_slice(of.b.of_lane(lane), of.face_b[lane], depth, is_level, b);
        find_common_region(a.outline, b.outline, part);
        if (part.count < 2) return;
        outlines.set(lane, known);
        if (!spans_more(part, known, double(kSliver) * tolerance)) return;
        // All corners get the mean height of each slice, because they are between the top and the bottom of the slice.
        const double gap = b.level - a.level, height = 0.5 * (b.level + a.level), least = double(seed.along);
        const double separation = gap < least ? least : gap;
        if (!(separation <= double(seed.margin)) || separation > least + tolerance) return;
        const double length = ::sqrt(part.length_squared());
        if (length <= double(seed.same_place)) return;
        const double width = 0.5 * part.twice_area() / length, narrow = double(kSamePlaceWidth) * width,
                     wide = double(seed.same_place), least_apart = double(kLeastApart) * tolerance;
        double apart = narrow < wide ? narrow : wide;
        apart = apart > least_apart ? apart : least_apart;
        corners.count = 0;
        corners.apart = float(apart);
        for (int i = 0; i < part.count && corners.count < kMaxCandidates; ++i) {
            const OutlineCorner& p = part.at[i];
            const std::uint32_t name = name_of(a, b, p, apart);
            if (!corners.has_duplicate(float(p.x), float(p.y), name))
                corners.append(float(p.x), float(p.y), float(height), float(separation), name);
        }
        sort_by_name(corners), thin_out(corners, seed.slack, seed.smaller), lone.set(lane, corners);
    });
    if (lone.lanes != 0) lone.merge_into(found);
}

void take_slice_features(const manifold_detail::LanesOfPair& of, std::uint32_t level, std::uint32_t lanes,
                         CandidatesW& found) {
    using namespace slices_detail;
    using namespace manifold_detail;
    const KnownOutlines outlines(found);
    CandidateLanes lone = {};
    Feature a, b;
    Slice slice;
    Outline part, known;
    Candidates corners;
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = of.seeds.of_lane(lane);
        const auto set = [&](const ContactShape& shape, std::int32_t face, Feature& f) {
            if (shape.is_curved()) return shape.set_feature(face, f);
            set_slice(shape, face, double(kSliceShare) * double(seed.tolerance), (level >> lane & 1) != 0, slice);
            set_feature(slice, face, double(seed.tolerance), f);
        };
        const ContactShape shape_a = of.a.of_lane(lane), shape_b = of.b.of_lane(lane);
        const std::int32_t face_a = of.face_a[lane], face_b = of.face_b[lane];
        set(shape_a, face_a, a);
        if (a.count == 0) return;
        set(shape_b, face_b, b);
        // A slice's feature is half the slice's depth below the support plane.
        constexpr float kShare = kFeatureShare + 0.5f * kSliceShare;
        if (!clip_features(a, b, shape_a.edge_radius(face_a), shape_b.edge_radius(face_b), seed, kShare, corners))
            return;
        set_outline(corners, part);
        outlines.set(lane, known);
        if (!spans_more(part, known, double(kSliver) * double(seed.tolerance))) return;
        sort_by_name(corners), thin_out(corners, seed.slack, seed.smaller), lone.set(lane, corners);
    });
    if (lone.lanes != 0) lone.merge_into(found);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
