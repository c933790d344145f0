// The pairs of a group one by one, as scalars: their shapes and contact seeds.
#pragma once

#include "convex/manifold/curved_feature.hpp"
#include "convex/manifold/manifold_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

// One shape of one pair.
struct ContactShape {
    ShapeKind kind;
    Polytope polytope;  // the core; for a curved shape, the prism that has its caps (curved_feature.hpp)
    float normal_sign;  // 1 for A, -1 for B
    float radius, tolerance;
    ContactAxes axes;

    bool is_curved() const { return kind != ShapeKind::capsule && kind != ShapeKind::box && kind != ShapeKind::hull; }
    // The radius about an edge. A cylinder's lateral face counts as an edge on the cylinder's axis.
    float edge_radius(std::int32_t face) const {
        return kind == ShapeKind::cylinder && face == kLateralFace ? radius + polytope.x : radius;
    }
    void set_feature(std::int32_t face, Feature& f) const;
    // Chooses another face of a hull if `face` does not have the deepest vertex.
    bool choose_support_face(std::int32_t& face) const;
};

// The contact axes in a shape's frame, as scalars per lane.
struct AxesW {
    LaneArray<float> at[12];

    AxesW(const ContactAxesW& a)
        : at{lanes_of(a.x.x),      lanes_of(a.x.y),      lanes_of(a.x.z),      lanes_of(a.y.x),
             lanes_of(a.y.y),      lanes_of(a.y.z),      lanes_of(a.normal.x), lanes_of(a.normal.y),
             lanes_of(a.normal.z), lanes_of(a.origin.x), lanes_of(a.origin.y), lanes_of(a.origin.z)} {}
    ContactAxes of_lane(int lane) const {
        const auto v = [&](int i) { return Float3{at[i][lane], at[i + 1][lane], at[i + 2][lane]}; };
        return {v(0), v(3), v(6), v(9)};
    }
};

inline ShapeKind kind_of(const ExtentCore&, CoreForm form) {
    return form == CoreForm::segment ? ShapeKind::capsule : ShapeKind::box;
}
inline ShapeKind kind_of(const HullCore&, CoreForm) { return ShapeKind::hull; }
inline ShapeKind kind_of(const CurvedCore& core, CoreForm) { return core.kind; }

// One shape of every pair.
struct ContactShapesW {
    ShapeKind kind;
    float normal_sign;
    const HullGeometry* hull[kLanes];
    LaneArray<float> scale[3], radius, tolerance;
    AxesW axes;

    template <class Core, class Pair>
    ContactShapesW(const Core& core, CoreForm form, FloatW of_radius, float sign, const Pair& pair,
                   const ContactAxesW& along, const FrameView& frame)
        : kind(kind_of(core, form)),
          normal_sign(sign),
          radius(lanes_of(of_radius)),
          tolerance(lanes_of(pair.tolerance)),
          axes(along) {
        const Vec3W by = scale_of(core);
        scale[0] = lanes_of(by.x), scale[1] = lanes_of(by.y), scale[2] = lanes_of(by.z);
        for (int lane = 0; lane < kLanes; ++lane) hull[lane] = polytope_of(core, scale, frame, lane).hull;
    }
    ContactShape of_lane(int lane) const {
        const float x = scale[0][lane], y = scale[1][lane], z = scale[2][lane];
        const Stretch stretch = kind != ShapeKind::hull ? Stretch::box
                                : x == y && y == z      ? Stretch::even
                                                        : Stretch::uneven;
        return {kind, {hull[lane], x, y, z, stretch}, normal_sign, radius[lane], tolerance[lane], axes.of_lane(lane)};
    }
};

// The seed of one pair.
struct ContactSeed {
    float x, y, height, separation;  // of the deepest point
    float along;                     // the separation along the contact normal; no point is closer
    float margin, tolerance, near, same_place, slack, smaller;
    bool is_known;         // otherwise x, y and height are undefined
    bool has_face_normal;  // the deepest point is then not along the normal
    std::int32_t names;

    // The largest separation of a candidate that counts as deepest. `share`: of promise 1's bound, the error that
    // features may have.
    float as_deep(float share = kFeatureShare) const {
        const float rounding = share * tolerance, within = kDeepestShare * slack;
        return separation + (within > rounding ? within : rounding);
    }
};

// The contact seeds of a group, unpacked to scalars.
struct ContactSeedsW {
    LaneArray<float> at[11];
    LaneArray<std::int32_t> names;
    std::uint32_t known, has_face_normal;

    ABUT_INLINE explicit ContactSeedsW(const ContactsW& c)
        : at{lanes_of(c.deepest.x),         lanes_of(c.deepest.y),
             lanes_of(c.deepest.height),    lanes_of(c.deepest.separation),
             lanes_of(c.limits.separation), lanes_of(c.limits.margin),
             lanes_of(c.limits.tolerance),  lanes_of(c.near),
             lanes_of(c.limits.same_place), lanes_of(c.limits.slack),
             lanes_of(c.limits.smaller)},
          names(lanes_of(c.deepest.name)),
          known(c.is_known.bits()),
          has_face_normal(c.has_face_normal.bits()) {}
    ContactSeed of_lane(int lane) const {
        const auto v = [&](int i) { return at[i][lane]; };
        const bool is_known = (known >> lane & 1) != 0, of_face = (has_face_normal >> lane & 1) != 0;
        return {v(0), v(1), v(2), v(3), v(4), v(5), v(6), v(7), v(8), v(9), v(10), is_known, of_face, names[lane]};
    }
};

// The pairs of a group, as scalars.
struct LanesOfPair {
    ContactShapesW a, b;
    ContactSeedsW seeds;
    const LaneArray<std::int32_t>&face_a, &face_b;

    template <class CoreA, class CoreB>
    ABUT_NOINLINE LanesOfPair(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b,
                              const ContactsW& contacts, const FrameView& frame)
        : a(pair.a, form_a, pair.radius_a, 1.0f, pair, contacts.in_a, frame),
          b(pair.b, form_b, pair.radius_b, -1.0f, pair, contacts.in_b, frame),
          seeds(contacts),
          face_a(contacts.face_a),
          face_b(contacts.face_b) {}
};

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
