// The choice of a group's contact normals: the answer's normal, or that of a nearby face along which the shapes are as
// far apart.
#pragma once

#include "convex/manifold/curved_feature.hpp"
#include "convex/manifold/face_span.hpp"
#include "convex/separation/round_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The face normals that may replace the answer's normal. by_slack: those along which the separation is less by at most
// the slack. by_rounding: those that differ from the answer's normal only by rounding; the second attempt, if by_slack
// gives no contact.
enum class AxisLimit { by_slack, by_rounding };

namespace manifold_detail {

// The face best aligned with each lane's direction (core's frame, any length). Adds to `level` the lanes of hulls whose
// neighbouring faces may be level, that is, coplanar up to a tolerance.
inline LaneArray<std::int32_t> best_faces(const ExtentCore&, Vec3W d, std::uint32_t, FloatW, std::uint32_t&) {
    const FloatW zero = 0.0f;
    const Vec3W m = abs(d);
    const MaskW x_most = (m.x >= m.y) & (m.x >= m.z), y_most = ~x_most & (m.y >= m.z);
    const FloatW along = select(x_most, d.x, select(y_most, d.y, d.z));
    return lanes_of(select(x_most, IntW(0), select(y_most, IntW(2), IntW(4))) | select(along < zero, IntW(1), IntW(0)));
}
// The face next to `face` whose normal is nearest to a unit direction. Packed cosines do not distinguish nearly level
// faces.
inline std::int32_t nearest_face(const Polytope& p, std::int32_t face, Float3 direction) {
    const HullGeometry& hull = *p.hull;
    const auto off = [&](std::uint32_t f) {
        const Float3 by = normal_of(p, f) - direction;
        return dot(by, by);
    };
    auto best = static_cast<std::uint32_t>(face);
    float least = off(best);
    if (least > kPackedSquared) return face;
    for (std::uint32_t from = hull.face_count; from != best && least > kSameSquared;) {
        from = best;
        for (std::uint32_t i = hull.face_first[from]; i < hull.face_first[from + 1]; ++i) {
            const std::uint16_t corner = hull.loop[i];
            for (std::uint32_t k = hull.vertex_first[corner]; k < hull.vertex_first[corner + 1]; ++k)
                if (const float by = off(hull.vertex_face[k]); by < least) best = hull.vertex_face[k], least = by;
        }
    }
    return static_cast<std::int32_t>(best);
}
// The greatest dots with the normals of an unevenly scaled hull, packed as in packed_most.
inline FloatW most_along_stretched(const Polytope& p, Vec3W direction, IntW mask) {
    const IntW keep = mask ^ IntW(-1), iota = IntW::load(kIota);
    FloatW most = float_of(IntW(kMostNegative));
    for (std::uint32_t i = 0; i < p.hull->padded_faces; i += kLanes) {
        const FloatW along = dot(direction, load_planes<Stretch::uneven>(p, i).normal);
        most = max(most, float_of((bits_of(along) & keep) | (iota + IntW(static_cast<std::int32_t>(i)))));
    }
    return most;
}
inline LaneArray<std::int32_t> best_faces(const HullCore& core, Vec3W d, std::uint32_t lanes, FloatW tolerance,
                                          std::uint32_t& level) {
    const LaneArray<float> x = lanes_of(d.x), y = lanes_of(d.y), z = lanes_of(d.z);
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    LaneArray<std::int32_t> mask;
    FloatW best[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        best[lane] = float_of(IntW(kMostNegative));
        mask[lane] = 0;
        const HullGeometry& hull = *core.hull[lane];
        if ((lanes >> lane & 1) == 0 || hull.face_count == 0) continue;
        mask[lane] = index_mask(hull.padded_faces);
        if (const Polytope p = polytope_of(core, scale, lane); p.stretch == Stretch::even) {
            const float* const n = hull.planes.data();
            const std::size_t stride = hull.padded_faces;
            best[lane] = packed_most({n, n + stride, n + 2 * stride, hull.padded_faces, nullptr}, core.most_faces,
                                     x[lane], y[lane], z[lane], mask[lane]);
        } else {
            best[lane] = most_along_stretched(p, {x[lane], y[lane], z[lane]}, mask[lane]);
        }
    }
    LaneArray<std::int32_t> face = lanes_of(bits_of(reduce_max_each(best)) & load(mask));
    std::uint32_t split = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        if (mask[lane] == 0) continue;
        if (static_cast<std::uint32_t>(face[lane]) >= core.hull[lane]->face_count)
            face[lane] = 0;  // the padding repeats face 0
        const Vector<float>& level_gap = core.hull[lane]->level_gap;
        if (!level_gap.empty())
            split |= static_cast<std::uint32_t>(level_gap[static_cast<std::uint32_t>(face[lane])] < HUGE_VALF) << lane;
    }
    if (split != 0) {
        const LaneArray<float> bound = lanes_of(tolerance);
        for_each_lane(split, [&](int lane) {
            const Polytope p = polytope_of(core, scale, lane);
            face[lane] = nearest_face(p, face[lane], {x[lane], y[lane], z[lane]});
            level |=
                static_cast<std::uint32_t>(p.hull->level_gap.data()[face[lane]] * p.x <= kSliceLevelGap * bound[lane])
                << lane;
            face[lane] = merged_face(p, face[lane], bound[lane]);
        });
    }
    // An uneven scale may make faces level that were not.
    level |= ~((core.scale.x == core.scale.y) & (core.scale.y == core.scale.z)).bits() & lanes;
    return face;
}

