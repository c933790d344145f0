// Crossings of a cap's rim with the other feature, and with the line where the separation equals the margin. They are
// on the rim itself, while clip.hpp uses sixteen chords. Each arc between crossings gets three points, which move with
// the crossings and not with the cap's corners.
#pragma once

#include "convex/manifold/clip.hpp"
#include "convex/manifold/rim_shape.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A face with chords and kCapCorners corners is a cap; large faces of hulls have kMaxCorners.
inline bool is_cap(const Feature& f) { return f.has_chords && f.count == kCapCorners; }

namespace rim_detail {

inline constexpr std::uint32_t kMaxCrossings = 16;

using Direction2f = Direction2<float>;

// The rim of a cap, whose corners are evenly spread.
struct Rim : Ellipse<float> {
    const Feature& cap;

    Rim(const Feature& f, float slack)
        : Ellipse<float>({f.x[0], f.x[4], f.x[8], f.x[12]}, {f.y[0], f.y[4], f.y[8], f.y[12]}, slack), cap(f) {}
    std::uint32_t name(std::uint32_t point) const { return edge_name(cap.id(0), point); }
};

// True for points that are over the other feature: over a face, or inside another rim.
struct OverFace {
    const Feature& face;
    float slack;

    ABUT_INLINE bool operator()(float x, float y) const { return is_over(face, x, y, slack); }
    ABUT_INLINE MaskW operator()(FloatW x, FloatW y) const { return are_over(face, x, y, FloatW(slack)); }
};
struct OverRim {
    const Rim& rim;

    ABUT_INLINE bool operator()(float x, float y) const { return rim.holds(x, y); }
    ABUT_INLINE MaskW operator()(FloatW x, FloatW y) const { return rim.holds(x, y); }
};

// A point where the rim crosses the outline of the other feature or the line of the margin.
struct Crossing {
    Direction2f at;
    std::uint32_t which;  // the first or the second crossing of this name
    std::uint32_t other;  // name of the other feature's edge, corner or face
    bool is_past_end;     // the crossing is beyond the end of the other feature's edge; that end is inside the rim
};
struct Crossings {
    std::uint32_t count = 0;
    Crossing of[kMaxCrossings];

    // Adds a crossing. If it is closer than `apart` (in units of the disc) to a crossing of another edge, both are next
    // to a corner, and only one of them stays: if possible one within its edge.
    ABUT_INLINE void append(const Crossing& c, float apart) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const float dc = of[i].at.c - c.at.c, ds = of[i].at.s - c.at.s;
            if (!(dc * dc + ds * ds <= apart * apart) || (of[i].other == c.other && of[i].which != c.which)) continue;
            if (of[i].is_past_end) of[i] = c;
            return;
        }
        if (count < kMaxCrossings) of[count++] = c;
    }
    const Crossing& next(std::uint32_t i) const { return of[i + 1 < count ? i + 1 : 0]; }
    // Sorts the crossings counter-clockwise from the cap's first corner.
    void sort() {
        for (std::uint32_t i = 1; i < count; ++i)
            for (std::uint32_t k = i; k > 0 && around(of[k].at) < around(of[k - 1].at); --k) {
                const Crossing c = of[k];
                of[k] = of[k - 1], of[k - 1] = c;
            }
    }
};

// The arcs of a rim between its crossings.
struct Arcs {
    Crossings crossings;
    Direction2f middle[kMaxCrossings];
    bool has_long = false;  // some arc over the other feature is longer than 200 degrees

    bool are_none() const { return crossings.count < 2; }
    // True if the corners of the cap stay candidates. On a whole rim, and on an arc of clearly more than half a rim,
    // they may be better points than the crossings.
    bool keep_corners() const { return are_none() || has_long; }
    // Sets the arcs. Precondition: all crossings are known.
    template <class Over>
    ABUT_INLINE void find(const Rim& rim, const Over& is_over) {
        if (are_none()) return;
        crossings.sort();
        for (std::uint32_t i = 0; i < crossings.count; ++i) {
            const Direction2f p = crossings.of[i].at, q = crossings.next(i).at;
            middle[i] = between(p, q);
            has_long |= is_long(p, q) && is_over(rim.x_at(middle[i]), rim.y_at(middle[i]));
        }
    }
};

// Removes the candidates with names of corners of one cap: A's if `of_a`, otherwise B's.
inline void leave_out_corners(Candidates& c, bool of_a) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        const std::uint32_t name = static_cast<std::uint32_t>(c.name[i]) >> (of_a ? 16 : 0);
        if ((name & (kEdgeName | kFaceName)) != 0) c.copy(kept++, i);
    }
    c.count = kept;
}

struct Clip {
    const Feature& f;  // the other feature
    const Rim& rim;
    bool rim_is_a;
    const ClipLimits& limits;
    Candidates& out;

