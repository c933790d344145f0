// Manifolds over a half-space. An infinite plane needs no clipping: the contacts are all corners of the shape's
// supporting feature within the margin, each with the plane's only face.
//
// Corners of a rounded shape are moved to its surface: the lowest one straight down, the upper end of an edge
// perpendicular to the edge, the opposite corner of a face along the face's normal. So the deepest point is usually one
// of them, with the name of its corner.
#pragma once

#include "convex/manifold/hull_on_plane.hpp"
#include "convex/manifold/rim.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace plane_detail {

// The unit direction of the part of a vector that is perpendicular to Y.
inline Vec3W perpendicular_to(Vec3W d) {
    const FloatW by = FloatW(1.0f) / sqrt(max(d.x * d.x + d.z * d.z, FloatW(kTiny)));
    return {d.x * by, 0.0f, d.z * by};
}

// Adds the corners of the most downward face, the lowest first. Of duplicates, as on thin boxes, the first stays.
inline void put_box(ContactsOnPlaneW& contacts, Vec3W extent) {
    const FloatW zero = 0.0f;
    const Vec3W down = -contacts.up, m = abs(down);
    const MaskW is_x = (m.x >= m.y) & (m.x >= m.z), is_y = ~is_x & (m.y >= m.z), is_z = ~(is_x | is_y),
                rounded = contacts.radius > zero;
    const bool some_rounded = any(rounded & contacts.lanes);
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
        // The other corners have flipped signs along one or both of the face's axes, which cyclically follow the
        // normal's axis.
        const MaskW u = MaskW::from_bits(i == 1 || i == 2 ? kAllLanes : 0),
                    v = MaskW::from_bits(i >= 2 ? kAllLanes : 0);
        const MaskW flip_x = (is_z & u) | (is_y & v), flip_y = (is_x & u) | (is_z & v),
                    flip_z = (is_y & u) | (is_x & v);
        const Vec3W direction = {select(flip_x, -down.x, down.x), select(flip_y, -down.y, down.y),
                                 select(flip_z, -down.z, down.z)};
        Vec3W p = copysign(extent, direction);
        if (some_rounded) {
            // The direction straight down, without the components that point inwards at this corner.
            const Vec3W out = {select(flip_x, zero, down.x), select(flip_y, zero, down.y),
                               select(flip_z, zero, down.z)};
            p = select(rounded, p + out * (contacts.radius / sqrt(length_squared(out))), p);
        }
        const IntW name =
            (bits_of(direction.x) >> 31) | ((bits_of(direction.y) >> 31) << 1) | ((bits_of(direction.z) >> 31) << 2);
        contacts.put(contacts.lanes, p, name);
    }
}

inline void put_features(ContactsOnPlaneW& contacts, const ExtentCore& core, CoreForm form, const FrameView&) {
    if (form == CoreForm::polytope) return put_box(contacts, core.extent);
    const Vec3W end = {0.0f, core.extent.y, 0.0f};
    contacts.put_edge(contacts.lanes, end, -end, perpendicular_to(-contacts.up), 0, 1);
}

// The best four points of a whole rim are four of the prism's corners: the first square that has a corner as deep as
// the deepest.
struct RimW {
    static constexpr std::uint32_t kSquares = kCapCorners / 4;
    MaskW whole = MaskW::from_bits(kAllLanes);
    FloatW square = static_cast<float>(kSquares);  // its first corner

    // `slack`: depths that differ by up to this are equal.
    RimW(const FloatW (&separation)[kCapCorners], FloatW limit, FloatW slack) {
        FloatW least = separation[0];
        for (std::uint32_t i = 0; i < kCapCorners; ++i) {
            whole &= separation[i] <= limit;
            least = min(least, separation[i]);
        }
        for (std::uint32_t i = 0; i < kCapCorners; ++i)
            square =
                select(separation[i] <= least + slack, min(square, FloatW(static_cast<float>(i % kSquares))), square);
    }
    MaskW is_wanted(std::uint32_t i) const { return whole & (square == FloatW(static_cast<float>(i % kSquares))); }
};

