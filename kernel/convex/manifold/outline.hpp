// Convex polygons in the contact plane, in double.
#pragma once

#include "convex/lanes/names.hpp"
#include "convex/manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace slices_detail {

inline constexpr int kMostOutline = 128;  // corners; larger hulls get no slices

struct OutlineCorner {
    double x, y;
    std::uint32_t name;    // of a vertex, or of the edge that leaves the slice at this corner
    std::uint32_t vertex;  // the vertex, or the lower end of that edge
};

inline double signed_area(const OutlineCorner& p, const OutlineCorner& q, double x, double y) {
    return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
}

// A convex polygon, counter-clockwise; a segment has two corners, a point one.
struct Outline {
    int count = 0;
    bool fits = true;
    OutlineCorner at[kMostOutline];

    const OutlineCorner& next(int i) const { return at[i + 1 < count ? i + 1 : 0]; }
    ABUT_INLINE void append(const OutlineCorner& p) {
        fits &= count < kMostOutline;
        if (fits) at[count++] = p;
    }
    double twice_area() const {
        double sum = 0.0;
        for (int i = 1; i + 1 < count; ++i) sum += signed_area(at[0], at[i], at[i + 1].x, at[i + 1].y);
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

// Makes the convex hull of points [Andrew 1979]; sorts them.
inline void make_convex(Outline& points) {
    for (int i = 1; i < points.count; ++i) {
        const OutlineCorner p = points.at[i];
        int to = i;
        for (; to > 0 && (points.at[to - 1].x > p.x || (points.at[to - 1].x == p.x && points.at[to - 1].y > p.y)); --to)
            points.at[to] = points.at[to - 1];
        points.at[to] = p;
    }
    OutlineCorner loop[2 * kMostOutline];
    int count = 0;
    const auto walk = [&](int from, int to, int step) {
        const int start = count;
        for (int i = from; i != to; i += step) {
            const OutlineCorner& p = points.at[i];
            while (count >= start + 2 && signed_area(loop[count - 2], loop[count - 1], p.x, p.y) <= 0.0) --count;
            if (count == start || p.x != loop[count - 1].x || p.y != loop[count - 1].y) loop[count++] = p;
        }
        if (count > start + 1) --count;  // the first corner of the next chain
    };
    walk(0, points.count, 1);
    const int lower = count;
    walk(points.count - 1, -1, -1);
    if (lower == 1 && count == 2 && loop[0].x == loop[1].x && loop[0].y == loop[1].y) count = 1;
    points.count = count;
    for (int i = 0; i < count; ++i) points.at[i] = loop[i];
}

// Clips convex polygons [Sutherland and Hodgman 1974]. `of` may be a segment or a point, `over` may not.
inline void clip(const Outline& of, const Outline& over, Outline& out) {
    Outline other = of;
    Outline *from = &other, *to = &out;
    for (int j = 0; j < over.count; ++j) {
        to->count = 0, to->fits = true;
        const OutlineCorner &p = over.at[j], &q = over.next(j);
        for (int i = 0; i < from->count; ++i) {
            const OutlineCorner &a = from->at[i], &b = from->next(i);
            const double at_a = signed_area(p, q, a.x, a.y), at_b = signed_area(p, q, b.x, b.y);
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

// True if `part` is larger than `known`, by area or by length; the length is weighted by `narrow`.
inline bool spans_more(const Outline& part, const Outline& known, double narrow) {
    const auto span = [&](const Outline& of) { return 0.5 * of.twice_area() + narrow * ::sqrt(of.length_squared()); };
    return double(kSliceSpan) * span(part) > span(known);
}

// The outline of each lane's candidates.
struct KnownOutlines {
    int most;
    LaneArray<float> count, x[kMaxSearched], y[kMaxSearched];

    explicit KnownOutlines(const CandidatesW& found) : most(found.most), count(lanes_of(found.count)) {
        for (int k = 0; k < most; ++k) x[k] = lanes_of(found.slot[k].x), y[k] = lanes_of(found.slot[k].y);
    }
    void set(int lane, Outline& out) const {
        out.count = 0, out.fits = true;
        for (int k = 0; k < static_cast<int>(count[lane]); ++k)
            out.append({double(x[k][lane]), double(y[k][lane]), 0, 0});
        make_convex(out);
    }
};

}  // namespace slices_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