    float other_height(float x, float y) const {
        if (f.count >= 3) return f.height0 + f.slope_x * x + f.slope_y * y;
        const float dx = f.edge_x[0], dy = f.edge_y[0],
                    along = ((x - f.x[0]) * dx + (y - f.y[0]) * dy) / (dx * dx + dy * dy);
        return f.height[0] + f.edge_height[0] * along - f.winding * f.behind(x, y);
    }
    void put(float x, float y, std::uint32_t rim_name, std::uint32_t other_name) const {
        const Feature& cap = rim.cap;
        const float own = cap.height0 + cap.slope_x * x + cap.slope_y * y, other = other_height(x, y);
        const float separation = rim_is_a ? other - own : own - other, margin = limits.separation;
        const std::uint32_t name = rim_is_a ? rim_name << 16 | other_name : other_name << 16 | rim_name;
        if (separation <= margin + limits.slack && out.count < kMaxCandidates && !out.has_duplicate(x, y, name))
            out.append(x, y, 0.5f * (own + other), separation < margin ? separation : margin, name);
    }
    ABUT_INLINE void put_crossing(const Crossing& c) const {
        if (c.is_past_end) return;
        const bool is_corner = (c.other & (kEdgeName | kFaceName)) == 0;
        put(rim.x_at(c.at), rim.y_at(c.at), is_corner ? rim.cap.own_name() : rim.name(kCrossing + c.which), c.other);
    }
    // Makes a crossing. Next to a corner of the other feature, the crossing gets the corner's name, whether the corner
    // is inside the rim or not.
    Crossing crossing(Direction2f at, std::uint32_t which, std::uint32_t side_name, bool is_past_end) const {
        const std::uint32_t corner = clip_detail::corner_at(f, rim.x_at(at), rim.y_at(at), limits.apart);
        if (corner < f.count) return {at, 0, f.corner_name(corner), is_past_end};
        return {at, which, side_name, is_past_end};
    }
    // Adds candidates of the two polygons: the other feature's corners and, if requested, the cap's corners and the
    // crossings of chords.
    void clip_chords(bool corners_of_cap, bool crossings) const {
        const ClipParts parts = {corners_of_cap || !rim_is_a, corners_of_cap || rim_is_a, crossings};
        clip(rim_is_a ? rim.cap : f, rim_is_a ? f : rim.cap, parts, limits, out);
    }
    ABUT_INLINE void put_corners() const {
        for (std::uint32_t i = 0; i < f.count; ++i)
            if (!is_cap(f) && rim.holds(f.x[i], f.y[i])) put(f.x[i], f.y[i], rim.cap.own_name(), f.corner_name(i));
    }
    // Adds those points of `lanes` (which are over the other face) that are within the margin. name(lane): the point's
    // name on the cap.
    template <class Name>
    void add_within_margin(std::uint32_t lanes, FloatW x, FloatW y, const Name& name,
                           const LaneArray<std::int32_t>& other_name) const {
        using clip_detail::plane_height;
        const FloatW own = plane_height(rim.cap, x, y), other = plane_height(f, x, y), margin = limits.separation;
        const FloatW separation = rim_is_a ? other - own : own - other;
        lanes &= (separation <= FloatW(limits.separation + limits.slack)).bits();
        if (lanes == 0) return;
        const LaneArray<float> px = lanes_of(x), py = lanes_of(y), h = lanes_of(FloatW(0.5f) * (own + other));
        const LaneArray<float> s = lanes_of(select(separation < margin, separation, margin));
        for_each_lane(lanes, [&](int lane) {
            const std::uint32_t both =
                clip_detail::name_of_both(rim_is_a, name(lane), static_cast<std::uint32_t>(other_name[lane]));
            if (out.count < kMaxCandidates && !out.has_duplicate(px[lane], py[lane], both))
                out.append(px[lane], py[lane], h[lane], s[lane], both);
        });
    }
    // Returns one bit for each corner of the cap that is a candidate already. Ids ascend on one cap and descend on the
    // other.
    std::uint32_t own_corners() const {
        const std::uint32_t first = rim.cap.id(0);
        std::uint32_t found = 0;
        for (std::uint32_t i = 0; i < out.count; ++i) {
            const std::uint32_t name = static_cast<std::uint32_t>(out.name[i]) >> (rim_is_a ? 16 : 0) & 0xffff;
            if ((name & (kEdgeName | kFaceName)) == 0) found |= 1u << (name < first ? first - name : name - first);
        }
        return found;
    }
    // Adds the corners between the chords and the rim of another cap. If that cap is a hundred times smaller, all
    // sixteen corners may be there.
    template <class Over>
    void put_own_corners(const Over& are_over) const {
        const Feature& cap = rim.cap;
        if (!is_cap(f)) return;
        const std::uint32_t left = ~own_corners();
        const LaneArray<std::int32_t> other = lanes_of(IntW(static_cast<std::int32_t>(f.own_name())));
        for (std::uint32_t i = 0; i < kCapCorners; i += kLanes) {
            const FloatW x = FloatW::load(cap.x + i), y = FloatW::load(cap.y + i);
            const std::uint32_t lanes = are_over(x, y).bits() & left >> i & lane_bits(kCapCorners - i);
            if (lanes == 0) continue;
            add_within_margin(
                lanes, x, y, [&](int lane) { return cap.corner_name(i + static_cast<std::uint32_t>(lane)); }, other);
        }
    }
    // Adds three points of each arc, if they are over the other feature.
    template <class Over>
    void put_arcs(const Arcs& arcs, const Over& are_over) const {
        const Crossings& crossings = arcs.crossings;
        alignas(64) float c[kArcPoints * kMaxCrossings + kLanes], s[kArcPoints * kMaxCrossings + kLanes];
        const std::uint32_t count = kArcPoints * crossings.count;
        for (std::uint32_t i = 0; i < crossings.count; ++i) {
            Direction2f points[kArcPoints];
            points_of_arc(crossings.of[i].at, crossings.next(i).at, arcs.middle[i], points);
            for (std::uint32_t k = 0; k < kArcPoints; ++k)
                c[kArcPoints * i + k] = points[k].c, s[kArcPoints * i + k] = points[k].s;
        }
        for (std::uint32_t i = count; i < count + kLanes; ++i) c[i] = s[i] = 0.0f;
        for (std::uint32_t i = 0; i < count; i += kLanes) {
            const Direction2<FloatW> at = {FloatW::load(c + i), FloatW::load(s + i)};
            const FloatW x = rim.x_at(at), y = rim.y_at(at);
            const std::uint32_t lanes = are_over(x, y).bits() & lane_bits(count - i);
            LaneArray<std::int32_t> which, other;
            for_each_lane(lanes, [&](int lane) {
                const std::uint32_t point = i + static_cast<std::uint32_t>(lane);
                const Crossing& from = crossings.of[point / kArcPoints];
                which[lane] =
                    static_cast<std::int32_t>(rim.name(kArcPoint + kArcPoints * from.which + point % kArcPoints));
                other[lane] = static_cast<std::int32_t>(from.other);
            });
            add_within_margin(
                lanes, x, y, [&](int lane) { return static_cast<std::uint32_t>(which[lane]); }, other);
        }
    }
    // Adds the candidates of the rim: its crossings, and points between them over the other feature.
    template <class Over>
    void put_all(const Arcs& arcs, const Over& are_over) const {
        if (arcs.are_none()) return put_corners(), put_own_corners(are_over);
        if (arcs.has_long)
            put_own_corners(are_over);
        else
            leave_out_corners(out, rim_is_a);
        put_corners();
        for (std::uint32_t i = 0; i < arcs.crossings.count; ++i) put_crossing(arcs.crossings.of[i]);
        put_arcs(arcs, are_over);
    }
};

