// Pairs in which one face of many corners is (nearly) entirely over the other face, one pair per lane. The contacts are
// the four corners of that face that span the largest area. They depend on one shape alone, so noise does not choose
// between equally good corners. A corner slightly outside is moved towards the middle and keeps its name. Pairs are
// clipped instead if the other face cuts off more, a corner is beyond the margin, or the corners are not level.
#pragma once

#include "convex/manifold/candidates_wide.hpp"
#include "convex/manifold/curved_feature.hpp"
#include "convex/manifold/polygon.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Lanes load as many corners as the group's largest face has. Larger faces are left to one_by_one.hpp, which uses some
// of their corners.
inline constexpr float kFewCorners = 4.0f, kMostCorners = static_cast<float>(kMaxCorners);

// The face of one shape of each lane.
struct WholeFaceW {
    FaceViewW view;
    const ContactAxesW& axes;
    Vec3W scale;
    bool has_box_sides;  // edges along the axes of a cube or prism, under any scale

    MaskW fits() const { return view.usable & (view.count <= FloatW(kMostCorners)); }
};

// The face of a hull, a box or a cap. Other features of curved shapes have no such face.
inline WholeFaceW whole_face(const HullCore& core, const ContactAxesW& axes, const LaneArray<std::int32_t>& face,
                             FloatW radius, FloatW tolerance, const FrameView& frame) {
    return {view_of_face(core, axes, face, radius, tolerance, frame), axes, core.scale, false};
}
inline WholeFaceW whole_face(const ExtentCore& core, const ContactAxesW& axes, const LaneArray<std::int32_t>& face,
                             FloatW radius, FloatW tolerance, const FrameView& frame) {
    return {view_of_face(core, axes, face, radius, tolerance, frame), axes, core.extent, true};
}
// The cap of a cylinder or cone, as in set_curved_feature.
inline WholeFaceW whole_face(const CurvedCore& core, const ContactAxesW& axes, const LaneArray<std::int32_t>& face,
                             FloatW radius, FloatW tolerance, const FrameView& frame) {
    WholeFaceW out = {{}, axes, core.extent, true};
    const FloatW zero = 0.0f, one = 1.0f, which = float_of(load(face) | IntW(0x4b000000)) - FloatW(8388608.0f);
    const MaskW top = which == zero;
    if (core.kind == ShapeKind::cone) out.scale.y = select(top, zero, core.extent.y);
    FloatW width = zero;
    for (int lane = 0; lane < kLanes; ++lane) {
        const ContactFace& of = frame.prism->contact_faces.data()[face[lane] == kBottomFace ? kBottomFace : kTopFace];
        out.view.corners[lane] = frame.prism->corners.data() + of.first;
        out.view.face[lane] = &of;
        width = of.width;
    }
    out.view.count = static_cast<float>(kCapCorners);
    out.view.width = width * min(out.scale.x, out.scale.z);
    out.view.usable =
        (out.scale.x * FloatW(2.0f) > FloatW(kSliver) * tolerance) & (which < FloatW(static_cast<float>(kLateralFace)));
    polygon_detail::set_face(out.view, axes, {zero, select(top, one, -one), zero}, out.scale, radius, load(face));
    return out;
}

// All candidates of the lanes in `found`.
template <int number>
struct KnownCandidatesW {
    MaskW found;
    FloatW apart_squared;
    CandidateW at[number];

    void merge_into(CandidatesW& out) const {
        out.apart_squared = select(found, apart_squared, out.apart_squared);
        out.count = select(found, FloatW(static_cast<float>(number)), out.count);
        for (int k = 0; k < number; ++k) out.slot[k] = k < out.most ? select(found, at[k], out.slot[k]) : at[k];
        if (out.most < number) out.most = number;
    }
};
using WholeFacesW = KnownCandidatesW<4>;

// `as_deep`: the largest separation that is as deep as the answer; one of the four corners must be that deep. B's face
// over A's face is tried first.
void find_whole_faces(const WholeFaceW& a, const WholeFaceW& b, const ClipLimitsW& limits, FloatW as_deep, MaskW lanes,
                      WholeFacesW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
