// See lens.hpp.
#include "convex/manifold/lens.hpp"

#include "convex/manifold/rim_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using namespace rim_detail;
using DirectionW2 = Direction2<FloatW>;
using RimW = Ellipse<FloatW>;

ABUT_INLINE DirectionW2 select(MaskW m, DirectionW2 yes, DirectionW2 no) {
    return {select(m, yes.c, no.c), select(m, yes.s, no.s)};
}

// The corners of a cap's polygon that determine its rim.
struct QuartersW {
    FloatW x[4], y[4], height;
    IntW first;  // the first corner's id

    ABUT_INLINE explicit QuartersW(const WholeFaceW& of) {
        const float* rows[kLanes];
        for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &of.view.corners[lane]->x;
        for (int k = 0; k < 4; ++k) {
            FloatW corner[4];
            transpose_records4(rows, corner, 8 * 4 * k);
            const Vec3W at = multiply({corner[0], corner[1], corner[2]}, of.scale);
            x[k] = dot(of.axes.x, at) + of.view.origin.x, y[k] = dot(of.axes.y, at) + of.view.origin.y;
            if (k > 0) continue;
            height = dot(of.axes.normal, at) + of.view.origin.z;
            first = bits_of(corner[3]);
        }
    }
};
struct CapW {
    QuartersW quarters;
    RimW rim;
    FloatW slope_x, slope_y, height_0;

    CapW(const WholeFaceW& of, FloatW slack)
        : quarters(of), rim(quarters.x, quarters.y, slack), slope_x(of.view.slope_x), slope_y(of.view.slope_y) {
        height_0 = quarters.height - (slope_x * quarters.x[0] + slope_y * quarters.y[0]);
    }
    FloatW height_at(FloatW x, FloatW y) const { return height_0 + slope_x * x + slope_y * y; }
    IntW name(IntW point) const { return edge_names(quarters.first, point); }
};

// The arc of a rim inside the other cap, between the two crossings.
struct ArcW {
    MaskW is_alone,
        from_left;  // no other part of the rim is inside the other cap, and the arc is up to 200 degrees; it begins at the left crossing
    FloatW x[kArcPoints], y[kArcPoints];

    ArcW(const RimW& rim, const RimW& over, DirectionW2 right, DirectionW2 left) {
        const MaskW is_swapped = around(left) < around(right);
        const DirectionW2 p = select(is_swapped, left, right), q = select(is_swapped, right, left),
                          after_p = between(p, q), after_q = between(q, p);
        const auto holds = [&](DirectionW2 t) { return over.holds(rim.x_at(t), rim.y_at(t)); };
        const MaskW is_first = holds(after_p);
        const DirectionW2 from = select(is_first, p, q), to = select(is_first, q, p);
        is_alone = ~is_long(from, to);
        from_left = (is_swapped & is_first) | ~(is_swapped | is_first);
        DirectionW2 points[kArcPoints];
        points_of_arc(from, to, select(is_first, after_p, after_q), points);
        for (std::uint32_t k = 0; k < kArcPoints; ++k) {
            x[k] = rim.x_at(points[k]), y[k] = rim.y_at(points[k]);
            is_alone &= over.holds(x[k], y[k]);
        }
        points_of_arc(to, from, select(is_first, after_q, after_p), points);
        for (const DirectionW2& point : points) is_alone &= ~holds(point);
    }
};

struct LensW {
    const CapW &a, &b;
    const ClipLimitsW& limits;
    FloatW slack;
    MaskW found;
    FloatW least = HUGE_VALF;
    CandidateW point[kLensPoints];