// The crossings of an edge with a rim, as parameters along the edge; `enter` > `leave` if there are none. `start` and
// `along`: in units of the disc; `length`: of `along`.
struct EdgeOverRim {
    float squared, length, rest,
        enter = 2.0f, leave = -1.0f;  // rest: the width of the smaller part of the disc that the edge's line cuts off
    Direction2f start, along;

    EdgeOverRim(Direction2f from, Direction2f by) : squared(by.c * by.c + by.s * by.s), start(from), along(by) {
        length = sqrt_of(squared);
        const float across = start.c * along.s - start.s * along.c, under = squared - across * across;
        rest = 1.0f - (across < 0.0f ? -across : across) / (length + kTiny);
        if (!(under > 0.0f && squared > kTiny)) return;
        const float inverse = 1.0f / squared, foot = -(start.c * along.c + start.s * along.s) * inverse,
                    half = sqrt_of(under) * inverse;
        enter = foot - half, leave = foot + half;
    }
    Direction2f at(float t) const { return unit(start.c + t * along.c, start.s + t * along.s); }
};

// Adds the rim's crossings with the line along which the separation equals the margin, if they are over the other
// feature.
template <class Over>
ABUT_INLINE void cross_margin(const Clip& clip, Crossings& crossings, const Over& is_over) {
    const Rim& rim = clip.rim;
    const Feature &a = clip.rim_is_a ? rim.cap : clip.f, &b = clip.rim_is_a ? clip.f : rim.cap;
    const MarginLine<float> line(b.slope_x - a.slope_x, b.slope_y - a.slope_y, b.height0 - a.height0, rim,
                                 clip.limits.separation);
    if (!line.crosses(rim)) return;
    const float gx = line.gx, gy = line.gy, squared = line.squared, by = line.left / squared;
    const EdgeOverRim edge(rim.in_disc(gx * by, gy * by), rim.in_disc(-gy / sqrt_of(squared), gx / sqrt_of(squared)));
    if (!(edge.enter < edge.leave)) return;
    const Direction2f ends[2] = {edge.at(edge.enter), edge.at(edge.leave)};
    for (std::uint32_t k = 0; k < 2; ++k)
        if (is_over(rim.x_at(ends[k]), rim.y_at(ends[k])))
            crossings.append({ends[k], k, clip.f.own_name(), false}, 0.0f);
}