ABUT_INLINE Vec3W normals_of_faces(const ExtentCore&, const LaneArray<std::int32_t>& face, Vec3W) {
    const IntW f = load(face);
    const FloatW one = float_of(IntW(0x3f800000) | (f << 31)), zero = 0.0f;  // odd faces have the opposite normal
    const auto is = [&](std::int32_t axis) { return float_of(f >> 1) == float_of(IntW(axis)); };
    return {select(is(0), one, zero), select(is(1), one, zero), select(is(2), one, zero)};
}
inline Vec3W normals_of_faces(const HullCore& core, const LaneArray<std::int32_t>& face, Vec3W) {
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &contact_face(*core.hull[lane], face[lane]).x;
    FloatW n[4];
    transpose_records4(rows, n);
    return span_of_faces(core, face, n).normal;
}

// The contact normal, and the separation of the cores along it.
struct AxisW {
    Vec3W normal;
    FloatW separation;
    MaskW is_face,
        has_face_normal;  // the normal is a face's; the normal differs from the answer's by more than rounding

    // Takes `face` (a face's normal, from A to B) if no other normal was taken before and the cores are as far apart
    // along `face`. by_rounding also requires that `face` joins the nearest points.
    template <class CoreA, class CoreB>
    ABUT_INLINE void try_face_normals(const PairW<CoreA, CoreB>& pair, Vec3W face, FloatW slack, AxisLimit by,
                                      std::uint32_t lanes) {
        const FloatW share = FloatW(kFeatureShare) * pair.tolerance, zero = 0.0f,
                     deviation = length_squared(face - normal);
        // Shapes that just touch are separated in one frame and overlap in the next, along another normal; the face's
        // normal serves both. Lateral faces have no such normal.
        constexpr bool is_curved = kIsCurved<CoreA> || kIsCurved<CoreB>;
        const MaskW touching = abs(separation - pair.radius) <= slack;
        const FloatW limit =
            is_curved ? FloatW(kSnapSquared) : select(touching, FloatW(kTouchingSnapSquared), FloatW(kSnapSquared));
        const MaskW same = deviation == zero, near = (deviation <= limit) & ~(same | is_face);
        is_face |= same;
        const FloatW origin_radius = separation + pair.radius;
        const MaskW joined = (deviation * origin_radius * origin_radius <= share * share) & (separation > zero);
        const std::uint32_t asked = (by == AxisLimit::by_slack ? near : near & joined).bits() & lanes;
        if (asked == 0) return;
        const FloatW gap = gap_along(pair, face, asked);
        const MaskW can = MaskW::from_bits(asked), by_rounding = can & joined & (gap >= separation - share);
        const MaskW by_slack = can & ~by_rounding & (gap >= separation - slack);
        const MaskW taken = by == AxisLimit::by_slack ? by_rounding | by_slack : by_rounding;
        normal = select(taken, face, normal);
        is_face |= taken;
        if (by == AxisLimit::by_rounding) return;
        separation = select(by_slack, gap, separation);
        has_face_normal |= by_slack;
    }
};

template <class Core>
inline bool has_faces(const Core&) {
    return true;
}
template <Curved Core>
inline bool has_faces(const Core& core) {
    return has_features(core.kind);
}

// A unit vector perpendicular to the unit vector n. It does not jump if two components of n are equal, because most
// normals are close to an axis.
inline Vec3W tangent(Vec3W n) {
    const FloatW zero = 0.0f;
    const MaskW is_x = abs(n.x) > FloatW(0.8f);
    const Vec3W t = {select(is_x, n.y, zero), select(is_x, -n.x, n.z), select(is_x, zero, -n.y)};
    return t * (FloatW(1.0f) / sqrt(length_squared(t)));
}

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