    LensW(const CapW& cap_a, const CapW& cap_b, const ClipLimitsW& within, FloatW in_plane, MaskW lanes)
        : a(cap_a), b(cap_b), limits(within), slack(in_plane), found(lanes) {}
    // Makes one candidate per lane. Removes lanes from `found` whose separation is beyond the limits.
    ABUT_INLINE CandidateW make_candidate(FloatW x, FloatW y, IntW name_a, IntW name_b) {
        const FloatW on_a = a.height_at(x, y), on_b = b.height_at(x, y), separation = on_b - on_a;
        found &= (separation <= limits.margin + slack) & ~(separation < limits.separation - limits.tolerance);
        const FloatW within = select(separation < limits.margin, separation, limits.margin);
        const FloatW kept = select(within < limits.separation, limits.separation, within);
        least = min(least, kept);
        return {x, y, FloatW(0.5f) * (on_a + on_b), kept, (name_a << 16) | name_b};
    }
    CandidateW crossing(DirectionW2 on_a, std::uint32_t side) {
        const IntW name = static_cast<std::int32_t>(kCrossing + side);
        return make_candidate(a.rim.x_at(on_a), a.rim.y_at(on_a), a.name(name), b.name(name));
    }
    // Stores the points in the order of names: each crossing before the arc of B that begins at it; the arc of A last.
    void put_points(const ArcW& of_a, const ArcW& of_b, const CandidateW& right, const CandidateW& left) {
        const auto at = [](MaskW is_left, std::uint32_t right_one, std::uint32_t left_one) {
            return select(is_left, IntW(static_cast<std::int32_t>(left_one)),
                          IntW(static_cast<std::int32_t>(right_one)));
        };
        const IntW start_of_a = b.name(at(of_a.from_left, kCrossing, kCrossing + 1)),
                   start_of_b = a.name(at(of_b.from_left, kCrossing, kCrossing + 1));
        CandidateW on_b[kArcPoints];
        for (std::uint32_t k = 0; k < kArcPoints; ++k) {
            const std::uint32_t from_right = kArcPoint + k, from_left = from_right + kArcPoints;
            point[5 + k] =
                make_candidate(of_a.x[k], of_a.y[k], a.name(at(of_a.from_left, from_right, from_left)), start_of_a);
            on_b[k] =
                make_candidate(of_b.x[k], of_b.y[k], start_of_b, b.name(at(of_b.from_left, from_right, from_left)));
        }
        point[0] = right;
        point[1] = select(of_b.from_left, left, on_b[0]);
        point[2] = select(of_b.from_left, on_b[0], on_b[1]);
        point[3] = select(of_b.from_left, on_b[1], on_b[2]);
        point[4] = select(of_b.from_left, on_b[2], left);
    }
    ABUT_INLINE void find(FloatW apart) {
        const RimsCrossing<FloatW> rims(a.rim, b.rim);
        found &= rims.do_cross(apart);
        const FloatW gx = b.slope_x - a.slope_x, gy = b.slope_y - a.slope_y, height = b.height_0 - a.height_0;
        const auto crosses_margin = [&](const RimW& rim) {
            return MarginLine<FloatW>(gx, gy, height, rim, limits.margin).crosses(rim);
        };
        found &= ~(crosses_margin(a.rim) | crosses_margin(b.rim));
        if (!any(found)) return;
        DirectionW2 in_a[2], in_b[2];
        for (int side = 0; side < 2; ++side) found &= rims.find(side == 1, slack, in_a[side], in_b[side]);
        const ArcW of_a(a.rim, b.rim, in_a[0], in_a[1]), of_b(b.rim, a.rim, in_b[0], in_b[1]);
        found &= of_a.is_alone & of_b.is_alone;
        if (!any(found)) return;
        const CandidateW right = crossing(in_a[0], 0), left = crossing(in_a[1], 1);
        put_points(of_a, of_b, right, left);
        found &= are_apart(apart * apart);
    }
    // Lanes in which no two points are duplicates.
    MaskW are_apart(FloatW squared) const {
        MaskW apart = found;
        for (int i = 0; i < kLensPoints; ++i)
            for (int k = 0; k < i; ++k) {
                const FloatW dx = point[i].x - point[k].x, dy = point[i].y - point[k].y;
                apart &= ~(dx * dx + dy * dy <= squared);
            }
        return apart;
    }
};

}  // namespace

void find_lenses(const WholeFaceW& a, const WholeFaceW& b, const ClipLimitsW& limits, FloatW as_deep, MaskW lanes,
                 LensesW& out) {
    lanes &= a.fits() & b.fits();
    out.found = MaskW();
    if (!any(lanes)) return;
    const FloatW facing = min(a.view.facing, b.view.facing), slack = FloatW(kClipShare) * limits.tolerance * facing;
    const FloatW apart = limits.apart(min(a.view.width, b.view.width), facing);
    const CapW cap_a(a, slack), cap_b(b, slack);
    LensW lens(cap_a, cap_b, limits, slack, lanes);
    lens.find(apart);
    if (!any(lens.found)) return;
    out.apart_squared = apart * apart;
    out.found = lens.found & (lens.least <= as_deep);
    for (int k = 0; k < kLensPoints; ++k) out.at[k] = lens.point[k];
}

}  // namespace abut::ABUT_ISA_NAMESPACE