// Adds the best four points of a part of a rim: its ends, and two points between them. The points are evenly spread
// over the arc, or over three quarters of the rim if that is less.
inline void put_arc(ContactsOnPlaneW& contacts, MaskW wanted, FloatW limit, FloatW radius, FloatW height,
                    IntW first_corner) {
    const FloatW one = 1.0f, zero = 0.0f, up_x = contacts.up.x, up_z = contacts.up.z;
    const FloatW tilt = sqrt(max(up_x * up_x + up_z * up_z, FloatW(kTiny))), inverse = one / tilt;
    const FloatW low_x = -(up_x * inverse), low_z = -(up_z * inverse), middle = contacts.up.y * height - contacts.level;
    constexpr float kThreeQuarters = -0.70710678f;  // cosine of half that angle
    const FloatW end = max((middle - limit) * inverse / radius, FloatW(kThreeQuarters));
    wanted &= end < one;
    const FloatW c = min(end, one);
    // Cosine of a third of the angle: 4 x^3 - 3 x = c, by Newton's method.
    FloatW third = FloatW(0.8284f) + FloatW(0.1716f) * c;
    for (int step = 0; step < 3; ++step) {
        const FloatW squared = third * third;
        third -= ((FloatW(4.0f) * squared - FloatW(3.0f)) * third - c) / (FloatW(12.0f) * squared - FloatW(3.0f));
    }
    third = min(third, one);
    const auto put = [&](FloatW cosine, float sign, std::uint32_t point) {
        const FloatW sine = FloatW(sign) * sqrt(max(one - cosine * cosine, zero));
        const Vec3W at = {radius * (low_x * cosine - low_z * sine), height, radius * (low_z * cosine + low_x * sine)};
        const FloatW along = dot(contacts.up, at);
        const IntW name = (first_corner << 7) | IntW(static_cast<std::int32_t>(edge_name(0, point)));
        contacts.found.append(wanted, contacts.candidate(at, along, along - contacts.level, name));
    };
    put(c, 1.0f, rim_detail::kCrossing), put(c, -1.0f, rim_detail::kCrossing + 1);
    put(third, 1.0f, rim_detail::kArcPoint), put(third, -1.0f, rim_detail::kArcPoint + 1);
}

// Adds the lowest point in lanes where no corner is as deep to within `slack`.
inline void put_lowest(ContactsOnPlaneW& contacts, const CurvedCore& core, MaskW wanted, FloatW slack, IntW name) {
    const MaskW reached = contacts.found.least_separation() <= contacts.deepest + slack;
    const Vec3W low = farthest_point(core, -contacts.up) - contacts.up * contacts.radius;
    const FloatW depth = dot(contacts.up, low);
    contacts.found.add_deepest(wanted & contacts.lanes & ~reached,
                               contacts.candidate(low, depth, contacts.deepest, name), contacts.near());
}

// Adds points of a cap of a cylinder or cone, and its lowest point if no corner is as deep.
inline void put_cap(ContactsOnPlaneW& contacts, const CurvedCore& core, MaskW caps, MaskW top, const FrameView& frame) {
    const FloatW one = 1.0f, towards = select(top, one, -one);
    const FloatW width = core.extent.x,
                 up = core.kind == ShapeKind::cone ? select(top, FloatW(0.0f), core.extent.y) : core.extent.y;
    const FloatW height = towards * (up + contacts.radius);
    const MaskW wide =
        caps & (width + width > FloatW(kSliver) * contacts.tolerance) & (abs(contacts.up.y) > FloatW(kSteepFace));
    const auto corner = [&](std::uint32_t i) {
        const HullVertex& v = frame.prism->vertices[i];
        return Vec3W{width * FloatW(v.x), height, width * FloatW(v.z)};
    };
    FloatW separation[kCapCorners];
    for (std::uint32_t i = 0; i < kCapCorners; ++i) separation[i] = dot(contacts.up, corner(i)) - contacts.level;
    // No small tilt lowers points that are farther up the rim. So a leaning cap, whatever the margin, gets the arc on
    // which it stands.
    const FloatW limit = min(contacts.limit(), contacts.deepest + FloatW(2.0f * kMostTilted) * width);
    const RimW rim(separation, limit, contacts.slack);
    for (std::uint32_t i = 0; i < kCapCorners; ++i)
        if (const MaskW wanted = wide & rim.is_wanted(i); any(wanted & contacts.lanes))
            contacts.put(
                wanted, corner(i),
                select(top, IntW(static_cast<std::int32_t>(i)), IntW(static_cast<std::int32_t>(i + kCapCorners))));
    if (const MaskW part = wide & ~rim.whole & contacts.lanes; any(part))
        put_arc(contacts, part, limit, width, height,
                select(top, IntW(0), IntW(static_cast<std::int32_t>(kCapCorners))));
    FloatW highest = separation[0];
    for (std::uint32_t i = 1; i < kCapCorners; ++i) highest = max(highest, separation[i]);
    const MaskW level = highest - contacts.deepest <= FloatW(kLevelRange) * contacts.smaller;
    put_lowest(contacts, core, caps, select(level, contacts.slack, FloatW(kLevelShare) * contacts.slack),
               select(top, IntW(static_cast<std::int32_t>(face_name(kTopFace))),
                      IntW(static_cast<std::int32_t>(face_name(kBottomFace)))));
}