// Adds the candidates of a cap and an edge or a face without a rim.
inline void cross_edges(const Clip& clip) {
    const Feature& f = clip.f;
    const Rim& rim = clip.rim;
    const ClipLimits& limits = clip.limits;
    Arcs arcs;
    Crossings& crossings = arcs.crossings;
    const bool is_edge = f.count == 2;
    const std::uint32_t count = is_edge ? 1 : f.count;
    const float radius = rim.radius, apart = limits.apart / radius;
    for (std::uint32_t j = 0; j < count; ++j) {
        const EdgeOverRim edge(rim.in_disc(f.x[j] - rim.x, f.y[j] - rim.y), rim.in_disc(f.edge_x[j], f.edge_y[j]));
        // If the line cuts off almost nothing of the disc, or little of the edge is over the disc, noise would decide
        // whether there are crossings.
        const bool keeps_middle = is_edge || f.line_x[j] * rim.x + f.line_y[j] * rim.y + f.line_0[j] > 0.0f;
        if (keeps_middle && edge.rest < (is_edge ? 0.5f : 1.0f) * apart) continue;
        const float ends[2] = {edge.enter, edge.leave}, past = apart / (edge.length + kTiny);
        for (std::uint32_t k = 0; k < 2; ++k) {
            if (!(ends[k] >= -past && ends[k] <= 1.0f + past)) continue;
            const bool is_past_end = ends[k] < 0.0f || ends[k] > 1.0f;
            crossings.append(
                clip.crossing(edge.at(ends[k]), k, is_edge ? f.own_name() : f.name_of_edge(j), is_past_end),
                is_edge ? 0.0f : apart);
        }
    }
    if (is_edge) {
        clip.clip_chords(false, false);
        leave_out_corners(clip.out, clip.rim_is_a);
        clip.put_corners();
        for (std::uint32_t i = 0; i < crossings.count; ++i) clip.put_crossing(crossings.of[i]);
        return;
    }
    const OverFace over = {f, limits.slack};
    cross_margin(clip, crossings, over);
    arcs.find(rim, over);
    clip.clip_chords(arcs.keep_corners(), arcs.are_none());
    clip.put_all(arcs, over);
}

// Adds the candidates of two caps, whose common area usually is a lens.
inline void cross_rims(const Rim& a, const Rim& b, const ClipLimits& limits, Candidates& out) {
    const OverRim over_a = {a}, over_b = {b};
    const Clip on_a = {b.cap, a, true, limits, out}, on_b = {a.cap, b, false, limits, out};
    const RimsCrossing<float> crossing(a, b);
    Arcs of_a, of_b;
    if (crossing.do_cross(limits.apart))
        for (std::uint32_t which = 0; which < 2; ++which) {
            Direction2f in_a, in_b;
            if (!crossing.find(which == 1, limits.slack, in_a, in_b)) continue;
            of_a.crossings.append({in_a, which, b.name(kCrossing + which), false}, 0.0f);
            of_b.crossings.append({in_b, which, a.name(kCrossing + which), false}, 0.0f);
        }
    cross_margin(on_a, of_a.crossings, over_b), cross_margin(on_b, of_b.crossings, over_a);
    of_a.find(a, over_b), of_b.find(b, over_a);
    clip(a.cap, b.cap, {of_a.keep_corners(), of_b.keep_corners(), of_a.are_none() && of_b.are_none()}, limits, out);
    on_a.put_all(of_a, over_b);
    on_b.put_all(of_b, over_a);
}

}  // namespace rim_detail

// Finds the candidates of two features, of which at least one is a face. Crossings of a rim replace the crossings of
// its chords.
inline void clip_faces(const Feature& a, const Feature& b, const ClipLimits& limits, Candidates& out) {
    using namespace rim_detail;
    const bool a_is_cap = is_cap(a), b_is_cap = is_cap(b);
    if (!a_is_cap && !b_is_cap) return clip(a, b, {}, limits, out);
    if (a_is_cap && b_is_cap) return cross_rims(Rim(a, limits.slack), Rim(b, limits.slack), limits, out);
    if (a_is_cap) return cross_edges({b, Rim(a, limits.slack), true, limits, out});
    cross_edges({a, Rim(b, limits.slack), false, limits, out});
}

}  // namespace abut::ABUT_ISA_NAMESPACE