// Adds the ends of the line of a cylinder's or cone's lateral face; only the apex if the normal belongs to it.
inline void put_lateral(ContactsOnPlaneW& contacts, const CurvedCore& core, MaskW lateral) {
    const Vec3W down = -contacts.up, rim = perpendicular_to(down) * core.extent.x, end = {0.0f, core.extent.y, 0.0f};
    const Vec3W upper = core.kind == ShapeKind::cone ? end : rim + end;
    const LateralNormalW normal = lateral_normal(core, down);
    const MaskW apex = lateral & normal.is_of_apex();
    contacts.put_edge(lateral & ~apex, upper, rim - end, normal.normal, kUpperEnd, kLowerEnd);
    contacts.put(apex, upper - contacts.up * contacts.radius, IntW(static_cast<std::int32_t>(kUpperEnd)));
}

inline void put_features(ContactsOnPlaneW& contacts, const CurvedCore& core, CoreForm, const FrameView& frame) {
    const Vec3W down = -contacts.up;
    std::uint32_t level = 0;
    const IntW face = load(best_faces(core, down, kAllLanes, contacts.tolerance, level));
    const MaskW lateral = face == IntW(kLateralFace), top = face == IntW(kTopFace);
    if (any(lateral & contacts.lanes)) put_lateral(contacts, core, lateral);
    if (any(~lateral & contacts.lanes)) put_cap(contacts, core, ~lateral, top, frame);
}

template <class CoreA>
inline bool has_one_contact(const CoreA&) {
    return false;
}
template <Curved Core>
inline bool has_one_contact(const Core& core) {
    return !has_features(core.kind);
}

}  // namespace plane_detail

// As find_manifolds for two convex shapes. No lane lacks candidates.
template <class CoreA>
manifold_detail::Lacking find_manifolds(const PairW<CoreA, PlaneCore>& pair, CoreForm form_a, CoreForm,
                                        const ContactSeedW& seed, const FrameView& frame, AxisLimit,
                                        std::uint32_t lanes, std::uint32_t, ManifoldW& out) {
    using namespace plane_detail;
    if (has_one_contact(pair.a)) {
        out = lone_point(seed.answer, over_plane(IntW(static_cast<std::int32_t>(face_name(kLateralFace)))));
        return {};
    }
    ContactsOnPlaneW contacts(pair, seed, lanes);
    put_features(contacts, pair.a, form_a, frame);
    const ClipLimitsW limits = {seed.margin,    seed.answer.signed_distance,
                                pair.tolerance, FloatW(kSamePlaceShare) * pair.smaller,
                                seed.slack,     pair.smaller};
    manifold_detail::store_four(contacts.found, contacts.axes, splat(0.0f), limits, lanes, out);
    out.laws = no_laws();
    return {};
}

// The contact of a sphere.
inline ManifoldW one_point(const PairW<PointCore, PlaneCore>&, CoreForm, const AnswerW& answer, IntW, std::uint32_t) {
    return lone_point(answer, plane_detail::over_plane(IntW(0)));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
